"""Moves on the wire. The games are those of the tests of Mind-Sports-Games/strategygames."""

from __future__ import annotations

import random

import pytest

from bots.fields import WireError
from bots.lichess import notation
from bots.lichess.start_position import StartPosition, go_start, othello_start
from bots.lichess.variant_table import VARIANTS
from engine._core import OthelloPosition
from engine.games.table import read_square

START = StartPosition()
# FlipelloVariantTest: P@ is a disc, c3c3 a pass.
# The last two moves of the source are left out: a pass with moves left, which ends the game there.
FLIPELLO = """
P@e3 P@f5 P@e6 P@d7 P@c6 P@d3 P@f4 P@d6 P@c5 P@b5 P@b7 P@b6 P@c7 P@a8 P@f6 P@e7 P@a7 P@b8 P@f7
P@c8 P@c3 P@a6 P@a5 P@a4 c3c3 P@d8 c3c3 P@b4 P@a3 P@a2 c3c3 P@b3 c3c3 P@c4 c3c3 P@c2 P@b2 P@f3
P@b1 P@a1 P@g3 P@c1 d3d3 P@d2 P@d1 P@e1 d3d3 P@e2 e3e3 P@f2 P@f1 P@g1 f3f3 P@h3 P@g2 P@h1 P@h2
P@g4 P@h4 P@h5 P@g5 P@h6 e5e5 P@g6 P@g7 P@h8 P@h7 P@f8
""".split()
GO_START = "9/9/9/9/9/9/9/9/9[SSSSSSSSSSssssssssss] b - 0 55 0 0 55 0 1"


def test_a_game_of_flipello_is_a_game_of_othello() -> None:
    position = OthelloPosition()
    for number, text in enumerate(notation.read_othello(FLIPELLO, START, 8)):
        move = read_square(text, 8, 8)
        assert position.is_legal(move), (number, text)
        written = notation.write_othello(text, FLIPELLO[:number], START, 8)
        assert written == FLIPELLO[number], number
        position.play(move)


def test_go_has_a_file_i_on_the_wire() -> None:
    moves = "s@g3 s@c7 s@f2 s@e5 s@e1 s@d4 s@h4 s@i1 s@i5 pass pass ss:i1".split()
    texts = notation.read_go(moves, START, 9)
    assert texts == "G3 C7 F2 E5 E1 D4 H4 J1 J5 pass pass".split()
    assert [notation.write_go(text, [], START, 9) for text in texts] == moves[:-1]
    assert notation.point_of("T19") == "s19"


@pytest.mark.parametrize(
    ("variant", "move"),
    [
        ("flipello", "P@i1"),
        ("flipello", "P@a9"),
        ("flipello", "e2e4"),
        ("flipello", ""),
        ("flipello", "P@٣3"),
        ("go9x9", "s@j9"),
        ("go9x9", "s@a10"),
        ("go9x9", "s@a0"),
        ("go9x9", "resign"),
        ("standard", "e2e9"),
        ("standard", "e5e6"),
        ("standard", "pass"),
        ("chess960", "\x00" * 5000),
    ],
)
def test_a_text_without_a_move_is_an_error(variant: str, move: str) -> None:
    row = VARIANTS[variant]
    with pytest.raises(WireError):
        row.read([move], START, row.size)


def test_a_pass_after_moves_on_the_same_square_is_an_error() -> None:
    with pytest.raises(WireError):
        notation.write_othello("pass", ["P@e3", "P@e3"], START, 8)


def test_starts_of_go_have_komi_stones_and_turn() -> None:
    start = VARIANTS["go9x9"].start(GO_START)
    assert (start.komi, start.stones, start.first_to_move) == (5.5, (), 0)
    row = "2S3S2"
    start = go_start(f"9/9/{row}/9/4S4/9/{row}/9/9[SSss] w - 810 65 0 0 65 0 1", 9)
    assert start.stones == ((0, "C7"), (0, "G7"), (0, "E5"), (0, "C3"), (0, "G3"))
    assert (start.first_to_move, start.komi) == (1, 6.5)
    assert go_start("19/" * 18 + "18s b - 0 0 0 0 75 0 1", 19).stones == ((1, "T1"),)


@pytest.mark.parametrize(
    "fen",
    [
        "9/9/9 b - 0 55 0 0 55 0 1",
        GO_START.replace(" b ", " x "),
        GO_START.replace("9/9/9/9/9/9", "9/9/9/9/9/8"),
        GO_START.replace("9/9/9/9/9/9", "9/9/9/9/9/8Q"),
        GO_START.replace("55 0 1", "many 0 1"),
        "",
        "a",
    ],
)
def test_a_start_without_a_board_of_go_is_an_error(fen: str) -> None:
    with pytest.raises(WireError):
        go_start(fen, 9)


def test_another_start_of_othello_is_an_error() -> None:
    assert othello_start("8/8/8/3pP3/3Pp3/8/8/8[Pp] w 0 1", 8) == START
    for fen in ("8/8/8/3Pp3/3pP3/8/8/8 w", "8/8/8/3pP3/3Pp3/8/8/8 b", "", "w w"):
        with pytest.raises(WireError):
            othello_start(fen, 8)


# ---- Castling


def test_both_notations_of_castling_are_one_move() -> None:
    opening = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 {} d7d6 d2d3 c8g4 b1c3 b8c6 a2a3 d8d7 a3a4 {}"
    for kings in (opening.format("e1g1", "e8c8"), opening.format("e1h1", "e8a8")):
        moves = kings.split()
        short = notation.read_chess(moves, START, 8)
        assert (short[6], short[15]) == ("e1g1", "e8c8")
        rooks = notation.read_chess960(moves, START, 8)
        assert (rooks[6], rooks[15]) == ("e1h1", "e8a8")
        assert [m for i, m in enumerate(short) if i not in (6, 15)] == [
            m for i, m in enumerate(moves) if i not in (6, 15)
        ]


def test_moves_of_random_games_are_those_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    rng = random.Random(5)
    castlings = 0
    for game in range(60):
        is_chess960 = game % 2 == 1
        board = chess.Board(chess960=is_chess960)
        if is_chess960:
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        start = StartPosition(fen=board.fen())
        wire: list[str] = []
        wanted: list[str] = []
        while not board.is_game_over() and len(wire) < 120:
            castling = list(board.generate_castling_moves())
            move = rng.choice(castling or list(board.legal_moves))
            castlings += bool(castling)
            text = move.uci() if is_chess960 else board.uci(move)
            wanted.append(text)
            if castling and rng.random() < 0.5 and not is_chess960:
                text = board.uci(move, chess960=True)
            wire.append(text)
            board.push(move)
        read = notation.read_chess960 if is_chess960 else notation.read_chess
        assert read(wire, start, 8) == wanted
    assert castlings > 20
