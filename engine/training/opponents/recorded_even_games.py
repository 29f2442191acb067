"""Games kept even in recorded matches, as samples for the outcome model.

A record has the level of each move and the result. The standings are searched for anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.game_record import GameRecord
from engine.search.search import Search
from engine.training.opponents.balanced_games import BalancedGame
from engine.training.opponents.ladder_games import KNOWN_WEIGHT, STEP, observed_standing
from engine.values import Standing


@dataclass(frozen=True, slots=True)
class RecordedEvenGame:
    """A recorded game, kept even by the engine against a player of known Elo."""

    name: str  # the record and the game's number in it
    rival: str  # the opponent's text
    elo: float  # the opponent's
    color: int  # ours
    game_record: GameRecord
    levels: Sequence[float | None]  # of each move; None: the opponent's, or no level's
    points: float  # ours: 1, 0.5 or 0
    margin: float | None = None  # our final score less the opponent's; None: it was not counted


def standings_of(game: RecordedEvenGame, search: Search) -> list[tuple[float, Standing]]:
    """Returns the level in Elo and our standing of every STEP-th turn with a level."""
    kind = game.game_record.game_settings.game
    position = game.game_record.beginning()
    turns: list[tuple[float, Standing]] = []
    number = 0
    for (color, move), level in zip(game.game_record.moves, game.levels, strict=True):
        if color == game.color and level is not None:
            if number % STEP == 0:
                turns.append((level, observed_standing(search, position, kind)))
            number += 1
        position.play(move, color, tolerant=True)
    return turns


def balanced_game(game: RecordedEvenGame, turns: Sequence[tuple[float, Standing]]) -> BalancedGame:
    """Returns the recorded game with its standings, and with the opponent's true Elo each turn.

    A game without a count has the lead of the last turn as its margin, if its winner led.
    """
    margin = game.margin
    if margin is None and turns:
        lead = turns[-1][1].lead
        margin = lead if (lead > 0) == (game.points == 1) else None
    return BalancedGame(
        game.rival,
        game.elo,
        tuple((level, game.elo, standing) for level, standing in turns),
        game.points,
        tuple(level for level, _ in turns),
        margin,
        KNOWN_WEIGHT,
    )
