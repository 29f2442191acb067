"""Matches of chess: openings, programs of UCI with options, results by color, games as PGN."""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.match.chess_openings import LINES, PLIES
from engine.match.game_spec import GameSpec
from engine.match.openings import opening, usual_plies
from engine.util.ugi_client import with_options
from protocols.cli import match

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.formats import pgn

CHESS = GameSpec("chess", 8, 8)
# A program that mates as Black in two moves where it can, and else takes its first legal move.
PROGRAM = """
import sys, chess
board, options = chess.Board(), {}
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("option name Move type string default first\\nuciok")
    elif words == ["isready"]:
        print("readyok")
    elif words[:1] == ["setoption"]:
        options[words[2]] = words[4]
    elif words[:1] == ["position"]:
        board = chess.Board()
        for move in words[3:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        mates = []
        for move in moves:
            board.push(move)
            if board.is_checkmate():
                mates.append(move)
            board.pop()
        wanted = [move for move in moves if move.uci() in options.get("Moves", "").split(",")]
        print("bestmove", (mates or wanted or moves)[0].uci())
    elif words == ["quit"]:
        break
    sys.stdout.flush()
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return f"uci:{sys.executable} {path}"


def played(*words: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the summary of a match and its rows."""
    parser = argparse.ArgumentParser()
    match.configure(parser)
    said: list[str] = []
    options = parser.parse_args(["chess", *words, "--quiet", "--json"])
    assert match.run(options, said.append) == 0
    rows = options.record.read_text().splitlines()[1:]
    return json.loads(said[0]), [json.loads(row) for row in rows]


def test_the_lines_of_openings_are_legal() -> None:
    assert len(set(LINES)) == len(LINES) > 20
    for line in LINES:
        position = CHESS.empty()
        for word in line.split():
            position.play(CHESS.read(word))
        assert position.move_number == PLIES == usual_plies(CHESS)
    drawn = {opening(CHESS, random.Random(seed), 4) for seed in range(40)}
    assert {len(moves) for moves in drawn} == {4}
    assert len(drawn) > 8


def test_random_players_finish_their_games(tmp_path: Path) -> None:
    record, folder = tmp_path / "record.jsonl", tmp_path / "games"
    words = ("random", "random", "--games=4", f"--record={record}", f"--games-dir={folder}")
    summary, rows = played(*words)
    assert summary["wins"] + summary["losses"] + summary["draws"] == 4
    for row in rows:
        (game,) = pgn.read((folder / f"game-{row['game']:06}.pgn").read_text())
        expected = {"W": "1-0", "B": "0-1", "0": "1/2-1/2"}[row["result"][0]]
        assert (game.result, game.tags["Termination"]) == (expected, row["how"])
        position = game.start.copy()
        for move in game.played:
            position.play(move)
        assert position.is_over
        winner = {-1: None, 0: row["black"], 1: 1 - row["black"]}[position.winner]
        assert row["winner"] == winner
        assert len(game.played) == len(row["opening"]) + len(row["moves"]) > PLIES


def test_a_program_is_told_its_options_and_mates_as_black(program: str, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    white = f"{program} option.Moves=f2f3,g2g4"
    black = f"{program} option.Moves=e7e5"
    words = ("--games=1", "--no-openings", f"--record={record}")
    summary, (row,) = played(white, black, *words)
    assert row["moves"] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (row["result"], row["how"], row["winner"]) == ("B+1", "score", 1)
    assert (summary["wins"], summary["losses"]) == (0, 1)


def test_options_are_words_of_the_command() -> None:
    words, options = with_options("engine -a option.UCI_Elo=1500 'option.Skill Level=3' b=c")
    assert words == ["engine", "-a", "b=c"]
    assert options == {"UCI_Elo": "1500", "Skill Level": "3"}
