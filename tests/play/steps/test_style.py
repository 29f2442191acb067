"""Personas with a style: what it makes of their searches, and that it goes with every strength."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.opponents.tracker import of_stranger
from engine.personas import PARTS, PERSONAS, make_persona
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.play.steps.style import FEWEST_LOOK_VISITS, MOST_LOOK_VISITS, unbiased_search
from engine.search.search import Search, SearchSettings
from engine.style.edge_distance import edge_distances
from engine.style.policy_bias import POLICY_BIASES
from engine.values import Choice, Limit, Report
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones, uniform

SIZES = {"go": (9, 9), "othello": (8, 8), "connect4": (7, 6)}
Evaluate = Callable[[StandInSlot, int], None]
FIRSTS = range(0, 81, 5)  # moves, each with another stand-in for a network behind it
ARGUMENTS = {"level": ":900", "softmax": ":1"}


def table(
    game: str,
    text: str,
    visits: int | None = 60,
    evaluate: Evaluate = drawn_from_stones,
    first: int | None = None,
) -> tuple[Search, MoveRequest[Position]]:
    position = GAMES[game].new_position(*SIZES[game])
    if first is not None:
        position.play(first)
    search = Search(StandInEvaluator(evaluate, game=game), SearchSettings(), seed=3)
    search.set_position(position)
    persona = make_persona(text, game)
    turn: MoveRequest[Position] = MoveRequest(position, Limit(visits=visits), game, persona=persona)
    return search, turn


def played(game: str, text: str, **asked: Any) -> Choice:
    search, turn = table(game, text, **asked)
    return choose(search, turn)


def spread(report: Report | None, game: str) -> float:
    """The mean line of the visits."""
    assert report is not None
    position = GAMES[game].new_position(*SIZES[game])
    line = edge_distances(game, position)
    moves = [stats for stats in report.moves if np.isfinite(line[stats.move])]
    return float(
        np.average([line[stats.move] for stats in moves], weights=[s.edge_visits for s in moves])
    )


def mean_spread(style: str) -> float:
    """The mean line of the visits of a persona with this style, over all FIRSTS."""
    searched = (played("go", f"full{style}", visits=300, first=first) for first in FIRSTS)
    return float(np.mean([spread(choice.report, "go") for choice in searched]))


def test_a_style_moves_the_visits_to_where_it_goes() -> None:
    centre, usual, edge = (mean_spread(style) for style in ("+style=centre", "", "+style=edge"))
    # Of ten other sets of stand-ins the smallest differences are 1.03 and 0.28.
    assert centre > usual + 0.6
    assert edge < usual - 0.1


def corners_or_middle(slot: StandInSlot, row: int) -> None:
    """All as good; a corner is twenty times as likely as the point in the middle."""
    uniform(slot, row)
    slot.value[row] = slot.misc[row] = 0.0
    slot.policy[row] = -9.0
    slot.policy[row, [0, 8, 72, 80]] = 3.0
    slot.policy[row, 40] = 0.0


def test_the_styles_move_is_played_though_others_have_more_visits() -> None:
    search, turn = table("go", "full+style=centre", 400, evaluate=corners_or_middle)
    choice = choose(search, turn)
    assert choice.report is not None
    visits = {stats.move: stats.edge_visits for stats in choice.report.moves}
    assert choice.move == 40
    assert visits[40] < visits[choice.report.moves[0].move]
    assert choice.reason.endswith("% at best. Its style is centre.")


def test_a_style_of_no_force_is_full_strength() -> None:
    usual, none = (played("go", f"full{style}").report for style in ("", "+style=centre:0"))
    assert usual is not None
    assert none is not None
    assert [(m.move, m.edge_visits) for m in usual.moves] == [
        (m.move, m.edge_visits) for m in none.moves
    ]


@pytest.mark.parametrize("game", sorted(PARTS["style"].games))
@pytest.mark.parametrize("style", POLICY_BIASES)
def test_every_game_is_played_in_every_style(game: str, style: str) -> None:
    choice = played(game, f"full+style={style}")
    position = GAMES[game].new_position(*SIZES[game])
    assert choice.move in position.legal_moves()
    assert choice.reason.endswith(f". Its style is {style}.")


@pytest.mark.parametrize("name", PERSONAS)
def test_a_style_goes_with_every_strength(name: str) -> None:
    game = [each for each in PERSONAS[name].games if each in PARTS["style"].games][-1]
    search, turn = table(game, f"{name}{ARGUMENTS.get(name, '')}+style=centre")
    tracker = of_stranger(turn.board, search.evaluator.network)
    assert choose(search, replace(turn, tracker=tracker)).reason.endswith(". Its style is centre.")


@pytest.mark.parametrize("text", ["level:0", "alphadda3"])
def test_a_style_works_with_strengths_without_a_policy(text: str) -> None:
    """All weight on one move: play that is drawn by chance, or searches without priors, obeys."""
    search, turn = table("connect4", text)
    wanted = np.zeros(turn.position.move_count, np.float32)
    wanted[6] = 1.0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        assert choose(search, replace(turn, prior_weights=wanted, rng=rng)).move == 6


@pytest.mark.parametrize(
    ("visits", "looked"),
    [(20, FEWEST_LOOK_VISITS), (400, 100), (10_000, MOST_LOOK_VISITS), (None, MOST_LOOK_VISITS)],
)
def test_a_look_takes_a_quarter_of_the_visits(visits: int | None, looked: int) -> None:
    search, turn = table("go", "full+style=optimistic", visits)
    assert unbiased_search(search, turn).root.visits == looked


@pytest.mark.parametrize(
    "text",
    ["full+style=", "full+style=red", "full+stile=centre", "full+style=edge+style=edge",
     "full+centre"],
)  # fmt: skip
def test_an_unreadable_part_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=text.replace("+", "\\+")):
        make_persona(text, "go")
