"""WTHOR files, and the federation's whole database if it is at hand."""

from __future__ import annotations

import datetime
import struct
from pathlib import Path

import numpy as np
import pytest

from engine._core import OthelloPosition
from engine.errors import RecordError
from engine.formats import transcript, wthor
from engine.formats.wthor import ThorFile, ThorGame
from tests.conftest import SHARED_DATA

DATABASE = SHARED_DATA / "wthor"
YEARS = sorted(DATABASE.glob("*.wtb"))
WRITTEN = datetime.date(2007, 5, 22)
GAME = ThorGame(
    moves=(37, 43, 18), black_score=40, theoretical_score=33, tournament=1, black=346, white=843
)


@pytest.fixture(scope="session")
def database() -> Path:
    if not YEARS:
        pytest.skip("needs the WTHOR database in ../shared/data/wthor")
    return DATABASE


@pytest.mark.parametrize("size", [8, 10])
def test_a_file_is_read_as_it_was_written(size: int) -> None:
    longest = tuple(cell for cell in range(4, size * size))
    games = (GAME, ThorGame(longest, size * size), ThorGame((), 0))
    file = ThorFile(games, 1977, size=size, depth=24, written=WRITTEN)
    data = wthor.write(file)
    assert len(data) == 16 + 3 * (8 + size * size - 4)
    assert wthor.read(data) == file


def test_bytes_of_a_file_follow_the_format() -> None:
    data = wthor.write(ThorFile((GAME,), 1977, depth=24, written=WRITTEN))
    head = bytes([20, 7, 5, 22, 1, 0, 0, 0, 0, 0, 0xB9, 0x07, 8, 0, 24, 0])
    record = bytes([1, 0, 0x5A, 1, 0x4B, 3, 40, 33, 56, 64, 33]) + bytes(57)
    assert data == head + record  # f5 is row 5, column 6: 56


def test_names_are_read_as_they_were_written() -> None:
    players = ("???", "Tastet Marc", "Lévy-Abégnoli Thierry")
    assert wthor.read_players(wthor.write_players(players, WRITTEN)) == (
        "???",
        "Tastet Marc",
        "Lévy-Abégnoli Thier",  # 19 letters have room
    )
    tournaments = ("Diverses parties", "Préqualif de Pérenchies")
    data = wthor.write_tournaments(tournaments, WRITTEN)
    assert len(data) == 16 + 2 * 26
    assert wthor.read_tournaments(data) == tournaments
    assert wthor.name_of(tournaments, 1) == "Préqualif de Pérenchies"
    assert wthor.name_of(tournaments, 2) == "?"


def broken(offset: int, *values: int) -> bytes:
    data = bytearray(wthor.write(ThorFile((GAME,), 1977, written=WRITTEN)))
    data[offset : offset + len(values)] = bytes(values)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "0 bytes"),
        (broken(0)[:-1], "83 bytes for 1 games"),
        (broken(4, 2), "84 bytes for 2 games"),
        (broken(4, 255, 255, 255, 255), "for 4294967295 games"),
        (broken(8, 1), "1 names"),
        (broken(12, 9), "board size 9"),
        (broken(16 + 8, 19), "game 1: 19 is not a move"),
        (broken(16 + 8, 91), "91 is not a move"),
        (broken(16 + 8, 0), "0 is not a move"),
        (broken(16 + 6, 65), "65 discs on 64 cells"),
    ],
)
def test_other_data_is_refused(data: bytes, text: str) -> None:
    with pytest.raises(RecordError, match=text):
        wthor.read(data)


def test_names_of_another_length_are_refused() -> None:
    with pytest.raises(RecordError, match="not WTHOR names"):
        wthor.read_players(wthor.write_tournaments(("a",), WRITTEN))
    with pytest.raises(RecordError, match="not WTHOR names"):
        wthor.read_players(b"short")


@pytest.mark.parametrize("moves", [(64,), (-1,), tuple(range(61))])
def test_moves_outside_the_format_are_refused(moves: tuple[int, ...]) -> None:
    with pytest.raises(RecordError):
        wthor.write(ThorFile((ThorGame(moves, 0),), 1977))


@pytest.mark.parametrize("data", [np.random.default_rng(seed).bytes(300) for seed in range(5)])
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        wthor.read(data)
    with pytest.raises(RecordError):
        wthor.read_players(data)


def test_the_database_is_written_back_byte_for_byte(database: Path) -> None:
    names = database / "WTHOR.JOU"
    players = wthor.read_players(names.read_bytes())
    assert wthor.write_players(players, datetime.date(2020, 4, 30)) == names.read_bytes()
    for path in YEARS[::8]:
        data = path.read_bytes()
        assert wthor.write(wthor.read(data)) == data


@pytest.mark.parametrize(
    ("every", "counts"),
    [(8, (16_612, 38)), pytest.param(1, (124_106, 433), marks=pytest.mark.slow)],
)
def test_every_game_of_the_database_is_legal_and_scored_as_we_do(
    database: Path, every: int, counts: tuple[int, int]
) -> None:
    games = broken_off = 0
    for path in YEARS[::every]:
        for number, game in enumerate(wthor.read(path.read_bytes()).games, 1):
            position = OthelloPosition(8)
            for move in game.moves:
                transcript.play(position, move)
            games += 1
            if not position.is_over:  # the players agreed on the score, or the clock decided
                broken_off += 1
                continue
            black = (64 + position.black_score) / 2
            assert black == game.black_score, (path.name, number)
    assert (games, broken_off) == counts


def test_a_header_without_a_date_is_read() -> None:
    data = bytearray(wthor.write(ThorFile((), 1977)))
    struct.pack_into("<4B", data, 0, 20, 7, 0, 0)
    assert wthor.read(bytes(data)).year == 1977
