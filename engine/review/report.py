"""The report of `sparring review`: tables as text, rows for spreadsheets, JSON.

The input is reviewed games with their measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.table import GAMES
from engine.report.tables import aligned, flat
from engine.review.files import Failure, ReviewedGame
from engine.review.judging import GameJudgement
from engine.style.measures import (
    GameMeasure,
    MeanEstimate,
    MoveMeasure,
    Side,
    interval_text,
    mean_of,
    median_of,
    side_of,
    values_of,
)

MOVE_HEADS = ("move", "by", "played", "likely", "rank", "points lost", "win rate lost", "distance")
PLAYER_HEADS = (
    *("", "games", "moves", "natural", "under .05", "likeliest", "points lost", "win rate lost"),
    *("distance", "lead changes", "late", "margin"),
)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game with its judgement."""

    game: ReviewedGame
    opinion: GameJudgement
    measure: GameMeasure  # measures of the selected moves
    reference: str  # the network of the reference policy
    judge: str  # the judging network

    def name_of(self, color: int) -> str:
        """Returns the player of that color."""
        return self.game.names[color]

    def written(self, move: MoveMeasure) -> str:
        """Returns a move as text."""
        game_record = self.game.played.game_record
        return GAMES[game_record.game_settings.game].write_move(
            move.move, game_record.width, game_record.height
        )

    def outcome(self) -> str:
        """Returns the final score or, without a count, the file's result."""
        margin = self.measure.margin
        if margin is None:
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
            "moves": [self.move_row(move) for move in self.measure.moves],
        }

    def row(self) -> dict[str, Any]:
        """Returns the game itself, for a spreadsheet."""
        changes = self.measure.reversals
        return {
            "name": self.game.name,
            "board": self.game.played.board.name,
            "first_player": self.game.names[0],
            "second_player": self.game.names[1],
            "plies": len(self.game.played.game_record.moves),
            "result": self.game.result,
            "margin": self.measure.margin,
            "lead_changes": None if changes is None else len(changes),
            "late_lead_changes": self.measure.late,
            "reference": self.reference,
            "judge": self.judge,
        }

    def move_row(self, move: MoveMeasure) -> dict[str, Any]:
        """Returns one move, for a spreadsheet."""
        return {
            "number": move.number,
            "player": self.name_of(move.color),
            "color": GAMES[self.game.played.board.game].colors[move.color],
            "move": self.written(move),
            "likely": move.likely,
            "rank": move.rank,
            "points_lost": move.points,
            "win_rate_lost": move.loss,
            "distance": move.distance,
        }


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

    def cells(self) -> list[str]:
        """Returns a row of text."""
        side = self.side
        return [
            self.name,
            str(self.games),
            str(side.moves),
            interval_text(side.natural, ".3f"),
            interval_text(side.unnatural, ".1%"),
            interval_text(side.first, ".1%"),
            interval_text(side.points, ".2f"),
            interval_text(side.loss, ".1%"),
            interval_text(side.distance, ".2f"),
            interval_text(self.lead_changes, ".1f"),
            interval_text(self.late_lead_changes, ".1f"),
            interval_text(self.margin, ".1f"),
        ]


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


def player_lines(players: Sequence[PlayerReview]) -> Iterator[str]:
    """Yields a row of text for each player, without empty columns."""
    return columns_used([PLAYER_HEADS, *(player.cells() for player in players)])


@dataclass(frozen=True, slots=True)
class Review:
    """The review of all games."""

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
                {"game": each.game.name} | each.move_row(move)
                for each in self.games
                for move in each.measure.moves
            ],
            "games": [each.row() for each in self.games],
            "players": [flat(each.values()) for each in self.players],
        }

    def lines(self) -> Iterator[str]:
        """Yields the text: of a single game its moves, of several the players."""
        if self.games:
            yield self._how()
            if len(self.games) == 1 and self.players:
                yield from ["", *self._moves(self.games[0])]
            yield ""
            yield from player_lines(self.players)
        for failure in self.failures:
            yield f"not read: {failure}"

    def _how(self) -> str:
        references = ", ".join(sorted({each.reference for each in self.games}))
        judges = ", ".join(sorted({each.judge for each in self.games}))
        judge = "" if self.visits is None else f", judged by {judges} with {self.visits} visits"
        if len(self.games) > 1:
            return f"{len(self.games)} games, natural by {references}{judge}"
        (one,) = self.games
        colors = GAMES[one.game.played.board.game].colors
        who = " against ".join(
            name if name == color else f"{name} ({color})"
            for name, color in zip(one.game.names, colors, strict=True)
        )
        return f"{one.game.name}: {who}, {one.outcome()}; natural by {references}{judge}"

    def _moves(self, one: Reviewed) -> Iterator[str]:
        rows = [
            [
                str(move.number).rjust(len(MOVE_HEADS[0])),
                one.name_of(move.color),
                one.written(move),
                _text(move.likely, ".1%"),
                "" if move.rank is None else str(move.rank),
                _text(move.points, "+.2f"),
                _text(move.loss, "+.1%"),
                _text(move.distance, ".1f"),
            ]
            for move in one.measure.moves
        ]
        yield from columns_used([MOVE_HEADS, *rows])


def columns_used(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields the rows aligned below their heads, without columns of a head alone."""
    if len(rows) == 1:
        return iter(["no moves"])
    used = [any(column[1:]) for column in zip(*rows, strict=True)]
    return aligned(
        [[cell for cell, is_used in zip(row, used, strict=True) if is_used] for row in rows]
    )


def _text(number: float | None, form: str) -> str:
    return "" if number is None else f"{number:{form}}"
