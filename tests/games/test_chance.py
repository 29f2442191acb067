"""The chance of a game: fair draws, hidden arrangements, and games whose record has outcomes."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.errors import IllegalMoveError, SetupError
from engine.games.chance import Draw, fair_draw, is_complete, outcomes, without_outcome
from engine.games.dark_chess import (
    DARK_CHESS,
    PIECES,
    new_position,
    read_action,
    set_up,
    write_action,
)
from engine.games.game import Game
from engine.games.game_settings import PlainSettings

SETTINGS = PlainSettings("darkchess")


def deal(seed: int) -> Draw:
    assert DARK_CHESS.deal is not None
    return DARK_CHESS.deal(seed)


def test_a_fair_draw_has_the_exact_probabilities() -> None:
    position, draw = new_position(2, 4, "KGGM"), fair_draw(1)
    drawn = Counter(draw(position, 0) for _ in range(4000))
    for played, weight in outcomes(position, 0):
        assert drawn[played] / 4000 == pytest.approx(weight / 8, abs=0.03)


def test_an_arrangement_does_not_depend_on_the_order_of_flips() -> None:
    for seed in range(20):
        revealed = []
        for order in (range(32), reversed(range(32))):
            position, draw, pieces = new_position(4, 8), deal(seed), {}
            for cell in order:
                if position.is_legal(cell):
                    played = draw(position, cell)
                    pieces[cell] = position.outcome_of(played)
                    position.play(played)
            revealed.append(pieces)
        assert revealed[0] == revealed[1]
        assert Counter(PIECES[code] for code in revealed[0].values()) == Counter(
            "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"
        )
    assert deal(1)(new_position(4, 8), 5) != deal(2)(new_position(4, 8), 5)


def test_an_arrangement_covers_the_pieces_of_a_board_set_up() -> None:
    position = new_position(2, 4, "PPPP")
    set_up(position, "XP\n--\npX\n--\nred Pp")
    for seed in range(10):
        board, draw = position.copy(), deal(seed)
        for cell in (0, 5):
            move = draw(board, cell)
            assert is_complete(board, move)
            assert draw(board, move) == move
            board.play(move)
        assert sum(board.pool) == 0


def test_the_first_player_may_be_black() -> None:
    position = new_position(2, 4, "PPPP")
    position.play(read_action("a1(p)", 2, 4))
    begun = new_position(2, 4, "PPPP")
    begun.setup(position.placed, position.to_move)
    assert begun.color_of_player(0) == 1
    assert begun.legal_moves() == position.legal_moves()
    assert begun.is_same(position)


def test_a_flip_is_played_with_its_outcome_alone() -> None:
    game = Game.new(SETTINGS)
    flip = read_action("b3(?)", 4, 8)
    with pytest.raises(IllegalMoveError, match="outcome"):
        game.play(0, flip)
    revealed = read_action("b3(n)", 4, 8)
    after = game.play(0, revealed)
    assert without_outcome(game.position, revealed) == flip
    with pytest.raises(IllegalMoveError):
        after.play(1, read_action("b3(n)", 4, 8))
    assert after.undo().record == game.record
    _, error = game.play_all([lambda _: (0, flip)])
    assert isinstance(error, IllegalMoveError)


def test_a_record_has_what_each_flip_revealed() -> None:
    game, draw = Game.new(SETTINGS, (2, 4)), deal(3)
    positions = [game.position]
    while not game.position.is_over:
        move = game.position.legal_moves()[-1]
        game = game.play(game.position.to_move, draw(game.position, move))
        positions.append(game.position)
    assert all(
        is_complete(before, move) for before, (_, move) in zip(positions, game.moves, strict=False)
    )
    written = [write_action(move, 2, 4) for _, move in game.moves]
    assert not any("?" in word for word in written)
    again = Game.new(SETTINGS, (2, 4))
    for color, word in zip((color for color, _ in game.moves), written, strict=True):
        again = again.play(color, DARK_CHESS.read_move(word, 2, 4))
    assert again.position.is_same(game.position)
    for before in reversed(positions[:-1]):
        again = again.undo()
        assert again.position.is_same(before)


@pytest.mark.parametrize(
    "stones",
    [
        [(0, 0), (0, 1)],  # two kings
        [(14, 0)],  # a face-down piece without a piece under it
        [(6, 3), (13, 3)],  # two pieces on a cell
        [(6, 8)],
        [(16, 0)],
    ],
)
def test_impossible_boards_are_refused(stones: list[tuple[int, int]]) -> None:
    with pytest.raises(SetupError):
        Game.new(SETTINGS, (2, 4)).set_up(stones)
