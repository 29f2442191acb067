"""What systemd passes to a service and wants to hear of it: open sockets, and being ready.

Knows the environment variables of sd_listen_fds(3) and sd_notify(3). Opens no socket of its own
beside the notification's.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

FIRST_DESCRIPTOR = 3


def passed_sockets(environment: Mapping[str, str], pid: int) -> dict[str, socket.socket]:
    """The sockets passed to process `pid` by their FileDescriptorName; empty without any."""
    if environment.get("LISTEN_PID") != str(pid):
        return {}
    count = int(environment.get("LISTEN_FDS", "0"))
    names = environment.get("LISTEN_FDNAMES", "").split(":")
    names += ["sparring"] * (count - len(names))
    return {names[index]: socket.socket(fileno=FIRST_DESCRIPTOR + index) for index in range(count)}


def notify(state: str) -> None:
    """Tells the service manager `state`, such as "READY=1"; silent where none listens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        try:
            connection.sendto(state.encode(), address)
        except OSError:
            return
