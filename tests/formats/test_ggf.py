"""GGF: reading, writing, replay, and errors with a quotation."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine._core import OthelloPosition
from engine.errors import RecordError
from engine.formats import ggf
from engine.formats.ggf import GgfGame, GgfMove, GgfResult

# The game of the example session in NBoard's documentation.
NBOARD = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
START8 = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


def test_the_game_of_nboards_documentation() -> None:
    (game,) = ggf.read(NBOARD)
    assert (game.size, game.black, game.white) == (8, "./mEdax", "chris")
    assert game.result is None
    assert game.properties["RE"] == "?"
    assert game.properties["TI"] == "15:00"
    assert game.start().is_same(OthelloPosition(8))
    position, moves = ggf.replay(game)
    assert len(moves) == len(game.moves) == 8
    assert position.to_move == 0
    assert (game.moves[0].evaluation, game.moves[0].seconds) == (None, None)


def test_several_games_with_text_between_them() -> None:
    pair = f"(;GM[Othello]TY[s8r]BO[{START8}]B[d3//0.01]W[c3/-1.5/2];)"
    text = f"% saved games\n2 {pair}{pair}\n\n1 {pair}\r\n(;GM[Othello]BO[{START8}];)"
    games = ggf.read(text)
    assert [game.games_in_match for game in games] == [2, None, 1, None]
    assert [len(game.moves) for game in games] == [2, 2, 2, 0]
    assert games[0].moves[0] == GgfMove(0, 19, None, 0.01)
    assert games[0].moves[1] == GgfMove(1, 18, -1.5, 2.0)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("+64.000", GgfResult(64)),
        ("+12.00:r", GgfResult(12, "r")),
        ("-64.000:t", GgfResult(-64, "t")),
        ("+0.000:s", GgfResult(0, "s")),
        ("-2:l", GgfResult(-2, "l")),
        ("0", GgfResult(0)),
        ("-6 : R", GgfResult(-6, "r")),
        ("+2.000:x", GgfResult(2)),
        ("?", None),
        ("", None),
        ("+1e99", None),
        ("Black", None),
    ],
)
def test_results(text: str, result: GgfResult | None) -> None:
    assert ggf.read_result(text) == result
    (game,) = ggf.read(f"(;GM[Othello]RE[{text}]BO[{START8}];)")
    assert game.result == result
    (again,) = ggf.read(ggf.write([game]))
    assert again.result == result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F5", GgfMove(0, 37)),
        ("f5", GgfMove(0, 37)),
        ("F5/1.25/0.5", GgfMove(0, 37, 1.25, 0.5)),
        ("F5//2.1", GgfMove(0, 37, None, 2.1)),
        ("F5/-3", GgfMove(0, 37, -3.0, None)),
        ("F5//", GgfMove(0, 37)),
        (" f5 / 1 / 2 ", GgfMove(0, 37, 1.0, 2.0)),
        ("F5/nan/x", GgfMove(0, 37)),
        ("PA", GgfMove(0, 64)),
        ("pa", GgfMove(0, 64)),
        ("pass", GgfMove(0, 64)),
        ("PASS//0.01", GgfMove(0, 64, None, 0.01)),
    ],
)
def test_moves(text: str, expected: GgfMove) -> None:
    assert ggf.read_move(text, 0, 8) == expected
    assert ggf.read_move(ggf.write_move(expected, 8), 0, 8) == expected


def test_unknown_properties_are_kept_and_written_again() -> None:
    text = f"(;GM[Othello]ZZ[what; (ever)]PB[a]KM[+2.5]BO[{START8}]CO[]B[f5];)"
    (game,) = ggf.read(text)
    assert dict(game.properties) == {"ZZ": "what; (ever)", "PB": "a", "KM": "+2.5", "CO": ""}
    (again,) = ggf.read(ggf.write([game]))
    assert again.properties == {"TY": "8", **game.properties}
    assert again.moves == game.moves


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_whole_games_come_back_and_replay(size: int) -> None:
    games = []
    finals = []
    for seed in range(15):
        rng = random.Random(seed)
        position = OthelloPosition(size)
        made = []
        while not position.is_over:
            move = rng.choice(position.legal_moves())
            made.append(GgfMove(position.to_move, move, rng.choice([None, 2.25]), 0.5))
            position.play(move)
        result = GgfResult(position.black_score)
        games.append(GgfGame(size=size, moves=tuple(made), result=result))
        finals.append(position)
    again = ggf.read(ggf.write(games))
    assert [game.moves for game in again] == [game.moves for game in games]
    for game, final in zip(again, finals, strict=True):
        position, moves = ggf.replay(game)
        assert position.is_same(final)
        assert moves == [made.move for made in game.moves]
        assert game.result == GgfResult(position.black_score)


def test_passes_omitted_by_a_file_are_inserted() -> None:
    rng = random.Random(6)
    position = OthelloPosition(6)
    made = []
    while not position.is_over:
        move = rng.choice(position.legal_moves())
        made.append(GgfMove(position.to_move, move))
        position.play(move)
    assert any(step.move == 36 for step in made), "a seed without a pass shows nothing"
    without = tuple(step for step in made if step.move != 36)
    end, moves = ggf.replay(GgfGame(size=6, moves=without))
    assert end.is_same(position)
    assert moves == [step.move for step in made]


def test_a_board_of_any_beginning() -> None:
    board = "6 ------ ------ --OO-- --**-- ------ ------ O"
    (game,) = ggf.read(f"(;GM[othello]TY[6r]BO[{board}]W[d5];)")
    position, _ = ggf.replay(game)
    assert position.stones.tolist()[4][3] == 2
    assert position.to_move == 0
    assert f"BO[{board}]" in ggf.write([game])
    (dense,) = ggf.read("(;BO[" + board.replace(" ", "") + "];)")
    assert dense.start().is_same(game.start())


@pytest.mark.parametrize(("kind", "size"), [("10", 10), ("8r20", 8), ("s6", 6), ("88", 0)])
def test_without_a_board_the_type_gives_the_size(kind: str, size: int) -> None:
    text = f"(;GM[Othello]TY[{kind}];)"
    if size:
        assert ggf.read(text)[0].start().width == size
    else:
        with pytest.raises(RecordError, match="TY\\[88\\]"):
            ggf.read(text)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "no game"),
        ("hello there", "'hello there'"),
        ("(;GM[Othello]", "game 1: neither"),
        ("(;GM[Othello] what;)", "' what;\\)'"),
        ("(;GM[Amazons]BO[10 *];)", "GM\\[Amazons\\]"),
        ("(;GM[Othello]BO[8 --- *];)", "BO\\['8 --- \\*'\\]"),
        ("(;GM[Othello]BO[9 --- *];)", "BO\\['9"),
        ("(;GM[Othello]BO[];)", "BO\\[''\\]"),
        (f"(;BO[{START8.replace('O', '?')}];)", "not a board"),
        (f"(;BO[{START8}]B[z9];)", "'z9'"),
        (f"(;BO[{START8}]B[];)", "''"),
        (f"(;BO[{START8}];)(;BO[{START8}]W[i1];)", "game 2: 'i1'"),
    ],
)
def test_malformed_games_are_refused_with_a_quotation(text: str, quoted: str) -> None:
    with pytest.raises(RecordError, match=quoted):
        ggf.read(text)


@pytest.mark.parametrize(
    ("moves", "quoted"),
    [
        ("B[a1]", "move 1, B\\[a1\\]"),
        ("W[d3]", "move 1, W\\[d3\\]"),
        ("B[f5]B[d6]", "move 2, B\\[d6\\]"),
        ("B[f5]W[pa]", "move 2, W\\[pa\\]"),
    ],
)
def test_an_illegal_move_is_refused_with_its_number(moves: str, quoted: str) -> None:
    (game,) = ggf.read(f"(;BO[{START8}]{moves};)")
    with pytest.raises(RecordError, match=quoted):
        ggf.replay(game)


PIECES = st.sampled_from(
    [
        "(;",
        ";)",
        "GM[Othello]",
        f"BO[{START8}]",
        "B[f5]",
        "W[pa]",
        "RE[+3:r]",
        "[",
        "]",
        "2 ",
        "XY[z]",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=12).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        games = ggf.read(text)
    except RecordError:
        return
    for game in games:
        try:
            ggf.replay(game)
        except RecordError:
            continue
    assert ggf.read(ggf.write(games))


def test_a_long_run_of_spaces_is_read_in_linear_time() -> None:
    began = time.monotonic()
    with pytest.raises(RecordError):
        ggf.read("x" + " " * 400_000 + "x")  # hours, if each space began a search
    assert time.monotonic() - began < 20
