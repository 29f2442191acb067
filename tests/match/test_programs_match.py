"""Programs in matches, word for word: each protocol's conversation over a whole game.

The opponent plays the first legal move of 4x4 Othello, the program moves with forced passes of both
colors: the game and its conversation are known beforehand.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.match.game_spec import GameSpec
from protocols.cli import match
from tests.support.paths import ROOT, SUPPORT

TRANSCRIPT_ENGINE = SUPPORT / "transcript_engine.py"
START = GameSpec("othello", 4, 4)
BOARD = "4 ---- -O*- -*O- ---- *"
Line = Iterator[str]


def game_of(color: int, seed: int) -> list[tuple[int, int]]:
    """Returns the game, as (color, move), of a random program of that color."""
    rng = random.Random(seed)
    position = START.empty()
    moves = []
    while not position.is_over:
        legal = position.legal_moves()
        move = rng.choice(legal) if position.to_move == color else legal[0]
        moves.append((position.to_move, move))
        position.play(move)
    return moves


def whole_game(color: int) -> list[tuple[int, int]]:
    """Returns a game of a program of that color, as (color, move), with passes of both sides."""
    games = (game_of(color, seed) for seed in range(1000))
    return next(game for game in games if {who for who, move in game if move == PASS} == {0, 1})


PASS = START.empty().pass_move
GAMES = {color: whole_game(color) for color in (0, 1)}


def gtp(color: int, pass_answer: str) -> Line:
    """Returns the conversation with an engine of this color; pass_answer: its reply to a pass."""
    yield from ("< list_commands", "> = play", "> set_game", "> clear_board", ">")
    asked = ("set_game Othello", "boardsize 4", "clear_board")
    yield from (f"< {line}" for line in asked)
    yield from ["> =", ">"] * len(asked)
    for who, move in GAMES[color]:
        name, text = "bw"[who], START.write(move)
        if move == PASS:
            yield from (f"< play {name} pass", f"> {pass_answer}", ">")
        elif who == color:
            yield from (f"< genmove {name}", f"> = {text.upper()}", ">")
        else:
            yield from (f"< play {name} {text}", "> =", ">")


def ugi(color: int, _: str) -> Line:
    yield from ("< ugi", "> id name Mute", "> option name Game type string default go", "> ugiok")
    yield from ("< setoption name Game value othello4", "< uginewgame", "< isready", "> readyok")
    told: list[str] = []
    for who, move in GAMES[color]:
        text = START.write(move)
        if who == color and move != PASS:
            yield "< position startpos" + (f" moves {' '.join(told)}" if told else "")
            yield from ("< go nodes 7", "> info nodes 5", f"> bestmove {text}")
        told.append(text)


def nboard(color: int, _: str) -> Line:
    lines = ["nboard 2", f"set game (;GM[Othello]TY[4]PC[Sparring]RE[?]BO[{BOARD}];)"]
    pings = 1
    yield from (f"< {lines[0]}", "< ping 1", "> pong 1")
    yield from ("< ping 2", "> pong 2", f"< {lines[1]}")
    pings = 2
    for who, move in GAMES[color]:
        text = "PA" if move == PASS else START.write(move).upper()
        told = (f"< move {text}",)
        if who == color and move != PASS:
            pings += 1
            yield from (f"< ping {pings}", f"> pong {pings}")
            yield from ("< go", "> nodestats 5 0.1", f"> === {text}/1.5/0.1")
        pings += 1
        yield from (f"< ping {pings}", f"> pong {pings}", *told)


CONVERSATIONS: dict[str, Callable[[int, str], Line]] = {"gtp": gtp, "ugi": ugi, "nboard": nboard}


def played(*words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The summary of a match and its last row."""
    parser = argparse.ArgumentParser()
    match.configure(parser)
    said: list[str] = []
    options = parser.parse_args([*words, "--quiet", "--json", "--no-openings"])
    assert match.run(options, said.append) == 0
    return json.loads(said[0]), json.loads(options.record.read_text().splitlines()[-1])


def program(protocol: str, path: Path) -> str:
    return f"{protocol}:{shlex.join([sys.executable, str(TRANSCRIPT_ENGINE), str(path)])}"


