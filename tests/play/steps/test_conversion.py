"""Won games of chess: no persona stalemates anybody, and all mate where they can."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import Board
from engine.opponents.posterior import Posterior
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.conversion import REMARK, converted, hunt_king, is_won, without_throws
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice, Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot, description_of

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.games.chess_game import read_uci, write_uci
from engine.games.chess_position import ChessPosition
from engine.search.external_engine import ExternalEngine

# The queen and a rook ahead with mates in two, and two stalemates in one.
TWO_AHEAD = "1k6/3R4/2p5/2p5/Q1P5/p5P1/P5KP/8 w - - 0 50"
STALEMATES = {"a4a6", "a4c6"}
PLANES = (0.5, 1.5, 1.5, 2.5, 4.5)  # the worth of lc0's planes of pieces, in pawns halved


def by_material(slot: StandInSlot, row: int) -> None:
    """Every move as likely, and the value by the material."""
    planes = slot.spatial[row].astype(float).sum(axis=(1, 2))
    slot.policy[row] = 0.0
    own, theirs = planes[:5] @ PLANES, planes[6:11] @ PLANES
    slot.value[row] = (own - theirs, theirs - own, -9.0)


def tracker_of(elo: float) -> OpponentTracker:
    """An opponent of about this strength."""
    tracker = of_stranger(Board("chess", 8, 8), description_of("chess"))
    before = tracker.opponent.posterior
    known = Posterior.of_stranger(
        tracker.ladder.lowest,
        tracker.ladder.highest,
        mean_elo=elo,
        deviation_elo=100.0,
        styles=before.styles,
    )
    return replace(tracker, opponent=replace(tracker.opponent, posterior=known))


def choice_at(fen: str, persona: str, seed: int, *, opponent_elo: float = 1700.0) -> Choice:
    search = Search(StandInEvaluator(by_material, game="chess"), seed=seed)
    position: Position = ChessPosition(fen)
    search.set_position(position)
    request = MoveRequest(
        position,
        Limit(visits=40),
        "chess",
        persona=make_persona(persona, "chess"),
        tracker=tracker_of(opponent_elo),
        rng=np.random.default_rng(seed),
    )
    return choose(search, request)


@pytest.mark.parametrize("persona", ["even", "level:900"])
def test_far_ahead_a_mate_in_two_is_played(persona: str) -> None:
    mates = {"d7h7", "d7g7", "d7f7", "d7e7", "a4a7", "a4a5", "a4b3"}
    for seed in range(5):
        choice = choice_at(TWO_AHEAD, persona, seed)
        assert choice.move is not None
        assert write_uci(choice.move) in mates
        assert choice.reason.endswith(REMARK)


def test_without_the_conversion_even_stalemates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault that the conversion mends, so that the test above is able to fail."""
    monkeypatch.setattr("engine.play.steps.even.is_won", lambda _request, _rate: False)
    moves = [choice_at(TWO_AHEAD, "even", each, opponent_elo=1000.0).move for each in range(25)]
    assert STALEMATES & {write_uci(move) for move in moves if move is not None}


FAR_AHEAD = [
    (TWO_AHEAD, 0.95, True),
    (TWO_AHEAD, 0.7, False),  # the search sees a mate against us, or a perpetual check
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 0.8, True),
    ("7k/5Q2/4K3/8/8/8/8/8 w - - 0 1", 0.5, True),  # stalemates are near
    ("7k/5Q2/4K3/8/8/8/p7/8 w - - 0 1", 0.5, False),
    ("4kn2/8/8/8/8/8/3PP3/4KN2 w - - 0 1", 0.9, False),
    (TWO_AHEAD.replace(" w ", " b "), 0.9, False),
]


@pytest.mark.parametrize(("fen", "win_rate", "won"), FAR_AHEAD)
def test_far_ahead_is_by_the_material_and_the_search(fen: str, win_rate: float, won: bool) -> None:
    request = MoveRequest(ChessPosition(fen), Limit(visits=1), "chess")
    assert is_won(request, win_rate) is won


def kept(fen: str, *words: str) -> dict[str, float]:
    """The probabilities of equally likely moves: all, or the named ones."""
    request = MoveRequest(ChessPosition(fen), Limit(visits=1), "chess")
    moves = np.array([read_uci(word) for word in words] or request.position.legal_moves())
    search = Search(StandInEvaluator(by_material, game="chess"))
    probabilities, _ = converted(search, request, moves, np.full(len(moves), 1 / len(moves)))
    assert probabilities.sum() == pytest.approx(1)
    shares = zip(moves, probabilities, strict=True)
    return {write_uci(int(move)): float(share) for move, share in shares if share > 0}


