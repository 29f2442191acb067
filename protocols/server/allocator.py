"""The C library's allocator in a server with many threads (glibc's malloc(3), mallopt(3)).

A thread takes memory from one of several pools, eight a core by default. Trees grow and shrink
while evaluations stay, so each pool keeps room between them. Fewer pools share that room. Elsewhere
than in glibc the functions do nothing.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

MOST_POOLS = -8  # M_ARENA_MAX of <malloc.h>


def limit_pools(pools: int) -> None:
    """Limits the number of pools for threads that begin later."""
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(MOST_POOLS, pools)


def return_free_pages() -> None:
    """Returns the free pages of all pools to the system, within milliseconds."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
