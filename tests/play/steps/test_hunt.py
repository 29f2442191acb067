"""Won endings of dark chess: full strength, levels and `even` capture by force, not shuffle."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import DarkChessPosition, hunt_dark_chess
from engine.games.dark_chess import new_position, set_up
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.opponents.tracker import of_stranger
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.conversion import MOST_BOARDS, MOST_PLIES, REMARK
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice, Limit

# The king and the guard catch the guard in the corner by force, in some moves.
HUNT = "---g\n----\n-K--\n--G-\n----\n----\n----\n----\nred"
DRAWN = "---g\n----\n-G--\n----\n----\n----\n----\n----\nred"


def ending(text: str) -> DarkChessPosition:
    position = new_position(4, 8)
    set_up(position, text)
    return position


def choice_at(position: Position, persona: str, *, solve: bool = True) -> Choice:
    search = Search(RolloutEvaluator("darkchess"), seed=1)
    search.set_position(position)
    request = MoveRequest(
        position,
        Limit(visits=20),
        "darkchess",
        persona=make_persona(persona, "darkchess"),
        tracker=of_stranger(Board("darkchess", 4, 8), search.evaluator.network),
        rng=np.random.default_rng(2),
        solve=solve,
    )
    return choose(search, request)


@pytest.mark.parametrize("persona", ["full", "even", "level:600"])
def test_a_forced_capture_is_played(persona: str) -> None:
    position = ending(HUNT)
    while not position.is_over:
        hunt = hunt_dark_chess(position, MOST_PLIES, MOST_BOARDS)
        choice = choice_at(position, persona)
        assert choice.move in hunt.moves
        by_force = f"It captures by force within {hunt.plies} moves of both sides."
        assert choice.reason.endswith(by_force if persona == "full" else REMARK)
        position.play(choice.move)
        if not position.is_over:
            position.play(position.legal_moves()[0])
    assert position.winner == 0


@pytest.mark.parametrize("persona", ["full", "even", "level:600"])
def test_an_ending_that_is_not_won_is_not_hunted(persona: str) -> None:
    choice = choice_at(ending(DRAWN), persona)
    assert "by force" not in choice.reason
    assert REMARK not in choice.reason


def test_without_the_solver_full_strength_searches() -> None:
    assert "by force" not in choice_at(ending(HUNT), "full", solve=False).reason
