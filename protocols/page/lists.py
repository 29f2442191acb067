"""The lists for the owner of the engine: games under way, and people with their level over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.games.table import Board
from engine.opponents import (
    OpponentEntry,
    OpponentStore,
    OpponentSummary,
    StoredGame,
    StoredOpponent,
)
from engine.strength.rank_scale import scale_on
from protocols.page.offers import title_of
from protocols.page.page_game import PageGame
from protocols.page.views import estimate_view, phase_of_page

MOST_PEOPLE = 50  # rows
MOST_ESTIMATES = 30  # of a person's history


@dataclass(frozen=True, slots=True)
class LiveGame:
    """One game under way, in words and numbers."""

    board: str
    person: str
    moves: int
    strength: str
    phase: str  # as in the message `state`


def live_game(page_game: PageGame, person: str) -> LiveGame:
    """Returns the row of a game; person: its player's name."""
    game = page_game.game
    return LiveGame(
        title_of(game.board),
        person,
        len(game.moves),
        page_game.terms.strength,
        phase_of_page(page_game),
    )


def left_view(stored: StoredGame) -> dict[str, Any]:
    """Returns a game that a person left: its board in words and its number of moves."""
    return {"board": title_of(stored.board), "moves": len(stored.moves)}


def people_view(store: OpponentStore) -> list[dict[str, Any]]:
    """Returns the rows of the people with a known strength, the latest first."""
    return [row for summary in store.summaries()[:MOST_PEOPLE] for row in _rows(store, summary)]


def _rows(store: OpponentStore, summary: OpponentSummary) -> Iterator[dict[str, Any]]:
    if summary.known is None:
        return
    person = StoredOpponent(store, summary.opponent)
    yield {
        "name": str(summary.opponent),
        **level_view(person, Board.of_name(summary.board), summary.known),
        "last": summary.last.isoformat(timespec="minutes"),
    }


def level_view(person: StoredOpponent, board: Board, known: OpponentEntry) -> dict[str, Any]:
    """Returns a person's level on one kind of board, now and over time."""
    moments = person.history(board)[-MOST_ESTIMATES:]
    return {
        "board": title_of(board),
        "estimate": estimate_view(known.estimate, scale_on(board)),
        "games": known.games,
        "history": [round(moment.estimate.mean) for moment in moments],
    }
