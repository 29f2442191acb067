"""Recorded games of people of a rank, for the comparison with levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings
from engine.games.ranks import rank_text
from engine.training.go.records import (
    MOVE_BITS,
    SET_UP,
    SIZE,
    UNKNOWN,
    WHITE,
    GameTable,
    RecordedGame,
)

BLACK_SEAT, WHITE_SEAT = 0, 1
HALF_WIDTH = 1.0  # the people's ranks are at most so far from the wanted one


@dataclass(frozen=True, slots=True)
class PeopleGames:
    """Games with the same handicap of Black players of about one rank."""

    handicap: int  # stones
    opponent: float  # median rank of White
    games: tuple[GameRecord, ...]


def people_games(table: GameTable, rank: float, most: int, rng: np.random.Generator) -> PeopleGames:
    """Returns at most so many games of Black players of the rank, with the commonest handicap.

    Raises ValueError without any such game.
    """
    near = np.abs(table.ranks[:, BLACK_SEAT] - rank) <= HALF_WIDTH
    known = (table.ranks != UNKNOWN).all(1)
    indices = np.flatnonzero(near & known)
    if not len(indices):
        raise ValueError(f"no game with a Black player of {rank_text(rank)}")
    stones = np.array([_handicap(table.game(int(index))) for index in indices])
    handicap = int(np.bincount(stones).argmax())
    chosen = rng.permutation(indices[stones == handicap])[:most]
    return PeopleGames(
        handicap=handicap,
        opponent=float(np.median(table.ranks[chosen, WHITE_SEAT])),
        games=tuple(record_of(table.game(int(index))) for index in chosen),
    )


def _handicap(game: RecordedGame) -> int:
    return int(((game.numbers & SET_UP) > 0).sum())


def record_of(game: RecordedGame) -> GameRecord:
    """Returns the game as a record; White begins after handicap stones."""
    colors = ((game.numbers & WHITE) > 0).astype(int)
    placed = (game.numbers & SET_UP) > 0
    pairs = list(zip(colors.tolist(), (game.numbers & MOVE_BITS).tolist(), strict=True))
    setup = tuple(pair for pair, is_placed in zip(pairs, placed, strict=True) if is_placed)
    moves = tuple(pair for pair, is_placed in zip(pairs, placed, strict=True) if not is_placed)
    first = moves[0][0] if moves else BLACK_SEAT
    settings = GoSettings(game.rules, game.komi)
    return GameRecord(settings, SIZE, SIZE, setup, first, moves)
