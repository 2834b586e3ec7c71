"""How tournaments stand, computed beside the requests that ask, and shown as tables."""
