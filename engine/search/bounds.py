"""The bounds of every search, whatever the limit of its client."""

from __future__ import annotations

import os
from dataclasses import dataclass

# Visits of one tree: unlimited analysis must not take all memory (some 1.5 GB at this, on 19x19).
MOST_VISITS = 1_000_000
NODE_BYTES = 1536  # memory of one node with its evaluation, on 19x19
MEMORY_SHARE = 0.5  # share of the machine's memory for the nodes of all trees together
MOST_NODES = int(
    MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / NODE_BYTES
)


@dataclass(frozen=True)
class SearchBounds:
    """The bounds of the searches of one process."""

    visits: int = MOST_VISITS  # of one tree
    seconds: float | None = None  # of one search; None: no bound
    nodes: int = MOST_NODES  # of all trees together


USUAL_BOUNDS = SearchBounds()
