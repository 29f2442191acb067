"""Personas that control the position: what they ask of the search, and how they choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.personas import PERSONAS, make_persona
from engine.play.move_choice import STEPS, choose
from engine.play.steps.request import MoveRequest
from engine.search.search import Restriction, Search, SearchSettings
from engine.style.distance import distances
from engine.values import Choice, Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones, uniform

TEXTS = ["position", "position:A", "position:A+B+C:c=2.5", "naive", "naive:A+B"]


class Table:
    """A game of a few moves, and personas to play the next."""

    def __init__(self, game: str, moves: int = 4, evaluate: Any = drawn_from_stones) -> None:
        self.game = game
        width, height = (9, 9) if game == "go" else GAMES[game].usual_sizes[-1]
        self.recent: list[Position] = [GAMES[game].new_position(width, height)]
        for number in range(moves):
            after = self.recent[-1].copy()
            legal = after.legal_moves()
            after.play(legal[(7 * number + len(legal) // 2) % (len(legal) - (game == "go"))])
            self.recent.append(after)
        self.search = Search(StandInEvaluator(evaluate, game=game), SearchSettings(), seed=3)
        self.search.set_position(self.recent[-1])

    def choose(self, text: str, visits: int = 300, **asked: Any) -> Choice:
        turn: MoveRequest[Position] = MoveRequest(
            self.recent[-1],
            Limit(visits=visits),
            self.game,
            recent=self.recent,
            persona=make_persona(text, self.game),
            **asked,
        )
        return choose(self.search, turn)


def evenly_ahead(slot: StandInSlot, row: int) -> None:
    """Every move as good and as likely."""
    uniform(slot, row)
    slot.value[row] = 0.0


@pytest.mark.parametrize("game", sorted(PERSONAS["position"].games))
@pytest.mark.parametrize("text", TEXTS)
def test_every_game_is_played_by_all(game: str, text: str) -> None:
    """A legal move that was searched, the same again, and words on how many there were."""
    choices = [Table(game).choose(text) for _ in range(2)]
    assert choices[0].move == choices[1].move
    assert choices[0].report is not None
    assert choices[0].move in {stats.move for stats in choices[0].report.moves}
    assert "win rate" in choices[0].reason or "about even" in choices[0].reason


def test_naive_play_takes_the_win_rate_nearest_to_even() -> None:
    choice = Table("go").choose("naive")
    assert choice.report is not None
    by_rate = {stats.move: abs(stats.win_rate - 0.5) for stats in choice.report.moves}
    by_rate.pop(81, None)
    assert choice.move == min(by_rate, key=lambda move: by_rate[move])


def test_method_a_searches_more_widely() -> None:
    def spread(text: str) -> int:
        report = Table("go").choose(text).report
        assert report is not None
        return sum(stats.edge_visits >= 2 for stats in report.moves)

    # With 24 seeds of the network's numbers this is 2.2 +- 0.5 times as many, at least 1.45.
    assert spread("position:A") > 1.1 * spread("position")


def test_method_b_prefers_moves_near_the_opponents_last() -> None:
    """All else alike, the visits go where something has just happened, and so does the choice."""
    table = Table("go", evaluate=evenly_ahead)
    far = distances("go", table.recent)
    assert far is not None

    def mean_distance(text: str) -> float:
        choice = table.choose(text)
        assert choice.report is not None
        moves = [stats for stats in choice.report.moves if np.isfinite(far[stats.move])]
        return float(
            np.average(
                [far[stats.move] for stats in moves],
                weights=[stats.edge_visits for stats in moves],
            )
        )

    assert mean_distance("position:B") < 0.8 * mean_distance("position")
    chosen = table.choose("position:B").move
    assert chosen is not None
    assert far[chosen] <= 2


def test_a_style_of_the_request_weighs_the_choice_too() -> None:
    """p'' takes the place of p: of even moves the most natural is the one wanted most."""
    table = Table("go", evaluate=evenly_ahead)
    weights = np.ones(82, np.float32)
    weights[44] = 4.0
    assert table.choose("position", prior_weights=weights).move == 44


def test_a_forbidden_move_is_no_candidate() -> None:
    table = Table("othello")
    first = table.choose("naive").move
    assert first is not None
    until = [0] * table.recent[-1].move_count
    until[first] = 1
    assert table.choose("naive", restriction=Restriction(black=until, white=until)).move != first


@pytest.mark.parametrize("text", ["position:A+B+C", "naive"])
def test_passing_is_left_to_the_search(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Manners, which would hold so early a pass back, come after it."""
    monkeypatch.setitem(STEPS, "go", replace(STEPS["go"], manners=()))

    def wants_to_pass(slot: StandInSlot, row: int) -> None:
        uniform(slot, row)
        slot.policy[row, -1] = 9.0

    choice = Table("go", evaluate=wants_to_pass).choose(text, visits=60)
    assert (choice.move, choice.reason) == (81, "The search would pass.")


@pytest.mark.parametrize("text", ["position:Z", "position:A:", "naive:C", "naive:c=-1"])
def test_an_unreadable_part_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)):
        make_persona(text, "go")
