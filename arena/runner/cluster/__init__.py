"""Plays a tournament on the machines of a Dask cluster, with the interface of a crew of local workers.

order       what goes over the wire: orders, outcomes, what a worker states of itself
fitness     which worker may play which bout, and why another may not
archives    bots as content-addressed archives
exchange    on the scheduler: archives on their way out, games on their way in, finished and running
station     on a worker: builds bots, keeps worker processes, plays
relay       on a worker: hands on what running games tell those who look on
crew        at the coordinator: `ClusterCrew`
mirror      at the coordinator: shows what relays hand on
hush        loaded by a worker's process first: no log of Dask's on the terminal
connect     addresses, certificates, a cluster on this machine
anomaly     whether one worker's results differ from the others'
"""
