"""Openings of chess for matches: usual first moves, in UCI.

After random legal moves, networks of human moves would judge strange positions. Each line has eight
half-moves; a match may take fewer.
"""

from __future__ import annotations

from typing import Final

LINES: Final = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",  # Ruy Lopez
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6",  # Italian
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5",  # Two Knights
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6",  # Scotch
    "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4",  # Petrov
    "e2e4 e7e5 g1f3 d7d6 d2d4 e5d4 f3d4 g8f6",  # Philidor
    "e2e4 e7e5 b1c3 g8f6 f1c4 b8c6 d2d3 f8c5",  # Vienna
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",  # Open Sicilian
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6",
    "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7",  # Closed Sicilian
    "e2e4 c7c5 c2c3 d7d5 e4d5 d8d5 d2d4 g8f6",  # Alapin
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7",  # French
    "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5 c2c3 b8c6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5",  # Caro-Kann
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 c2c4 g8f6",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 g8f6",  # Scandinavian
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",  # Queen's Gambit
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 e7e6",  # Slav
    "d2d4 d7d5 g1f3 g8f6 c1f4 e7e6 e2e3 c7c5",  # London
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",  # King's Indian
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8",  # Nimzo-Indian
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6 g2g3 c8b7",  # Queen's Indian
    "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6 g1f3 f8e7",  # Dutch
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5",  # English
    "g1f3 d7d5 g2g3 g8f6 f1g2 e7e6 e1g1 f8e7",  # Reti
)
PLIES: Final = 8
