"""The state of a running engine as plain values, for `sparring status` and for the metrics."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from engine._core import live_nodes
from engine.play.network_pool import NetworkPool
from engine.play.network_use import LoadedNetwork, memory_of
from engine.util.version import version_text
from protocols.activity import MOVE, Activity
from protocols.server.statistics import Statistics

PROTOCOL = "status"  # the name in the greeting
QUANTILES = (0.5, 0.99)


def status(pool: NetworkPool, statistics: Statistics) -> dict[str, Any]:
    """Returns the state of the engine; it holds no path of the store, as it may have a password."""
    now, networks = time.monotonic(), pool.loaded()
    work = pool.meter.work()
    visits, evaluations = statistics.rates(work, now)
    return {
        "version": version_text(),
        "pid": os.getpid(),
        "uptime_seconds": round(time.time() - statistics.started, 1),
        "memory_bytes": memory_bytes(),
        "tree_nodes": live_nodes()[0],
        "sessions": [session(each, now) for each in statistics.activities()],
        "session_limit": pool.sessions,
        "conversations": statistics.conversations(),
        "refusals": statistics.refusals(),
        "networks": [network(each) for each in networks if each.is_loaded],
        "visits_per_second": round(visits, 1),
        "evaluations_per_second": round(evaluations, 1),
        "move_seconds": {
            protocol: {f"{share:g}": latencies.quantile(share) for share in QUANTILES}
            for (protocol, kind), latencies in statistics.latencies().items()
            if kind == MOVE
        },
    }


def session(activity: Activity, now: float) -> dict[str, Any]:
    """Returns one conversation as plain values. now: by time.monotonic."""
    busy, work = activity.busy_since, activity.meter.work()
    return {
        "id": activity.id,
        "protocol": activity.protocol,
        "client": activity.client,
        "game": activity.game,
        "moves": activity.moves,
        "persona": activity.persona,
        "opponent": activity.opponent,
        "commands": activity.commands,
        "visits": work.playouts,
        "evaluations": work.evaluations,
        "batches": sum(work.batches),
        "wait_seconds": round(work.wait_seconds, 3),  # for these batches
        "processor_seconds": round(work.processor_seconds, 3),  # of the searches
        "seconds": round(time.time() - activity.begun, 1),
        "busy_seconds": None if busy is None else round(now - busy, 1),
    }


def network(loaded: LoadedNetwork) -> dict[str, Any]:
    """Returns one loaded network as plain values."""
    held = loaded.network.result()
    cache = held.cache
    path = loaded.choice.path
    return {
        "name": held.evaluator.network.name,
        "file": "" if path is None else path.name,
        "game": held.evaluator.network.game,
        "backend": held.evaluator.backend,
        "precision": held.evaluator.precision,
        "users": loaded.users,
        "is_replaced": loaded.is_replaced,
        "memory_bytes": memory_of(held),
        "evaluations": held.meter.work().evaluations,
        "cache_bytes": cache.bytes,
        "cache_lookups": cache.lookups,
        "cache_hits": cache.hits,
    }


def memory_bytes() -> int:
    """Returns the resident memory of this process; 0 where the system does not tell it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
