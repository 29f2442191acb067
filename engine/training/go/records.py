"""Human games of Go as one compact array, from Tygem's and KGS's archives, cached in a file.

READERS has the two kinds of archive, STRONG_DAN the lowest rank of imitated players on KGS. A Tygem
archive is a zip of text files, a line a game between two players of 9 dan: number, tab, moves such
as `;B[pd];W[dp]`. A KGS archive is a tar.gz of SGF files. Tygem's games are not replayed here: an
unplayable record is noticed at its draw.
"""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._core import GoRules
from engine.errors import RecordError, SettingError
from engine.formats.sgf import read
from engine.games.ranks import STRONGEST, parse_rank
from engine.games.rules import parse_rules, rules_json
from engine.util.atomic_file import atomic_write

SIZE = 19
PASS = SIZE * SIZE
FEWEST_MOVES = 40  # of a game; shorter ones were broken off
STRONG_DAN = 6  # on KGS
UNKNOWN = 0.0  # the rank of a player without one
NOBODY_WON = -1  # a game without a known winner, or one that the clock decided

# Tygem counts territory under Korean rules, komi 6.5.
TYGEM_RULES = GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI", suicide=False)
TYGEM_KOMI = 6.5
KGS_RULES = parse_rules("japanese")  # for records without rules

# A number of the table: the move, with these bits.
MOVE_BITS = 0x1FF
WHITE = 0x200
SET_UP = 0x400  # a stone placed before the game
IMITATED = 0x800  # a move of an imitated player

Numbers = NDArray[np.int16]


class RecordedGame(NamedTuple):
    """One game: `numbers` are its set-up stones, then its moves, in the table's encoding."""

    numbers: Numbers
    rules: GoRules
    komi: float
    # The ranks of Black and White, on the scale of engine.games.ranks, or UNKNOWN.
    ranks: tuple[float, float] = (UNKNOWN, UNKNOWN)
    winner: int = NOBODY_WON  # 0 Black, 1 White
    players: tuple[int, int] = (0, 0)  # a number for each name, 0 for an unknown one


@dataclass(frozen=True, eq=False)
class GameTable:
    """Many games on 19x19."""

    numbers: Numbers  # of all games, one after the other
    # [games + 1], the start of each game in `numbers`, and the end of the last
    starts: NDArray[np.int64]
    komi: NDArray[np.float32]  # [games]
    rules: NDArray[np.uint8]  # [games], of `known_rules`
    ranks: NDArray[np.float32]  # [games, 2], see RecordedGame
    winners: NDArray[np.int8]  # [games]
    players: NDArray[np.uint32]  # [games, 2]
    known_rules: tuple[GoRules, ...]

    def __len__(self) -> int:
        return len(self.komi)

    def game(self, index: int) -> RecordedGame:
        """Returns one of the games."""
        numbers = self.numbers[self.starts[index] : self.starts[index + 1]]
        (black, white), (black_name, white_name) = self.ranks[index], self.players[index]
        return RecordedGame(
            numbers,
            self.known_rules[self.rules[index]],
            float(self.komi[index]),
            ranks=(float(black), float(white)),
            winner=int(self.winners[index]),
            players=(int(black_name), int(white_name)),
        )


def table_of(games: Iterable[RecordedGame]) -> GameTable:
    """Returns the games in one table, without those shorter than FEWEST_MOVES.

    Raises SettingError if none is left.
    """
    known: dict[GoRules, int] = {}
    chosen = []
    for game in games:
        if ((game.numbers & SET_UP) == 0).sum() >= FEWEST_MOVES:
            known.setdefault(game.rules, len(known))
            chosen.append(game)
    if not chosen:
        raise SettingError(f"no game of {FEWEST_MOVES} moves on {SIZE}x{SIZE} among the records")
    lengths = [len(game.numbers) for game in chosen]
    return GameTable(
        numbers=np.concatenate([game.numbers for game in chosen]),
        starts=np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64),
        komi=np.array([game.komi for game in chosen], np.float32),
        rules=np.array([known[game.rules] for game in chosen], np.uint8),
        ranks=np.array([game.ranks for game in chosen], np.float32),
        winners=np.array([game.winner for game in chosen], np.int8),
        players=np.array([game.players for game in chosen], np.uint32),
        known_rules=tuple(known),
    )


def find_archives(paths: Sequence[Path], held_out: Path | None = None) -> list[Path]:
    """Returns the named archives and those in the named folders, but never the held-out one.

    Raises SettingError if there are none.
    """
    found: set[Path] = set()
    for path in paths:
        inside = path.rglob("*") if path.is_dir() else [path]
        found |= {file.resolve() for file in inside if _reader(file) is not None}
    archives = sorted(found - ({held_out.resolve()} if held_out else set()))
    if not archives:
        raise SettingError(f"no Tygem zip and no KGS tar.gz in {', '.join(map(str, paths))}")
    return archives


