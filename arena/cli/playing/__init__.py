"""What `arena play` is made of: telling a game, keeping it, a seat for a person."""
