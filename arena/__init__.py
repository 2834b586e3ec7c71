"""Arena: a competition arena for programs that play card games."""

__version__ = "0.1.0"
