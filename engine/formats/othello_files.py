"""Files of Othello games: GGF, transcripts and WTHOR, read, checked and written by suffix."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine._core import OthelloPosition
from engine.errors import RecordError
from engine.formats import ggf, transcript, wthor
from engine.formats.ggf import GgfGame, GgfMove, GgfResult

SHOWN = 5  # most faulty games listed per file
ENCODING = (
    "latin-1"  # the encoding of GGF and transcripts: old files use it, and it decodes every byte
)


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game and its replay."""

    game: GgfGame
    position: OthelloPosition | None  # the final position; None after an illegal move
    moves: tuple[int, ...] = ()  # passes included
    error: str = ""  # the message on the illegal move

    @property
    def differs(self) -> bool:
        """Whether the file's result differs from the finished game's board."""
        result, position = self.game.result, self.position
        if result is None or position is None or not position.is_over or result.ending:
            return False
        return result.black_score != position.black_score


def check(game: GgfGame) -> CheckedGame:
    """Returns the game with its replay."""
    try:
        position, moves = ggf.replay(game)
    except RecordError as error:
        return CheckedGame(game, None, error=str(error))
    return CheckedGame(game, position, tuple(moves))


def summary(path: Path, checked: Sequence[CheckedGame]) -> list[str]:
    """Returns the lines of a file's summary: counts, and the first few faulty games."""
    finished = [
        replayed
        for replayed in checked
        if replayed.position is not None and replayed.position.is_over
    ]
    illegal = [number for number, replayed in enumerate(checked, 1) if replayed.position is None]
    differing = [number for number, replayed in enumerate(checked, 1) if replayed.differs]
    text = f"{path}: {len(checked)} games, {len(finished)} played out"
    if differing:
        text += f", {len(differing)} of them with another result than stated"
    lines = [f"{text}, {len(illegal)} not legal"]
    lines += [f"  game {number}: {checked[number - 1].error}" for number in illegal[:SHOWN]]
    for number in differing[:SHOWN]:
        replayed = checked[number - 1]
        score = 0.0 if replayed.position is None else replayed.position.black_score
        lines.append(f"  game {number}: stated {replayed.game.result}, counted {score:+.3f}")
    return lines


def read(path: Path) -> list[GgfGame]:
    """Returns the games of a file. Raises RecordError on an unknown suffix or format error."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise RecordError(f"no format for {path.suffix!r}: one of {', '.join(READERS)}")
    return list(reader(path))


def _read_ggf(path: Path) -> Iterable[GgfGame]:
    return ggf.read(path.read_text(ENCODING))


def _read_lines(path: Path) -> Iterable[GgfGame]:
    for number, line in enumerate(path.read_text(ENCODING).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            start = OthelloPosition(8)
            try:
                yield game_of_moves(start, transcript.read("othello", line, start))
            except RecordError as error:
                raise RecordError(f"line {number}: {error}") from error


def _read_thor(path: Path) -> Iterable[GgfGame]:
    file = wthor.read(path.read_bytes())
    players = _names(path, ".JOU", wthor.read_players)
    tournaments = _names(path, ".TRN", wthor.read_tournaments)
    for game in file.games:
        properties = {
            "PC": wthor.name_of(tournaments, game.tournament),
            "DT": str(file.year),
            "PB": wthor.name_of(players, game.black),
            "PW": wthor.name_of(players, game.white),
        }
        result = GgfResult(2 * game.black_score - file.size**2)
        yield game_of_moves(OthelloPosition(file.size), game.moves, properties, result)


def _names(path: Path, suffix: str, reader: Callable[[bytes], tuple[str, ...]]) -> tuple[str, ...]:
    for stem in (path.stem, "WTHOR", "wthor"):
        for spelling in (suffix, suffix.lower()):
            beside = path.with_name(stem + spelling)
            if beside.exists():
                return reader(beside.read_bytes())
    return ()


def game_of_moves(
    start: OthelloPosition,
    moves: Iterable[int],
    properties: dict[str, str] | None = None,
    result: GgfResult | None = None,
) -> GgfGame:
    """Returns the game of these moves, each with its color, up to the first illegal one."""
    board = start.copy()
    made: list[GgfMove] = []
    for move in moves:
        color = board.to_move
        try:
            passed = len(transcript.play(board, move)) > 1
        except ValueError:
            made.append(GgfMove(color, move))  # `replay` will report the error
            break
        made.append(GgfMove(1 - color if passed else color, move))
    return GgfGame(start.width, None, 0, tuple(made), result, properties or {})


def _write_ggf(path: Path, games: Sequence[GgfGame]) -> None:
    path.write_text(ggf.write(games), ENCODING, errors="replace")


def _write_lines(path: Path, games: Sequence[GgfGame]) -> None:
    lines = []
    for game in games:
        if not game.start().is_same(OthelloPosition(8)):
            raise RecordError("lines of moves begin at the usual position of 8x8")
        lines.append(transcript.write("othello", ggf.replay(game)[1], game.start()) + "\n")
    path.write_text("".join(lines), ENCODING)


def _write_thor(path: Path, games: Sequence[GgfGame]) -> None:
    sizes = {game.size for game in games}
    years = {year(game) for game in games}
    if len(sizes) > 1 or any(
        not game.start().is_same(OthelloPosition(game.size)) for game in games
    ):
        raise RecordError("a WTHOR file has games of one size from the usual position")
    players, tournaments = ["???"], ["???"]
    thor = [_thor_game(game, players, tournaments) for game in games]
    today = datetime.datetime.now(datetime.UTC).date()
    file = wthor.ThorFile(
        tuple(thor), max(years, default=today.year), max(sizes, default=8), written=today
    )
    path.write_bytes(wthor.write(file))
    path.with_suffix(".JOU").write_bytes(wthor.write_players(players, today))
    path.with_suffix(".TRN").write_bytes(wthor.write_tournaments(tournaments, today))


def _thor_game(game: GgfGame, players: list[str], tournaments: list[str]) -> wthor.ThorGame:
    position, moves = ggf.replay(game)
    score = position.black_score if game.result is None else game.result.black_score
    cells = game.size**2
    black = max(0, min(cells, round((cells + score) / 2)))
    return wthor.ThorGame(
        tuple(move for move in moves if move != position.pass_move),
        black,
        tournament=_index(tournaments, game.properties.get("PC", "")),
        black=_index(players, game.black),
        white=_index(players, game.white),
    )


def _index(names: list[str], name: str) -> int:
    """Returns the index of the name in the list, after adding a new one; 0 for no name."""
    if not name:
        return 0
    if name not in names:
        names.append(name)
    return names.index(name)


def year(game: GgfGame) -> int:
    """Returns the year at the start of the game's date; 2000 without one."""
    digits = game.properties.get("DT", "")[:4]
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) == 4 else 2000


READERS: dict[str, Callable[[Path], Iterable[GgfGame]]] = {
    ".ggf": _read_ggf,
    ".wtb": _read_thor,
    ".txt": _read_lines,
}
WRITERS: dict[str, Callable[[Path, Sequence[GgfGame]], None]] = {
    ".ggf": _write_ggf,
    ".wtb": _write_thor,
    ".txt": _write_lines,
}
