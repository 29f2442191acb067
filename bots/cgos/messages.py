"""The lines of a Computer Go Server, as zakki/cgos's server-python writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bots.fields import WireError
from bots.game_setup import OnlineMove, OnlineResult

COLORS = {"b": 0, "black": 0, "w": 1, "white": 1}
LARGEST_BOARD = 19
LONGEST_QUOTE = 80
PLAYER = re.compile(
    r"(?P<name>[^()\s]{1,64})\((?P<rating>-?[0-9]{1,6}(\.[0-9]{1,6})?)?(?P<mark>\?)?\)"
)
VERTEX = re.compile(r"[A-HJ-T](1[0-9]|[1-9])|PASS", re.IGNORECASE)
RESULT = re.compile(r"(?P<winner>[BW])\+(?P<reason>[A-Za-z]+|[0-9]+(\.[0-9]+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CgosPlayer:
    """A player of a game."""

    name: str
    rating: float | None  # Elo; None: none is shown
    is_provisional: bool  # marked by "?"


@dataclass(frozen=True, slots=True)
class CgosSetup:
    """The line `setup`: a game from its beginning, or so far."""

    game: str
    size: int
    komi: float
    seconds: float  # of each player for the game
    white: CgosPlayer
    black: CgosPlayer
    moves: tuple[OnlineMove, ...]
    left: tuple[float, float]  # seconds of Black and of White after their last moves


@dataclass(frozen=True, slots=True)
class CgosPlay:
    """The line `play`: the opponent's move."""

    move: OnlineMove
    seconds: float  # left to its player


@dataclass(frozen=True, slots=True)
class CgosGenmove:
    """The line `genmove`: our turn."""

    color: int
    seconds: float  # left to us


def setup_of(line: str) -> CgosSetup:
    """Reads `setup GAME SIZE KOMI LEVEL WHITE BLACK [MOVE MSEC]...`; raises WireError."""
    words = line.split()
    if len(words) < 7 or len(words) % 2 == 0:
        raise wrong(line)
    _, game, size, komi, level, white, black, *rest = words
    seconds = seconds_of(level)
    moves: list[OnlineMove] = []
    left = [seconds, seconds]
    for move, milliseconds in zip(rest[::2], rest[1::2], strict=True):
        color = len(moves) % 2  # Black begins
        moves.append(move_of(color, move))
        left[color] = seconds_of(milliseconds)
    return CgosSetup(
        game,
        size_of(size),
        komi_of(komi),
        seconds,
        player_of(white),
        player_of(black),
        tuple(moves),
        (left[0], left[1]),
    )


def play_of(line: str) -> CgosPlay:
    """Reads `play COLOR MOVE MSEC`; raises WireError."""
    words = line.split()
    if len(words) != 4:
        raise wrong(line)
    return CgosPlay(move_of(color_of(words[1]), words[2]), seconds_of(words[3]))


def genmove_of(line: str) -> CgosGenmove:
    """Reads `genmove COLOR MSEC`; raises WireError."""
    words = line.split()
    if len(words) != 3:
        raise wrong(line)
    return CgosGenmove(color_of(words[1]), seconds_of(words[2]))


def gameover_of(line: str) -> OnlineResult:
    """Reads `gameover DATE RESULT [REASON]`; raises WireError.

    >>> gameover_of("gameover 2026-11-23 W+Illegal Illegal move error:KO attempted move:D4")
    OnlineResult(winner=1, reason='illegal')
    """
    words = line.split()
    if len(words) < 3:
        raise wrong(line)
    if words[2].lower() in {"abort", "draw", "0"}:
        return OnlineResult(None, "abort" if words[2].lower() == "abort" else "draw")
    match = RESULT.fullmatch(words[2])
    if match is None:
        raise wrong(line)
    return OnlineResult("BW".index(match["winner"].upper()), match["reason"].lower())


def player_of(text: str) -> CgosPlayer:
    """Reads `NAME(RATING)`, an uncertain rating with "?"; raises WireError.

    >>> player_of("gnugo(1800?)")
    CgosPlayer(name='gnugo', rating=1800.0, is_provisional=True)
    """
    match = PLAYER.fullmatch(text)
    if match is None:
        raise wrong(text)
    rating = None if match["rating"] is None else float(match["rating"])
    return CgosPlayer(match["name"], rating, match["mark"] is not None)


def move_of(color: int, text: str) -> OnlineMove:
    """Reads a move in any case; raises WireError."""
    if VERTEX.fullmatch(text) is None:
        raise wrong(text)
    return OnlineMove(color, text.upper() if text.lower() != "pass" else "pass")


def color_of(text: str) -> int:
    """Reads a color; raises WireError."""
    if text.lower() not in COLORS:
        raise wrong(text)
    return COLORS[text.lower()]


def seconds_of(text: str) -> float:
    """Reads milliseconds, which may be a little negative; raises WireError."""
    if re.fullmatch(r"-?[0-9]{1,12}(\.0)?", text) is None:
        raise wrong(text)
    return max(0.0, float(text) / 1000)


def size_of(text: str) -> int:
    """Reads the size of a board; raises WireError."""
    if not text.isascii() or not text.isdecimal() or not 2 <= int(text[:4]) <= LARGEST_BOARD:
        raise wrong(text)
    return int(text)


def komi_of(text: str) -> float:
    """Reads a komi; raises WireError."""
    if re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,2})?", text) is None:
        raise wrong(text)
    return float(text)


def wrong(line: str) -> WireError:
    """Returns the error of a malformed line; long ones are cut."""
    return WireError(f"not a message of CGOS: {line[:LONGEST_QUOTE]!r}")
