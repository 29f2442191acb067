"""A balanced move: its two searches keep within its time, and what it makes of the first one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.games.table import GAMES, Board
from engine.opponents.balance_controller import OPPONENT_KINDS, BalanceController
from engine.opponents.posterior import Posterior
from engine.opponents.tracker import OpponentTracker, of_stranger, stranger_on
from engine.opponents.win_model import guessed
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.even import UNSURE_VISITS, after_each, fairly_preferred
from engine.play.steps.evenness_bounds import EvennessBounds, evenness_bounds_of
from engine.play.steps.level_leads import leads_of_level
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings
from engine.strength.rating_ladder import ladder_for
from engine.strength.target_win_rate import TargetWinRate
from engine.style.naturalness import Excess, Floors
from engine.values import Limit, Report, Standing
from tests.support.stand_in import StandInEvaluator, description_of

SECONDS = 1.0
START = Standing(phase=0.0, win_rate=0.5, lead=0.0)


class Clock:
    """Time that passes by a little whenever the network is asked."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def pause(self) -> None:
        self.seconds += 0.01


@pytest.mark.parametrize("limit", [Limit(seconds=SECONDS), Limit(max_seconds=SECONDS)])
def test_reading_and_playing_share_the_time_of_a_move(limit: Limit) -> None:
    clock = Clock()
    evaluator = StandInEvaluator(game="othello", rows=1, slots=1, pause=clock.pause)
    search = Search(evaluator, SearchSettings(), seed=3, now=clock.now)
    position = GAMES["othello"].new_position(8, 8)
    search.set_position(position)
    tracker = of_stranger(Board("othello", 8, 8), description_of("othello"))
    persona = make_persona("even:95%", "othello")
    rng = np.random.default_rng(1)
    choice = choose(
        search, MoveRequest(position, limit, "othello", persona=persona, tracker=tracker, rng=rng)
    )
    assert choice.level_elo == pytest.approx(tracker.ladder.highest, abs=1)
    assert SECONDS / 4 < clock.seconds <= SECONDS + 0.03


UNKNOWN = [None] * 7  # after no move all that can come is looked at


def test_natural_play_in_connect4_takes_a_stranger_for_less_strong() -> None:
    position = GAMES["connect4"].new_position(7, 6)
    levels = []
    for name in ("even", "strength:even"):
        search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=3)
        search.set_position(position)
        tracker = of_stranger(Board("connect4", 7, 6), description_of("connect4"))
        request = MoveRequest(
            position,
            Limit(visits=30),
            "connect4",
            persona=make_persona(name, "connect4"),
            tracker=tracker,
            rng=np.random.default_rng(1),
        )
        levels.append(choose(search, request).level_elo or 0.0)
    assert levels[0] < levels[1] - 150


def test_a_move_of_few_visits_counts_little_better_than_the_worst() -> None:
    search = Search(StandInEvaluator(game="connect4"), seed=3)
    position = GAMES["connect4"].new_position(7, 6)
    for column in (0, 6, 0, 6, 0, 6):
        position.play(column)
    search.set_position(position)
    report = search.run(Limit(visits=60))
    tracker = of_stranger(Board("connect4", 7, 6), description_of("connect4"))
    moves = np.arange(7)
    after = after_each(tracker, position, report, moves, UNKNOWN, before=START)
    found = {stats.move: stats for stats in report.moves if stats.visits > 0}
    worst = min(stats.win_rate for stats in found.values())
    assert {stats.visits for stats in found.values()} != {0}
    for move, standing in zip(moves, after, strict=True):
        stats = found.get(int(move))
        if stats is None:
            assert standing is None
        elif move == 0:  # four in a row
            assert isinstance(standing, np.ndarray)
            assert standing.tolist() == [1.0] * len(OPPONENT_KINDS)
        else:
            assert isinstance(standing, Standing)
            share = stats.visits / (stats.visits + UNSURE_VISITS)
            assert standing.win_rate == pytest.approx(worst + share * (stats.win_rate - worst))


def test_without_visits_no_standing_is_known() -> None:
    search = Search(StandInEvaluator(game="connect4"), seed=3)
    position = GAMES["connect4"].new_position(7, 6)
    search.set_position(position)
    report = search.run(Limit(visits=1))
    tracker = of_stranger(Board("connect4", 7, 6), description_of("connect4"))
    assert after_each(tracker, position, report, np.arange(7), UNKNOWN, before=START) == [None] * 7


EVERYBODY = Posterior.of_stranger(-200.0, 1600.0, mean_elo=700, deviation_elo=40)


def controlled(aim: TargetWinRate) -> BalanceController:
    return BalanceController(aim, EVERYBODY, guessed(-200.0, 1600.0), -200.0, 1600.0)


