"""The guests of the page: each browser's own records, under a name made from its secret.

A guest's browser holds a secret in a cookie (protocols.server.guest_cookie). The store has the
guest under a digest of it, so that nobody can read the secret there. The number of new guests an
hour is limited, because a program can make up any number of secrets.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import deque
from collections.abc import Callable

from engine.opponents import OpponentName

SERVER = "page"  # of a guest's name in the store
ALIAS = "guest"
DIGEST_LETTERS = 20
MOST_NEW = 500  # guests in HOUR_SECONDS; others are remembered until they leave
HOUR_SECONDS = 3600.0
MOST_KNOWN = 10_000  # guests of this process that are no longer new


def guest_name(secret: str) -> OpponentName:
    """Returns the name of a guest in the store.

    >>> str(guest_name("a" * 32))
    'guest (page/3ba3f5f43b92602683c1)'
    """
    digest = hashlib.sha256(secret.encode()).hexdigest()
    return OpponentName(digest[:DIGEST_LETTERS], SERVER, ALIAS)


class GuestBook:
    """The guests with records of their own. Safe to use from several threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._known: dict[OpponentName, None] = {}  # first met first
        self._new: deque[float] = deque()  # times of the latest new guests
        self._lock = threading.Lock()

    def admit(self, secret: str) -> OpponentName | None:
        """Returns the name of a guest; None without a secret, and for too many new guests."""
        if not secret:
            return None
        name, now = guest_name(secret), self._now()
        with self._lock:
            if name in self._known:
                return name
            while self._new and now - self._new[0] > HOUR_SECONDS:
                self._new.popleft()
            if len(self._new) >= MOST_NEW:
                return None
            self._new.append(now)
            self._known[name] = None
            if len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
            return name
