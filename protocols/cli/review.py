"""The subcommand `sparring review`: its options and its choice of games.

engine.review.files reads the files, engine.review.judging judges the games and engine.review.report
writes the measures.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import NoReturn

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.ranks import parse_rank, rank_text
from engine.games.rules import RULE_SETS
from engine.games.table import Board
from engine.match.game_spec import NAMES, board_of
from engine.report.pictures import save
from engine.report.tables import write_csv, write_findings
from engine.review.annotated import annotated_sgf, is_go
from engine.review.bench import Bench
from engine.review.chess_terms import chess_terms
from engine.review.confirming import FACTOR, confirmed
from engine.review.files import READERS, Failure, ReadingSettings, ReviewedGame, read
from engine.review.judging import judged
from engine.review.lessons import lessons_of
from engine.review.level_picture import has_levels, level_picture
from engine.review.marks import UNKNOWN_RANK
from engine.review.measuring import measured
from engine.review.picture import picture
from engine.review.report import lines
from engine.review.review import Review, Reviewed
from engine.strength.rank_scale import RANKED_GAME
from engine.util.atomic_file import atomic_write
from protocols.cli.argument_types import count
from protocols.cli.options import Say
from protocols.cli.output_files import check_writable
from protocols.cli.review_options import add_reference_options, bench_of

_RANGE = re.compile(r"(\d{1,4})?-(\d{1,4})?|(\d{1,4})", re.ASCII)
EPILOG = f"""\
files, by suffix ({", ".join(READERS)}): SGF of Go, one or more games in a
file; PGN of chess; GGF and WTHOR of Othello; a text with a game's moves on each line (f5d6c3 is
Othello, 4453 Connect4, --board names another board); the record of a match or of a research
instrument. Moves may stand in place of a file.

Each player's worst moves come first: inaccuracies, mistakes and blunders by the level of the
player, with a better move and the moves of people of that level (docs/matches.md has the
thresholds). Ranks are those of the record, or of --rank.

natural: geometric mean probability of the moves by the reference policy, and the share of moves
under .05. The reference is the bundled network of human moves where the board has one (Go, Othello
8x8), else the judge's network. "likeliest": share of moves that are the reference's first choice.
"lost": loss of score and win rate by a move, measured by searches of --visits before and after it
(1: by the network alone, 0: not measured); late positions of Othello and Connect4 are solved.
"distance": distance to the move before, in cells. "lead changes": changes of the player with a win
rate of .6 or more in a game, and in its last fifth. "margin": final score, the median for several
games; Go's is counted after a game that ended by passes, and read from the file otherwise.
Chess needs python-chess and a --network, such as one of Maia's. Its moves also have Lichess's
terms: the win percent of the player, the accuracy and the mark, by the judge's expected result.
With a --human-network that is a folder of networks by rating (maia-1100.pb.gz and so on) each move
has its probability by rating ("at 1100"), and each player the rating that the moves look like.
In games of chance a loss ends at the move's expected result, the mean over its outcomes; "came" and
"luck" are the outcome and its value above that mean, each outcome searched alike. A draw is half.
Intervals are 95% bootstrap intervals over games.

