"""Floor 6: the command line. Thin: it reads words, calls the floors below and writes what they say."""
