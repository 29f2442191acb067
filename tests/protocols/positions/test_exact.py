"""Late positions looked at by the solvers."""

from __future__ import annotations

import random
from itertools import count

import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.search.solver import SOLVERS
from protocols.positions.exact import ExactEndings


def late(game: str, empties: int, seed: int) -> Position:
    rng = random.Random(seed)
    for _ in range(1000):
        position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
        while not position.is_over and (position.stones == 0).sum() > empties:
            position.play(rng.choice(position.legal_moves()))
        if not position.is_over:
            return position
    raise AssertionError("no such position")


def never() -> bool:
    return False


@pytest.mark.parametrize(("game", "empties"), [("othello", 10), ("connect4", 20)])
@pytest.mark.parametrize("seed", range(6))
def test_every_move_has_the_score_that_its_best_play_ends_with(
    game: str, empties: int, seed: int
) -> None:
    position = late(game, empties, seed)
    analysis = ExactEndings(game).analysis(position, empties=empties, stop=never)
    assert analysis is not None
    assert sorted(line.variation[0] for line in analysis.lines) == position.legal_moves()
    assert analysis.lines[0].score == SOLVERS[game](16).solve(position).score
    sign = 1 if position.to_move == 0 else -1
    for line, following in zip(analysis.lines, [*analysis.lines[1:], None], strict=True):
        assert following is None or line.score >= following.score
        assert line.is_exact
        assert line.win_rate == (0.5 if line.score == 0 else float(line.score > 0))
        board = position.copy()
        for move in line.variation:
            board.play(move)
        if board.is_over:
            assert sign * board.black_score == line.score


def test_only_late_positions_are_solved() -> None:
    position = late("othello", 12, 1)
    endings = ExactEndings("othello")
    assert endings.analysis(position, empties=11, stop=never) is None
    assert endings.analysis(position, empties=12, stop=lambda: True) is None
    assert ExactEndings("go").analysis(position, empties=60, stop=never) is None


def test_it_gives_up_when_it_takes_too_long() -> None:
    clock = count(0, 6)
    endings = ExactEndings("othello", now=lambda: float(next(clock)))
    assert endings.analysis(late("othello", 12, 2), empties=12, stop=never) is None
