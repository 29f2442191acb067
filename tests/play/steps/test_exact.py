"""The player in late positions: certain where the solver is quick, unchanged where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.play.move_choice import choose
from engine.play.steps import exact
from engine.play.steps.request import MoveRequest
from engine.search.search import Restriction, Search, SearchSettings, never
from engine.search.solver import SOLVERS
from engine.style.naturalness import Excess, Floors
from engine.values import Choice, Limit
from tests.core.test_proofs import late
from tests.support.stand_in import StandInEvaluator, StandInSlot, uniform

LATE = {"othello": 12, "connect4": 20}  # empty cells that are solved in a moment


def chosen(
    game: str, position: Position, limit: Limit | None = None, search: Search | None = None
) -> Choice:
    search = search or Search(StandInEvaluator(game=game), SearchSettings(), seed=3)
    search.set_position(position)
    return choose(search, MoveRequest(position, limit or Limit(visits=50), game=game))


@pytest.mark.parametrize("visits", [1, 2, 50])  # few leave the best move unsearched
@pytest.mark.parametrize("game", sorted(SOLVERS))
def test_late_moves_are_best_for_certain_and_say_so(game: str, visits: int) -> None:
    solver = SOLVERS[game](16)
    for seed in range(12):
        position = late(game, GAMES[game].usual_sizes[0], seed, LATE[game])
        scores = dict(solver.solve_moves(position))
        best = max(scores.values())
        if len(scores) == 1:
            continue
        choice = chosen(game, position, Limit(visits=visits))
        assert choice.move is not None
        assert scores[choice.move] == best
        assert choice.reason == f"The end is solved: it {exact.in_words(game, best)}."
        assert choice.report is not None
        assert choice.report.moves[0].move == choice.move
        assert choice.report.moves[0].score_lead == choice.report.root.score_lead == best
        bounds = choice.report.root.bounds
        assert bounds is not None
        assert bounds.exact == best


def test_scores_in_words() -> None:
    assert exact.in_words("othello", 12) == "wins by 12 discs"
    assert exact.in_words("othello", -2) == "loses by 2 discs"
    assert exact.in_words("connect4", 0) == "draws"
    assert exact.in_words("connect4", -3) == "loses with a score of 3"


def test_between_equal_moves_the_search_decides() -> None:
    """All moves of this Connect4 ending come to the same; the network likes two columns."""
    position = GAMES["connect4"].new_position(4, 4)
    scores = dict(SOLVERS["connect4"](1).solve_moves(position))
    equals = [move for move, score in scores.items() if score == max(scores.values())]
    assert len(equals) > 1
    for liked in equals:

        def evaluate(slot: StandInSlot, row: int, liked: int = liked) -> None:
            uniform(slot, row)
            slot.policy[row] = -8.0
            slot.policy[row, [liked, 3 - liked]] = 8.0  # whichever way the board is turned

        search = Search(StandInEvaluator(evaluate, game="connect4"), SearchSettings(), seed=1)
        assert chosen("connect4", position, Limit(visits=8), search).move in (liked, 3 - liked)


@pytest.mark.parametrize("game", sorted(SOLVERS))
def test_early_positions_are_left_to_the_search(game: str) -> None:
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    for limit in (Limit(visits=20), Limit(visits=20, seconds=1.0), Limit(20, max_seconds=1.0)):
        choice = chosen(game, position, limit)
        assert "20 visits" in choice.reason


@pytest.mark.parametrize("game", sorted(SOLVERS))
def test_a_clock_with_little_time_leaves_less_to_the_solver(game: str) -> None:
    cost = exact.COSTS[game]

    def most(limit: Limit) -> int:
        allowed = exact.seconds_allowed(limit)
        return max(empties for empties in range(64) if cost.seconds_for(empties) <= allowed)

    reach = [most(Limit(seconds=seconds)) for seconds in (0.01, 0.1, 1.0, 10.0)]
    assert reach == sorted(set(reach))
    assert most(Limit(seconds=10.0, max_seconds=0.1)) == reach[1]


def test_neither_a_stop_nor_a_restriction_is_overruled() -> None:
    position = late("connect4", (7, 6), 4, 20)
    search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=3)
    search.set_position(position)
    only = Restriction(black=[99] * 7, white=[99] * 7)
    turn = MoveRequest(position, Limit(visits=50), game="connect4", restriction=only)
    assert exact.play_exactly(search, turn) is None
    turn = MoveRequest(position, Limit(visits=50), game="connect4", stop=lambda: True)
    assert exact.play_exactly(search, turn) is None
    turn = MoveRequest(position, Limit(visits=50), game="connect4", stop=never)
    assert exact.play_exactly(search, turn) is not None


def test_of_the_best_moves_one_that_may_be_played_and_is_natural_is() -> None:
    position = GAMES["connect4"].new_position(4, 4)
    scores = dict(SOLVERS["connect4"](1).solve_moves(position))
    equals = [move for move, score in scores.items() if score == max(scores.values())]
    others = [move for move in scores if move not in equals]
    assert len(equals) > 1
    search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=1)
    search.set_position(position)
    turn = MoveRequest(position, Limit(visits=20), game="connect4")
    for wanted in equals:
        only = Restriction(black=[int(move != wanted) for move in range(4)])
        choice = exact.play_exactly(search, replace(turn, restriction=only))
        assert choice is not None
        assert choice.move == wanted
        likely = np.array([0.1 if move == wanted else 0.05 for move in range(4)])
        excess = Excess(Floors(0.1, 0.1), likely, np.zeros(4), minimum_share=0.75)
        choice = exact.play_exactly(search, replace(turn, excess=excess))
        assert choice is not None
        assert choice.move == wanted
    worse = Restriction(black=[int(move not in others) for move in range(4)])
    assert exact.play_exactly(search, replace(turn, restriction=worse)) is None


def test_the_solver_can_be_left_out() -> None:
    position = late("connect4", (7, 6), 4, 20)
    search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=3)
    search.set_position(position)
    turn = MoveRequest(position, Limit(visits=5), game="connect4", solve=False)
    assert choose(search, turn).reason.startswith("After 5 visits")


def test_time_spent_in_vain_is_taken_from_the_search() -> None:
    limit = Limit(visits=5, seconds=2.0, max_seconds=3.0)
    assert limit.after(0.5) == Limit(visits=5, seconds=1.5, max_seconds=2.5)
    assert limit.after(9.0) == Limit(visits=5, seconds=0.0, max_seconds=0.0)
    assert Limit(visits=5).after(9.0) == Limit(visits=5)
