"""The mixed approach in play: who is asked, what it costs, and what happens without the network."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine._core import GoPosition, GoRules
from engine.games.position import Position
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.mixed import halve_time_if_mixed
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice, Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot, uniform

SIZE = 7
CORNER, MIDDLE, PASS = 0, 24, 49


def liking(move: int, middle: float = 0.0) -> StandInEvaluator:
    """All positions are even and that move is likely; a stone in the middle costs so much of one.

    middle: what is added to the logit of who faces that stone.
    """

    def evaluate(slot: StandInSlot, row: int) -> None:
        uniform(slot, row)
        slot.misc[row] = 0.0
        slot.policy[row, move] = 4.5
        own, other = (slot.spatial[row, plane].ravel()[MIDDLE] for plane in (1, 2))
        slot.value[row] = (middle * other, middle * own, -9.0)

    return StandInEvaluator(evaluate)


def choice(
    path: Path, biased: StandInEvaluator | None, *, settings: str = "", usual: int = CORNER
) -> Choice:
    """What is played at the start, the usual network liking that move."""
    path.touch()
    position: Position = GoPosition(SIZE, SIZE, GoRules())
    search = Search(liking(usual), seed=3)
    search.set_position(position)
    persona = make_persona(f"full+mixed={path}{settings}", "go")
    turn = MoveRequest(position, Limit(visits=100), persona=persona, biased=biased)
    return choose(search, turn)


def test_the_other_networks_move_is_played_and_said(tmp_path: Path) -> None:
    biased = liking(MIDDLE)
    found = choice(tmp_path / "network", biased)
    assert found.move == MIDDLE
    assert found.reason.startswith("The style's network prefers it at a win rate of ")
    assert found.report is not None
    assert found.report.moves[0].move == CORNER  # the usual network's word on the position
    assert biased.rows >= 50  # it was searched with, in as many visits, not looked at


@pytest.mark.parametrize(
    ("settings", "usual"), [(":p_th=0.99", CORNER), ("", MIDDLE), (":p_th=1:w_diff=1", CORNER)]
)
def test_the_usual_move_is_played_where_the_other_is_none(
    settings: str, usual: int, tmp_path: Path
) -> None:
    found = choice(tmp_path / "network", liking(MIDDLE), settings=settings, usual=usual)
    assert found.move == usual
    assert "network" not in found.reason


def test_passing_is_no_matter_of_style(tmp_path: Path) -> None:
    assert choice(tmp_path / "network", liking(PASS)).move == CORNER


def test_without_the_network_it_plays_on_and_says_so(tmp_path: Path) -> None:
    found = choice(tmp_path / "network", None)
    assert found.move == CORNER
    assert found.reason.endswith(". No network of the style can be had.")


def test_two_searches_have_half_of_the_time_each(tmp_path: Path) -> None:
    path = tmp_path / "network"
    path.touch()
    limit = Limit(visits=100, seconds=4.0, max_seconds=6.0)
    search = Search(liking(CORNER))
    position: Position = GoPosition(SIZE, SIZE, GoRules())
    for text, biased, expected in (
        (f"full+mixed={path}", liking(MIDDLE), Limit(visits=100, seconds=2.0, max_seconds=3.0)),
        (f"full+mixed={path}", None, limit),
        ("full", None, limit),
    ):
        turn = MoveRequest(position, limit, persona=make_persona(text, "go"), biased=biased)
        assert halve_time_if_mixed(search, turn).limit == expected


def test_the_usual_network_has_a_veto(tmp_path: Path) -> None:
    """Where it thinks that the move loses, it is played only if it may cost so much."""
    path = tmp_path / "network"
    path.touch()
    position: Position = GoPosition(SIZE, SIZE, GoRules())
    for settings, played in (("", False), (":w_diff=1", True)):
        search = Search(liking(CORNER, middle=2.0), seed=3)
        search.set_position(position)
        persona = make_persona(f"full+mixed={path}{settings}", "go")
        turn = MoveRequest(position, Limit(visits=200), persona=persona, biased=liking(MIDDLE))
        assert (choose(search, turn).move == MIDDLE) == played
