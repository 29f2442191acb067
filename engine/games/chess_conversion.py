"""The conversion of a won position of chess: drawing moves, mates, and the way to a mate.

The functions judge by the rules and the material alone and need no network. A king
without pieces is hunted as in books on endgames: it loses room and is led to the edge, and the
other king comes near.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

from engine.games.chess_game import MOVE_NUMBERS, MOVES
from engine.games.chess_position import PIECE_VALUES, ChessPosition

MOST_TRIED = 20_000  # moves that one search for mates tries
MOST_EXCHANGES = 6  # half-moves of captures
FEW_PAWNS = 2
DRAWN, MATED = -10_000.0, 10_000.0  # the progress of a draw, and of a mate
# Progress, in nats: a pawn of material, a step of a pawn before there is a piece to mate with, a
# square less for the hunted king, a step to it by our king, and a step of it from the centre.
PAWN, STEP, ROOM, NEARNESS, EDGE = 60.0, 6.0, 1.0, 4.0, 4.0
CENTRE = (chess.D4, chess.E4, chess.D5, chess.E5)


def material_lead(position: ChessPosition) -> int:
    """Returns the lead of the side to move in material, in pawns."""
    board = position.board
    return _material(board, board.turn) - _material(board, not board.turn)


def is_hunt(position: ChessPosition) -> bool:
    """Tests whether the side that is not to move has its king and FEW_PAWNS at most."""
    board = position.board
    theirs = board.occupied_co[not board.turn] & ~board.kings
    return not theirs & ~board.pawns and chess.popcount(theirs) <= FEW_PAWNS


def is_bare_king(position: ChessPosition) -> bool:
    """Tests whether the side that is not to move has its king alone."""
    board = position.board
    return chess.popcount(board.occupied_co[not board.turn]) == 1


def gives_draw(position: ChessPosition, move: int) -> bool:
    """Tests whether a legal move draws, repeats a position, or leaves a reply that draws."""
    after = position.copy()
    after.play(move)
    if after.is_over:
        return after.winner < 0
    return after.is_repeated or any(_is_drawn_by(after, reply) for reply in after.legal_moves())


def safe_lead(position: ChessPosition, move: int) -> float:
    """Returns the mover's lead in material after a legal move and the exchanges behind it.

    It is in pawns, and -MATED if the move leaves a mate in one.
    """
    board = position.board
    board.push(chess.Move.from_uci(MOVES[move]))
    if any(_mates(board, reply) for reply in board.legal_moves):
        return -MATED
    return -_exchanged(board, -MATED, MATED, MOST_EXCHANGES)


def least_kept(position: ChessPosition, best: float, most_given: float) -> float:
    """Returns the least safe lead of a move that gives most_given pawns away at most.

    best: the greatest safe lead of a move; what every move gives away does not count.
    """
    return min(material_lead(position), best) - most_given


def mating_moves(position: ChessPosition) -> dict[int, int]:
    """Returns the moves that mate by force, each with the number of own moves: 1, else 2.

    A search of more than MOST_TRIED moves ends, and finds those up to there.
    """
    board, tries = position.board, iter(range(MOST_TRIED))
    at_once = [move for move in board.legal_moves if _mates(board, move)]
    if at_once:
        return {MOVE_NUMBERS[move.uci()]: 1 for move in at_once}
    # Checks and quiet moves that leave few replies come first.
    ordered = sorted(board.legal_moves, key=lambda move: _replies(board, move))
    return {MOVE_NUMBERS[move.uci()]: 2 for move in ordered if _mates_next(board, move, tries)}


def progress(position: ChessPosition, move: int) -> float:
    """Returns the progress of a legal move in the hunt of a king, after the best reply.

    It is in nats, and tells moves of one position apart.
    """
    board = position.board
    side = board.turn
    board.push(chess.Move.from_uci(MOVES[move]))
    replies = list(board.legal_moves)
    if not replies:
        return MATED if board.is_check() else DRAWN
    worst = MATED
    for reply in replies:
        board.push(reply)
        worst = min(worst, DRAWN if board.is_insufficient_material() else _worth(board, side))
        board.pop()
    return worst


def _worth(board: chess.Board, side: chess.Color) -> float:
    """Returns the worth for a side of a position with a hunted king, in nats."""
    worth = PAWN * (_material(board, side) - _material(board, not side))
    if not board.pieces(chess.QUEEN, side) and not board.pieces(chess.ROOK, side):
        steps = [_steps(pawn, side) for pawn in board.pieces(chess.PAWN, side)]
        worth -= STEP * min(steps, default=0)
    own, other = (board.pieces(chess.KING, color).pop() for color in (side, not side))
    apart = chess.square_distance(own, other) + _walk(own, other) / 4
    from_centre = min(_walk(other, square) for square in CENTRE)
    return worth - NEARNESS * apart + EDGE * from_centre - ROOM * _room(board, other)


def _room(board: chess.Board, king: chess.Square) -> int:
    """Returns the number of squares that a king can come to while the other side stands still."""
    side = not board.color_at(king)
    own = board.occupied_co[side]
    board = board.copy(stack=False)
    board.remove_piece_at(king)  # it does not shield the squares behind it
    closed = board.occupied_co[not side]
    for square in chess.scan_forward(own):
        closed |= board.attacks_mask(square)
    reached, edge = chess.BB_SQUARES[king], [king]
    while edge:
        new = chess.BB_KING_ATTACKS[edge.pop()] & ~closed & ~reached
        reached |= new
        edge.extend(chess.scan_forward(new))
    return chess.popcount(reached)


def _exchanged(board: chess.Board, least: float, most: float, depth: int) -> float:
    """Returns the mover's lead after the best captures, within least..most.

    Each side may stop capturing.
    """
    lead = float(_material(board, board.turn) - _material(board, not board.turn))
    if depth == 0:
        return lead
    least = max(least, lead)
    for move in sorted(board.generate_legal_captures(), key=lambda each: -_taken(board, each)):
        if least >= most:
            break
        board.push(move)
        least = max(least, -_exchanged(board, -most, -least, depth - 1))
        board.pop()
    return least


def _taken(board: chess.Board, capture: chess.Move) -> float:
    """Returns the worth of the captured piece, and less than a pawn for a cheap capturer."""
    taken = board.piece_type_at(capture.to_square) or chess.PAWN
    by = board.piece_type_at(capture.from_square) or chess.PAWN
    return PIECE_VALUES[taken] - PIECE_VALUES[by] / 10


def _is_drawn_by(position: ChessPosition, move: int) -> bool:
    then = position.copy()
    then.play(move)
    return then.is_over and then.winner < 0


def _mates(board: chess.Board, move: chess.Move) -> bool:
    if not board.gives_check(move):
        return False
    board.push(move)
    mates = board.is_checkmate()
    board.pop()
    return mates


def _replies(board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    replies = board.legal_moves.count()
    board.pop()
    return replies


def _mates_next(board: chess.Board, move: chess.Move, tries: Iterator[int]) -> bool:
    """Tests whether a move leaves replies, and a mate after each of them."""
    board.push(move)
    replies = list(board.legal_moves)
    mates = bool(replies) and all(_has_mate(board, reply, tries) for reply in replies)
    board.pop()
    return mates


def _has_mate(board: chess.Board, reply: chess.Move, tries: Iterator[int]) -> bool:
    board.push(reply)
    mates = any(next(tries, None) is not None and _mates(board, move) for move in board.legal_moves)
    board.pop()
    return mates


def _material(board: chess.Board, color: chess.Color) -> int:
    return sum(PIECE_VALUES[kind] * len(board.pieces(kind, color)) for kind in chess.PIECE_TYPES)


def _steps(pawn: chess.Square, side: chess.Color) -> int:
    """Returns the number of steps to the last rank."""
    rank = chess.square_rank(pawn)
    return 7 - rank if side == chess.WHITE else rank


def _walk(one: chess.Square, other: chess.Square) -> int:
    """Returns the number of steps along ranks and files."""
    return int(chess.square_manhattan_distance(one, other))
