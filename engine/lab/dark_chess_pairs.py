"""Duplicate games of DarkKnight's settings on the whole board of dark chess.

Both games of a pair have one hidden arrangement, and the players change sides: a part of the luck
falls out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import mean, stdev

from engine._core import DarkKnightSettings, search_dark_knight
from engine.agents.dark_knight import DarkKnightSetting
from engine.games.dark_chess import deal, new_position
from engine.lab.dark_chess_metrics import Metric
from engine.match.tally import Z_95


def pair_points(
    setting: DarkKnightSetting, other: DarkKnightSetting, pairs: int, seed: int
) -> Iterator[float]:
    """Yields the setting's share of points of each pair of games: 0, .25, .5, .75 or 1."""
    own, opponent = (_stopping(each) for each in (setting, other))
    for pair in range(seed, seed + pairs):
        first = _winner_of(own, opponent, pair)
        second = _winner_of(opponent, own, pair)
        yield (_points(first, 0) + _points(second, 1)) / 2


def share_of(points: list[float]) -> Metric:
    """Returns the mean of pairs in percent, with its interval from two pairs on."""
    if len(points) < 2:
        return Metric(100 * mean(points))
    return Metric(100 * mean(points), 100 * Z_95 * stdev(points) / len(points) ** 0.5)


def _stopping(setting: DarkKnightSetting) -> DarkKnightSettings:
    settings = setting.native()
    settings.stops_when_decided = True
    return settings


def _points(winner: int, player: int) -> float:
    return 0.5 if winner < 0 else float(winner == player)


def _winner_of(first: DarkKnightSettings, second: DarkKnightSettings, seed: int) -> int:
    """Returns the winner of a game, 0 the first player, -1 for a draw."""
    position, draw = new_position(4, 8), deal(seed)
    rng = random.Random(seed)  # noqa: S311 - no secret
    while not position.is_over:
        moves = position.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            settings = (first, second)[position.to_move]
            move = search_dark_knight(position, settings, rng.getrandbits(60)).finding.move
        position.play(draw(position, move))
    return position.winner
