"""The chance of a game: fair draws, hidden arrangements, and games whose record has outcomes."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.chance import Draw, fair_draw, is_complete, outcomes
from engine.games.dark_chess import (
    DARK_CHESS,
    PIECES,
    new_position,
    read_action,
    set_up,
)


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
