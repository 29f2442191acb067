"""Othello's last moves by a persona that wants a margin: exact, and as natural as that leaves."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.exact_margin import best_of, end_exactly
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings
from engine.search.solver import SOLVERS
from engine.style.ending import ENDINGS
from engine.style.score_lead import ScoreLead
from engine.style.target_leads import Candidate, outside
from engine.values import Choice, Limit
from tests.core.test_proofs import late
from tests.support.stand_in import StandInEvaluator

EMPTIES = 10
WANTED = (-2.0, 2.0)  # of those within 3.5, what can occur


def chosen(position: Position, text: str, *, solve: bool = True) -> tuple[Choice | None, Search]:
    search = Search(StandInEvaluator(game="othello"), SearchSettings(), seed=3)
    search.set_position(position)
    persona = make_persona(text, "othello")
    turn = MoveRequest(position, Limit(visits=30), "othello", persona=persona, solve=solve)
    return end_exactly(search, turn), search


def test_the_nearest_margin_is_reached_by_its_most_natural_move() -> None:
    scores_seen = set()
    for seed in range(12):
        position = late("othello", (8, 8), seed, EMPTIES)
        scores = dict(SOLVERS["othello"](16).solve_moves(position))
        if len(scores) < 2:
            continue
        choice, search = chosen(position, "full+ending=close:least_probability=0")
        assert choice is not None
        policy = search.report().policy
        assert choice.move is not None
        nearest = min(outside(score, *WANTED) for score in scores.values())
        assert outside(scores[choice.move], *WANTED) == nearest
        as_near = [m for m, score in scores.items() if outside(score, *WANTED) == nearest]
        assert choice.move == max(as_near, key=lambda move: policy[move])
        assert choice.reason.startswith("The end is solved: ")
        scores_seen.add(scores[choice.move] == max(scores.values()))
    assert scores_seen == {True, False}


def test_a_narrow_win_or_loss_is_as_narrow_as_possible() -> None:
    candidates = [Candidate(at, 0.2, lead) for at, lead in enumerate((-12.0, -2.0, 4.0))]
    position = GAMES["othello"].new_position(8, 8)
    assert best_of(candidates, ENDINGS["win"], position).lead == 4.0
    assert best_of(candidates, ENDINGS["lose"], position).lead == -2.0
    assert best_of(candidates, ScoreLead(most_loss=9.0), position).lead == -2.0


def test_an_unnatural_move_is_played_where_there_is_no_other() -> None:
    position = GAMES["othello"].new_position(8, 8)
    hardly, likely = Candidate(0, 0.001, 2.0), Candidate(1, 0.5, 30.0)
    assert best_of([hardly, likely], ENDINGS["close"], position) == likely
    assert best_of([hardly], ENDINGS["close"], position) == hardly


@pytest.mark.parametrize(("empties", "solve"), [(30, True), (EMPTIES, False)])
def test_unsolved_positions_are_left_to_other_steps(empties: int, solve: bool) -> None:
    position = late("othello", (8, 8), 2, empties)
    assert chosen(position, "full+ending=close", solve=solve)[0] is None


def test_weaker_personas_end_games_so_too() -> None:
    position = late("othello", (8, 8), 4, EMPTIES)
    search = Search(StandInEvaluator(game="othello"), SearchSettings(), seed=3)
    search.set_position(position)
    persona = make_persona("softmax:0+ending=close", "othello")
    rng = np.random.default_rng(1)
    turn = MoveRequest(position, Limit(visits=30), "othello", persona=persona, rng=rng)
    assert choose(search, turn).reason.startswith("The end is solved: ")
