"""What Dask loads into a worker's process before that begins: its log tells of every connection that ends."""

from __future__ import annotations

from arena.runner.cluster.connect import quiet

quiet()
