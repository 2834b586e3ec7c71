"""A person at the table: what may be chosen at /play, the tables of this server, what each of them shows to whom."""
