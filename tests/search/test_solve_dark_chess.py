"""The solved boards of dark chess, against published numbers and a brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from engine._core import DarkChessPosition, SolvedDarkChess
from engine.games.chance import drawn
from engine.games.dark_chess import PIECES, new_position, picture, set_up, write_action
from tests.support.dark_chess_brute_force import BruteForce, Key, key_of
from tests.support.dark_chess_referee import DarkGame, color_of, new_dark_game


@cache
def solved(material: str, width: int = 2, height: int = 4) -> SolvedDarkChess:
    return SolvedDarkChess(new_position(width, height, material))


def game_of(position: DarkChessPosition) -> DarkGame:
    """The same board in the referee."""
    *rows, last = picture(position).split("\n")
    color, _, pool = last.partition(" ")
    game = new_dark_game(position.width, position.height, "K")
    return replace(game, cells=tuple("".join(rows)), pool=tuple(sorted(pool)), color=color)


def spelled(solution: SolvedDarkChess, position: DarkChessPosition) -> dict[str, Fraction]:
    return {
        write_action(move, position.width, position.height): Fraction(value, solution.whole)
        for move, value in solution.action_values(position)
    }


def test_the_eight_pawns_are_solved_as_published() -> None:
    """Hsueh 2019: 194,933 positions, and about .2286 on a scale of 0 to 1, for every first flip."""
    solution, start = solved("PPPP"), new_position(2, 4, "PPPP")
    value = Fraction(solution.value(start), solution.whole)
    assert value == Fraction(-19, 35)
    assert abs((1 + value) / 2 - Fraction("0.2286")) < Fraction("0.00005")
    assert set(spelled(solution, start).values()) == {value}
    assert sum(positions for _, positions in solution.distribution()) == 194_933


def test_the_published_example_of_a_flip() -> None:
    """Hsueh 2019, figure 15: b1(?) = 1/6 * 2/4 + 1/3 * 1/4 - 2/3 * 1/4 = 0, as good as a2-a1."""
    solution, position = solved("KGGP"), new_position(2, 4, "KGGP")
    set_up(position, "-g\nXX\nKX\n-X\nred GGkp")
    actions = spelled(solution, position)
    assert {text for text, value in actions.items() if value == 0} == {"b1(?)", "a2-a1"}
    assert max(actions.values()) == 0
    worth = {}
    for played, weight in position.outcomes(position.legal_moves()[-2]):
        after = position.copy()
        after.play(played)
        piece = PIECES[position.outcome_of(played)]
        worth[piece] = (weight, Fraction(-solution.value(after), solution.whole))
    assert worth == {"G": (2, Fraction(1, 6)), "k": (1, Fraction(1, 3)), "p": (1, Fraction(-2, 3))}


# Value of the start for the first player and positions that play reaches.
STARTS = {
    "GGMM": (Fraction(-43, 315), 3_565_877),
    "CCPP": (Fraction(-2, 45), 3_541_549),
    "KPPP": (Fraction(-9, 40), 1_934_253),
    "GPPP": (Fraction(-99, 560), 1_761_925),
    "CPPP": (Fraction(-17, 560), 1_750_373),
}


@pytest.mark.parametrize("material", STARTS)
def test_starts_of_other_materials(material: str) -> None:
    """Our own numbers: none but those of the eight pawns are published."""
    solution = solved(material)
    value = Fraction(solution.value(new_position(2, 4, material)), solution.whole)
    positions = sum(count for _, count in solution.distribution())
    assert (value, positions) == STARTS[material]


SMALL = [(2, 2, "KP"), (2, 2, "CP"), (2, 2, "GG"), (2, 2, "CC"), (2, 2, "GM"), (2, 3, "PPP")]


@pytest.mark.parametrize(("width", "height", "material"), SMALL)
def test_whole_games_agree_with_the_brute_force(width: int, height: int, material: str) -> None:
    """Every position of smaller boards, and the numbers of positions."""
    solution = solved(material, width, height)
    brute = BruteForce(new_dark_game(width, height, material))
    position = new_position(width, height, material)
    for cells, pool, color in brute.actions:
        rows = ["".join(cells[i : i + width]) for i in range(0, len(cells), width)]
        set_up(position, "\n".join([*rows, f"{color} {''.join(pool)}".strip()]))
        value = Fraction(solution.value(position), solution.whole)
        assert value == brute.values[cells, pool, color]
    # A blocked side has lost, but its position counts: pieces of both colors are left.
    both = [key for key in brute.values if {"red", "black"} <= colors_of(key)]
    assert sum(count for _, count in solution.distribution()) == len(both)


def colors_of(key: Key) -> set[str]:
    cells, pool, _ = key
    return {color_of(piece) for piece in (*cells, *pool) if piece not in "-X"}


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("material", ["PPPP", "GGMM", "CCPP", "CPPP", "KPPP"])
def test_late_positions_agree_with_the_brute_force(material: str, count: int) -> None:
    """Values and actions of positions with few pieces, in random games.

    The brute force takes seconds for each.
    """
    solution, rng, compared = solved(material), random.Random(material), 0
    while compared < count:
        position = new_position(2, 4, material)
        while not position.is_over:
            pieces = (position.pieces >= 0).sum()
            if sum(position.pool) <= 2 and pieces <= 4 and sum(position.pool) + pieces > 3:
                brute = BruteForce(game_of(position))
                key = key_of(game_of(position))
                assert spelled(solution, position) == {
                    text: brute.action_value(key, text) for text in brute.actions[key]
                }
                compared += 1
                break
            move = rng.choice(position.legal_moves())
            position.play(drawn(position, move, rng.randrange))


def test_ends_of_games_have_values() -> None:
    position = new_position(2, 4, "PPPP")
    for board, value in (("P-\n--\n--\n--\nblack", -1), ("P-\n--\n--\n--\nred", 1)):
        set_up(position, board)
        assert solved("PPPP").value(position) == value * SolvedDarkChess.whole
        assert solved("PPPP").action_values(position) == []


def test_other_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="another board or material"):
        solved("PPPP").value(new_position(2, 4, "KPPP"))
    with pytest.raises(ValueError, match="32 cells and 7 kinds of pieces is too large"):
        SolvedDarkChess(new_position(4, 8))