@pytest.mark.parametrize("protocol", sorted(CONVERSATIONS))
@pytest.mark.parametrize("color", [0, 1])
@pytest.mark.parametrize("pass_answer", ["=", "? illegal move"])
def test_a_whole_game_as_a_program_hears_it(
    tmp_path: Path, protocol: str, color: int, pass_answer: str
) -> None:
    path = tmp_path / "transcript.txt"
    path.write_text("\n".join(CONVERSATIONS[protocol](color, pass_answer)) + "\n")
    sides = [program(protocol, path), "first-legal"]
    record = f"--record={tmp_path / 'record.jsonl'}"
    words = ("--games=1", "--visits=7", "--patience=20", record)
    summary, row = played("othello4", *sides[:: 1 if color == 0 else -1], *words)
    assert row["how"] == "score", row["detail"]
    assert row["moves"] == [START.write(move) for _, move in GAMES[color]]
    effort = summary["efforts"][color]
    assert effort["moves"] == sum(1 for who, move in GAMES[color] if who == color and move != PASS)
    assert effort["visits_per_move"] == (None if protocol == "gtp" else 5)


@pytest.mark.parametrize(
    ("protocol", "limits", "told", "allowed"),
    [
        ("ugi", ("--visits=7", "--depth=3"), "< go nodes 7 depth 3", "7 nodes a move, depth 3"),
        ("ugi", ("--seconds=0.25",), "< go movetime 250", "0.25 s a move"),
        ("ugi", (), "< go movetime 1000", "1 s a move"),
        ("nboard", ("--depth=3",), "< set depth 3", "depth 3"),
        ("nboard", ("--visits=7",), "< go", "its own settings"),
    ],
)
def test_limits_are_reported_where_they_can_be(
    tmp_path: Path, protocol: str, limits: tuple[str, ...], told: str, allowed: str
) -> None:
    path = tmp_path / "transcript.txt"
    lines = list(CONVERSATIONS[protocol](0, "="))
    if protocol == "ugi":
        lines = [told if line.startswith("< go") else line for line in lines]
    elif "depth" in told:
        lines = [*lines[:3], "< ping 2", "> pong 2", told, *map(a_ping_later, lines[3:])]
    path.write_text("\n".join(lines) + "\n")
    words = ("--games=1", "--patience=20", f"--record={tmp_path / 'record.jsonl'}", *limits)
    _, row = played("othello4", program(protocol, path), "first-legal", *words)
    assert row["how"] == "score", row["detail"]
    assert row["limits"][0] == allowed


def a_ping_later(line: str) -> str:
    sign, word, *rest = line.split(" ")
    return f"{sign} {word} {int(rest[0]) + 1}" if word in {"ping", "pong"} else line


FAULTS = [
    (["! crash"], "crashed"),
    (["! hang"], "hung"),
    (["> {answer} nowhere", ">"], "illegal"),
    (["> {answer} A1", ">"], "illegal"),
    (["> {answer}", ">"], "illegal"),
]
ANSWERS = {"gtp": "=", "ugi": "bestmove", "nboard": "==="}


@pytest.mark.parametrize("protocol", sorted(CONVERSATIONS))
@pytest.mark.parametrize(("fault", "how"), FAULTS, ids=str)
def test_a_fault_loses_the_game_and_the_match_goes_on(
    tmp_path: Path, protocol: str, fault: list[str], how: str
) -> None:
    path = tmp_path / "transcript.txt"
    lines = list(CONVERSATIONS[protocol](0, "="))
    asked = next(n for n, line in enumerate(lines) if line.startswith(("< genmove", "< go")))
    answered = [line.format(answer=ANSWERS[protocol]) for line in fault]
    path.write_text("\n".join([*lines[: asked + 1], *answered]) + "\n")
    patience = "--patience=3" if how == "hung" else "--patience=60"
    words = ("--games=1", "--visits=7", patience, f"--record={tmp_path / 'record.jsonl'}")
    summary, row = played("othello4", program(protocol, path), "first-legal", *words)
    assert (row["result"], row["how"]) == ("W+F", how)
    assert row["detail"]
    assert (summary["wins"], summary["losses"]) == (0, 1)


@pytest.mark.parametrize(
    ("protocol", "game"),
    [(protocol, game) for protocol in ("gtp", "ugi") for game in ("othello6", "connect4")]
    + [("nboard", "othello")],
)
def test_our_own_protocols_play_whole_games(
    tmp_path: Path, protocol: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "no-engine.sock"))
    text = f"{protocol}:{shlex.join([sys.executable, '-m', 'protocols.cli', protocol])}"
    record = f"--record={tmp_path / 'record.jsonl'}"
    summary, row = played(game, text, "random", "--games=1", "--seconds=0.02", record)
    assert summary["games"] == 1
    assert row["how"] == "score", row["detail"]
    assert set(summary["ended"]) == {"score by rules"}
