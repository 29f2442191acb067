"""Won positions of chess: drawing moves, mates, exchanges, and hunts of a king to the mate."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.games.chess_conversion import (
    DRAWN,
    MATED,
    gives_draw,
    is_hunt,
    material_lead,
    mating_moves,
    progress,
    safe_lead,
)
from engine.games.chess_game import read_uci, write_uci
from engine.games.chess_position import ChessPosition

# A queen and a rook ahead; from games in which `even` stalemated a random player and Stockfish.
TWO_AHEAD = "1k6/3R4/2p5/2p5/Q1P5/p5P1/P5KP/8 w - - 0 50"
DRAWS = [
    (TWO_AHEAD, "", "a4a6 a4c6", "a4b3 d7d8 g2f3"),
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "", "g6f7 f6e5 f6f5", "g6g7 g6g2"),
    (
        "8/8/8/3k4/8/4R3/8/K7 w - - 0 1",
        "",
        "e3e4 e3e5 e3e6",
        "e3e1 e3e8 e3d3",
    ),  # a reply takes the rook
    # The queen goes to and fro, or is lost.
    ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "b1b2 h8h7 b2b3 h7h8", "b3b2 b3f7 b3g8", "b3b4 b3c3 a1b2"),
]


def after(fen: str, moves: str) -> ChessPosition:
    position = ChessPosition(fen)
    for word in moves.split():
        position.play(read_uci(word))
    return position


@pytest.mark.parametrize(("fen", "moves", "draws", "fine"), DRAWS)
def test_moves_that_draw_at_once_or_by_a_reply(fen: str, moves: str, draws: str, fine: str) -> None:
    position = after(fen, moves)
    found = {write_uci(move) for move in position.legal_moves() if gives_draw(position, move)}
    assert found >= set(draws.split())
    assert found.isdisjoint(fine.split())


MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", {"d1d8": 1}),
    ("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1", {"b1g1": 2, "b1h1": 0, "b1b7": 2}),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {"e2e4": 0}),
]


@pytest.mark.parametrize(("fen", "mates"), MATES)
def test_mates_in_two_are_found(fen: str, mates: dict[str, int]) -> None:
    found = mating_moves(ChessPosition(fen))
    for word, count in mates.items():
        assert found.get(read_uci(word), 0) == count


LEADS = [
    ("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 9.0),  # takes a free pawn
    ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", -1.0),  # a guarded one
    ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d3", 7.0),
    ("r5k1/5ppp/8/8/8/8/Q4PPP/5RK1 w - - 0 1", "a2a8", 14.0),  # the queen takes the rook
    ("r5k1/5ppp/8/8/8/Q7/5PPP/5RK1 w - - 0 1", "f1b1", 0.0),  # the rook takes the queen
    ("r5k1/5ppp/8/8/8/8/2Q2PPP/5RK1 w - - 0 1", "f1b1", 9.0),
    ("r5k1/5ppp/8/8/8/8/2Q2PPP/5RK1 w - - 0 1", "f1e1", 9.0),
    ("r5k1/5ppp/8/8/8/8/5PPP/4NRK1 w - - 0 1", "e1d3", 3.0),
    ("4r1k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1", "b2b7", -MATED),  # a mate on the back rank
]


@pytest.mark.parametrize(("fen", "move", "lead"), LEADS)
def test_the_lead_after_the_exchanges_behind_a_move(fen: str, move: str, lead: float) -> None:
    assert safe_lead(ChessPosition(fen), read_uci(move)) == lead


def test_a_hunt_is_of_a_king_with_a_pawn_or_two() -> None:
    assert is_hunt(ChessPosition("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1"))
    assert not is_hunt(ChessPosition("4k3/8/8/3p4/8/8/8/3QK3 b - - 0 1"))
    assert not is_hunt(ChessPosition("4k3/8/8/3n4/8/8/8/3QK3 w - - 0 1"))
    assert not is_hunt(ChessPosition("4k3/ppp5/8/8/8/8/8/3QK3 w - - 0 1"))
    assert material_lead(ChessPosition("4k3/8/8/3p4/8/8/8/3QK3 b - - 0 1")) == -8


def test_mate_is_the_greatest_progress_and_stalemate_the_least() -> None:
    position = ChessPosition("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    values = {write_uci(move): progress(position, move) for move in position.legal_moves()}
    assert values["g6g7"] == MATED == max(values.values())
    assert values["g6f7"] == DRAWN == min(values.values())


@pytest.mark.parametrize("pieces", ["KQ6", "KR6", "KP6"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hunt_ends_with_a_mate(pieces: str, seed: int) -> None:
    """The king that is hunted goes at random; the moves are the best progress without a draw."""
    rank = "8/KP6/8" if pieces == "KP6" else f"{pieces}/8/8"
    position = ChessPosition(f"8/8/8/4k3/8/{rank} w - - 0 1")
    rng = random.Random(seed)
    while not position.is_over:
        moves = position.legal_moves()
        if position.to_move == 1:
            position.play(rng.choice(moves))
            continue
        mates = mating_moves(position)
        if mates:
            position.play(min(mates, key=lambda move: mates[move]))
            continue
        fair = [move for move in moves if not gives_draw(position, move)]
        position.play(max(fair, key=lambda move: progress(position, move)))
    assert position.winner == 0
