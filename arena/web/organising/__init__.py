"""What organisers do: watch over the server, let bots in, run events, look after people."""
