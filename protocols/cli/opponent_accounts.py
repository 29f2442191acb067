"""The parts of `sparring opponents` about servers: linked accounts, and the maps of ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError
from engine.games.table import Board
from engine.opponents import OpponentName, RatedEvidence, stranger_moments
from engine.opponents.linked_accounts import joined, parted
from engine.opponents.opponent_rating import evidence_on, map_learned, rated_strength
from engine.opponents.rating_map import LearnedMap, ServerScale, server_scale
from engine.opponents.rating_system import SYSTEMS
from engine.report.pictures import PlotLine, lines, save
from engine.strength.elo_scale import EloScale, elo_scale_of, guessed_scale
from engine.strength.rank_scale import scale_on
from engine.strength.rating_ladder import BUNDLED, RatingLadder, read_ladder
from engine.strength.settings_curve import knots_of
from engine.util.registry import unknown_name
from protocols.cli.options import Say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from engine.opponents.store.store import DatabaseStore

LINK, UNLINK = "link", "unlink"


def account(store: DatabaseStore, text: str, server: str | None = None) -> OpponentName | None:
    """Returns the opponent of a text, NAME or SERVER/NAME; None for an unknown one.

    The name is an account's or a shown one. Raises UsageError where several accounts have it.
    """
    known = store.names(OpponentName(text).name)
    prefix, slash, name = text.partition("/")
    if slash and not known:
        known, server = store.names(OpponentName(name).name), prefix
    named = [each for each in known if server is None or each.server == server]
    if len(named) > 1:
        servers = ", ".join(repr(each.server) for each in named)
        accounts = ", ".join(f"{each.server}/{each.name}" for each in named)
        raise UsageError(
            f"{text!r} is a name on several servers: choose by --server: {servers}; or name an "
            f"account: {accounts}"
        )
    return named[0] if named else None


def change_links(store: DatabaseStore | None, words: Sequence[str], say: Say) -> int:
    """Links or unlinks accounts, and returns the exit code. words: link A B, or unlink A."""
    action, *texts = words
    if len(texts) != (2 if action == LINK else 1):
        raise UsageError(
            "link takes two accounts, unlink one: `sparring opponents link ogs/Ann Ann`"
        )
    names = [None if store is None else account(store, text) for text in texts]
    for text, name in zip(texts, names, strict=True):
        if store is None or name is None:
            say(f"nothing is remembered of {text!r}")
            return 1
    first, *others = [name for name in names if name is not None]
    if store is None:
        return 1
    if others:
        store.links.link(first, others[0], joined)
        say(f"{first} counts as {others[0]} now; `sparring opponents unlink` undoes it")
    else:
        say(f"{first} counts for itself again, and not as {store.links.unlink(first, parted)}")
    return 0


def show_maps(store: DatabaseStore | None, server: str, picture: Path | None, say: Say) -> int:
    """Prints the learned map of a server for each board; returns 1 where nobody is known."""
    if server not in SYSTEMS:
        raise UsageError(str(unknown_name("no server with ratings", server, SYSTEMS)))
    drawn: list[PlotLine] = []
    for scale, met in _evidence(store, server):
        learned = map_learned(scale, scale.first_map(*_strangers(scale.board)), met)
        say(_in_words(scale, learned))
        drawn.append(_drawn(scale, learned, met))
    if not drawn:
        say(f"nobody of {server} with a rating was met often enough")
        return 1
    if picture is not None:
        save(picture, partial(_picture, server, drawn))
    return 0


def _evidence(
    store: DatabaseStore | None, server: str
) -> Iterator[tuple[ServerScale, tuple[RatedEvidence, ...]]]:
    """Yields the boards with players of a server, and the evidence about them."""
    rows = () if store is None else store.summaries()
    boards = {row.board for row in rows if row.opponent.server == server and row.board}
    for name in sorted(boards):
        board = Board.of_name(name)
        scale = server_scale(server, board, scale_on(board))
        met = () if store is None else store.rated(server, board)
        if scale is not None and met:
            present = _elo_scale(board)
            yield scale, tuple(evidence_on(each, present) for each in met)


def _bundled(board: Board) -> RatingLadder | None:
    """Returns the bundled ladder of a board; None: there is none."""
    path = BUNDLED / f"{board.name}.json"
    return read_ladder(path) if path.is_file() else None


def _elo_scale(board: Board) -> EloScale:
    """Returns the scale of the bundled ladder, else of the guesses."""
    ladder = _bundled(board)
    return guessed_scale(board, has_engine=False) if ladder is None else elo_scale_of(ladder)


def _strangers(board: Board) -> tuple[float, float]:
    """Returns the mean and the deviation of a stranger on the bundled ladder, else on a guess."""
    ladder = _bundled(board)
    if ladder is not None:
        return stranger_moments(ladder.lowest, ladder.highest)
    knots = knots_of(board)
    return stranger_moments(knots[0].elo, knots[-1].elo)


def _in_words(scale: ServerScale, learned: LearnedMap) -> str:
    """Returns a map in a line: offset, slope, spread and the number of players."""
    line, centre = learned.line, scale.system.centre
    return (
        f"{scale.board.name}: {learned.opponents} players; a rating of {centre:g} stands at "
        f"{line.offset:.0f} +- {line.offset_deviation:.0f} Elo; slope {line.slope:.2f} +- "
        f"{line.slope_deviation:.2f}; spread {learned.spread:.0f} +- "
        f"{learned.spread_deviation:.0f} Elo"
    )


def _drawn(scale: ServerScale, learned: LearnedMap, met: Sequence[RatedEvidence]) -> PlotLine:
    """Returns the players' strengths by our games against their ratings, and the line."""
    points = [rated_strength(scale, each) for each in met]
    low, high = min(each.elo for each in points), max(each.elo for each in points)
    ends = [(elo, learned.line.moments(elo, 0, 0)[0]) for elo in (low, high)]
    return PlotLine(
        scale.board.name,
        [(each.elo, each.strength, each.strength_deviation) for each in points],
        (ends[0], ends[1]),
    )


def _picture(server: str, drawn: Sequence[PlotLine]) -> Figure:
    return lines(drawn, f"players of {server}", "Elo of the rating", "Elo by our games alone")
