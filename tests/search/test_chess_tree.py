"""The tree in Python for chess: playouts, mates, repetitions, restrictions, and a kept subtree."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import SearchSettings
from engine.games.chess_game import MOVES, read_uci
from engine.networks.lc0 import read_lc0
from engine.networks.native_backend import NativeEvaluator
from engine.networks.raw import evaluate_each, evaluate_raw
from engine.search.chess_evaluations import ChessEvaluation, ChessEvaluations
from engine.search.search import Restriction, Search
from engine.search.tree import new_cache
from engine.values import Limit
from tests.support.networks import lc0_writer

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.games.chess_position import ChessPosition
from engine.search.chess_tree import ChessTree

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> NativeEvaluator:
    path = lc0_writer.write(tmp_path_factory.mktemp("lc0") / "net.pb.gz", lc0_writer.Shape())
    return NativeEvaluator(read_lc0(path), precision="fp32", threads=1)


def search_of(evaluator: NativeEvaluator, position: ChessPosition) -> Search:
    search = Search(evaluator, seed=1)
    search.set_position(position)
    return search


def test_the_raw_output_has_the_legal_moves_and_draws(evaluator: NativeEvaluator) -> None:
    position = ChessPosition()
    raw = evaluate_raw(evaluator, position)
    assert np.flatnonzero(~np.isnan(raw.policy)).tolist() == position.legal_moves()
    assert np.nansum(raw.policy) == pytest.approx(1)
    assert raw.win + raw.loss + raw.no_result == pytest.approx(1)
    assert 0 < raw.no_result < 1
    (same,) = evaluate_each(evaluator, [position])
    np.testing.assert_allclose(same.policy, raw.policy, atol=1e-6)


def test_the_priors_are_the_networks_policy(evaluator: NativeEvaluator) -> None:
    position = ChessPosition()
    report = search_of(evaluator, position).run(Limit(visits=1))
    raw = evaluate_raw(evaluator, position)
    np.testing.assert_allclose(
        report.policy[position.legal_moves()], raw.policy[position.legal_moves()], atol=1e-6
    )
    assert report.root.win_rate == pytest.approx((1 + raw.win - raw.loss) / 2, abs=1e-6)
    assert report.root.no_result == pytest.approx(raw.no_result, abs=1e-6)


def test_a_mate_is_found_for_either_color(evaluator: NativeEvaluator) -> None:
    for fen, mate in ((MATE_IN_ONE, "d1d8"), ("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1")):
        report = search_of(evaluator, ChessPosition(fen)).run(Limit(visits=300))
        assert report.best is not None
        assert MOVES[report.best.move] == mate
        assert report.best.win_rate == 1
        assert sum(move.visits for move in report.moves) == report.root.visits - 1 == 299
        assert report.moves[0].pv == (read_uci(mate),)


def test_a_repetition_below_the_root_is_a_draw(evaluator: NativeEvaluator) -> None:
    """The king's moves back would repeat the position: each is worth exactly nothing."""
    position = ChessPosition("7k/8/8/8/8/8/r7/7K b - - 0 1")
    for word in ("h8g8", "h1g1", "g8h8"):
        position.play(read_uci(word))
    report = search_of(evaluator, position).run(Limit(visits=200))
    back = next(move for move in report.moves if MOVES[move.move] == "g1h1")
    assert (back.win_rate, back.no_result) == (0.5, 1.0)


def test_the_tree_keeps_what_it_knows_of_the_move_played(evaluator: NativeEvaluator) -> None:
    position = ChessPosition()
    search = search_of(evaluator, position)
    best = search.run(Limit(visits=60)).best
    assert best is not None
    position.play(best.move)
    search.set_position(position, [best.move])
    assert search.visits == best.visits
    position.play(position.legal_moves()[0])
    search.set_position(position)
    assert search.visits == 0


def test_restrictions_and_weights_hold_at_the_root(evaluator: NativeEvaluator) -> None:
    position = ChessPosition()
    search = search_of(evaluator, position)
    only = read_uci("a2a3")
    until = [1] * position.move_count
    until[only] = 0
    report = search.run(Limit(visits=20), restriction=Restriction(black=until))
    assert [move.move for move in report.moves] == [only]
    search = search_of(evaluator, position)
    weights = np.zeros(position.move_count, np.float32)
    weights[only] = 2.0
    report = search.run(Limit(visits=20), prior_weights=weights)
    assert [move.move for move in report.moves] == [only]


def test_a_faulty_output_is_an_error_and_leaves_the_tree() -> None:
    tree = ChessTree(ChessPosition(), SearchSettings())
    tree.begin()
    spatial, globals_ = np.zeros((2, 112, 8, 8), np.uint8), np.zeros((2, 1), np.float32)
    assert tree.select(0, spatial, globals_, 2, 10) == 1  # the root alone
    assert tree.select(1, spatial, globals_, 2, 10) == 0  # its evaluation is under way
    value = np.full((2, 3), np.nan, np.float32)
    nothing = np.zeros((2, 0), np.float32)
    with pytest.raises(RuntimeError, match="not finite"):
        tree.update(0, np.zeros((2, 1858), np.float32), value, nothing, nothing)
    tree.abandon(0)
    assert (tree.in_flight, tree.playouts, tree.evaluated) == (0, 0, False)
    assert tree.select(0, spatial, globals_, 2, 10) == 1


def test_searches_share_their_evaluations_and_end_alike(evaluator: NativeEvaluator) -> None:
    cache, reports, evaluated = new_cache("chess", 1000), [], []
    for _ in range(2):
        search = Search(evaluator, cache=cache, seed=1)
        search.set_position(ChessPosition())
        reports.append(search.run(Limit(visits=40)))
        evaluated.append((search.tree.rows_evaluated, search.tree.cache_hits))
    assert evaluated == [(40, 0), (0, 40)]
    first, second = ([(each.move, each.visits) for each in report.moves] for report in reports)
    assert first == second
    np.testing.assert_array_equal(reports[0].policy, reports[1].policy)
    other = Search(evaluator, cache=cache, seed=1)  # its position has the same pieces
    other.set_position(ChessPosition(chess960=True))
    other.run(Limit(visits=1))
    assert other.tree.rows_evaluated == 1


def test_the_table_of_evaluations_is_bounded_and_keeps_what_is_asked_for() -> None:
    table = ChessEvaluations(6)
    evaluations = [ChessEvaluation(np.zeros(20, np.float32), 0.1, 0.2) for _ in range(10)]
    for number, evaluation in enumerate(evaluations):
        table.store((1, number), evaluation)
        assert table.find((1, 0)) is evaluations[0]
        assert len(table) <= 6
    assert (table.lookups, table.hits) == (10, 10)
    assert table.find((1, 1)) is None
    assert table.find((2, 0)) is None
    assert table.bytes > len(table) * evaluations[0].logits.nbytes
    table.clear()
    assert table.find((1, 0)) is None
