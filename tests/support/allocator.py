"""The memory of this process as the C library's allocator counts it; for glibc alone."""

from __future__ import annotations

import ctypes
import platform

import pytest

needs_glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc counts memory")

NAMES = (
    *("arena", "free_chunks", "fast_chunks", "mapped_chunks", "mapped_bytes"),
    *("unused", "fast_bytes", "used_bytes", "free_bytes", "top_bytes"),
)


class Mallinfo(ctypes.Structure):
    """The struct mallinfo2 of <malloc.h>."""

    _fields_ = [(name, ctypes.c_size_t) for name in NAMES]


def used_bytes() -> int:
    """Returns the bytes in use of the main thread's pool, and of large blocks."""
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = Mallinfo
    info = library.mallinfo2()
    return int(info.used_bytes + info.mapped_bytes)
