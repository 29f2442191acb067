"""Games as moves are written, for tests of what goes by the moves before."""

from __future__ import annotations

from engine.games.position import Position
from engine.games.table import GAMES


def positions_of(name: str, size: tuple[int, int], moves: tuple[str, ...]) -> list[Position]:
    """The positions from the start of such a game to after these moves."""
    kind = GAMES[name]
    positions = [kind.new_position(*size)]
    for text in moves:
        after = positions[-1].copy()
        after.play(kind.read_move(text, *size))
        positions.append(after)
    return positions
