"""The values of engine.opponents.opponent_store as rows of the store's tables, and back.

The rows are written by SQLAlchemy's tables: writing by its objects takes twice the time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from engine.games.game_record import GameRecord
from engine.games.game_settings import settings_from_dict
from engine.games.table import Board
from engine.opponents.elo_grid import finite
from engine.opponents.opponent_store import (
    MOST_RATED,
    MOST_RATED_DEVIATION,
    EloEstimate,
    EstimateAtTime,
    NewMoves,
    OpponentEntry,
    OpponentName,
    RatedEvidence,
    StoredGame,
)
from engine.opponents.server_rating import ServerRating
from engine.opponents.store import models
from engine.opponents.store.models import UNREADABLE
from engine.opponents.store.quick import Step
from engine.strength.elo_scale import EloScale

OPPONENTS = cast("Table", models.OpponentRow.__table__)
STRENGTHS = cast("Table", models.Strength.__table__)
GAMES = cast("Table", models.GameRow.__table__)
MOVES = cast("Table", models.MoveRow.__table__)
LINKS = cast("Table", models.LinkRow.__table__)
ESTIMATES = cast("Table", models.Estimated.__table__)


# The statements of every move, made once: making a statement takes longer than executing it.
_NAMED = (
    OPPONENTS.c.name == bindparam("its_name"),
    OPPONENTS.c.server == bindparam("its_server"),
)
FIND_OPPONENT = select(OPPONENTS.c.id).where(*_NAMED).with_for_update()
READ_STRENGTH = (
    select(STRENGTHS.c.id, STRENGTHS.c.state, STRENGTHS.c.games, STRENGTHS.c.updated)
    .add_columns(STRENGTHS.c.mean, STRENGTHS.c.low, STRENGTHS.c.high)
    .join(OPPONENTS)
    .where(*_NAMED, STRENGTHS.c.board == bindparam("its_board"))
)
# It locks no opponent's row: others lock that row first and the strength's next (a deadlock).
FIND_STRENGTH = READ_STRENGTH.with_for_update(of=STRENGTHS)
CHANGE_STRENGTH = update(STRENGTHS).where(STRENGTHS.c.id == bindparam("its_strength"))
CHANGE_STRENGTH_OF = CHANGE_STRENGTH.where(
    STRENGTHS.c.updated == bindparam("its_updated"),
    STRENGTHS.c.games == bindparam("its_games"),
    STRENGTHS.c.mean == bindparam("its_mean"),
    STRENGTHS.c.low == bindparam("its_low"),
    STRENGTHS.c.high == bindparam("its_high"),
)
FIND_GAME = select(GAMES.c.id).where(GAMES.c.id == bindparam("its_game")).with_for_update()
ADD_MOVES = insert(MOVES)
DELETE_MOVES = delete(MOVES).where(
    MOVES.c.game_id == bindparam("its_game"), MOVES.c.number >= bindparam("start")
)
ADD_ESTIMATE = insert(ESTIMATES)
CHANGE_ESTIMATE = update(ESTIMATES).where(
    ESTIMATES.c.strength_id == bindparam("its_strength"),
    ESTIMATES.c.game_id == bindparam("its_game"),
)


@dataclass(frozen=True, slots=True)
class Written:
    """A strength as last written here. Another process's write changes its estimate or its time."""

    strength: int  # id of the strength's row
    updated: datetime
    known: OpponentEntry
    game: int | None  # the game of the last estimate

    def conditions(self) -> dict[str, Any]:
        """Returns the values of CHANGE_STRENGTH_OF's conditions."""
        estimate = self.known.estimate
        return {
            "its_strength": self.strength,
            "its_updated": self.updated,
            "its_games": self.known.games,
            "its_mean": estimate.mean,
            "its_low": estimate.low,
            "its_high": estimate.high,
        }


class RowError(ValueError):
    """A row holds an impossible value; the text names the row, and quotes the value."""


