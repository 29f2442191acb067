"""A ladder's move likelihood and win model, transferred from another board's ladder if it has none.

The source is a bundled ladder. On the source's own board the levels of the same settings
correspond, on another board of Go with a measured ladder those of the same rank. Else a table is
scaled to a ladder of another height: random play stays at 0 Elo, and the middle of one ladder
corresponds to the middle of the other. The tables are in engine.opponents.move_likelihood and
.win_model.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine.games.table import Board
from engine.opponents.level_likelihood import likelihood_of_levels
from engine.opponents.move_likelihood import MoveLikelihood, basis
from engine.opponents.move_likelihood import guessed as guessed_evidence
from engine.opponents.outcome_model import OutcomeModel, kind_of
from engine.opponents.people_likelihood import SHARE_BESIDE_OWN, with_people
from engine.opponents.player_style import PlayerStyle
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import BUNDLED, RatingLadder, shipped_ladders
from engine.util.elo import EVERYWHERE_ELO

log = logging.getLogger("sparring")

T = TypeVar("T")

RATED_GAME = "chess"  # the game whose levels have ratings of people
TRUSTED = 0.5  # factor on the temper of a transferred move likelihood


def move_likelihood_of(ladder: RatingLadder) -> MoveLikelihood:
    """Returns the ladder's move likelihood: its own, a transferred one, its levels', or a guess.

    In Go the style of people joins its own one and a transferred one.
    """
    if ladder.board.game == RATED_GAME and not ladder.evidence:
        return likelihood_of_levels(ladder)
    own = _own(ladder, ladder.evidence, MoveLikelihood.from_json)
    if own is not None:
        return with_people(own, ladder, SHARE_BESIDE_OWN)
    return _borrowed(
        ladder,
        attrgetter("evidence"),
        MoveLikelihood.from_json,
        _moved_likelihood,
        guessed_evidence,
    )


def win_model_of(ladder: RatingLadder) -> OutcomeModel:
    """Returns the ladder's outcome model: its own, a transferred one, or a guess.

    It depends on relative places between the ends of a ladder, and fits any ladder of its game.
    """
    kind = kind_of(ladder.board.game)
    own = _own(ladder, ladder.outcome, kind.read)
    if own is not None:
        return own
    return _borrowed(ladder, attrgetter("outcome"), kind.read, _moved_model, kind.guessed)


def _borrowed(
    ladder: RatingLadder,
    json_of: Callable[[RatingLadder], Mapping[str, Any]],
    read: Callable[[Mapping[str, Any]], T],
    transferred: Callable[[T, RatingLadder, RatingLadder], T],
    guessed: Callable[[float, float], T],
) -> T:
    """Returns the table of another ladder on this one, or a guess.

    transferred: (table, source, ladder) -> the table on the ladder. guessed: (lowest Elo, highest
    Elo) -> a table without any source.
    """
    source = source_for(ladder.board)
    if source is None:
        return guessed(ladder.lowest, ladder.highest)
    return transferred(read(json_of(source)), source, ladder)


def _moved_likelihood(
    table: MoveLikelihood, source: RatingLadder, ladder: RatingLadder
) -> MoveLikelihood:
    knots = np.union1d(table.knots, 0.0)  # below and above random play the factors differ
    if ladder.lowest >= 0:
        knots = knots[knots >= 0]  # all others would lie at 0
    moved = replace(
        table,
        knots=np.array([corresponding(elo, source, ladder) for elo in knots]),
        coefficients=basis(knots, table.knots) @ table.coefficients,
        styles=tuple(_moved_style(style, source, ladder) for style in table.styles),
        temper=TRUSTED * table.temper,
    )
    return with_people(moved, ladder)


def _moved_model(table: OutcomeModel, _source: RatingLadder, ladder: RatingLadder) -> OutcomeModel:
    ends = {"lowest_elo": ladder.lowest, "highest_elo": ladder.highest}
    return kind_of(ladder.board.game).read(table.to_json() | ends)


def _own(
    ladder: RatingLadder, table: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]
) -> T | None:
    """Returns the ladder's own table; None without one, or after a warning if it is unreadable."""
    if not table:
        return None
    try:
        return read(table)
    except ValueError as error:
        where = f"{ladder.board.name}, network {ladder.network!r}"
        log.warning("the ladder of %s takes another board's table: %s", where, str(error)[:200])
        return None


