"""Attention over keys that are shared out between machines: each gives its contribution, and contributions merge.

``shards.py`` says which keys go together, ``cluster.py`` finds, starts and watches machines, ``attention.py`` has them
work. `distributed` (Dask's scheduler, the extra ``[cluster]``) is imported when a cluster is first used.
"""

from attention_lab.sharded.attention import sharded_attention
from attention_lab.sharded.cluster import cluster_problem, local_cluster, lose_a_worker, worker_memory
from attention_lab.sharded.shards import key_shards

__all__ = [
    "cluster_problem",
    "key_shards",
    "local_cluster",
    "lose_a_worker",
    "sharded_attention",
    "worker_memory",
]