MOST = 1e9  # the greatest number accepted in a row
NUMBER = (int, float)
ESTIMATE = {"mean": NUMBER, "low": NUMBER, "high": NUMBER}
# The types of a row's values, by table and column.
KINDS: dict[str, dict[str, tuple[type, ...]]] = {
    "strengths": {"state": (dict,), "games": (int,), **ESTIMATE, "updated": (datetime,)},
    "estimates": {"time": (datetime,), **ESTIMATE},
    "games": {
        "board": (str,),
        "terms": (dict,),
        "setup": (list,),
        "first_to_move": (int,),
        "persona": (str,),
        "color": (int,),
        "started": (datetime,),
        "finished": (datetime, type(None)),
        "result": (str,),
        "points": (*NUMBER, type(None)),
    },
    "moves": {"number": (int,), "color": (int,), "move": (int,), "reason": (str,)},
}


def check(table: str, row: Any, number: object) -> None:  # noqa: ANN401 (of that table)
    """Raises RowError on an impossible value in a column of the row."""
    for column, kinds in KINDS[table].items():
        value = getattr(row, column, UNREADABLE)
        wrong = not isinstance(value, kinds)
        if wrong or (isinstance(value, NUMBER) and not -MOST <= value <= MOST):
            raise RowError(f"row {number} of {table}: {column} is {repr(value)[:80]}")


def named(opponent: OpponentName) -> tuple[ColumnElement[bool], ...]:
    """Returns the conditions for this opponent's row."""
    return models.OpponentRow.name == opponent.name, models.OpponentRow.server == opponent.server


def parameters_of(opponent: OpponentName, board: Board | None = None) -> dict[str, str]:
    """Returns the statements' parameters for an opponent, or for its strength on a board."""
    name = {"its_name": opponent.name, "its_server": opponent.server}
    return name if board is None else {**name, "its_board": board.name}


def rated_in(server: str, board: Board, without: OpponentName | None) -> Select[Any]:
    """Returns the query for the ratings and the evidence of a server's other players."""
    query = (
        select(models.Strength.id, models.Strength.rating)
        .add_columns(models.Strength.alone, models.Strength.alone_deviation)
        .add_columns(models.Strength.state["scale"].label("scale"))
        .join(models.OpponentRow)
        .where(models.OpponentRow.server == server, models.Strength.board == board.name)
        .where(models.Strength.alone_deviation <= MOST_RATED_DEVIATION)
        .order_by(models.Strength.updated.desc())
        .limit(MOST_RATED)
    )
    if without is not None and without.server == server:
        query = query.where(models.OpponentRow.name != without.name)
    return query


def evidence_of(row: Any) -> RatedEvidence:  # noqa: ANN401 (a row of rated_in)
    """Returns the evidence in a row. Raises RowError."""
    try:
        rating = ServerRating.from_json(row.rating)
        scale = None if row.scale is None else EloScale.from_json(row.scale)
        return RatedEvidence(rating, finite(row.alone), finite(row.alone_deviation), scale)
    except (ValueError, TypeError, AttributeError) as error:
        raise RowError(f"row {row.id} of strengths: {error}") from error


def strength_of(opponent: OpponentName, board: Board) -> Select[models.Strength]:
    """Returns the query for an opponent's strength on a board."""
    query = select(models.Strength).join(models.OpponentRow).where(*named(opponent))
    return query.where(models.Strength.board == board.name)


def known_of(row: Any) -> OpponentEntry:  # noqa: ANN401 (a row of a strength)
    """Returns the strength in a row. Raises RowError."""
    check("strengths", row, row.id)
    return OpponentEntry(row.state, row.games, estimate_of(row))


def name_of(row: Any) -> OpponentName:  # noqa: ANN401 (a row with both)
    """Returns the name and the server in a row. Raises RowError."""
    try:
        return OpponentName(row.name, row.server, row.alias)
    except (ValueError, TypeError, AttributeError) as error:
        raise RowError(f"a row of opponents: name {row.name!r}: {error}") from error


def board_of(name: object) -> Board:
    """Returns the board of a row. Raises RowError."""
    try:
        return Board.of_name(name)  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        raise RowError(f"a row of strengths: {error}") from error


def moment_of(row: models.Estimated) -> EstimateAtTime:
    """Returns the estimate and the time in a row. Raises RowError."""
    check("estimates", row, row.id)
    return EstimateAtTime(row.time, estimate_of(row))


