"""Bots that people send: how their bytes are received, and what becomes of them."""
