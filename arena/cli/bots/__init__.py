"""The commands of `arena bot` that look at registered bots; `arena.cli.commands.bot` puts them into the tree."""
