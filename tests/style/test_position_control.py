"""Position control by hand-made findings: the papers' example, the four steps, the methods."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.table import read_vertex
from engine.style.position_control import (
    ControlledMove,
    PositionControl,
    candidates,
    decide,
    well_visited,
)

SIZE = 13


def found(*rows: tuple[str, float, float] | tuple[str, float, float, int]) -> list[ControlledMove]:
    """Candidates by vertex, win rate, policy and visits, 1000 by default."""
    return [
        ControlledMove(
            read_vertex(row[0], SIZE, SIZE), row[1], row[2], row[3] if len(row) > 3 else 1000
        )
        for row in rows
    ]


def played(moves: list[ControlledMove], settings: PositionControl) -> int:
    return decide(moves, settings).move


def vertex(text: str) -> int:
    return read_vertex(text, SIZE, SIZE)


def test_the_papers_example_of_method_c() -> None:
    """D3 over L11 of a lower win rate: .697 - .1 * .400 is below .690 - .1 * .139."""
    moves = found(("E10", 0.741, 0.10), ("D3", 0.697, 0.400), ("L11", 0.690, 0.139))
    natural = PositionControl(natural=True, alpha=0.1)
    assert played(moves, natural) == vertex("D3")
    assert played(moves, PositionControl(c=2.5)) == vertex("L11")
    reason = decide(moves, natural).reason
    assert "3 candidates among 3 moves, win rate 69.7%, policy 40.0%" in reason


BEST = ("E10", 0.80, 0.30)
# Moves beside the best one, settings: the move played, and a part of the reason.
STEPS: dict[str, tuple[Any, ...]] = {
    "much higher than the next": (
        [BEST, ("D3", 0.71, 0.60)], PositionControl(), "E10", "the next best one 71.0%"),
    "not much higher where c allows more": (
        [BEST, ("D3", 0.71, 0.60)], PositionControl(c=1.5), "D3", "2 candidates"),
    "low": ([("E10", 0.44, 0.1), ("D3", 0.43, 0.8)], PositionControl(), "E10", "is low"),
    "even: the most natural": (
        [("E10", 0.53, 0.1), ("D3", 0.46, 0.5), ("L11", 0.52, 0.3)],
        PositionControl(), "D3", "of 3 moves, of policy 50.0%"),
    "even: but none that is low": (
        [("E10", 0.53, 0.1), ("D3", 0.44, 0.5), ("L11", 0.52, 0.3)],
        PositionControl(), "L11", "of 2 moves"),
    "ahead: the lowest of M+": (
        [BEST, ("D3", 0.78, 0.06), ("L11", 0.75, 0.25), ("C3", 0.6, 0.2)],
        PositionControl(), "L11", "3 candidates among 4 moves"),
    "ahead: nothing but the best is fair": (
        [BEST, ("D3", 0.78, 0.04), ("L11", 0.75, 0.11)], PositionControl(), "E10", "1 candidates"),
    "naive": (
        [BEST, ("D3", 0.61, 0.0), ("L11", 0.4, 0.1)], PositionControl(naive=True), "L11",
        "nearest to even of 3 moves"),
    "naive by A": (
        [BEST, ("D3", 0.52, 0.0, 5), ("L11", 0.6, 0.1)], PositionControl(naive=True, wide=True),
        "L11", "of 2 moves"),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_the_steps(name: str) -> None:
    rows, settings, move, reason = STEPS[name]
    decision = decide(found(*rows), settings)
    assert decision.move == vertex(move)
    assert reason in decision.reason


# Win rate lost and policy, and whether c = 1 and c = 2.5 make a candidate of the move.
FAIR = [
    (0.029, 0.051, True, True),
    (0.031, 0.051, False, True),
    (0.029, 0.049, False, False),
    (0.039, 0.101, True, True),
    (0.041, 0.101, False, True),
    (0.059, 0.201, True, True),
    (0.061, 0.201, False, True),
    (0.079, 0.401, True, True),
    (0.081, 0.401, False, True),
    (0.199, 0.401, False, True),
    (0.201, 0.401, False, False),
]


@pytest.mark.parametrize(("lost", "policy", "at_one", "at_more"), FAIR)
def test_candidates(lost: float, policy: float, *, at_one: bool, at_more: bool) -> None:
    moves = found(("E10", 0.8, 0.01), ("D3", 0.8 - lost, policy))
    assert (len(candidates(moves, PositionControl())) == 2) == at_one
    assert (len(candidates(moves, PositionControl(c=2.5))) == 2) == at_more


def test_method_a_drops_moves_of_few_visits_at_any_budget() -> None:
    """100 of 16,000; the search's own move stays."""
    wide = PositionControl(wide=True)
    for visits in (16_000, 320):
        few = visits // 160
        moves = found(
            ("E10", 0.8, 0.3, few - 1), ("D3", 0.7, 0.3, few), ("L11", 0.7, 0.3, few - 1),
            ("C3", 0.7, 0.3, visits - 3 * few + 2),
        )  # fmt: skip
        assert [one.move for one in well_visited(moves, wide)] == [
            vertex(text) for text in ("E10", "D3", "C3")
        ]
        assert len(well_visited(moves, PositionControl())) == 4


def test_the_published_widths() -> None:
    assert PositionControl().width == 1.0
    assert PositionControl.read("A").width == 1.5
    assert PositionControl.read("A+B+C").width == 2.5
    assert PositionControl.read("A+B+C:c=3.5").width == 3.5


def test_texts_are_read_into_fields() -> None:
    told = PositionControl.read("C+A:alpha=0.1:ahead=0.6:c=2:exploration=5")
    assert told == PositionControl(
        wide=True, natural=True, alpha=0.1, ahead=0.6, c=2.0, exploration=5.0
    )
    assert PositionControl.read("") == PositionControl()
    assert PositionControl.read("B", naive=True) == PositionControl(naive=True, near=True)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("D", "'D'"),
        ("A+", "'A\\+'"),
        ("A+A", "'A\\+A' sets wide again"),
        ("A:A", "'A' sets wide again"),
        ("A:", "''"),
        ("c=x", "'x'"),
        ("c=nan", "c nan"),
        ("alpha=-1", "alpha -1.0"),
        ("c=1:c=2", "'c=2' sets c again"),
        ("size=1", "'size=1'"),
        ("low=0.6", "low 0.6 is above ahead 0.55"),
        ("ahead=1.5", "ahead 1.5"),
    ],
)
def test_unreadable_texts_are_quoted(text: str, quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        PositionControl.read(text)


def test_naive_play_has_no_candidates_for_method_c() -> None:
    with pytest.raises(ValueError, match="naive"):
        PositionControl.read("C", naive=True)
