"""A position of chess by python-chess, behind the interface of every game's positions.

Color 0 is White. A cell is counted from a8, the top left. The game ends by mate, by stalemate and
by a dead position; and in a draw at once at the third occurrence of a position and after fifty
moves each without a capture or a pawn move, as the referees of engines have it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from hashlib import blake2b
from itertools import chain
from typing import Self

import chess
import numpy as np
from numpy.typing import NDArray

from engine.games.chess_game import MOVE_NUMBERS, MOVES
from engine.games.chess_inputs import (
    BOARDS,
    ChessState,
    PastBoard,
    before_double_step,
    planes_of,
)
from engine.games.chess_policy import POLICY_INDEX, PROMOTIONS, SIDE, SQUARES, PolicyMove

WHITE = 0
FIFTY_MOVES = 100  # half-moves
PIECE_VALUES = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}
ALL_MATERIAL = 78  # of both sides at the start
LONG_GAME = 160  # half-moves
OCCURRENCES = 3  # of one position that make a draw
HASH_BYTES = 8
# Codes of a setup beyond the pieces, each with its value in the place of a cell.
PIECES = 2 * len(chess.PIECE_TYPES)
CASTLING_ROOK, EN_PASSANT, CLOCK, FULL_MOVE, CHESS960 = range(PIECES, PIECES + 5)

_Key = tuple[int, ...]

PROMOTION_BITS = 12  # above the bits of the two squares


def _packed(move: chess.Move) -> int:
    """Returns a move as one number, without its text."""
    squares: int = move.from_square | move.to_square << PROMOTION_BITS // 2
    return squares | (move.promotion or 0) << PROMOTION_BITS


def _policy_index(move: chess.Move, to_move: int) -> int:
    """Returns the index of a move in lc0's policy; -1 for a promotion of the other side."""
    start, end = move.from_square, move.to_square
    if to_move != WHITE:
        start, end = chess.square_mirror(start), chess.square_mirror(end)
    promotion = chess.piece_symbol(move.promotion) if move.promotion else ""
    wanted = PolicyMove(start, end, promotion if promotion in PROMOTIONS else "")
    return POLICY_INDEX.get(wanted, -1)


_ALL_MOVES = [chess.Move.from_uci(text) for text in MOVES]
_NUMBERS = {_packed(move): number for number, move in enumerate(_ALL_MOVES)}
# [2, 1968] by the color to move; castling is here the king's plain move.
_POLICY_INDICES = np.array(
    [[_policy_index(move, color) for move in _ALL_MOVES] for color in (WHITE, 1 - WHITE)], np.intp
)


