"""The user at the other end of a TCP connection inside this machine, as Linux's table has it.

A browser's command line is open to all users of a machine, so an address with a token does not
belong there. The table names the owner of a connection instead.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

CONNECTIONS = Path("/proc/net/tcp")  # IPv4
ESTABLISHED = "01"
LOCAL, REMOTE, STATE, USER = 1, 2, 3, 7  # columns

Place = tuple[str, int]  # IPv4 address and port


def user_of(client: Place, server: Place) -> int | None:
    """Returns the user of the client's end of a connection; None if the table lacks it."""
    try:
        return user_in(CONNECTIONS.read_text(), client, server)
    except OSError:  # not Linux
        return None


def user_in(table: str, client: Place, server: Place) -> int | None:
    """Returns the user of the client's end of a connection in a table; None if it is absent."""
    ends = _written(client), _written(server)
    for line in table.splitlines()[1:]:
        row = line.split()
        if len(row) > USER and (row[LOCAL], row[REMOTE]) == ends and row[STATE] == ESTABLISHED:
            return int(row[USER])
    return None


def _written(place: Place) -> str:
    """Returns a place as the table writes it: the address in the machine's order of bytes."""
    address, port = place
    number = int.from_bytes(socket.inet_aton(address), sys.byteorder)
    return f"{number:08X}:{port:04X}"
