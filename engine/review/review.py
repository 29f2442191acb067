"""The review of recorded games as plain data: the games, their moves with lessons, the players.

`values` and `tables` give JSON values and rows for spreadsheets. engine.review.report puts the
review into words, engine.review.annotated writes it as SGF.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.ranks import rank_text
from engine.games.table import GAMES
from engine.report.tables import flat
from engine.review.chess_notation import san_line
from engine.review.chess_terms import GAME as CHESS
from engine.review.chess_terms import ChessTerms
from engine.review.files import Failure, ReviewedGame
from engine.review.judging import GameJudgement
from engine.review.lessons import Lesson
from engine.style.measures import (
    GameMeasure,
    MeanEstimate,
    MoveMeasure,
    Side,
    mean_of,
    median_of,
    side_of,
    values_of,
)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game with its judgement."""

    game: ReviewedGame
    opinion: GameJudgement
    measure: GameMeasure  # measures of the selected moves
    reference: str  # the network of the reference policy
    judge: str  # the judging network
    lessons: tuple[Lesson, ...] = ()  # of the selected moves; empty without a judge
    chess: ChessTerms | None = None  # None for another game

    def name_of(self, color: int) -> str:
        """Returns the player of that color."""
        return self.game.names[color]

    def rank_of(self, color: int) -> str:
        """Returns the rank of the player of that color as text, in chess the rating.

        It is empty for an unknown one.
        """
        rank = self.game.played.ranks[color]
        if rank is None:
            return ""
        return f"{rank:.0f}" if self.game.played.board.game == CHESS else rank_text(rank, 1)

    def of_player(self, name: str) -> tuple[Lesson, ...]:
        """Returns the lessons of one player's moves."""
        return tuple(each for each in self.lessons if self.name_of(each.color) == name)

    def written(self, move: int) -> str:
        """Returns a move as text."""
        game_record = self.game.played.game_record
        return GAMES[game_record.game_settings.game].write_move(
            move, game_record.width, game_record.height
        )

    def line_text(self, number: int, moves: Sequence[int]) -> list[str]:
        """Returns moves as people write them, played in turn from before a move of the game.

        number: of that move, from 1. Chess has its standard algebraic notation.
        """
        if self.game.played.board.game != CHESS:
            return list(map(self.written, moves))
        return san_line(self.game.played.game_record, number - 1, moves)

    def move_text(self, number: int, move: int) -> str:
        """Returns a move in place of the move of this number, as people write it."""
        return self.line_text(number, (move,))[0]

    def outcome(self) -> str:
        """Returns the final score or, without a count, the file's result."""
        margin = self.measure.margin
        # A mate has no score, nor has the end of a game of chance.
        is_counted = self.game.played.board.game != CHESS and not self.game.played.has_chance
        if margin is None or not (is_counted or margin == 0):
            return self.game.result or "no result"
        if not margin:
            return "draw"
        colors = GAMES[self.game.played.board.game].colors
        return f"{colors[0 if margin > 0 else 1][0]}+{abs(margin):g}"

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return self.row() | {
            "values": list(self.opinion.values),
            "leads": list(self.opinion.leads),
            "moves": [self.move_row(move) | self._lesson(move) for move in self.measure.moves],
        }

    def row(self) -> dict[str, Any]:
        """Returns the game itself, for a spreadsheet."""
        changes = self.measure.reversals
        return {
            "name": self.game.name,
            "board": self.game.played.board.name,
            "first_player": self.game.names[0],
            "second_player": self.game.names[1],
            "first_rank": self.rank_of(0),
            "second_rank": self.rank_of(1),
            "plies": len(self.game.played.game_record.moves),
            "result": self.game.result,
            "margin": self.measure.margin,
            "lead_changes": None if changes is None else len(changes),
            "late_lead_changes": self.measure.late,
            "reference": self.reference,
            "judge": self.judge,
            **({} if self.chess is None else self.chess.game_row()),
        }

    def move_row(self, move: MoveMeasure) -> dict[str, Any]:
        """Returns one move, for a spreadsheet."""
        return {
            "number": move.number,
            "player": self.name_of(move.color),
            "color": GAMES[self.game.played.board.game].colors[move.color],
            "move": self.written(move.move),
            "likely": move.likely,
            "rank": move.rank,
            "points_lost": move.points,
            "win_rate_lost": move.loss,
            "distance": move.distance,
            **({} if self.chess is None else self.chess.move_row(move.number)),
            **self._chance_row(move),
        }

    def _chance_row(self, move: MoveMeasure) -> dict[str, Any]:
        """Returns the outcome by chance of a move and the mover's luck; none in another game."""
        played = self.game.played
        if not played.has_chance or not self.opinion.values:
            return {}
        chance = self.opinion.chance.get(move.number - 1 - played.opening)
        return {
            "outcome": self.written(played.game_record.moves[move.number - 1][1]),
            "luck": None if chance is None else chance.luck(move.color),
        }

    def table_row(self, move: MoveMeasure) -> dict[str, Any]:
        """Returns one move with its lesson, for a spreadsheet: lines of moves are one text."""
        lesson = self._lesson(move)
        people = lesson.pop("people", ())
        if lesson:
            lesson["best_line"] = " ".join(lesson["best_line"])
            lesson["people"] = " ".join(f"{each['move']}:{each['share']:.3f}" for each in people)
        return self.move_row(move) | lesson

    def lesson_at(self, number: int) -> Lesson | None:
        """Returns the lesson of the move of this number; None without one."""
        return next((each for each in self.lessons if each.number == number), None)

    def _lesson(self, move: MoveMeasure) -> dict[str, Any]:
        lesson = self.lesson_at(move.number)
        return {} if lesson is None else lesson.values(self.written)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """The measures of one player, over all games with a selected move of theirs."""

    name: str
    games: int
    side: Side
    lead_changes: MeanEstimate | None  # mean number a game
    late_lead_changes: MeanEstimate | None  # mean number a game
    margin: MeanEstimate | None  # median winning margin of the counted games

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "player": self.name,
            "games": self.games,
            **self.side.values(),
            "lead_changes": values_of(self.lead_changes),
            "late_lead_changes": values_of(self.late_lead_changes),
            "margin": values_of(self.margin),
        }


