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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._core import GoRules
from engine.errors import RecordError, SettingError
from engine.formats.sgf import read
from engine.games.rules import parse_rules, rules_json
from engine.util.atomic_file import atomic_write

SIZE = 19
PASS = SIZE * SIZE
FEWEST_MOVES = 40  # of a game; shorter ones were broken off
STRONG_DAN = 6  # on KGS

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


@dataclass(frozen=True, eq=False)
class GameTable:
    """Many games on 19x19."""

    numbers: Numbers  # of all games, one after the other
    # [games + 1], the start of each game in `numbers`, and the end of the last
    starts: NDArray[np.int64]
    komi: NDArray[np.float32]  # [games]
    rules: NDArray[np.uint8]  # [games], of `known_rules`
    known_rules: tuple[GoRules, ...]

    def __len__(self) -> int:
        return len(self.komi)

    def game(self, index: int) -> RecordedGame:
        """Returns one of the games."""
        numbers = self.numbers[self.starts[index] : self.starts[index + 1]]
        return RecordedGame(numbers, self.known_rules[self.rules[index]], float(self.komi[index]))


def table_of(games: Iterable[RecordedGame]) -> GameTable:
    """Returns the games in one table, without those shorter than FEWEST_MOVES.

    Raises SettingError if none is left.
    """
    known: dict[GoRules, int] = {}
    pieces, komi, rules = [], [], []
    for game in games:
        if ((game.numbers & SET_UP) == 0).sum() < FEWEST_MOVES:
            continue
        pieces.append(game.numbers)
        komi.append(game.komi)
        rules.append(known.setdefault(game.rules, len(known)))
    if not pieces:
        raise SettingError(f"no game of {FEWEST_MOVES} moves on {SIZE}x{SIZE} among the records")
    lengths = [len(piece) for piece in pieces]
    return GameTable(
        numbers=np.concatenate(pieces),
        starts=np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64),
        komi=np.array(komi, np.float32),
        rules=np.array(rules, np.uint8),
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
    if cache.exists():
        with np.load(cache) as file:
            if str(file["archives"]) == named:
                known = tuple(parse_rules(str(text)) for text in file["known_rules"])
                return GameTable(
                    file["numbers"], file["starts"], file["komi"], file["rules"], known
                )
    table = table_of(game for path in archives for game in read_games(path))
    with atomic_write(cache) as unfinished, unfinished.open("wb") as file:
        np.savez_compressed(
            file,
            numbers=table.numbers,
            starts=table.starts,
            komi=table.komi,
            rules=table.rules,
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
                    yield RecordedGame(numbers, TYGEM_RULES, TYGEM_KOMI)


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
    return RecordedGame(np.array(numbers, np.int16), record.rules, record.komi)


def _is_strong(data: bytes, name: bytes) -> bool:
    """Whether the player with this rank property is STRONG_DAN or better, or a professional."""
    found = re.search(name + rb"\[(\d+)([dp])", data)
    return found is not None and (found[2] == b"p" or int(found[1]) >= STRONG_DAN)


READERS: dict[str, Callable[[Path], Iterator[RecordedGame]]] = {".zip": _tygem, ".tar.gz": _kgs}