def estimate_of(row: Any) -> EloEstimate:  # noqa: ANN401 (a row with an estimate)
    """Returns the estimate in a row."""
    return EloEstimate(row.mean, row.low, row.high)


def interval(estimate: EloEstimate) -> dict[str, float]:
    """Returns an estimate as values of a row."""
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def entry_values(entry: OpponentEntry) -> dict[str, Any]:
    """Returns an entry as values of a row."""
    rated = entry.rated
    return {
        "state": dict(entry.state),
        "games": entry.games,
        **interval(entry.estimate),
        "rating": None if rated is None else rated.rating.to_json(),
        "alone": None if rated is None else rated.mean,
        "alone_deviation": None if rated is None else rated.deviation,
    }


def inserted(connection: Connection, table: Table, values: dict[str, Any]) -> int:
    """Inserts a row, and returns its id."""
    key = connection.execute(insert(table), values).inserted_primary_key
    if key is None:
        raise RuntimeError(f"{table.name} gave a new row no id")
    return int(key[0])


def estimate_added(written: Written) -> Step:
    """Returns the insertion of a strength's estimate."""
    of = {"strength_id": written.strength, "game_id": written.game}
    return Step(ADD_ESTIMATE, [{**of, "time": written.updated, **interval(written.known.estimate)}])


def estimate_changed(written: Written) -> Step:
    """Returns the change of a strength's estimate in its game's row."""
    of = {"its_strength": written.strength, "its_game": written.game}
    values = {"time": written.updated, **interval(written.known.estimate)}
    return Step(CHANGE_ESTIMATE, [{**of, **values}])


def note_estimate(connection: Connection, written: Written) -> None:
    """Stores a strength's estimate, one row for each game in the store."""
    if written.game is not None:
        step = estimate_changed(written)
        if connection.execute(step.statement, step.rows[0]).rowcount:
            return
        if connection.scalar(FIND_GAME, {"its_game": written.game}) is None:
            written = replace(written, game=None)
    step = estimate_added(written)
    connection.execute(step.statement, step.rows[0])


def moves_added(game: int, new: NewMoves) -> Step:
    """Returns the insertion of new moves."""
    played = enumerate(zip(new.moves, new.reasons, strict=True), new.start)
    return Step(
        ADD_MOVES,
        [
            {"game_id": game, "number": number, "color": color, "move": move, "reason": reason}
            for number, ((color, move), reason) in played
        ],
    )


def note_moves(connection: Connection, game: int, new: NewMoves) -> None:
    """Replaces a game's moves from `new.start` on; does nothing for a deleted game."""
    if connection.scalar(FIND_GAME, {"its_game": game}) is None:
        return
    connection.execute(DELETE_MOVES, {"its_game": game, "start": new.start})
    if new.moves:
        connection.execute(ADD_MOVES, moves_added(game, new).rows)


def game_of(opponent: OpponentName, row: models.GameRow) -> StoredGame:
    """Returns the game in a row, with its moves up to the first gap. Raises RowError."""
    check("games", row, row.id)
    for move in row.moves:
        check("moves", move, f"{row.id}/{move.number}")
    numbers = [move.number for move in row.moves]
    gap = next((at for at, number in enumerate(numbers) if at != number), len(numbers))
    moves = row.moves[:gap]
    try:
        board = Board.of_name(row.board)
        game = StoredGame(
            opponent=opponent,
            game_settings=settings_from_dict(board.game, row.terms),
            width=board.width,
            height=board.height,
            color=row.color,
            persona=row.persona,
            setup=tuple((int(color), int(move)) for color, move in row.setup),
            first_to_move=row.first_to_move,
            moves=tuple((move.color, move.move) for move in moves),
            reasons=tuple(move.reason for move in moves),
            started=row.started,
            finished=row.finished,
            result=row.result,
            points=row.points,
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise RowError(f"row {row.id} of games: {error}") from error
    return replace(game, fault=f"its record lacks move {gap + 1}" if gap < len(numbers) else "")


def replayed(game: StoredGame) -> StoredGame:
    """Returns the game, with a fault if its moves cannot be played."""
    if game.fault:
        return game
    try:
        GameRecord.of(game).position()
    except (ValueError, TypeError, OverflowError) as error:
        return replace(game, fault=f"its record cannot be played: {error}")
    return game
