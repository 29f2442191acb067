"""The search in every game but Go: its signature, ends, symmetries, and absent features."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pytest

from engine._core import Connect4Position, OthelloPosition
from engine.games.chance import outcomes
from engine.games.position import Position
from engine.games.table import GAMES
from engine.search.search import ReportOptions, Search, SearchSettings
from engine.values import Limit, Report
from tests.support.line_referees import FIRST, start_of
from tests.support.stand_in import StandInEvaluator, StandInSlot, uniform

OTHERS = sorted(GAMES.keys() - {"go"})


def start(game: str, size: tuple[int, int], moves: str = "") -> Position:
    kind = GAMES[game]
    position = kind.new_position(*size)
    for word in moves.split():
        position.play(kind.read_move(word, *size))
    return position


def search_of(game: str, position: Position, **settings: float | bool) -> Search:
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(StandInEvaluator(game=game), chosen, seed=7)
    search.set_position(position)
    return search


def signature(report: Report) -> str:
    text = " ".join(f"{m.move}:{m.edge_visits}" for m in report.moves)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# A change of these numbers is a change of play: state it in the commit.
SIGNATURES = {
    ("othello", (8, 8), ""): "ac03beffdc7a",
    ("othello", (8, 8), "f5 d6 c3 d3 c4"): "5e9879d5a3d3",
    ("othello", (6, 6), "e4"): "b5bc0cf5ad43",
    ("connect4", (7, 6), ""): "4d3cc5e91b42",
    ("connect4", (7, 6), "4 4 3 2"): "553d514a1b38",
    ("connect4", (6, 5), "3"): "6b079853b355",
}


@pytest.mark.parametrize(("game", "size", "moves"), SIGNATURES)
def test_signature(game: str, size: tuple[int, int], moves: str) -> None:
    report = search_of(game, start(game, size, moves)).run(Limit(visits=500))
    assert report.root.visits == 500
    assert signature(report) == SIGNATURES[game, size, moves]


@pytest.mark.parametrize("game", OTHERS)
def test_tree_is_kept_along_the_moves_played(game: str) -> None:
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[-1])
    search = search_of(game, position)
    report = search.run(Limit(visits=300))
    assert report.best is not None
    played = []
    for move in report.best.pv[:2]:
        played.append(outcomes(position, move)[0][0])
        position.play(played[-1])
    search.set_position(position, played)
    kept = search.visits
    assert kept > 1
    assert search.run(Limit(playouts=1)).root.visits == kept + 1
    assert len(search.tree.policy()) == position.move_count


# (game, size, moves) -> the move that wins at once, or prevents an immediate loss.
FORCED = {
    ("connect4", (7, 6), "4 1 4 1 4 7"): "4",
    ("connect4", (7, 6), "1 4 2 4 1 4"): "4",
    ("connect4", (7, 6), "2 7 3 7 4 1"): "5",
    ("connect4", (4, 4), "1 1 2 2 3 3"): "4",
}


@pytest.mark.parametrize(("game", "size", "moves"), FORCED)
def test_wins_at_once_and_prevents_it(game: str, size: tuple[int, int], moves: str) -> None:
    report = search_of(game, start(game, size, moves)).run(Limit(visits=400))
    assert report.best is not None
    assert GAMES[game].write_move(report.best.move, *size) == FORCED[game, size, moves]


def played_out(game: str, size: tuple[int, int], seed: int, left: int = 0) -> Position:
    """A random game, all but its last `left` moves."""
    rng = np.random.default_rng(seed)
    before = [GAMES[game].new_position(*size)]
    while not before[-1].is_over:
        position = before[-1].copy()
        position.play(int(rng.choice(position.legal_moves())))
        before.append(position)
    return before[-1 - left]


@pytest.mark.parametrize(("game", "size"), [("othello", (4, 4)), ("connect4", (4, 4))])
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_the_end_is_searched_and_its_result_known(
    game: str, size: tuple[int, int], left: int
) -> None:
    for seed in range(5):
        position = played_out(game, size, seed, left)
        report = search_of(game, position).run(Limit(visits=300))
        proven = report.root.bounds is not None and report.root.bounds.exact is not None
        assert proven or report.root.visits == 300
        assert proven == (left > 0)
        sign = 1 if position.to_move == 0 else -1
        if left == 0:
            assert not report.moves
            assert report.root.score_lead == pytest.approx(sign * position.black_score)
            won = {-1: 0.5, position.to_move: 1.0}.get(position.winner, 0.0)
            assert report.root.win_rate == pytest.approx(won)
        else:
            assert {move.move for move in report.moves} <= set(position.legal_moves())


@cache
def best_score(referee: Any) -> int:
    """The score of the side to move with best play, by exhaustive search."""
    moves = referee.legal_moves()
    if not moves:
        return referee.score() * (1 if referee.to_move == FIRST else -1)
    return max(-best_score(referee.play(move)) for move in moves)


def near_the_end(game: str, size: tuple[int, int], empty: int, seed: int) -> tuple[int, ...]:
    """The first moves of a random game, up to so many empty cells; shorter if it ended before."""
    rng = np.random.default_rng(seed)
    position = GAMES[game].new_position(*size)
    moves: list[int] = []
    while not position.is_over and (position.stones == 0).sum() > empty:
        moves.append(int(rng.choice(position.legal_moves())))
        position.play(moves[-1])
    return tuple(moves)


@pytest.mark.parametrize(
    ("game", "size", "empty"),
    [
        ("othello", (4, 4), 7),
        ("othello", (6, 6), 6),
        ("connect4", (5, 4), 8),
        ("connect4", (6, 4), 8),
    ],
)
def test_the_last_moves_have_their_exact_scores(
    game: str, size: tuple[int, int], empty: int
) -> None:
    looked_at = 0
    for seed in range(60 if game == "connect4" else 12):
        position, referee = GAMES[game].new_position(*size), start_of(game, *size)
        for move in near_the_end(game, size, empty, seed):
            position.play(move)
            referee = referee.play(move)
        report = search_of(game, position).run(Limit(visits=400))
        for found in report.moves:
            score = -best_score(referee.play(found.move))
            assert found.score_lead == pytest.approx(score)
            assert found.win_rate == pytest.approx((np.sign(score) + 1) / 2)
            looked_at += 1
    assert looked_at > 12


@pytest.mark.parametrize(
    ("game", "size", "empty", "visits"),
    [("othello", (4, 4), 9, 1500), ("connect4", (5, 4), 10, 1500)],
)
def test_proofs_below_decide_the_move(
    game: str, size: tuple[int, int], empty: int, visits: int
) -> None:
    for seed in range(8):
        position, referee = GAMES[game].new_position(*size), start_of(game, *size)
        for move in near_the_end(game, size, empty, seed):
            position.play(move)
            referee = referee.play(move)
        if position.is_over:
            continue
        scores = {move: -best_score(referee.play(move)) for move in referee.legal_moves()}
        report = search_of(game, position).run(Limit(visits=visits))
        assert report.best is not None
        assert np.sign(scores[report.best.move]) == np.sign(max(scores.values()))


def test_passing_is_searched_where_it_is_the_only_move() -> None:
    position = OthelloPosition(4)
    # White to move has no move; Black has.
    position.setup([(1, 0), (0, 1), (0, 2), (0, 5), (1, 15), (0, 14)], 0)
    while position.legal_moves() != [position.pass_move]:
        position.play(position.legal_moves()[0])
    report = search_of("othello", position, solve_empties=0).run(Limit(visits=50))
    assert [move.move for move in report.moves] == [16]
    assert report.moves[0].edge_visits == 49


def test_othello_reports_the_owner_of_each_cell() -> None:
    def evaluate(slot: StandInSlot, row: int) -> None:
        uniform(slot, row)
        slot.ownership[row] = 3.0 if slot.globals[row, 0] == 1.0 else -3.0  # Black's, all of it

    search = Search(StandInEvaluator(evaluate, game="othello"), SearchSettings())
    for moves, sign in (("", 1), ("f5", -1)):
        search.set_position(start("othello", (8, 8), moves))
        options = ReportOptions(ownership=True, moves_ownership=True)
        report = search.run(Limit(visits=60), options=options)
        assert report.ownership is not None
        assert report.best is not None
        assert report.best.ownership is not None
        assert (sign * report.ownership).min() > 0.98
        assert (sign * report.best.ownership).min() > 0.98


def test_connect4_has_no_ownership() -> None:
    options = ReportOptions(ownership=True, moves_ownership=True)
    report = search_of("connect4", Connect4Position()).run(Limit(visits=60), options=options)
    assert report.ownership is None
    assert all(move.ownership is None for move in report.moves)


@pytest.mark.parametrize(("game", "searched"), [("othello", 1), ("connect4", 4)])
def test_symmetric_root_moves_are_searched_once_when_asked(game: str, searched: int) -> None:
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    settings = SearchSettings()
    settings.root_symmetry_pruning = True
    # A drawn policy may leave a move unsearched.
    search = Search(StandInEvaluator(uniform, game=game), settings)
    search.set_position(position)
    report = search.run(Limit(visits=200))
    assert {move.move for move in report.moves} == set(position.legal_moves())
    assert sum(move.symmetry_of is None for move in report.moves) == searched
    for move in report.moves:
        after = position.copy()
        for step in move.pv:
            after.play(step)  # the turned line is legal
        assert move.pv[0] == move.move


def test_positions_turned_over_have_one_symmetry_hash() -> None:
    def symmetry_hash(game: str, size: tuple[int, int], moves: str) -> int:
        return search_of(game, start(game, size, moves)).tree.symmetry_hash

    othello = {symmetry_hash("othello", (8, 8), first) for first in ("d3", "c4", "f5", "e6")}
    assert len(othello) == 1
    left, right = "4 4 3 2 7", "4 4 5 6 1"
    assert symmetry_hash("connect4", (7, 6), left) == symmetry_hash("connect4", (7, 6), right)
    assert symmetry_hash("connect4", (7, 6), left) != symmetry_hash("connect4", (7, 6), "4 4 5 6")


def test_one_search_follows_from_game_to_game_only_with_its_own_network() -> None:
    search = search_of("connect4", Connect4Position())
    search.run(Limit(visits=10))
    search.set_position(Connect4Position(8, 7))
    assert search.run(Limit(visits=10)).root.visits == 10
    with pytest.raises(TypeError, match="OthelloPosition is not a position of connect4"):
        search.set_position(OthelloPosition())
    assert search.run(Limit(visits=20)).root.visits == 20