@lru_cache(maxsize=32)
def source_for(board: Board, bundled: Path = BUNDLED) -> RatingLadder | None:
    """Returns the bundled ladder with tables of the nearest board in size; None: no such ladder."""
    area = board.width * board.height
    sources = [
        ladder
        for ladder in shipped_ladders(bundled)
        if ladder.board.game == board.game and ladder.evidence and ladder.outcome
    ]
    return min(
        sources,
        key=lambda ladder: abs(ladder.board.width * ladder.board.height - area),
        default=None,
    )


def corresponding(elo: float, source: RatingLadder, ladder: RatingLadder) -> float:
    """Returns the Elo on `ladder` of play with an Elo on the source's ladder.

    On one board the same settings correspond, on two the same ranks or the same relative places.
    """
    if abs(elo) >= EVERYWHERE_ELO:
        return elo
    there, here = common_settings(source, ladder)
    if not there:
        there, here = common_ranks(source, ladder)
    if not there:
        return stretched(elo, source, ladder)
    beyond = elo - min(max(elo, there[0]), there[-1])
    return float(np.interp(elo, there, here)) + beyond


@lru_cache(maxsize=32)
def common_settings(
    source: RatingLadder, ladder: RatingLadder
) -> tuple[Sequence[float], Sequence[float]]:
    """Returns the Elo on both ladders of the source's settings, within the other one's ends.

    The Elo of a setting between two rungs is interpolated. Returns nothing on different boards.
    """
    if source.board != ladder.board or bool(source.engine) is not bool(ladder.engine):
        return (), ()
    theirs, ours = source.elo_by_place(), ladder.elo_by_place()
    places = [place for place in theirs if min(ours) <= place <= max(ours)]
    here = np.interp(places, list(ours), list(ours.values()))
    return [theirs[place] for place in places], here.tolist()


@lru_cache(maxsize=32)
def common_ranks(
    source: RatingLadder, ladder: RatingLadder
) -> tuple[Sequence[float], Sequence[float]]:
    """Returns the Elo on both ladders of the ranks of both, of random play and of the ends.

    Both ladders are measured, of two boards of Go; else nothing.
    """
    theirs, ours = scale_of(source), scale_of(ladder)
    if theirs is None or ours is None or not (source.games and ladder.games):
        return (), ()
    weakest, strongest = ours.ranks[0], ours.ranks[-1]
    shared = [rank for rank in theirs.ranks if strongest <= rank <= weakest]
    if not shared:
        return (), ()
    pairs = [(0.0, 0.0), *((theirs.elo_of(rank), ours.elo_of(rank)) for rank in shared)]
    pairs.append((source.highest, ladder.highest))
    if source.lowest < 0 and ladder.lowest < 0:
        pairs.insert(0, (source.lowest, ladder.lowest))
    there, here = zip(*pairs, strict=True)
    return there, here


def stretched(elo: float, source: RatingLadder, ladder: RatingLadder) -> float:
    """Returns the Elo on `ladder` at the relative place of `elo` on the source's ladder."""
    if elo < 0:
        return elo * ladder.lowest / source.lowest if source.lowest < 0 else elo
    return elo * ladder.highest / source.highest


def _moved_style(style: PlayerStyle, source: RatingLadder, ladder: RatingLadder) -> PlayerStyle:
    return replace(
        style,
        deviation=stretched(style.deviation, source, ladder),
        lowest_elo=corresponding(style.lowest_elo, source, ladder),
        highest_elo=corresponding(style.highest_elo, source, ladder),
    )
