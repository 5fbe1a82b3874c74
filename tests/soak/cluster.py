"""A dask cluster of two workers on loopback, until its input is closed; it prints its address.

It is a process of its own, so that what its scheduler opens and keeps is not held against the studies of `soak.py`.
"""

from __future__ import annotations

import logging
import sys

from distributed import LocalCluster

if __name__ == "__main__":
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
