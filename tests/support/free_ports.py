"""Free TCP ports of 127.0.0.1, for servers that are told their port before they start.

The system gives no port of these ranges to a connection or to a server of any port, and each
process of a run of the tests has its own range: nothing takes a port before its server does.
"""

from __future__ import annotations

import os
import socket
from itertools import cycle

FIRST, COUNT = 12_000, 1_000  # of a process's range; the system's own ports begin at 32,768
PROCESSES = 20

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % PROCESSES
_candidates = cycle(range(FIRST + _worker * COUNT, FIRST + (_worker + 1) * COUNT))


def free_ports(count: int = 1) -> int:
    """Returns the first of `count` free ports in a row; other calls return other ports.

    Raises OSError if the process's range has none. The range begins anew at its end.
    """
    for _ in range(COUNT):
        row = [next(_candidates) for _ in range(count)]
        if row[-1] - row[0] == count - 1 and all(map(is_free, row)):
            return row[0]
    raise OSError(f"no {count} free TCP ports in a row")


def is_free(port: int) -> bool:
    """Tells whether a server could listen on this port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
