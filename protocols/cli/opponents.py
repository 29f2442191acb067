"""`sparring opponents` and `sparring opponent NAME`: lists, shows and deletes the records."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SettingError, UsageError
from engine.games.table import GAMES, Board
from engine.opponents import OpponentName, StoredGame, StoreError
from engine.strength.rank_scale import scale_on
from engine.util.atomic_file import atomic_write
from protocols.cli.options import Say
from protocols.store_options import NOWHERE, named_place, opener, usual_place
from protocols.strength_text import in_elo, with_words

if TYPE_CHECKING:
    from engine.opponents.store.store import DatabaseStore

BUSY_SECONDS = 2.0  # longest wait for another process, at most twice
SHOWN = 10  # most entries of a history, and most games


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `opponents` or of `opponent`."""
    if parser.get_default("subcommand") == "opponents":
        parser.add_argument(
            "words",
            nargs="*",
            metavar="link A B | unlink A",
            help="count account A as account B, or undo that; an account is NAME or SERVER/NAME",
        )
        parser.add_argument(
            "--map", metavar="SERVER", help="show the learned map from a server's ratings to Elo"
        )
        parser.add_argument(
            "--picture",
            type=Path,
            metavar="FILE",
            help="with --map, draw the players and the line (.png, .svg)",
        )
        return
    parser.add_argument("name", metavar="NAME", help="name of the opponent")
    parser.add_argument(
        "--server",
        metavar="NAME",
        help="server of the name; needed where several servers have the name",
    )
    parser.add_argument("--json", action="store_true", help="print the whole record as JSON")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write that JSON to a file")
    parser.add_argument(
        "--delete", action="store_true", help="delete the opponent and all games with them"
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Lists all opponents, or shows one; returns 1 for an unknown opponent."""
    try:
        with opened(options) as store:
            if options.subcommand == "opponents" and (options.words or options.map):
                return about_servers(store, options, say)
            if options.subcommand == "opponents":
                lines = [] if store is None else listed(store)
                for line in lines or ["nobody is remembered yet"]:
                    say(line)
                return 0
            return one(store, options, say)
    except (StoreError, SettingError) as error:
        raise UsageError(str(error)) from None


def about_servers(store: DatabaseStore | None, options: argparse.Namespace, say: Say) -> int:
    """Links or unlinks accounts, or shows the maps of a server; returns the exit code."""
    from protocols.cli import opponent_accounts  # noqa: PLC0415 - heavy

    if options.map:
        return opponent_accounts.show_maps(store, options.map, options.picture, say)
    if options.words[0] not in (opponent_accounts.LINK, opponent_accounts.UNLINK):
        raise UsageError(f"not link or unlink: {options.words[0]!r}")
    return opponent_accounts.change_links(store, options.words, say)


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[DatabaseStore | None]:
    """Opens the store of the command line; yields None before its file exists."""
    place = named_place(options.store) or usual_place()
    if place == NOWHERE:
        yield None
        return
    if "://" not in place and not Path(place).exists():
        if named_place(options.store) and not Path(place).parent.is_dir():
            raise SettingError(f"{place}: cannot be read: there is no such folder")
        yield None
        return
    store = opener(place, busy_seconds=BUSY_SECONDS)()
    try:
        yield store
    finally:
        store.close()


def one(store: DatabaseStore | None, options: argparse.Namespace, say: Say) -> int:
    """Prints, exports or deletes the record of one opponent; returns the exit code."""
    from protocols.cli.opponent_accounts import account  # noqa: PLC0415 - heavy

    opponent = None if store is None else account(store, options.name, options.server)
    if store is None or opponent is None:
        if store is not None and options.delete:
            store.forget_deleted()  # the rest of an earlier, incomplete deletion
        say(f"nothing is remembered of {options.name!r}")
        return 1
    if options.json or options.export:
        from engine.opponents.store.export import exported  # noqa: PLC0415 - heavy

        text = json.dumps(exported(store, opponent), indent=1, ensure_ascii=False)
        if options.json:
            say(text)
        if options.export:
            write(options.export, text)
    elif not options.delete:
        for line in record_lines(store, opponent):
            say(line)
    if options.delete:
        store.delete(opponent)
        if not options.json:
            say(f"{opponent} is forgotten")
    return 0


def write(path: Path, text: str) -> None:
    """Writes an export; raises OSError."""
    with atomic_write(path) as unfinished:
        unfinished.write_text(text + "\n", encoding="utf-8")


def listed(store: DatabaseStore) -> list[str]:
    """Returns the table of all opponents, a row for each board, the latest first."""
    rows = [("opponent", "board", "strength, Elo", "games", "last")]
    linked = store.links.all()
    for summary in store.summaries():
        known = summary.known
        strength = "unknown"
        if known is not None:
            scale = scale_on(Board.of_name(summary.board))
            strength = with_words(in_elo(known.estimate), known.estimate, scale)
        games = "" if known is None else str(known.games)
        name = str(summary.opponent)
        if summary.opponent in linked:
            name += f", counts as {linked[summary.opponent]}"
        rows.append((name, summary.board, strength, games, when(summary.last)))
    if len(rows) == 1:
        return []
    return table(rows)


def record_lines(store: DatabaseStore, opponent: OpponentName) -> Iterator[str]:
    """Yields the record of one opponent: strengths, their histories, the latest games."""
    yield str(opponent)
    linked = store.links.all()
    for one, other in linked.items():
        if opponent in (one, other):
            yield f"{one} counts as {other}"
    for board in store.boards(opponent):
        yield from ("", *of_board(store, opponent, board))
    games = [game for _, game in store.games(opponent)]
    if games:
        ended = sum(game.finished is not None for game in games)
        yield from ("", f"{len(games)} games kept, {ended} of them finished; the latest:")
        rows = [(when(game.started), game.board.name, ours(game)) for game in games[:SHOWN]]
        yield from table(rows)


def of_board(store: DatabaseStore, opponent: OpponentName, board: Board) -> Iterator[str]:
    """Yields the strength on one board and its history."""
    known = store.recall(opponent, board)
    if known is None:
        return
    games = f"{in_elo(known.estimate)} Elo after {known.games} games"
    yield f"{board.name}: {with_words(games, known.estimate, scale_on(board))}"
    for moment in store.history(opponent, board)[-SHOWN:]:
        yield f"  {when(moment.time)}  {in_elo(moment.estimate)}"


def ours(game: StoredGame) -> str:
    """Returns a game in a line: the engine's color and persona, the moves and the result."""
    kind = GAMES[game.game_settings.game]
    text = f"we were {kind.colors[game.color]}, {len(game.moves)} moves"
    if game.persona:
        text += f", {game.persona}"
    return f"{text}: {game.result or 'unfinished'}"


def when(time: datetime | None) -> str:
    """Returns a time in the local time zone; empty for None."""
    return "" if time is None else time.astimezone().strftime("%Y-%m-%d %H:%M")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
