"""A person's games without a result, as the store has them, for a page to go on with."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from engine.games.game_record import GameRecord
from engine.opponents import StoredGame, StoredOpponent, StoreError
from protocols.page.terms import GameTerms

log = logging.getLogger("sparring")


def is_same_game(one: GameRecord, other: GameRecord) -> bool:
    """Whether two records are of one game: one of both begins with the other's moves."""
    shorter, longer = sorted((one.moves, other.moves), key=len)
    return (
        one.game_settings == other.game_settings
        and (one.width, one.height) == (other.width, other.height)
        and (one.setup, one.first_to_move) == (other.setup, other.first_to_move)
        and longer[: len(shorter)] == shorter
        and len(shorter) > 0
    )


def stored_game_of(
    person: StoredOpponent, terms: GameTerms, record: GameRecord
) -> tuple[int, StoredGame] | None:
    """Returns the number and the stored game of a page's record; None: the store lacks it."""
    for number, stored in _left(person):
        is_persons = stored.color == 1 - terms.person
        if is_persons and is_same_game(GameRecord.of(stored), record):
            return number, stored
    return None


def last_left_game(
    person: StoredOpponent, under_way: Iterable[GameRecord]
) -> tuple[int, StoredGame] | None:
    """Returns the person's latest game without a result; None: there is none.

    under_way: the games on other pages now; they are left out.
    """
    records = list(under_way)
    for number, stored in _left(person):
        if not any(is_same_game(GameRecord.of(stored), other) for other in records):
            return number, stored
    return None


def _left(person: StoredOpponent) -> Iterator[tuple[int, StoredGame]]:
    """Yields the games to go on with, the latest first; none from a store without an answer."""
    try:
        games = person.unfinished_games()
    except StoreError as error:
        log.warning("page: %s", error)
        return
    yield from ((number, stored) for number, stored in games if not stored.fault)
