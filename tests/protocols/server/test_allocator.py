"""The server's allocator has few pools, and returns free memory."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engine.networks.processor import cores
from tests.support.allocator import needs_glibc

PRELUDE = """
import ctypes, threading
from pathlib import Path
from protocols.server.allocator import limit_pools, return_free_pages

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]

def resident():
    return next(
        int(line.split()[1])
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmRSS")
    )
"""
# Memory of a thread's pool lies in heaps of 64 MiB at multiples of 64 MiB.
POOLS = """
limit_pools(2)
heaps = set()

def allocate():
    heaps.add(library.malloc(5000) >> 26)
    barrier.wait()

barrier = threading.Barrier(24)
threads = [threading.Thread(target=allocate) for _ in range(24)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(heaps))
"""
HOLES = """
blocks = [library.malloc(60_000) for _ in range(1000)]
for block in blocks:
    ctypes.memset(block, 1, 60_000)
for block in blocks[::2]:
    library.free(block)
before = resident()
return_free_pages()
print(before - resident())
"""


def printed(program: str) -> int:
    """Returns the number that a program prints."""
    return int(subprocess.check_output([sys.executable, "-c", PRELUDE + program]))


@needs_glibc
def test_threads_share_two_pools() -> None:
    assert printed(POOLS) <= 3  # the main thread's pool lies elsewhere


@needs_glibc
def test_free_memory_between_blocks_returns_to_the_system() -> None:
    assert printed(HOLES) > 20_000  # KiB of 29,000


def heaps_of(process: int) -> int:
    """Returns the number of heaps of the pools of threads."""
    lines = Path(f"/proc/{process}/maps").read_text().splitlines()
    starts = [int(line.partition("-")[0], 16) for line in lines if line.split()[1:2] == ["rw-p"]]
    return sum(start % 2**26 == 0 for start in starts)


@needs_glibc
def test_the_clients_of_a_server_share_a_pool_a_core(serving: Any) -> None:
    with ExitStack() as stack:
        for _ in range(3 * cores()):
            address = ("127.0.0.1", serving.gtp_port)
            client = stack.enter_context(socket.create_connection(address))
            client.sendall(b"kata-set-param maxVisits 2\nboardsize 5\ngenmove b\n")
            answer = b""
            while answer.count(b"\n\n") < 3:
                answer += client.recv(4096)
        assert heaps_of(serving.process.pid) <= cores()
