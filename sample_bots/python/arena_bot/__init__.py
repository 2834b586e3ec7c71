"""Python SDK of Arena: a bot is a class with one method per kind of decision."""
