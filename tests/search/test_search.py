"""The search on a stand-in network: choice, values, signature, and what the network is asked."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from engine._core import EvaluationCache, GoPosition, GoRules, expected_score_value
from engine.search.meter import SearchMeter
from engine.search.search import ReportOptions, Search, SearchSettings
from engine.values import Limit, Report
from tests.support.searches import favours, make, played
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones


def test_the_move_that_wins_is_found() -> None:
    # Symmetries would make four moves of one; the centre is its own image.
    center = 40
    search = make(evaluator=StandInEvaluator(favours(center, 4.0)))
    report = search.run(Limit(visits=600))
    assert report.best is not None
    assert report.best.move == center
    assert report.best.win_rate > 0.9
    assert report.root.to_move == 0


def test_values_are_the_movers_own() -> None:
    search = make(evaluator=StandInEvaluator(favours(40, 4.0)))
    black_took_it = played(GoPosition(9, 9, GoRules(), 7.5), 40)
    search.set_position(black_took_it)
    report = search.run(Limit(visits=50))
    assert report.root.to_move == 1
    assert report.root.win_rate < 0.1


def test_same_seed_same_search() -> None:
    first = make().run(Limit(visits=300))
    second = make().run(Limit(visits=300))
    assert [(m.move, m.visits, m.utility) for m in first.moves] == [
        (m.move, m.visits, m.utility) for m in second.moves
    ]


def signature(report: Report) -> str:
    text = " ".join(f"{m.move}:{m.edge_visits}" for m in report.moves)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# A change of these numbers is a change of play: state it in the commit.
SIGNATURES = {
    (9, ()): "71ac20d00707",
    (9, (40, 41, 50)): "5211a365b767",
    (13, (84,)): "4fd8563e97dd",
}


@pytest.mark.parametrize(("size", "moves"), SIGNATURES)
def test_signature(size: int, moves: tuple[int, ...]) -> None:
    search = make(size)
    search.set_position(played(GoPosition(size, size, GoRules(), 7.5), *moves))
    assert signature(search.run(Limit(visits=500))) == SIGNATURES[size, moves]


def test_a_meter_counts_the_work() -> None:
    search = make(evaluator=(evaluator := StandInEvaluator()))
    search.meter = SearchMeter()
    for visits in (200, 300):  # goes on with the same tree
        search.run(Limit(visits=visits))
    work = search.meter.work()
    assert work.evaluations == evaluator.rows
    assert work.playouts == 300
    assert sum(work.batches) <= work.evaluations
    assert work.wait_seconds > 0


class Histories:
    """Records the moves of its history planes that each row shows, by the number of stones."""

    def __init__(self) -> None:
        self.shown: dict[int, set[int]] = {}
        self.evaluator = StandInEvaluator(self)

    def __call__(self, slot: StandInSlot, row: int) -> None:
        stones = int(slot.spatial[row, 1:3].sum())
        moves = int(slot.spatial[row, 9:14].sum()) + int(slot.globals[row, :5].sum())
        self.shown.setdefault(stones, set()).add(moves)
        drawn_from_stones(slot, row)


SIX = (0, 8, 20, 40, 60, 72)  # points of 9x9 without captures


def test_the_network_sees_the_moves_before_the_root_unless_they_are_ignored() -> None:
    start = played(GoPosition(9, 9, GoRules(), 7.5), *SIX)
    for ignored in (False, True):
        histories = Histories()
        search = make(evaluator=histories.evaluator, ignore_pre_root_history=ignored)
        search.set_position(start)
        search.run(Limit(visits=60))
        assert histories.shown[6] == ({0} if ignored else {5})  # the root
        assert histories.shown[7] == ({1} if ignored else {5})


def test_searches_that_ignore_history_share_evaluations_with_each_other_alone() -> None:
    histories, cache = Histories(), EvaluationCache(4096)
    evaluator = histories.evaluator
    start = GoPosition(9, 9, GoRules(), 7.5)

    def rows(moves: tuple[int, ...], *, ignored: bool) -> int:
        before = evaluator.rows
        search = make(evaluator=evaluator, cache=cache, ignore_pre_root_history=ignored)
        search.set_position(played(start, *moves))
        search.run(Limit(visits=60))
        return evaluator.rows - before

    assert rows(SIX, ignored=True) > 50
    assert rows(SIX, ignored=True) < 10  # four of them are the symmetries of the root
    assert rows(SIX, ignored=False) > 50


def test_a_root_reached_by_a_move_is_evaluated_anew_where_history_is_ignored() -> None:
    histories = Histories()
    search = make(evaluator=histories.evaluator, ignore_pre_root_history=True, root_symmetries=1)
    start = GoPosition(9, 9, GoRules(), 7.5)
    search.set_position(start, [])
    best = search.run(Limit(visits=100)).best
    assert best is not None
    histories.shown.clear()
    search.set_position(played(start, best.move), [best.move])
    search.run(Limit(playouts=1))
    assert 0 in histories.shown[1]


class Doublings:
    """Records the side to move of each row and its input of playout doublings."""

    def __init__(self) -> None:
        self.seen: set[tuple[bool, float, float]] = set()
        self.evaluator = StandInEvaluator(self)

    def __call__(self, slot: StandInSlot, row: int) -> None:
        komi, told, half = slot.globals[row, [5, 15, 16]]
        self.seen.add((bool(komi > 0), float(told), float(half)))  # komi is White's to gain
        drawn_from_stones(slot, row)


@pytest.mark.parametrize(("color", "black"), [(-1, 0.75), (0, 0.75), (1, -0.75)])
def test_the_network_gets_the_playout_doublings(color: int, black: float) -> None:
    doublings = Doublings()
    search = make(
        evaluator=doublings.evaluator, playout_doubling_advantage=1.5, playout_doubling_color=color
    )
    search.run(Limit(visits=50))
    assert doublings.seen == {(False, 1.0, black), (True, 1.0, -black)}


def test_playout_doublings_go_with_the_player_that_the_search_is_for() -> None:
    doublings, cache = Doublings(), EvaluationCache(4096)
    search = make(evaluator=doublings.evaluator, cache=cache, playout_doubling_advantage=1.0)
    search.run(Limit(visits=50))
    doublings.seen.clear()
    start = GoPosition(9, 9, GoRules(), 7.5)
    search.set_position(played(start, 40), [40])
    search.run(Limit(visits=50))  # evaluations for Black are of no use
    assert doublings.seen == {(True, 1.0, 0.5), (False, 1.0, -0.5)}
    doublings.seen.clear()
    make(evaluator=doublings.evaluator, cache=cache).run(Limit(visits=50))
    assert doublings.seen == {(False, 0.0, 0.0), (True, 0.0, 0.0)}


def test_report_before_any_evaluation_is_refused() -> None:
    with pytest.raises(RuntimeError, match="nothing was evaluated"):
        make().report()


def test_ownership_is_the_movers_own() -> None:
    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        sign = 1 if slot.globals[row, 5] < 0 else -1  # Black, the one without komi, is to move
        slot.ownership[row] = sign * 3.0

    search = make(evaluator=StandInEvaluator(evaluate))
    options = ReportOptions(ownership=True, moves_ownership=True)
    report = search.run(Limit(visits=60), options=options)
    assert report.ownership is not None
    assert report.ownership.min() > 0.98
    assert report.best is not None
    assert report.best.ownership is not None
    assert report.best.ownership.min() > 0.98


def test_symmetric_root_moves_are_searched_once_when_asked() -> None:
    report = make(root_symmetry_pruning=True).run(Limit(visits=200))
    mirrored = [move for move in report.moves if move.symmetry_of is not None]
    assert mirrored
    by_move = {move.move: move for move in report.moves}
    for move in mirrored:
        assert move.symmetry_of is not None
        assert move.visits == by_move[move.symmetry_of].visits
        assert move.pv[0] == move.move
    assert len(by_move) == len(report.moves)


def test_root_noise_changes_the_visits_and_nothing_breaks() -> None:
    plain = make().run(Limit(visits=200))
    noisy = make(root_noise=True, wide_root_noise=0.1).run(Limit(visits=200))
    assert noisy.root.visits == 200
    assert {m.move: m.visits for m in plain.moves} != {m.move: m.visits for m in noisy.moves}


def test_finished_game_is_searched_on_from_its_root() -> None:
    over = played(GoPosition(9, 9, GoRules(), 7.5), 81, 81)
    assert over.is_over
    search = make()
    search.set_position(over)
    assert search.run(Limit(visits=50)).root.visits == 50


@pytest.mark.parametrize(
    "rules", [GoRules(), GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI")]
)
def test_small_boards_are_searched_to_their_ends(rules: GoRules) -> None:
    search = Search(StandInEvaluator(), SearchSettings(), None, seed=3)
    search.set_position(GoPosition(3, 2, rules, 0.5))
    report = search.run(Limit(visits=2000))
    assert report.root.visits == 2000
    assert abs(report.root.score_lead) <= 6.5


@pytest.mark.parametrize("mean", [-30.0, -3.0, 0.0, 0.5, 12.0, 200.0])
@pytest.mark.parametrize("stdev", [0.0, 1.0, 8.0, 40.0])
def test_score_value_is_the_mean_over_a_normal_score(mean: float, stdev: float) -> None:
    z = np.linspace(-6, 6, 4001)
    weight = np.exp(-0.5 * z * z)
    direct = (weight * np.arctan((mean + stdev * z - 2.0) / 9.0)).sum() / weight.sum() * 2 / np.pi
    assert expected_score_value(mean, stdev, 2.0, 9.0) == pytest.approx(direct, abs=2e-3)
