"""The contract of engine/games/position.py, in every game of GAMES."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.games.chance import drawn, outcomes, without_outcome
from engine.games.position import Position, phase_of, placed_stones
from engine.games.table import GAMES

# Boards small enough for games to end, and the usual ones.
BOARDS = [
    *(("go", *size) for size in [(3, 2), (5, 5), (9, 9)]),
    *(("othello", size, size) for size in (4, 6, 8, 10)),
    *(("connect4", *size) for size in [(7, 6), (4, 4), (5, 8)]),
    *(("darkchess", *size) for size in [(2, 4), (4, 8)]),
    ("einstein", 5, 5),
]
EVERY_BOARD = pytest.mark.parametrize(("game", "width", "height"), BOARDS)
MOST_MOVES = {"go": 150, "darkchess": 1000}  # of a random game; the others end
WITH_HISTORY = ("go", "darkchess")  # equal boards may be different nodes of a search


def random_game(game: str, width: int, height: int, seed: int) -> Iterator[Position]:
    """Yields independent copies of all positions of a random game, the start first."""
    rng = np.random.default_rng(seed)
    position = GAMES[game].new_position(width, height)
    for _ in range(MOST_MOVES.get(game, 150)):
        yield position.copy()
        if position.is_over:
            return
        move = int(rng.choice(position.legal_moves()))
        position.play(drawn(position, move, lambda number: int(rng.integers(number))))


def with_outcome(position: Position, move: int) -> int:
    """Returns the played move with the first outcome of a legal move."""
    return outcomes(position, move)[0][0]


def facts(position: Position) -> tuple[object, ...]:
    """Returns all properties of a position, for comparison."""
    planes, globals_ = position.features()
    return (
        position.to_move,
        position.move_number,
        position.is_over,
        position.winner,
        position.black_score,
        position.hash,
        position.graph_hash,
        position.network_hash,
        position.stones.tobytes(),
        position.legal_mask().tobytes(),
        planes.tobytes(),
        globals_.tobytes(),
    )


@EVERY_BOARD
def test_every_size_that_fits_can_be_made_and_no_other(game: str, width: int, height: int) -> None:
    kind = GAMES[game]
    assert kind.fits(width, height)
    for wide in range(21):
        for high in range(21):
            if kind.fits(wide, high):
                position = kind.new_position(wide, high)
                assert (position.width, position.height) == (wide, high)
            elif game != "othello" or wide == high:
                with pytest.raises(ValueError, match=f"{wide}"):
                    kind.new_position(wide, high)
    assert all(kind.fits(*size) for size in kind.usual_sizes)


@EVERY_BOARD
def test_a_game_begins_with_color_0_at_move_0(game: str, width: int, height: int) -> None:
    position = GAMES[game].new_position(width, height)
    assert (position.to_move, position.move_number) == (0, 0)
    assert (position.is_over, position.winner) == (False, -1)
    assert position.stones.shape == (height, width)
    assert position.pass_move in (-1, position.move_count - 1)


@EVERY_BOARD
def test_copies_go_their_own_ways(game: str, width: int, height: int) -> None:
    for position in random_game(game, width, height, 1):
        if position.is_over:
            break
        before = facts(position)
        copy = position.copy()
        assert facts(copy) == before
        copy.play(with_outcome(copy, copy.legal_moves()[0]))
        assert facts(position) == before
        assert copy.move_number == position.move_number + 1
        assert not copy.is_same(position)


@EVERY_BOARD
def test_the_ways_to_ask_for_legal_moves_agree(game: str, width: int, height: int) -> None:
    for position in random_game(game, width, height, 2):
        mask = position.legal_mask()
        assert mask.shape == (position.move_count,)
        assert position.legal_moves() == np.flatnonzero(mask).tolist()
        assert [position.is_legal(move) for move in range(position.move_count)] == mask.tolist()
        color = position.to_move
        assert all(position.is_legal(m, color) == mask[m] for m in range(position.move_count))


def played_move_count(position: Position) -> int:
    """Returns the number of played moves: of all moves, in a game without chance."""
    return int(getattr(position, "played_move_count", position.move_count))


@EVERY_BOARD
def test_illegal_moves_are_refused_by_number_and_change_nothing(
    game: str, width: int, height: int
) -> None:
    for position in random_game(game, width, height, 3):
        before = facts(position)
        for move in np.flatnonzero(position.legal_mask() == 0):
            with pytest.raises(ValueError, match=f"illegal move {move} "):
                position.play(int(move))
        for wrong in (-1, played_move_count(position), 10**6):
            with pytest.raises(ValueError, match=f"move {wrong} is not one of"):
                position.play(wrong)
            with pytest.raises(ValueError, match=f"move {wrong} is not one of"):
                position.is_legal(wrong)
        with pytest.raises(ValueError, match="color 2"):
            position.play(0, 2)
        assert facts(position) == before


@EVERY_BOARD
def test_a_move_out_of_turn_is_the_other_colors(game: str, width: int, height: int) -> None:
    for position in random_game(game, width, height, 4):
        other = 1 - position.to_move
        moves = [move for move in range(position.move_count) if position.is_legal(move, other)]
        for move in moves[:3]:
            after = position.copy()
            played = with_outcome(position, move)
            after.play(played, other)
            assert after.to_move == position.to_move
            assert without_outcome(position, played) == move
            if move != position.pass_move:
                assert (after.stones != position.stones).any()
            mine = position.to_move + 1
            if played != move:
                continue  # a flip may reveal any player's piece
            assert (after.stones == mine).sum() <= (position.stones == mine).sum()


@EVERY_BOARD
def test_a_board_set_up_is_the_board(game: str, width: int, height: int) -> None:
    *_, last = random_game(game, width, height, 5)
    for played in [*[*random_game(game, width, height, 6)][:20], last]:
        position = GAMES[game].new_position(width, height)
        position.setup(placed_stones(played), played.to_move)
        assert (position.stones == played.stones).all()
        assert (position.to_move, position.move_number) == (played.to_move, 0)
        assert position.hash == played.hash
        if game not in WITH_HISTORY:
            assert position.is_same(played)
            assert facts(position)[2:] == facts(played)[2:]


@EVERY_BOARD
def test_hashes_are_the_positions(game: str, width: int, height: int) -> None:
    """Each hash stands for one position in some hundred random games."""
    known: dict[int, tuple[tuple[object, ...], int]] = {}
    hashes: dict[tuple[tuple[object, ...], int], int] = {}
    boards: dict[int, tuple[object, ...]] = {}
    board_hashes: dict[tuple[object, ...], int] = {}
    for seed in range(30):
        for position in random_game(game, width, height, 100 + seed):
            board = (tuple(placed_stones(position)), position.to_move)
            assert known.setdefault(position.graph_hash, board) == board
            assert boards.setdefault(position.hash, board[0]) == board[0]
            assert board_hashes.setdefault(board[0], position.hash) == position.hash
            if game not in WITH_HISTORY:
                assert hashes.setdefault(board, position.graph_hash) == position.graph_hash
    assert len(known) > 30


# Two orders of moves to one position.
TRANSPOSITIONS = {
    ("go", 9, 9): ("C3 G7 G3 C7", "G3 C7 C3 G7"),
    ("othello", 8, 8): ("d3 c3 b3 d6 e6", "d3 c3 e6 d6 b3"),
    ("connect4", 7, 6): ("1 2 3 4", "3 4 1 2"),
}


@pytest.mark.parametrize(("game", "width", "height"), TRANSPOSITIONS)
def test_two_ways_to_one_position_meet(game: str, width: int, height: int) -> None:
    kind = GAMES[game]
    reached = []
    for way in TRANSPOSITIONS[game, width, height]:
        position = kind.new_position(width, height)
        for word in way.split():
            position.play(kind.read_move(word, width, height))
        reached.append(position)
    one, two = reached
    assert (one.stones == two.stones).all()
    assert one.graph_hash == two.graph_hash
    assert one.is_same(two)


def turned(planes: NDArray[np.uint8], game: str, symmetry: int) -> NDArray[np.uint8]:
    """Returns the planes turned by the symmetry; Connect4 has only left and right."""
    if game == "connect4":
        return planes[:, :, ::-1] if symmetry else planes
    flipped = planes[:, :: -1 if symmetry & 1 else 1, :: -1 if symmetry & 2 else 1]
    return flipped.transpose(0, 2, 1) if symmetry & 4 else flipped


@EVERY_BOARD
def test_features_turn_with_the_symmetry(game: str, width: int, height: int) -> None:
    for position in random_game(game, width, height, 7):
        planes, globals_ = position.features()
        assert planes.dtype == np.uint8
        assert planes.max() <= 1
        for symmetry in range(position.symmetry_count):
            spatial, same = position.features(symmetry)
            assert (spatial == turned(planes, game, symmetry)).all()
            assert (same == globals_).all()
        with pytest.raises(ValueError, match=f"symmetry {position.symmetry_count} "):
            position.features(position.symmetry_count)


@EVERY_BOARD
def test_the_first_planes_are_the_movers_view(game: str, width: int, height: int) -> None:
    for position in random_game(game, width, height, 8):
        planes, _ = position.features()
        assert (planes[0] == 1).all()
        assert (planes[1] == (position.stones == position.to_move + 1)).all()
        assert (planes[2] == (position.stones == 2 - position.to_move)).all()


@EVERY_BOARD
def test_the_winner_has_the_score(game: str, width: int, height: int) -> None:
    for seed in range(10):
        *_, last = random_game(game, width, height, 200 + seed)
        if last.is_over:
            expected = {0: 1, 1: -1, -1: 0}[last.winner]
            assert np.sign(last.black_score) == expected
        elif game != "go":
            pytest.fail("the game goes on and on")


@EVERY_BOARD
def test_moves_are_written_and_read_back(game: str, width: int, height: int) -> None:
    kind = GAMES[game]
    count = kind.new_position(width, height).move_count
    texts = [kind.write_move(move, width, height) for move in range(count)]
    assert len(set(texts)) == count
    for change in (str, str.upper, str.lower, "  {} ".format):
        assert [kind.read_move(change(text), width, height) for text in texts] == list(range(count))
    for move in (-1, played_move_count(kind.new_position(width, height))):
        with pytest.raises(ValueError, match=str(move)):
            kind.write_move(move, width, height)


# Texts and their moves; None: not a move.
TEXTS = [
    ("othello", (8, 8), "a1", 0),
    ("othello", (8, 8), "h8", 63),
    ("othello", (8, 8), "F5", 37),
    *(("othello", (8, 8), text, 64) for text in ("pass", "PA", "ps", "--", " Pass ")),
    *(("othello", (8, 8), text, None) for text in ("", "i1", "a9", "a0", "5f", "a10", "f", "-")),
    ("othello", (10, 10), "j10", 99),
    ("othello", (10, 10), "i1", 8),  # no letter is left out
    ("othello", (6, 6), "g1", None),
    ("connect4", (7, 6), "1", 0),
    ("connect4", (7, 6), "7", 6),
    ("connect4", (7, 6), "A", 0),
    ("connect4", (7, 6), "g", 6),
    ("connect4", (12, 4), "12", 11),
    *(("connect4", (7, 6), text, None) for text in ("0", "8", "h", "", "-1", "1.0", "pass", "ab")),
    *(("connect4", (7, 6), text, None) for text in ("٣", "²", "9" * 30)),
]


@pytest.mark.parametrize(("game", "size", "text", "move"), TEXTS)
def test_texts_of_moves(game: str, size: tuple[int, int], text: str, move: int | None) -> None:
    if move is not None:
        assert GAMES[game].read_move(text, *size) == move
        return
    with pytest.raises(ValueError, match="is not") as caught:
        GAMES[game].read_move(text, *size)
    assert repr(text) in str(caught.value)


@EVERY_BOARD
def test_the_phase_goes_from_the_start_towards_the_end(game: str, width: int, height: int) -> None:
    phases = [phase_of(position) for position in random_game(game, width, height, 3)]
    assert phases[0] <= 0.25
    assert all(0 <= phase <= 1 for phase in phases)
    assert game == "go" or phases[-1] > phases[0] + 0.2  # a random game of Go may end at once


def test_the_phase_of_dark_chess_rises_by_flips_and_captures_alone() -> None:
    before = 0.0
    for position in random_game("darkchess", 4, 8, 5):
        assert phase_of(position) >= before
        before = phase_of(position)
    first = GAMES["darkchess"].new_position(4, 8)
    first.play(outcomes(first, 0)[0][0])
    assert phase_of(first) == 1 / 64


PHASES = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.0),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4", 6 / 160),
    ("r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R4RK1 b - - 0 20", 1 - 38 / 78),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1 - 1 / 78),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99", 1.0),  # shuffled all the time
]


@pytest.mark.parametrize(("fen", "phase"), PHASES)
def test_the_phase_of_chess_is_the_material_gone_or_the_length_of_the_game(
    fen: str, phase: float
) -> None:
    module = pytest.importorskip("engine.games.chess_position")
    assert phase_of(module.ChessPosition(fen)) == pytest.approx(phase)
