"""Games that others may look at while they run: what a worker writes down for them, and how it is read.

A game is a file of JSON lines, `DATA/live/TOURNAMENT/ROOM/GAMEID.jsonl`, made of the views of spectators alone: what
those do not show is not in it. A room is the folder of one bout of one process; its file `lock` is locked as long as
that process lives, however it dies, so that what a dead one left is known for what it is.
"""
