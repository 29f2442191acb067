"""Transcripts: splitting, reading, insertion of passes, and errors with a quotation."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import RecordError
from engine.formats import transcript
from engine.games.chance import drawn
from engine.games.table import GAMES, usual_board

F5D6C3D3C4 = [37, 43, 18, 19, 26]


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3c4",
        "F5D6C3D3C4",
        "f5 d6 c3 d3 c4",
        "F5-d6-C3-d3-C4",
        "f5,d6,c3;d3|c4",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.f5 2.d6 3.c3 4.d3 5.c4",
        "1) f5 2) d6 3) c3 4) d3 5) c4",
        "1 f5 2 d6 3 c3 4 d3 5 c4",
        "1f5 2d6 3c3 4d3 5c4",
        "  f5d6\tc3\nd3c4\n",
        "(f5 d6 c3: d3 c4)",
    ],
)
def test_othello_is_read_in_all_its_spellings(text: str) -> None:
    position = GAMES["othello"].new_position(8, 8)
    assert transcript.read("othello", text, position) == F5D6C3D3C4
    assert position.move_number == 0


@pytest.mark.parametrize("text", ["4453", "4 4 5 3", "ddec", "D-D-E-C", "4,4;5|3", " 4453\n"])
def test_connect4_is_read_in_all_its_spellings(text: str) -> None:
    position = GAMES["connect4"].new_position(7, 6)
    assert transcript.read("connect4", text, position) == [3, 3, 4, 2]


def test_columns_of_two_digits_need_gaps() -> None:
    position = GAMES["connect4"].new_position(12, 4)
    moves = transcript.read("connect4", "10 1 12,12 l", position)
    assert moves == [9, 0, 11, 11, 11]
    assert transcript.write("connect4", moves, position) == "10 1 12 12 12"
    with pytest.raises(RecordError, match="'101'"):
        transcript.read("connect4", "101", position)


@pytest.mark.parametrize("game", ["darkchess", "einstein"])
def test_games_of_chance_are_written_with_their_outcomes(game: str) -> None:
    rng, start = random.Random(4), usual_board(game).start()
    position, moves = start.copy(), list[int]()
    while not position.is_over and len(moves) < 40:
        moves.append(drawn(position, rng.choice(position.legal_moves()), rng.randrange))
        position.play(moves[-1])
    text = transcript.write(game, moves, start)
    assert "(" in text
    assert transcript.read(game, text, start) == moves
    assert transcript.read(game, text.replace(" ", ",\n"), start) == moves


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("123456 123456", "123456"),
        ("123456 a5-b4", "a5-b4"),
        ("123456 0", "0"),
        ("112233", "112233"),
    ],
)
def test_wrong_moves_of_einstein_are_quoted(text: str, word: str) -> None:
    with pytest.raises(RecordError, match=f"'{word}'"):
        transcript.read("einstein", text, usual_board("einstein").start())


def test_rows_of_two_digits_belong_to_ten_by_ten() -> None:
    position = GAMES["othello"].new_position(10, 10)
    moves = random_game(10, random.Random(1))
    text = transcript.write("othello", moves, position)
    assert "a10" in text
    assert "a1" in text.replace("a10", "")
    assert transcript.read("othello", text, position) == moves
    with pytest.raises(RecordError, match="'a10'"):
        transcript.read("othello", "a10", GAMES["othello"].new_position(8, 8))


def random_game(size: int, rng: random.Random) -> list[int]:
    position = GAMES["othello"].new_position(size, size)
    moves = []
    while not position.is_over:
        moves.append(rng.choice(position.legal_moves()))
        position.play(moves[-1])
    return moves


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_passes_are_omitted_and_inserted_again(size: int) -> None:
    position = GAMES["othello"].new_position(size, size)
    passes = 0
    for seed in range(40):
        moves = random_game(size, random.Random(seed))
        passes += moves.count(size * size)
        text = transcript.write("othello", moves, position)
        assert "pass" not in text
        assert transcript.read("othello", text, position) == moves
        words = [GAMES["othello"].write_move(move, size, size) for move in moves]
        for spelling in ("pass", "PA", "ps", "--"):
            line = " ".join(words).replace("pass", spelling)
            assert transcript.read("othello", line, position) == moves
        assert transcript.with_passes([m for m in moves if m != size * size], position) == moves
    assert passes > 0  # with twelve seeds 13.5 +- 3.1 on 10x10, more on smaller boards


@given(st.lists(st.integers(0, 6), max_size=42))
def test_connect4_is_written_as_it_is_read(columns: list[int]) -> None:
    position = GAMES["connect4"].new_position(7, 6)
    board = position.copy()
    played = []
    for column in columns:
        if board.is_legal(column):
            board.play(column)
            played.append(column)
    text = transcript.write("connect4", played, position)
    assert len(text) == len(played)
    assert transcript.read("connect4", text, position) == played


@pytest.mark.parametrize(
    ("game", "text", "quoted"),
    [
        ("othello", "f5a1", "move 2, 'a1'"),
        ("othello", "f5f5", "move 2, 'f5'"),
        ("othello", "f5pass", "move 2, 'pass'"),
        ("othello", "f5k9", "'k9'"),
        ("othello", "f5d6?", "'\\?'"),
        ("othello", "f9", "'f9'"),
        ("othello", "12", "'12'"),
        ("connect4", "1111111", "move 7, '1'"),
        ("connect4", "448", "move 3, '8'"),
        ("connect4", "40", "'0'"),
        ("connect4", "12121211", "move 8, '1'"),
        ("connect4", "4" * 10_001, "10000 characters"),
    ],
)
def test_malformed_games_are_refused_with_a_quotation(game: str, text: str, quoted: str) -> None:
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    with pytest.raises(RecordError, match=quoted):
        transcript.read(game, text, position)


@given(st.sampled_from(["othello", "connect4"]), st.text(max_size=40))
def test_any_text_is_read_or_refused(game: str, text: str) -> None:
    position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    try:
        moves = transcript.read(game, text, position)
    except RecordError:
        return
    for move in moves:
        position.play(move)