@pytest.mark.parametrize(
    ("win_rates", "played", "told"),
    [
        ((0.5, 0.5, 0.0, 1.0), {0}, ""),
        # Nothing natural gives the lead back, and what is a little less so does not either.
        (
            (1.0, 1.0, 0.0, 0.0),
            {0, 1, 2},
            "The limits of naturalness are relaxed to a probability of 2% and a loss of 8 points"
            " for an even game.",
        ),
        # Lost whatever is played: then by natural moves.
        ((0.0, 0.0, 0.0, 0.0), {0}, ""),
    ],
)
def test_no_more_of_the_budget_is_relaxed_than_evenness_takes(
    win_rates: tuple[float, ...], played: set[int], told: str
) -> None:
    after = [np.full(len(OPPONENT_KINDS), won) for won in win_rates]
    excess = Excess(Floors(0.08, 2.0), np.array([0.08, 0.04, 0.02, 0.0]), np.zeros(4), 0.75)
    control = controlled(TargetWinRate(caution=0))
    balancer = control.move_balancer(after, control.kinds(0.9), 0.9)
    drawn, words = fairly_preferred(balancer, excess, np.arange(4), np.full(4, 0.25))
    assert set(np.flatnonzero(drawn)) == played
    assert words == told
    assert drawn.sum() == pytest.approx(1)


def test_a_level_that_steers_by_nothing_keeps_its_share() -> None:
    excess = Excess(Floors(0.08, 2.0), np.array([0.08, 0.04, 0.02, 0.01]), np.zeros(4), 0.75)
    for aim, after in (
        (TargetWinRate(closeness=0, caution=0), np.full(len(OPPONENT_KINDS), 0.5)),
        (TargetWinRate(caution=0), None),
    ):
        control = controlled(aim)
        balancer = control.move_balancer([after] * 4, control.kinds(0.5), 0.5)
        drawn, _ = fairly_preferred(balancer, excess, np.arange(4), np.full(4, 0.25))
        assert np.flatnonzero(drawn).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "elo", "bounded"),
    [
        ("even", 0.0, False),
        ("even", 900.0, True),
        ("even", 1500.0, True),
        ("even:closeness=0", 1500.0, False),
    ],
)
def test_perverse_play_of_go_and_play_without_closeness_have_no_bounds(
    monkeypatch: pytest.MonkeyPatch, name: str, elo: float, bounded: bool
) -> None:
    bounds: list[object] = []

    def noted(*given: Any, **named: Any) -> EvennessBounds:
        bounds.append(given)
        return evenness_bounds_of(*given, **named)

    monkeypatch.setattr("engine.play.steps.even.evenness_bounds_of", noted)
    position = Board("go", 9, 9).start()
    search = Search(StandInEvaluator(game="go"), seed=3)
    search.set_position(position)
    ladder = ladder_for(Board("go", 9, 9), description_of("go"))
    sure = Posterior.of_stranger(ladder.lowest, ladder.highest, mean_elo=elo, deviation_elo=1)
    tracker = stranger_on(ladder)
    tracker = replace(tracker, opponent=replace(tracker.opponent, posterior=sure))
    persona = replace(make_persona(name, "go"), naturalness=None)
    limit = Limit(visits=12)
    chosen = choose(search, MoveRequest(position, limit, persona=persona, tracker=tracker))
    assert chosen.move is not None
    assert bool(bounds) is bounded


def test_the_leads_of_moves_count_as_the_standing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[NDArray[np.float64]] = []
    bounded: list[NDArray[np.float64]] = []

    def leads(*given: Any) -> NDArray[np.float64]:
        searched.append(leads_of_level(*given))
        return searched[-1].copy()

    def noted(*given: Any, **named: Any) -> EvennessBounds:
        bounded.append(given[3])
        return evenness_bounds_of(*given, **named)

    def stands(_: OpponentTracker, __: object, report: Report) -> Standing:
        return Standing(0.5, 0.5, report.root.score_lead + 2, open_points=40.0)

    monkeypatch.setattr("engine.play.steps.even.leads_of_level", leads)
    monkeypatch.setattr("engine.play.steps.even.evenness_bounds_of", noted)
    monkeypatch.setattr(OpponentTracker, "stands", stands)
    position = Board("go", 9, 9).start()
    search = Search(StandInEvaluator(game="go"), seed=3)
    search.set_position(position)
    ladder = ladder_for(Board("go", 9, 9), description_of("go"))
    sure = Posterior.of_stranger(ladder.lowest, ladder.highest, mean_elo=1500.0, deviation_elo=1)
    tracker = stranger_on(ladder)
    tracker = replace(tracker, opponent=replace(tracker.opponent, posterior=sure))
    persona = replace(make_persona("even", "go"), naturalness=None)
    choose(search, MoveRequest(position, Limit(visits=12), persona=persona, tracker=tracker))
    assert bounded[0] == pytest.approx(searched[0] + 2, nan_ok=True)