def test_far_ahead_no_piece_is_given_away() -> None:
    left = kept("r5k1/5ppp/8/8/8/1Q3N2/5PPP/5RK1 w - - 0 1")
    assert {"b3a2", "b3a3", "b3a4", "b3b8"}.isdisjoint(left)
    assert {"b3b7", "f3g5", "h2h3"} <= set(left)


def test_only_drawing_moves_stay_as_likely_as_they_were() -> None:
    assert kept(TWO_AHEAD, *STALEMATES) == {"a4a6": 0.5, "a4c6": 0.5}
    assert set(kept(TWO_AHEAD, "a4a6", "g2f3")) == {"g2f3"}


ROOK_MATES = {"a1a8"}
HUNT = "6k1/8/6K1/8/8/8/8/R7 w - - 0 1"


@pytest.mark.parametrize("persona", ["full", "human"])
def test_a_king_alone_is_mated_at_full_strength_and_by_people(persona: str) -> None:
    for seed in range(5):
        choice = choice_at(HUNT, persona, seed)
        assert choice.move is not None
        assert write_uci(choice.move) in ROOK_MATES
        assert choice.reason.endswith(REMARK)


@pytest.mark.parametrize("fen", [TWO_AHEAD, "6K1/8/6k1/8/8/8/8/r7 w - - 0 1"])
def test_elsewhere_full_strength_plays_its_search(fen: str) -> None:
    request = MoveRequest(ChessPosition(fen), Limit(visits=40), "chess")
    search = Search(StandInEvaluator(by_material, game="chess"), seed=1)
    search.set_position(request.position)
    report = search.run(request.limit)
    assert hunt_king(search, request, report) is None


def test_another_engine_hunts_by_itself() -> None:
    request = MoveRequest(ChessPosition(HUNT), Limit(visits=40), "chess")
    search = Search(StandInEvaluator(by_material, game="chess"), seed=1)
    search.set_position(request.position)
    report = search.run(request.limit)
    assert hunt_king(search, request, report) is not None
    search.aids.engine = ExternalEngine("no program")
    assert hunt_king(search, request, report) is None
    search.aids.engine.is_lost = True
    assert hunt_king(search, request, report) is not None


def test_another_game_is_never_converted() -> None:
    request = MoveRequest(ChessPosition(TWO_AHEAD), Limit(visits=1), "othello")
    assert not is_won(request, 1.0)


def test_an_even_game_throws_no_queen_when_it_is_ahead() -> None:
    start = ChessPosition("4k3/8/1b6/7r/8/8/1P1Q4/3K4 w - - 0 1")  # the queen against two pieces
    for seed in range(20):
        move = choice_at(start.fen, "even", seed, opponent_elo=2400.0).move
        assert move is not None
        after = start.copy()
        after.play(move)
        taken = {write_uci(reply)[2:4] for reply in after.legal_moves()}
        queen = write_uci(move)[2:4] if write_uci(move).startswith("d2") else "d2"
        assert queen not in taken


@pytest.mark.parametrize(
    ("fen", "move", "is_kept"),
    [
        # A pawn attacks the queen.
        ("rnb1kbnr/pppp1ppp/8/4p3/3Q4/8/PPP1PPPP/RNB1KBNR w KQkq - 0 1", "a2a3", False),
        ("rnb1kbnr/pppp1ppp/8/4p3/3Q4/8/PPP1PPPP/RNB1KBNR w KQkq - 0 1", "d4d1", True),
        # The queen takes a defended rook.
        ("3rk3/4p3/3r4/8/3Q4/8/8/4K3 w - - 0 1", "d4d6", True),
        # The queen is lost whatever is played.
        ("7k/8/8/8/8/2n5/8/Q3K3 w - - 0 1", "a1c3", True),
        # The weakest of mates is seen by few.
        ("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g2g4", True),
    ],
)
def test_a_careful_level_throws_no_queen_away(fen: str, move: str, is_kept: bool) -> None:
    position = ChessPosition(fen)
    moves = np.array(position.legal_moves())
    request = MoveRequest(position, Limit(visits=1), "chess")
    drawn = without_throws(request, moves, np.full(len(moves), 1 / len(moves)))
    assert drawn.sum() == pytest.approx(1)
    assert bool(drawn[moves == read_uci(move)] > 0) is is_kept


def test_where_each_likely_move_is_a_throw_the_level_plays_on() -> None:
    position = ChessPosition("rnb1kbnr/pppp1ppp/8/4p3/3Q4/8/PPP1PPPP/RNB1KBNR w KQkq - 0 1")
    moves = np.array(position.legal_moves())
    probabilities = (moves == read_uci("a2a3")).astype(np.float64)
    request = MoveRequest(position, Limit(visits=1), "chess")
    assert without_throws(request, moves, probabilities) is probabilities