examples:
  sparring review game.sgf --sgf reviewed.sgf
  sparring review games/*.sgf --player "Ann" --moves 1-60 --output ann
  sparring review natural13.jsonl --visits 0 --reference g170-b6c96.bin.gz
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring review`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("games", metavar="GAME", nargs="+", help="files, see below")
    add("--visits", type=_visits, default=100, metavar="N",
        help="visits of the judge's searches; default: %(default)s")  # fmt: skip
    add("--confirm", type=count, default=FACTOR, metavar="N",
        help="search the moves to mark again with N times the visits, before and after; 1: never; "
        "default: %(default)s")  # fmt: skip
    add_reference_options(parser)
    add("--player", metavar="NAME", help="review this player's moves alone; default: all players")
    add("--moves", type=_range, default=(1, None), metavar="FIRST-LAST",
        help="review these moves alone, 20- from the 20th on; default: all moves")  # fmt: skip
    add("--board", metavar="GAME", help=f"board of lines of moves: {NAMES}")
    add("--rules", default="japanese", choices=sorted(RULE_SETS), metavar="NAME",
        help="rules of Go for files without rules; default: %(default)s")  # fmt: skip
    add("--at-once", type=count, default=1, metavar="N",
        help="games at the same time; default: %(default)s")  # fmt: skip
    add("--rank", type=rank, metavar="RANK",
        help="level of players of Go without a rank in the record, such as 8k; "
        f"default: {rank_text(UNKNOWN_RANK)}")  # fmt: skip
    add("--sgf", type=Path, metavar="FILE",
        help="write the games of Go with comments, marks and better moves, for Sabaki")  # fmt: skip
    add("--csv", type=Path, metavar="FILE",
        help="table of the moves; FILE-games.csv and FILE-players.csv lie beside it")  # fmt: skip
    add("--output", type=Path, metavar="DIR",
        help="folder for tables and a picture; for a single game of a match also levels.png, with "
        "the lead and the engine's level over the moves")  # fmt: skip
    add("--json", action="store_true", help="print the review as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def rank(text: str) -> float:
    """Returns the number of a rank; raises ArgumentTypeError with the text."""
    try:
        return parse_rank(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _visits(text: str) -> int | None:
    """Returns the visits of a search; None for 0, no search."""
    return None if text == "0" else count(text)


def _range(text: str) -> tuple[int, int | None]:
    """Returns the first and the last move of a range; raises ArgumentTypeError with the text."""
    match = _RANGE.fullmatch(text.strip())
    first, last, only = (None, None, None) if match is None else match.groups()
    low, high = int(first or only or 1), int(last or only or 0) or None
    if not (first or last or only) or low < 1 or (high is not None and high < low):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of moves such as 1-60")
    return low, high


def run(options: argparse.Namespace, say: Say) -> int:
    """Reviews the games; returns 1 after an unreadable one."""
    check(options)
    reading = ReadingSettings(options.rules, options.board)
    texts_read = list(chain.from_iterable(read(text, reading) for text in options.games))
    failures = [each for each in texts_read if isinstance(each, Failure)]
    games = selected_games([each for each in texts_read if isinstance(each, ReviewedGame)], options)
    games = [ranked(game, options.rank) for game in games]
    if options.sgf is not None and not any(game.played.board.game == "go" for game in games):
        raise UsageError("--sgf writes games of Go, and there is none")
    bench = replace(bench_of(options, options.visits), teaches=options.visits is not None)
    games, refused = able(bench, games)
    failures += refused
    if not games:
        raise UsageError("\n".join(map(str, failures)) or "no game to review")
    done: list[Reviewed] = []
    try:
        done.extend(reviewed(bench, games, options))
    except KeyboardInterrupt:  # the finished reviews are printed; a picture would take too long
        if done:
            write(options, tell(options, Review(done, failures, options.visits), say))
        raise
    review = tell(options, Review(done, failures, options.visits), say)
    write(options, review)
    if options.output is not None:
        save(options.output / "review.png", partial(picture, review))
        if len(done) == 1 and has_levels(done[0]):
            save(options.output / "levels.png", partial(level_picture, done[0]))
    return 1 if failures else 0


def check(options: argparse.Namespace) -> None:
    """Raises UsageError or OSError, before the work, if an option cannot be carried out."""
    for path in (options.csv, options.sgf):
        if path is not None:
            check_writable(path)
    try:
        if options.board is not None:
            board_of(options.board)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        check_writable(options.output / "moves.csv")


def selected_games(
    games: Sequence[ReviewedGame], options: argparse.Namespace
) -> list[ReviewedGame]:
    """Returns the games of the player of --player; raises UsageError if there are none."""
    if options.player is None:
        return list(games)
    selected = [game for game in games if options.player in game.names]
    if games and not selected:
        names = sorted({name for game in games for name in game.names})
        raise UsageError(f"no player {options.player!r}: there are {', '.join(names)}")
    return selected


def ranked(game: ReviewedGame, rank: float | None) -> ReviewedGame:
    """Returns a game of Go with this rank for players of unknown ranks; None: it stays unknown."""
    if game.played.board.game != RANKED_GAME:
        return game
    black, white = (rank if own is None else own for own in game.played.ranks)
    return replace(game, played=replace(game.played, ranks=(black, white)))


def able(bench: Bench, games: Sequence[ReviewedGame]) -> tuple[list[ReviewedGame], list[Failure]]:
    """Returns the games that the networks can judge, and the failures of the others."""
    hindered: dict[Board, str] = {}
    for board in dict.fromkeys(game.played.board for game in games):
        try:
            bench.load(board)
        except SettingError as error:
            hindered[board] = str(error)
    judgeable = [game for game in games if game.played.board not in hindered]
    refused = [
        Failure(game.name, hindered[game.played.board])
        for game in games
        if game.played.board in hindered
    ]
    return judgeable, refused


def tell(options: argparse.Namespace, review: Review, say: Say) -> Review:
    """Prints the review, and returns it."""
    say(json.dumps(review.values()) if options.json else "\n".join(lines(review)))
    return review


def reviewed(
    bench: Bench, games: Sequence[ReviewedGame], options: argparse.Namespace
) -> Iterator[Reviewed]:
    """Yields the reviews of the games, with the moves of --player and --moves alone."""
    first, last = options.moves
    bar: tqdm[NoReturn]
    with tqdm(unit="position", disable=options.quiet, file=sys.stderr) as bar:
        played = [game.played for game in games]
        confirming = partial(confirmed, factor=options.confirm)
        opinions = judged(bench, played, options.at_once, PositionBar(bar), confirming)
        for game, opinion in zip(games, opinions, strict=True):
            measure = measured(game.played, opinion)
            moves = tuple(
                move
                for move in measure.moves
                if first <= move.number <= (last or move.number)
                and options.player in {None, game.names[move.color]}
            )
            board = game.played.board
            yield Reviewed(
                game,
                opinion,
                replace(measure, moves=moves),
                bench.reference_name(board),
                bench.judge_name(board),
                lessons_of(game.played, opinion, moves),
                chess_terms(game.played, opinion, bench.human_policy(board)),
            )


class PositionBar:
    """A bar over the positions to judge. Safe to use from several threads."""

    def __init__(self, bar: tqdm[NoReturn]) -> None:
        self._bar, self._total, self._lock = bar, 0, Lock()

    def expect(self, positions: int) -> None:
        """Adds to the length of the bar."""
        with self._lock:
            self._total += positions
            self._bar.total = self._total
            self._bar.refresh()

    def advance(self) -> None:
        """Counts one position."""
        with self._lock:
            self._bar.update()


def write(options: argparse.Namespace, review: Review) -> None:
    """Writes the files of --csv, --sgf and --output; raises OSError."""
    tables = review.tables()
    sgf = [options.sgf] if options.sgf is not None else []
    if options.output is not None and any(map(is_go, review.games)):
        sgf.append(options.output / "review.sgf")
    for path in sgf:
        with atomic_write(path) as unfinished:
            unfinished.write_bytes(annotated_sgf(review))
    if options.csv is not None:
        for name, rows in tables.items():
            beside = options.csv.with_name(f"{options.csv.stem}-{name}{options.csv.suffix}")
            write_csv(options.csv if name == "moves" else beside, rows)
    if options.output is not None:
        for name, rows in tables.items():
            write_csv(options.output / f"{name}.csv", rows)
        write_findings(options.output, "review", lines(review), review.values())