def player_of(name: str, games: Sequence[tuple[GameMeasure, int]]) -> PlayerReview:
    """Returns a player over the games; each comes with the player's color."""
    changes = [each.reversals for each, _ in games if each.reversals is not None]
    return PlayerReview(
        name=name,
        games=len(games),
        side=side_of([game.of(color) for game, color in games]),
        lead_changes=mean_of(list(map(len, changes))),
        late_lead_changes=mean_of([each.late for each, _ in games if each.late is not None]),
        margin=median_of([abs(each.margin) for each, _ in games if each.margin is not None]),
    )


def players_of(measures: Iterable[tuple[GameMeasure, tuple[str, str]]]) -> list[PlayerReview]:
    """Returns every player with a move, in order of appearance; games come with their players."""
    games: dict[str, list[tuple[GameMeasure, int]]] = {}
    for measure, names in measures:
        for color, name in enumerate(names):
            if measure.of(color):
                games.setdefault(name, []).append((measure, color))
    return [player_of(name, of_player) for name, of_player in games.items()]


@dataclass(frozen=True, slots=True)
class Review:
    """The review of all games, as plain data."""

    games: Sequence[Reviewed]
    failures: Sequence[Failure]
    visits: int | None  # visits of the judge's searches; None: no judge

    @property
    def players(self) -> list[PlayerReview]:
        """The players of the games."""
        return players_of((each.measure, each.game.names) for each in self.games)

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "visits": self.visits,
            "games": [each.values() for each in self.games],
            "players": [each.values() for each in self.players],
            "failed": [{"name": each.name, "error": each.error} for each in self.failures],
        }

    def tables(self) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Returns rows for spreadsheets, by the table's name."""
        return {
            "moves": [
                {"game": each.game.name} | each.table_row(move)
                for each in self.games
                for move in each.measure.moves
            ],
            "games": [each.row() for each in self.games],
            "players": [flat(each.values()) for each in self.players],
        }