class ChessPosition:
    """A position with its history: the boards for a network, and the repetitions."""

    width = height = SIDE
    move_count = len(MOVES)
    pass_move = -1
    symmetry_count = 1

    def __init__(self, fen: str = chess.STARTING_FEN, *, chess960: bool = False) -> None:
        """Raises ValueError on a FEN that is none, or whose position cannot occur."""
        self._begin(chess.Board(fen, chess960=chess960))

    def _begin(self, board: chess.Board) -> None:
        """Begins from a board. Raises ValueError, with nothing changed, on an impossible one."""
        if not board.is_valid():
            raise ValueError(f"not a possible position of chess: {board.fen()!r}")
        self._board = board.copy(stack=False)
        self._legal: dict[int, chess.Move] | None = None
        self.move_number = 0
        self._keys: tuple[_Key, ...] = (self._key(),)  # since the last capture or pawn move
        self._past: tuple[PastBoard, ...] = (self._snapshot(),)  # the present one first
        self._is_from_start = board.fen() == chess.STARTING_FEN
        first = before_double_step(self._past[0], board.ep_square, self.to_move)
        self._before_start = None if self._is_from_start else first

    # ---- The position

    @property
    def board(self) -> chess.Board:
        """A copy of python-chess's board, without its moves."""
        return self._board.copy(stack=False)

    @property
    def fen(self) -> str:
        """The position in Forsyth-Edwards notation; in Chess960 with X-FEN's castling rights."""
        return self._board.fen()

    @property
    def is_chess960(self) -> bool:
        """Whether castling is written and played as in Chess960."""
        return bool(self._board.chess960)

    @property
    def to_move(self) -> int:
        """The color to move: 0 White, 1 Black."""
        return 0 if self._board.turn else 1

    @property
    def is_repeated(self) -> bool:
        """Whether the position has occurred before in the game."""
        return self._keys[-1] in self._keys[:-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self._moves() or self._is_drawn

    @property
    def _is_drawn(self) -> bool:
        """Whether the game is a draw, beside stalemate."""
        return (
            self._board.halfmove_clock >= FIFTY_MOVES
            or self._keys.count(self._keys[-1]) >= OCCURRENCES
            or self._board.is_insufficient_material()
        )

    @property
    def winner(self) -> int:
        """The color that has mated; -1 if drawn or not over."""
        mated = not self._moves() and self._board.is_check()
        return 1 - self.to_move if mated else -1

    @property
    def black_score(self) -> float:
        """The result for White, as color 0: 1, 0 or -1; 0 before the end."""
        return {0: 1.0, 1: -1.0}.get(self.winner, 0.0)

    @property
    def phase(self) -> float:
        """The phase of the game: the share of the material gone, or of a long game's half-moves."""
        board = self._board
        left = sum(
            PIECE_VALUES[kind] * chess.popcount(board.pieces_mask(kind, color))
            for kind in chess.PIECE_TYPES
            for color in chess.COLORS
        )
        return min(1.0, max(1 - left / ALL_MATERIAL, board.ply() / LONG_GAME))

    @property
    def stones(self) -> NDArray[np.uint8]:
        """[8, 8] uint8: 0 empty, 1 White's piece, 2 Black's; row 0 is the eighth rank."""
        cells = np.zeros(SQUARES, np.uint8)
        for square, piece in self._board.piece_map().items():
            cells[_cell(square)] = 1 if piece.color else 2
        return cells.reshape(SIDE, SIDE)

    @property
    def hash(self) -> int:
        """A hash of the pieces on the board."""
        return _hashed(self._past[0].pieces)

    @property
    def graph_hash(self) -> int:
        """A hash of the position, its clock and its number of occurrences."""
        occurrences = self._keys.count(self._keys[-1])
        return _hashed((*self._keys[-1], self._board.halfmove_clock, occurrences))

    @property
    def network_hash(self) -> int:
        """A hash of all that a network sees."""
        boards = chain.from_iterable((*board.pieces, board.repeats) for board in self._seen())
        rest = (self._board.halfmove_clock, self.is_chess960)
        return _hashed(chain(boards, self._keys[-1], rest))

    def copy(self) -> Self:
        """Returns an independent copy."""
        copied = self.__class__.__new__(self.__class__)
        copied.__dict__.update(self.__dict__)
        copied._board = self._board.copy(stack=False)
        return copied

    def is_same(self, other: Self, /) -> bool:
        """Whether a search of one may continue as a search of the other."""
        return (self._past, self._keys, self._board.halfmove_clock, self.is_chess960) == (
            other._past,
            other._keys,
            other._board.halfmove_clock,
            other.is_chess960,
        )

    # ---- Moves

    def is_legal(self, move: int, color: int | None = None, *, tolerant: bool = False) -> bool:
        """Whether the color, by default to_move, may play the move; also after a drawn end."""
        del tolerant
        return color in (None, self.to_move) and move in self._moves()

    def play(self, move: int, color: int | None = None, *, tolerant: bool = False) -> None:
        """Plays the move. Raises ValueError quoting an illegal one."""
        if not self.is_legal(move, color, tolerant=tolerant):
            raise ValueError(f"{write_or_number(move)} is not a legal move")
        self._board.push(self._moves()[move])
        self._board.clear_stack()
        self._legal = None
        self.move_number += 1
        earlier = self._keys if self._board.halfmove_clock else ()
        self._keys = (*earlier, self._key())
        self._past = (self._snapshot(), *self._past[: BOARDS - 1])

    def legal_mask(self) -> NDArray[np.uint8]:
        """Returns [1968] uint8, 1 at the legal moves."""
        mask = np.zeros(self.move_count, np.uint8)
        mask[list(self._moves())] = 1
        return mask

    def legal_moves(self) -> list[int]:
        """Returns the legal moves, in rising order; none after the end."""
        return [] if self.is_over else sorted(self._moves())

    def _moves(self) -> dict[int, chess.Move]:
        """Returns the moves of the rules by number, after a drawn end too."""
        if self._legal is None:
            self._legal = {_NUMBERS[_packed(each)]: each for each in self._board.legal_moves}
        return self._legal

    def san(self, move: int) -> str:
        """Returns a legal move in standard algebraic notation. Raises ValueError on another."""
        if move not in self._moves():
            raise ValueError(f"{write_or_number(move)} is not a legal move")
        return str(self._board.san(self._moves()[move]))

    def read_move(self, text: str) -> int:
        """Returns the legal move of a text of UCI or of standard algebraic notation.

        Castling may be the king's move or the king's to its rook. Raises ValueError quoting another
        text.
        """
        for parse in (self._board.parse_uci, self._board.parse_san):
            try:
                return MOVE_NUMBERS[parse(text).uci()]
            except (ValueError, KeyError):
                continue
        raise ValueError(f"{text!r} is not a legal move")

    def after_draw(self) -> Self | None:
        """Returns a drawn position to play on from, without its history; None without a move.

        A GUI or a server may play on until a player claims the draw.
        """
        board = self._board.copy(stack=False)
        board.halfmove_clock = 0
        again = self.__class__(board.fen(), chess960=self.is_chess960)
        return None if again.is_over else again

    # ---- Setting up

    @property
    def placed(self) -> list[tuple[int, int]]:
        """The position as (piece, cell)s for `setup`, with the rights and the clocks."""
        board = self._board
        rest = [(CASTLING_ROOK, _cell(square)) for square in chess.SquareSet(board.castling_rights)]
        if board.ep_square is not None:
            rest.append((EN_PASSANT, _cell(board.ep_square)))
        rest += [(CLOCK, board.halfmove_clock), (FULL_MOVE, board.fullmove_number)]
        if board.chess960:
            rest.append((CHESS960, 1))
        pieces = [
            (piece.piece_type - 1 + (0 if piece.color else PIECES // 2), _cell(square))
            for square, piece in board.piece_map().items()
        ]
        return [*sorted(pieces, key=lambda each: each[1]), *rest]

    def setup(self, stones: list[tuple[int, int]], to_move: int = 0) -> None:
        """Replaces the board by (piece, cell)s, as `placed` has them.

        Raises ValueError, with nothing changed, on an impossible position.
        """
        rest = {code: value for code, value in stones if code >= PIECES and code != CASTLING_ROOK}
        board = chess.Board(None, chess960=bool(rest.get(CHESS960)))
        for code, cell in stones:
            if not 0 <= code <= CHESS960 or (not 0 <= cell < SQUARES and code <= EN_PASSANT):
                raise ValueError(f"({code}, {cell}) is no piece of chess on a cell")
            if code < PIECES:
                if board.piece_at(_square(cell)) is not None:
                    raise ValueError(f"two pieces on {chess.square_name(_square(cell))}")
                kind, color = code % (PIECES // 2) + 1, code < PIECES // 2
                board.set_piece_at(_square(cell), chess.Piece(kind, color))
            elif code == CASTLING_ROOK:
                board.castling_rights |= chess.BB_SQUARES[_square(cell)]
        board.turn = to_move == WHITE
        if EN_PASSANT in rest:
            board.ep_square = _square(rest[EN_PASSANT])
        board.halfmove_clock = rest.get(CLOCK, 0)
        board.fullmove_number = rest.get(FULL_MOVE, 1)
        self._begin(board)

    # ---- The network

    def features(self, symmetry: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Returns lc0's planes [112, 8, 8] uint8, row 0 the mover's first rank, and [1] zeros.

        Raises ValueError on another symmetry than 0.
        """
        if symmetry:
            raise ValueError(f"chess has no symmetry {symmetry}")
        board = self._board
        castling = (
            board.has_queenside_castling_rights(chess.WHITE),
            board.has_kingside_castling_rights(chess.WHITE),
            board.has_queenside_castling_rights(chess.BLACK),
            board.has_kingside_castling_rights(chess.BLACK),
        )
        state = ChessState(self.to_move, castling, board.halfmove_clock)
        return planes_of(self._seen(), state), np.zeros(1, np.float32)

    def _seen(self) -> list[PastBoard]:
        """Returns the boards that a network sees, at most 8, the present one first."""
        boards = list(self._past)
        if self._before_start is not None:
            boards += [self._before_start] * (BOARDS - len(boards))
        return boards

    def policy_indices(self) -> NDArray[np.intp]:
        """Returns [1968] the index of each legal move in lc0's policy; -1 for illegal moves."""
        indices = np.full(self.move_count, -1, np.intp)
        legal = list(self._moves())
        indices[legal] = _POLICY_INDICES[self.to_move, legal]
        if not self.is_chess960 and self._board.castling_rights:
            for move in self._board.generate_castling_moves():
                indices[_NUMBERS[_packed(move)]] = _policy_index(self._to_rook(move), self.to_move)
        return indices

    def _to_rook(self, castling: chess.Move) -> chess.Move:
        """Returns a castling as the king's move to its own rook."""
        start, end = castling.from_square, castling.to_square
        rights = chess.SquareSet(self._board.castling_rights & chess.BB_RANKS[start // SIDE])
        return chess.Move(start, max(rights) if end > start else min(rights))

    def one_ply_values(self) -> NDArray[np.float64]:
        """Returns [1968] what each move takes and promotes to, a queen as 1; -inf if illegal."""
        values = np.full(self.move_count, -np.inf)
        board = self._board
        for number, move in self._moves().items():
            taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
            gain = 0 if taken is None or board.is_castling(move) else PIECE_VALUES[taken]
            if move.promotion is not None:
                gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
            values[number] = gain / PIECE_VALUES[chess.QUEEN]
        return values

    def _snapshot(self) -> PastBoard:
        board, pieces = self._board, []
        for color in chess.COLORS:
            pieces += [board.pieces_mask(kind, color) for kind in chess.PIECE_TYPES]
        return PastBoard(tuple(pieces), self.is_repeated)

    def _key(self) -> _Key:
        board = self._board
        passing = board.ep_square if board.has_legal_en_passant() else None
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        own = board.occupied_co[chess.WHITE]
        return (*kinds, own, int(board.turn), board.clean_castling_rights(), passing or SQUARES)


def _hashed(numbers: Iterable[int]) -> int:
    """Returns a hash of numbers below 2^64.

    That of Python takes numbers modulo 2^61 - 1: a piece on f8 would be one on a1.
    """
    digest = blake2b(array("Q", numbers), digest_size=HASH_BYTES).digest()
    return int.from_bytes(digest, "little")


def write_or_number(move: int) -> str:
    """Returns the text of a move, or the number where there is no such move."""
    return MOVES[move] if 0 <= move < len(MOVES) else str(move)


def _cell(square: int) -> int:
    return int(chess.square_mirror(square))


def _square(cell: int) -> int:
    return int(chess.square_mirror(cell))
