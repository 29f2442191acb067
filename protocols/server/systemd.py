"""The two protocols of systemd for a service: sockets passed open, and notices of its state.

They are read from the environment variables of sd_listen_fds(3) and sd_notify(3).
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping

FIRST_DESCRIPTOR = 3


def passed_sockets(environment: Mapping[str, str], pid: int) -> dict[str, socket.socket]:
    """Returns the sockets passed to process `pid`, by FileDescriptorName."""
    if environment.get("LISTEN_PID") != str(pid):
        return {}
    count = int(environment.get("LISTEN_FDS", "0"))
    names = environment.get("LISTEN_FDNAMES", "").split(":")
    names += ["sparring"] * (count - len(names))
    return {names[index]: socket.socket(fileno=FIRST_DESCRIPTOR + index) for index in range(count)}


def watchdog_seconds(environment: Mapping[str, str], pid: int) -> float | None:
    """Returns the time between two signs of life to systemd; None where it expects none."""
    if environment.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    try:
        return int(environment["WATCHDOG_USEC"]) / 1e6 / 2
    except (KeyError, ValueError):
        return None


async def show_life(seconds: float) -> None:
    """Tells systemd that the event loop runs, again and again.

    A sign that a busy service manager has no room for is left out: the event loop waits for none.
    """
    while True:
        notify("WATCHDOG=1", waits=False)
        await asyncio.sleep(seconds)


def notify(state: str, *, waits: bool = True) -> None:
    """Sends `state`, such as "READY=1", to the service manager, if there is one.

    It waits until the service manager has room for it, or else drops it.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        connection.setblocking(waits)
        try:
            connection.sendto(state.encode(), address)
        except OSError:
            return
