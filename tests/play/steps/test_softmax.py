"""Personas that draw moves by visits: which ones they draw, and how they say so."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.games.go_ending import TurnEvaluation
from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings
from engine.strength.softmax_index import IndexState, probabilities
from engine.values import Choice, Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot, description_of, uniform


class Table:
    """A position that has been searched, and personas that choose from what was found."""

    def __init__(self, game: str, evaluator: StandInEvaluator | None = None) -> None:
        self.game = game
        self.position: Position = GAMES[game].new_position(*GAMES[game].usual_sizes[-1])
        self.search = Search(evaluator or StandInEvaluator(game=game), SearchSettings(), seed=3)
        self.search.set_position(self.position)

    def turn(self, text: str, rng: np.random.Generator, **known: object) -> MoveRequest[Position]:
        persona = make_persona(text, self.game)
        limit = Limit(visits=60)
        return MoveRequest(self.position, limit, self.game, persona=persona, rng=rng, **known)  # type: ignore[arg-type]

    def drawn(self, text: str, times: int, **known: object) -> list[Choice]:
        rng = np.random.default_rng(1)
        return [choose(self.search, self.turn(text, rng, **known)) for _ in range(times)]


def watch_at(index: float) -> OpponentTracker:
    """Over an opponent whose results have led to that index."""
    tracker = of_stranger(Board("connect4", 7, 6), description_of("connect4"))
    return replace(tracker, opponent=replace(tracker.opponent, index=IndexState(index)))


@pytest.mark.parametrize("text", ["softmax:1", "softmax:-2", "softmax:0:0"])
def test_moves_come_as_often_as_the_index_says(text: str) -> None:
    table, times = Table("connect4"), 400
    choices = table.drawn(text, times)
    report = choices[0].report
    assert report is not None
    index, threshold = (float(word) for word in (*text.split(":")[1:], "0.1")[:2])
    visits = [stats.edge_visits for stats in report.moves]
    counts = Counter(choice.move for choice in choices)
    expected = probabilities(visits, index, threshold)
    for stats, chance in zip(report.moves, expected, strict=True):
        spread = 4 * np.sqrt(times * chance * (1 - chance))
        assert abs(counts[stats.move] - times * chance) <= spread


def test_an_infinite_index_plays_the_most_visited_move_and_says_so() -> None:
    (choice,) = Table("othello").drawn("softmax:inf", 1)
    assert choice.report is not None
    assert choice.move == max(choice.report.moves, key=lambda stats: stats.edge_visits).move
    assert choice.reason.startswith("At strength index +inf it drew number 1 of 1 moves")
    assert choice.reason.endswith("with a probability of 100%.")


def test_the_index_between_games_is_the_one_results_led_to() -> None:
    table = Table("connect4")
    (choice,) = table.drawn("softmax-between", 1, tracker=watch_at(-1.25))
    assert choice.reason.startswith("At strength index -1.25 it drew ")


def test_the_index_within_a_game_falls_with_the_win_rate() -> None:
    table = Table("connect4", StandInEvaluator(uniform, game="connect4"))
    behind = [TurnEvaluation(0.1, 0.0)] * 3
    ahead = [TurnEvaluation(0.9, 0.0)] * 3

    def index(text: str, **known: object) -> float:
        (choice,) = table.drawn(text, 1, **known)
        return float(choice.reason.split()[3])

    assert index("softmax-within", past=behind) > index("softmax-within", past=ahead)
    assert index("softmax-mixed", past=behind, tracker=watch_at(-1.0)) == pytest.approx(
        index("softmax-within", past=behind) - 1.0, abs=0.011
    )


@pytest.mark.parametrize("passes", [True, False])
def test_passing_is_left_to_the_search(*, passes: bool) -> None:
    """Thought best, a pass is played at any index; searched as well, it is never drawn."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        uniform(slot, row)
        slot.policy[row, -1] = 6.0
        slot.policy[row, 40] = 0.0 if passes else 7.0

    table = Table("go", StandInEvaluator(evaluate))
    report = table.search.run(Limit(visits=60))
    found = {stats.move: stats.edge_visits for stats in report.moves}
    assert report.best is not None
    assert (report.best.move == table.position.pass_move) == passes
    assert found[table.position.pass_move] > 0
    drawn = {choice.move for choice in table.drawn("softmax:0.5", 30)}
    if passes:
        assert drawn == {table.position.pass_move}
    else:
        assert table.position.pass_move not in drawn


@pytest.mark.parametrize("text", ["softmax", "softmax:", "softmax:x", "softmax:nan", "softmax:1:2",
                                  "softmax:1:-1", "softmax:1:", "softmax-between:1"])  # fmt: skip
def test_an_unreadable_part_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)):
        make_persona(text, "go")
