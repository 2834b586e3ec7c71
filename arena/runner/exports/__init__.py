"""Results as files and back: what may leave the store (`leaving`), and in which formats."""