def read_table(archives: Sequence[Path], cache: Path) -> GameTable:
    """Returns all games of the archives, from the file `cache` if it has just these archives."""
    named = json.dumps([[path.name, path.stat().st_size] for path in archives])
    columns = [part.name for part in fields(GameTable) if part.name != "known_rules"]
    if cache.exists():
        with np.load(cache) as file:
            # A cache of an earlier release has fewer columns.
            if set(columns) <= set(file.files) and str(file["archives"]) == named:
                known = tuple(parse_rules(str(text)) for text in file["known_rules"])
                return GameTable(**{name: file[name] for name in columns}, known_rules=known)
    table = table_of(game for path in archives for game in read_games(path))
    with atomic_write(cache) as unfinished, unfinished.open("wb") as file:
        np.savez_compressed(
            file,
            **{name: getattr(table, name) for name in columns},
            known_rules=np.array([rules_json(rules) for rules in table.known_rules]),
            archives=np.array(named),
        )
    return table


def read_games(path: Path) -> Iterator[RecordedGame]:
    """Yields the games of an archive, without records of other sizes or games.

    Raises SettingError for an unknown kind of archive, or a broken one.
    """
    reader = _reader(path)
    if reader is None:
        raise SettingError(f"{path}: neither a Tygem zip nor a KGS tar.gz")
    try:
        yield from reader(path)
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        raise SettingError(f"{path}: {error}") from error


def _reader(path: Path) -> Callable[[Path], Iterator[RecordedGame]] | None:
    for ending, reader in READERS.items():
        if path.name.endswith(ending):
            return reader
    return None


def _tygem(path: Path) -> Iterator[RecordedGame]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            for line in archive.read(name).splitlines():
                numbers = _tygem_numbers(line)
                if numbers is not None:
                    yield RecordedGame(
                        numbers, TYGEM_RULES, TYGEM_KOMI, ranks=(STRONGEST, STRONGEST)
                    )


def _tygem_numbers(line: bytes) -> Numbers | None:
    """Returns the moves of a line, each in six letters except a pass.

    An outside point is a pass too.
    """
    text = np.frombuffer(line.partition(b"\t")[2].replace(b"[]", b"[tt]"), np.uint8)
    if not len(text) or len(text) % 6:
        return None
    nodes = text.reshape(-1, 6)
    if (nodes[:, [0, 2, 5]] != np.frombuffer(b";[]", np.uint8)).any():
        return None
    x, y = nodes[:, 3].astype(np.int16) - ord("a"), nodes[:, 4].astype(np.int16) - ord("a")
    on_board = (x >= 0) & (x < SIZE) & (y >= 0) & (y < SIZE)
    moves = np.where(on_board, y * SIZE + x, PASS)
    numbers: Numbers = (moves + WHITE * (nodes[:, 1] == ord("W")) + IMITATED).astype(np.int16)
    return numbers


def _kgs(path: Path) -> Iterator[RecordedGame]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            game = file and _kgs_game(file.read())
            if game:
                yield game


def _kgs_game(data: bytes) -> RecordedGame | None:
    try:
        record = read(data, KGS_RULES)
    except RecordError:
        return None
    if (record.width, record.height) != (SIZE, SIZE):
        return None
    strong = [IMITATED * _is_strong(data, name) for name in (b"BR", b"WR")]
    numbers = [move + WHITE * color + SET_UP for color, move in record.setup]
    numbers += [move + WHITE * color + strong[color] for color, move in record.moves]
    return RecordedGame(
        np.array(numbers, np.int16),
        record.rules,
        record.komi,
        ranks=(_rank(data, b"BR"), _rank(data, b"WR")),
        winner=_winner(data),
        players=(_player(record.names[0]), _player(record.names[1])),
    )


def _is_strong(data: bytes, name: bytes) -> bool:
    """Whether the player with this rank property is STRONG_DAN or better, or a professional."""
    found = re.search(name + rb"\[(\d+)([dp])", data)
    return found is not None and (found[2] == b"p" or int(found[1]) >= STRONG_DAN)


def _rank(data: bytes, name: bytes) -> float:
    """Returns the rank of this property; a professional counts as 9 dan."""
    found = re.search(name + rb"\[(\d+)([dkp])\]", data)
    if found is None:
        return UNKNOWN
    if found[2] == b"p":
        return STRONGEST
    try:
        return parse_rank((found[1] + found[2]).decode())
    except ValueError:
        return UNKNOWN


def _winner(data: bytes) -> int:
    """Returns the winner by the score or by resignation; a loss on time tells of no position."""
    found = re.search(rb"RE\[([BW])\+(?:[0-9.]+|R|Resign)\]", data)
    return NOBODY_WON if found is None else b"BW".index(found[1])


def _player(name: str) -> int:
    return zlib.crc32(name.encode()) if name else 0


READERS: dict[str, Callable[[Path], Iterator[RecordedGame]]] = {".zip": _tygem, ".tar.gz": _kgs}
