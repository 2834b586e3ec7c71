"""Keeps bots apart from the arena, from each other and from the machine; docs/sandbox.md says what is promised."""
