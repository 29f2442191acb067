"""The review of chess: PGN, moves in words, Lichess's terms and the ratings of the moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.review.chess_notation import san_line
from engine.review.files import Failure, ReadingSettings, ReviewedGame, read
from protocols.cli.main import dispatch
from tests.support.networks import lc0_writer

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

HEADS = '[White "Ann"]\n[Black "?"]\n[WhiteElo "1432"]\n[BlackElo "?"]\n'
MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n"
RESIGNED = "1. e4 e5 2. Bc4 Nc6 1-0\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A file with a game that ends by mate."""
    path = tmp_path / "game.pgn"
    path.write_text(f'{HEADS}[Result "1-0"]\n\n{MATE}')
    return path


@pytest.fixture
def networks(tmp_path: Path) -> Path:
    """A folder of networks by rating."""
    folder = tmp_path / "networks"
    folder.mkdir()
    for seed, rating in enumerate((1100, 1900)):
        lc0_writer.write(folder / f"maia-{rating}.pb.gz", lc0_writer.SHAPES["squeezed"], seed)
    return folder


def games_of(path: Path) -> list[ReviewedGame | Failure]:
    """The games of a file."""
    return list(read(str(path), ReadingSettings()))


def test_games_of_chess_have_players_ratings_and_results(game: Path, tmp_path: Path) -> None:
    [mate] = games_of(game)
    assert isinstance(mate, ReviewedGame)
    assert mate.names == ("Ann", "Black")
    assert mate.played.ranks == (1432.0, None)
    assert mate.played.value is None, "the rules tell"
    assert len(mate.played.game_record.moves) == 7
    other = tmp_path / "other.pgn"
    lost_on_time = f'[Termination "Time forfeit"]\n[Result "1-0"]\n\n{RESIGNED}'
    other.write_text(f'[Result "1-0"]\n\n{RESIGNED}\n\n{lost_on_time}')
    resigned, flagged = games_of(other)
    assert isinstance(resigned, ReviewedGame)
    assert isinstance(flagged, ReviewedGame)
    assert resigned.played.value == 1.0
    assert flagged.played.value is None, "a clock tells nothing about the position"
    assert flagged.name == f"{other} game 2"
    other.write_text("1. e4 e5 2. Ke3 *")
    [failure] = games_of(other)
    assert isinstance(failure, Failure)


def test_lines_are_written_as_people_write_them(game: Path) -> None:
    [mate] = games_of(game)
    assert isinstance(mate, ReviewedGame)
    record = mate.played.game_record
    moves = [move for _, move in record.moves]
    assert san_line(record, 0, moves) == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert san_line(record, 4, moves[4:6]) == ["Qh5", "Nf6"]


def reviewed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The words of the command."""
    assert dispatch(["review", *map(str, words), "--quiet"]) == 0
    return capsys.readouterr().out


def test_a_review_has_lichess_terms_and_ratings(
    capsys: pytest.CaptureFixture[str], game: Path, networks: Path
) -> None:
    judge = ("--network", networks / "maia-1900.pb.gz", "--human-network", networks)
    words = (game, *judge, "--visits", 4, "--confirm", 1)
    text = reviewed(capsys, *words)
    assert "Ann (White) 1432 against Black, 1-0;" in text
    assert text.count("In Lichess's terms: accuracy ") == 2
    assert text.count("The moves look like those of a rating of ") == 2
    assert "Qxf7#" in text
    head = next(line for line in text.splitlines() if line.startswith("move "))
    assert head.split()[-4:] == ["at", "1100", "at", "1900"]
    found: dict[str, Any] = json.loads(reviewed(capsys, *words, "--json"))
    [one] = found["games"]
    last = one["moves"][-1]
    assert last["win_percent"] == pytest.approx(97.5, abs=0.1), "a mate"
    assert 0 < last["likely_1100"] < 1
    assert 0 <= one["first_accuracy"] <= 100
    assert one["first_looks_like_low"] < one["first_looks_like"] < one["first_looks_like_high"]


def test_a_resignation_is_no_evaluation(
    capsys: pytest.CaptureFixture[str], networks: Path, tmp_path: Path
) -> None:
    path = tmp_path / "resigned.pgn"
    path.write_text(f'{HEADS}[Result "1-0"]\n\n{RESIGNED}')
    network = networks / "maia-1900.pb.gz"
    words = (path, "--network", network, "--visits", 4, "--confirm", 1, "--json")
    [one] = json.loads(reviewed(capsys, *words))["games"]
    assert one["values"][-1] == 1.0
    assert one["moves"][-1]["accuracy"] == 100, "the last move keeps the evaluation before it"
    assert "first_looks_like" not in one, "one network tells no ratings apart"
