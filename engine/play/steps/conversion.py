"""The conversion of a won game of chess or dark chess: a side far ahead plays on to the end.

The level's moves go on without draws, gifts of a piece and moves into a mate in one. A forced mate
in two moves is played, and a king without pieces is hunted. People of any strength are careful far
ahead; a level's policy alone stalemates and wanders: few games of its training go on so far. At
full strength our own search wanders in a hunt: to the network all won positions are alike. Where
endgame tables know the position, they tell the moves that keep the win.

In dark chess a game is won by the likely outcome of the material. A forced capture is played, at
full strength too; else no position is repeated while another move is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._core import DarkChessHunt, DarkChessPosition, hunt_dark_chess
from engine.games.position import Position
from engine.play.steps.request import MoveRequest
from engine.play.steps.tables import LEAST_SHARE, known_moves, won_by_tables
from engine.search.search import Search
from engine.values import Choice, Report

Numbers = NDArray[np.float64]  # [n], one value a move

FAR_AHEAD, SURE = 3, 0.75  # pawns of material, and the win rate, of a side that is far ahead
MOST_GIVEN = 1.5  # pawns of material, by a side that is far ahead
MOST_THROWN = 4.5  # pawns of material: a queen for a rook is no throw
# Of a hunt in dark chess: 30,000 boards take about 10 ms, and few hunts take more.
MOST_PLIES, MOST_BOARDS = 39, 30_000
REMARK = "It is far ahead and plays to win."


def hunt_king(search: Search, request: MoveRequest[Any], report: Report) -> Choice | None:
    """Plays on to the mate of a king without pieces; None in all other positions of chess.

    The search's visits weigh the moves. Another engine in the place of the search mates by itself.
    """
    if search.aids.has_engine or not is_won(request, report.root.win_rate):
        return None
    from engine.games import chess_conversion  # noqa: PLC0415 (an optional module)

    if not chess_conversion.is_hunt(request.position):
        return None
    visits = {stats.move: stats.visits for stats in report.moves}
    moves = np.array([move for move in request.position.legal_moves() if request.allows(move)])
    shares = np.array([visits.get(move, 0) for move in moves.tolist()]) / report.root.visits
    probabilities, remark = converted(search, request, moves, shares)
    return Choice(int(moves[np.argmax(probabilities)]), remark, report)


def is_won(request: MoveRequest[Any], win_rate: float) -> bool:
    """Tests whether the mover of a game of chess or dark chess is far ahead.

    win_rate: by a search, for chess. Against a king alone it does not count: near a mate a short
    search sees stalemates.
    """
    if isinstance(request.position, DarkChessPosition):
        return hunt_dark_chess(request.position, 1, 0).is_won
    if request.game != "chess":
        return False
    from engine.games import chess_conversion  # noqa: PLC0415 (an optional module)

    position = request.position
    if win_rate < SURE and not chess_conversion.is_bare_king(position):
        return False
    least = 1 if chess_conversion.is_hunt(position) else FAR_AHEAD
    return chess_conversion.material_lead(position) >= least


def converted(
    search: Search, request: MoveRequest[Any], moves: NDArray[np.intp], probabilities: Numbers
) -> tuple[Numbers, str]:
    """Returns [n] the probabilities in a won game, and a sentence.

    moves: [n]. probabilities: [n] of these moves by a level.
    """
    if isinstance(request.position, DarkChessPosition):
        return hunted(request.position, moves, probabilities)
    from engine.games import chess_conversion  # noqa: PLC0415 (an optional module)

    position, all_moves = request.position, moves.tolist()
    mates = chess_conversion.mating_moves(position)
    quickest = min((mates[move] for move in all_moves if move in mates), default=0)
    if quickest:
        mating = np.array([mates.get(move) == quickest for move in all_moves])
        return only(mating, probabilities), REMARK
    by_tables = won_by_tables(known_moves(search, request), moves, probabilities)
    if by_tables is not None:
        return by_tables, REMARK
    drawn = np.array([chess_conversion.gives_draw(position, move) for move in all_moves])
    leads = np.array([chess_conversion.safe_lead(position, move) for move in all_moves])
    if drawn.all():
        return probabilities, ""
    wanted = chess_conversion.least_kept(position, leads[~drawn].max(), MOST_GIVEN)
    if chess_conversion.is_hunt(position):
        nats = np.array([chess_conversion.progress(position, move) for move in all_moves])
        nats += np.log(np.maximum(probabilities, LEAST_SHARE))
        probabilities = np.exp(nats - nats[~drawn & (leads >= wanted)].max())
    return only(~drawn & (leads >= wanted), probabilities), REMARK


def without_throws(
    request: MoveRequest[Any], moves: NDArray[np.intp], probabilities: Numbers
) -> Numbers:
    """Returns [n] the probabilities of moves of chess without throws of a queen or a rook.

    moves: [n]. probabilities: [n] of these moves by a level. A throw loses more than MOST_THROWN by
    captures alone, while another move does not.
    """
    from engine.games import chess_conversion  # noqa: PLC0415 (an optional module)

    position = request.position
    leads = np.array([chess_conversion.safe_lead(position, move) for move in moves.tolist()])
    wanted = chess_conversion.least_kept(position, leads.max(), MOST_THROWN)
    # A mate is allowed by people of any level, and seen by few.
    kept = (leads >= wanted) | (leads == -chess_conversion.MATED)
    return only(kept, probabilities) if probabilities[kept].any() else probabilities


def hunted(
    position: DarkChessPosition, moves: NDArray[np.intp], probabilities: Numbers
) -> tuple[Numbers, str]:
    """Returns [n] `converted` for dark chess: the moves that capture by force, else new positions.

    moves: [n]. probabilities: [n] of these moves by a level.
    """
    hunt = hunt_of(position)
    playable = np.isin(moves, hunt.moves)
    if not playable.any():
        playable = ~np.isin(moves, hunt.repeating)
    return (only(playable, probabilities), REMARK) if playable.any() else (probabilities, "")


def hunt_of(position: DarkChessPosition) -> DarkChessHunt:
    """Returns the captures that the mover can force in a likely won ending."""
    return hunt_dark_chess(position, MOST_PLIES, MOST_BOARDS)


def play_hunt(_search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays a forced capture of a likely won ending, that with the most visits; None without one.

    request: of a game of dark chess.
    """
    if not request.solve or not isinstance(request.position, DarkChessPosition):
        return None
    hunt = hunt_of(request.position)
    allowed = [move for move in hunt.moves if request.allows(move)]
    if not allowed:
        return None
    searched = [stats.move for stats in report.moves if stats.move in allowed]
    move = searched[0] if searched else allowed[0]
    return Choice(move, f"It captures by force within {hunt.plies} moves of both sides.", report)


def only(playable: NDArray[np.bool_], probabilities: Numbers) -> Numbers:
    """Returns [n] the probabilities of the playable moves, sum 1; equal ones if all are 0.

    playable: [n] of the moves.
    """
    left = np.where(playable, probabilities, 0.0)
    left = left if left.any() else playable.astype(np.float64)
    return left / float(left.sum())
