"""Evaluators without a network: deterministic, fair, and aware of plain wins."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import Connect4Position, OthelloPosition
from engine.agents.table import make_agent
from engine.networks.rollout_evaluator import RolloutEvaluator, RolloutSlot
from engine.search.search import Search, SearchSettings
from engine.values import Limit

Positions = OthelloPosition | Connect4Position


def played(position: Positions, moves: list[int]) -> Positions:
    for move in moves:
        position.play(move)
    return position


def judged(evaluator: RolloutEvaluator, *positions: Positions, symmetry: int = 0) -> RolloutSlot:
    slot = evaluator.open(positions[0].width, positions[0].height, len(positions))
    for row, position in enumerate(positions):
        slot.spatial[row], slot.globals[row] = position.features(symmetry)
    slot.start(len(positions))
    slot.wait()
    return slot


def wins(slot: RolloutSlot) -> NDArray[np.float32]:
    """The win probability of the side to move, for each row."""
    odds = np.exp(slot.value[:, 0] - slot.value[:, 1])
    return odds / (1 + odds)


ALL: list[tuple[str, Positions]] = [
    ("othello", OthelloPosition(4)),
    ("othello", OthelloPosition(6)),
    ("othello", OthelloPosition(8)),
    ("othello", OthelloPosition(10)),
    ("connect4", Connect4Position()),
    ("connect4", Connect4Position(8, 7)),
    ("connect4", Connect4Position(5, 4)),
]
NAMES = [f"{game} {position.width}x{position.height}" for game, position in ALL]


@pytest.mark.parametrize(("game", "position"), ALL, ids=NAMES)
def test_a_row_is_judged_alike_alone_or_among_others(game: str, position: Positions) -> None:
    after = played(position.copy(), position.legal_moves()[:1])
    evaluator = RolloutEvaluator(game, 3)
    both = judged(evaluator, position, after)
    alone = judged(RolloutEvaluator(game, 3), after)
    for name in ("policy", "value", "misc", "ownership"):
        outputs = getattr(both, name)
        assert np.isfinite(outputs).all(), name
        assert (outputs[1] == getattr(alone, name)[0]).all(), name
    assert both.policy.shape == (2, position.move_count)


@pytest.mark.parametrize(("game", "position"), ALL, ids=NAMES)
def test_a_search_plays_the_game_out_and_repeats_itself(game: str, position: Positions) -> None:
    games = []
    for _ in range(2):
        current = position.copy()
        search = Search(RolloutEvaluator(game), SearchSettings(), seed=5)
        moves = []
        while not current.is_over:
            search.set_position(current)
            best = search.run(Limit(visits=20)).best
            assert best is not None
            current.play(best.move)
            moves.append(best.move)
        games.append(moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("size", [6, 8])
def test_the_linear_evaluation_is_blind_to_symmetry(size: int) -> None:
    position = played(OthelloPosition(size), [OthelloPosition(size).legal_moves()[0]])
    for _ in range(6):
        position.play(position.legal_moves()[-1])
    evaluator = RolloutEvaluator("othello")
    plain = judged(evaluator, position)
    cells = np.arange(size * size)
    for symmetry in range(8):
        turned = judged(evaluator, position, symmetry=symmetry)
        assert (turned.value == plain.value).all()
        assert (turned.misc == plain.misc).all()
        # The index of each cell, by the discs of a board with one on that cell alone.
        order = [placed(size, int(cell), symmetry) for cell in cells]
        assert (turned.policy[0, order] == plain.policy[0, cells]).all()


def placed(size: int, cell: int, symmetry: int) -> int:
    position = OthelloPosition(size)
    position.setup([(0, cell)], to_move=0)
    return int(position.features(symmetry)[0][1].ravel().argmax())


@pytest.mark.parametrize(
    ("game", "start", "agent"),
    [
        ("othello", OthelloPosition(6), "alphabeta:4"),
        ("othello", OthelloPosition(8), "mcts1"),
        ("connect4", Connect4Position(), "mcts1"),
    ],
    ids=["othello 6x6", "othello 8x8", "connect4"],
)
def test_a_short_search_beats_the_papers_agents(game: str, start: Positions, agent: str) -> None:
    """Both colors of two games each; the evaluation alone makes the difference."""
    points = 0.0
    for number in range(4):
        color = number % 2
        opponent = make_agent(agent, game, seed=number)
        search = Search(RolloutEvaluator(game), SearchSettings(), seed=number)
        position = start.copy()
        while not position.is_over:
            if position.to_move == color:
                search.set_position(position)
                best = search.run(Limit(visits=400)).best
                assert best is not None
                position.play(best.move)
            else:
                move = opponent.choose(position).move
                assert move is not None
                position.play(move)
        points += 0.5 if position.winner < 0 else float(position.winner == color)
    assert points >= 3


def test_the_seed_decides_the_games() -> None:
    position = OthelloPosition(10)
    one, same, other = (
        judged(RolloutEvaluator("othello", 8, seed=seed), position) for seed in (1, 1, 2)
    )
    assert (one.ownership == same.ownership).all()
    assert (one.ownership != other.ownership).any()


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ([3, 0, 3, 0, 3, 0], 3),  # wins by the fourth disc in the column
        ([3, 0, 3, 0, 3], 3),  # must block it
        ([2, 2, 3, 3, 4], {1, 5}),  # both ends open: lost whichever it blocks
    ],
    ids=["win", "block", "lost"],
)
def test_connect4_sees_the_next_move(moves: list[int], best: int | set[int]) -> None:
    position = played(Connect4Position(), moves)
    slot = judged(RolloutEvaluator("connect4", 20), position)
    expected = {best} if isinstance(best, int) else best
    assert int(slot.policy[0].argmax()) in expected
    win = float(wins(slot)[0])
    assert (win > 0.9) if moves[-1] == 0 else (win < 0.7 if isinstance(best, int) else win < 0.1)


def test_othello_knows_the_owners_near_the_end() -> None:
    """Row 8 is empty but for its end: Black takes the rest, whichever side begins."""
    position = OthelloPosition(4)
    stones = [(0, cell) for cell in range(8)] + [(1, cell) for cell in range(8, 12)]
    position.setup(stones, to_move=0)
    slot = judged(RolloutEvaluator("othello", 30), position)
    assert float(wins(slot)[0]) > 0.9
    assert slot.misc[0, 0] > 8
    assert (np.tanh(slot.ownership[0, :4]) > 0.9).all()


@pytest.mark.parametrize(
    ("arguments", "quoted"), [(("go",), "'go'"), (("othello", 0), "0 playouts")]
)
def test_unsupported_games_are_refused(arguments: tuple[str, int], quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        RolloutEvaluator(*arguments)


def test_sizes_and_rows_are_checked() -> None:
    with pytest.raises(ValueError, match="8x6"):
        RolloutEvaluator("othello").open(8, 6, 1)
    with pytest.raises(ValueError, match="fit"):
        RolloutEvaluator("connect4").open(9, 8, 1)
    slot = RolloutEvaluator("othello").open(8, 8, 2)
    with pytest.raises(ValueError, match="3 rows"):
        slot.start(3)
    slot.start(1)
    with pytest.raises(RuntimeError, match="wait"):
        slot.start(1)
