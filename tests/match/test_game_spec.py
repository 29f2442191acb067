from __future__ import annotations

import pytest

from engine.match.game_spec import GameSpec, board_of, handicap_moves


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("go9", ("go", 9, 9)),
        ("go9x13", ("go", 9, 13)),
        ("go19", ("go", 19, 19)),
        ("othello", ("othello", 8, 8)),
        ("othello8", ("othello", 8, 8)),
        ("othello10", ("othello", 10, 10)),
        ("othello4", ("othello", 4, 4)),
        ("connect4", ("connect4", 7, 6)),
        ("connect4-8x7", ("connect4", 8, 7)),
        ("chess", ("chess", 8, 8)),
        ("darkchess", ("darkchess", 4, 8)),
        ("darkchess2x4", ("darkchess", 2, 4)),
        ("einstein", ("einstein", 5, 5)),
    ],
)
def test_names_of_games(name: str, board: tuple[str, int, int]) -> None:
    assert board_of(name) == board
    assert board_of(GameSpec(*board).name) == board


BAD_NAMES = """
go6 go20 go go9x go0 chess9 othello7 othello12 othello6x8 connect4-8 connect4-8x8 connect4-3x6
connect47x6 Go9 othello8x einstein6x6 einstein5
""".split()


@pytest.mark.parametrize("name", ["", *BAD_NAMES])
def test_games_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match=f"no (game|board) {name!r}"):
        board_of(name)


def test_a_start_knows_its_moves() -> None:
    start = GameSpec("othello", 8, 8, opening=(37, 43))
    assert [start.write(move) for move in start.opening] == ["f5", "d6"]
    assert list(start.opening_moves()) == [(0, 37), (1, 43)]
    assert start.position().move_number == 2
    assert start.read("F5") == 37


def test_white_begins_after_a_handicap() -> None:
    start = GameSpec("go", 9, 9, handicap=handicap_moves("go", 9, 9, 2), opening=(40,))
    assert start.empty().to_move == 1
    assert list(start.opening_moves()) == [(1, 40)]
    with pytest.raises(ValueError, match="Othello has no handicap"):
        handicap_moves("othello", 8, 8, 2)
