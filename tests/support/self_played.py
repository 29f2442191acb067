"""Games that play themselves in the core, judged by a stand-in: played, and gone through again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine._core import (
    Connect4SelfPlay,
    DarkChessSelfPlay,
    GoSelfPlay,
    NetworkScales,
    OthelloSelfPlay,
    SearchSettings,
    SelfPlayRows,
    SelfPlaySettings,
)
from engine.games.position import Position
from engine.games.table import GAMES
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones

PLAYS: dict[str, Any] = {
    "othello": OthelloSelfPlay,
    "connect4": Connect4SelfPlay,
    "go": GoSelfPlay,
    "darkchess": DarkChessSelfPlay,
}
COLUMNS = (
    "planes globals legal policy policy_weight reply reply_weight result score ownership exact "
    "game ply"
).split()

Changes = dict[str, float | bool]


def self_play(
    game: str,
    size: tuple[int, int],
    changes: Changes,
    *,
    games: int,
    at_once: int = 4,
    first_game: int = 0,
    seed: int = 1,
    search: Changes | None = None,
    start: Position | None = None,
    scales: NetworkScales | None = None,
) -> Any:
    """Self-play from the usual start, settings changed by name."""
    play, searching = SelfPlaySettings(), SearchSettings()
    for name, value in changes.items():
        setattr(play, name, value)
    for name, value in (search or {"solve_empties": 0}).items():
        setattr(searching, name, value)
    return PLAYS[game](
        start or GAMES[game].new_position(*size),
        searching,
        play,
        scales or NetworkScales(),
        games=games,
        at_once=at_once,
        first_game=first_game,
        seed=seed,
    )


def rows_of(
    game: str,
    size: tuple[int, int],
    changes: Changes,
    *,
    rows: int = 4,
    slots: int = 1,
    evaluate: Callable[[StandInSlot, int], None] = drawn_from_stones,
    **how: Any,
) -> SelfPlayRows:
    """The rows of all games, judged by `evaluate`."""
    playing = self_play(game, size, changes, **how)
    evaluator = StandInEvaluator(evaluate, game=game)
    batches = [evaluator.open(*size, rows) for _ in range(slots)]
    while not playing.over:
        filled = [
            playing.select(number, batch.spatial, batch.globals, rows)
            for number, batch in enumerate(batches)
        ]
        # The latest first: the order of answers must not matter.
        for number, batch in reversed(list(enumerate(batches))):
            batch.start(filled[number])
            batch.wait()
            if filled[number]:
                playing.update(number, batch.policy, batch.value, batch.misc, batch.ownership)
    return playing.take()


def positions_of(game: str, size: tuple[int, int], rows: SelfPlayRows) -> list[Position]:
    """The position of each row, from the moves of its game."""
    found = []
    for number, ply in zip(rows.game, rows.ply, strict=True):
        position = GAMES[game].new_position(*size)
        for move in rows.moves(int(number))[:ply]:
            position.play(move)
        found.append(position)
    return found


def ends_of(start: Position, rows: SelfPlayRows) -> dict[int, Position]:
    """The last position of each game."""
    ends = {}
    for number in rows.games:
        ends[number] = start.copy()
        for move in rows.moves(number):
            ends[number].play(move)
    return ends


def same(first: SelfPlayRows, second: SelfPlayRows) -> bool:
    return first.games == second.games and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in COLUMNS
    )
