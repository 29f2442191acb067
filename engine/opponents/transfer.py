"""A ladder's tables of evidence and outcomes; where it has none, those of another board's.

Knows which ladders come with the engine, and what becomes of a table on a ladder of another height:
random play stays where it is, and what is said of somebody halfway up is said of who is halfway up
here. Does not know what the tables say (engine.opponents.move_likelihood and .outcome).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine.games.table import Board
from engine.opponents.move_likelihood import MoveLikelihood, basis
from engine.opponents.move_likelihood import guessed as guessed_evidence
from engine.opponents.posterior import PlayerStyle
from engine.opponents.win_model import WinModel
from engine.opponents.win_model import guessed as guessed_outcome
from engine.strength.rating_ladder import BUNDLED, RatingLadder, read_ladder
from engine.util.elo import EVERYWHERE_ELO

log = logging.getLogger("sparring")

T = TypeVar("T")

TRUSTED = 0.5  # of what a move of another board's table is trusted to say


def move_likelihood_of(ladder: RatingLadder) -> MoveLikelihood:
    """How moves are judged on the ladder: its own tables, borrowed ones, or a guess."""
    own = _own(ladder, ladder.evidence, MoveLikelihood.from_json)
    if own is not None:
        return own
    lender = source_for(ladder.board)
    if lender is None:
        return guessed_evidence(ladder.lowest, ladder.highest)
    lent = MoveLikelihood.from_json(lender.evidence)
    knots = np.union1d(lent.knots, 0.0)  # below and above random play the factors differ
    return replace(
        lent,
        knots=np.array([stretched(elo, lender, ladder) for elo in knots]),
        coefficients=basis(knots, lent.knots) @ lent.coefficients,
        styles=tuple(_stretched_style(style, lender, ladder) for style in lent.styles),
        temper=TRUSTED * lent.temper,
    )


def win_model_of(ladder: RatingLadder) -> WinModel:
    """What games on the ladder come to: its own tables, borrowed ones, or a guess.

    They go by where players are between the ends of a ladder, and so fit any.
    """
    own = _own(ladder, ladder.outcome, WinModel.from_json)
    if own is not None:
        return own
    lender = source_for(ladder.board)
    if lender is None:
        return guessed_outcome(ladder.lowest, ladder.highest)
    lent = WinModel.from_json(lender.outcome)
    return replace(lent, lowest_elo=ladder.lowest, highest_elo=ladder.highest)


@lru_cache(maxsize=2)
def shipped_ladders(bundled: Path) -> tuple[RatingLadder, ...]:
    """Returns the ladders of a folder that came with the engine, read once in a process."""
    return tuple(read_ladder(path) for path in sorted(bundled.glob("*.json")))


def _own(
    ladder: RatingLadder, table: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]
) -> T | None:
    """The ladder's own table; None where it has none, or, after a warning, it cannot be used."""
    if not table:
        return None
    try:
        return read(table)
    except ValueError as error:
        where = f"{ladder.board.name}, network {ladder.network!r}"
        log.warning("the ladder of %s goes by another board's table: %s", where, str(error)[:200])
        return None


@lru_cache(maxsize=32)
def source_for(board: Board, bundled: Path = BUNDLED) -> RatingLadder | None:
    """The ladder with tables that came with the engine, of the board nearest in size; or None."""
    area = board.width * board.height
    lenders = [
        ladder
        for ladder in shipped_ladders(bundled)
        if ladder.board.game == board.game and ladder.evidence and ladder.outcome
    ]
    return min(
        lenders,
        key=lambda ladder: abs(ladder.board.width * ladder.board.height - area),
        default=None,
    )


def stretched(elo: float, lender: RatingLadder, ladder: RatingLadder) -> float:
    """Who is as far between random play and an end of the ladder as elo is on the lender's."""
    if abs(elo) >= EVERYWHERE_ELO:
        return elo
    if elo < 0:
        return elo * ladder.lowest / lender.lowest if lender.lowest < 0 else elo
    return elo * ladder.highest / lender.highest


def _stretched_style(style: PlayerStyle, lender: RatingLadder, ladder: RatingLadder) -> PlayerStyle:
    return replace(
        style,
        deviation=stretched(style.deviation, lender, ladder),
        lowest_elo=stretched(style.lowest_elo, lender, ladder),
        highest_elo=stretched(style.highest_elo, lender, ladder),
    )
