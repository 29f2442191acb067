"""Records of games: positions by their moves, and undo with implied passes."""

from __future__ import annotations

import pytest

from engine._core import OthelloPosition
from engine.errors import CannotUndoError, SetupError
from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings, PlainSettings, usual_settings
from engine.games.table import GAMES
from tests.support.games import PLAYABLE

OTHELLO = PlainSettings("othello")
# Black must pass after these on 4x4.
BEFORE_THE_PASS = [(index % 2, square) for index, square in enumerate([14, 13, 4, 15])]
PASS = 16


def record_before_the_pass() -> GameRecord:
    game_record = GameRecord(OTHELLO, 4, 4)
    for color, move in BEFORE_THE_PASS:
        game_record = game_record.with_move(color, move)
    return game_record


def test_an_implied_pass_comes_and_goes_with_its_move() -> None:
    before = record_before_the_pass()
    assert before.position().legal_moves() == [PASS]
    game_record = before.with_move(1, 1, implied=PASS)
    assert game_record.moves[-2:] == ((0, PASS), (1, 1))
    assert game_record.position().to_move == 0
    assert game_record.without_last(1) == before
    assert game_record.with_move(0, 8).without_last(1) == game_record
    assert game_record.without_last(5) == GameRecord(OTHELLO, 4, 4)
    with pytest.raises(CannotUndoError):
        game_record.without_last(6)


def test_a_named_pass_is_a_move_of_its_own() -> None:
    before = record_before_the_pass()
    game_record = before.with_move(0, PASS).with_move(1, 1)
    assert game_record.without_last(1) == before.with_move(0, PASS)


@pytest.mark.parametrize("game", PLAYABLE)
def test_a_game_begins_with_the_usual_start(game: str) -> None:
    width, height = GAMES[game].usual_sizes[0]
    position = GameRecord(usual_settings(game), width, height).beginning()
    assert position.to_move == 0
    assert not position.is_over
    assert position.is_same(GAMES[game].new_position(width, height)) or game == "go"


def test_the_other_color_may_begin_from_the_usual_stones() -> None:
    game_record = GameRecord(OTHELLO, 8, 8).set_up((), 1)
    assert game_record.beginning().to_move == 1
    assert game_record.beginning().stones.sum() == 6


def test_impossible_stones_are_refused() -> None:
    with pytest.raises(SetupError):
        GameRecord(GoSettings(), 5, 5).set_up([(0, 1), (0, 5), (1, 0)], 0).beginning()
    with pytest.raises(SetupError):
        GameRecord(PlainSettings("connect4"), 7, 6).set_up([(0, 0)], 0).beginning()  # it would fall


@pytest.mark.parametrize(
    ("game", "width", "height"),
    [("othello", 9, 9), ("othello", 8, 6), ("connect4", 3, 6), ("connect4", 9, 7), ("go", 20, 5)],
)
def test_a_size_outside_a_game_is_refused(game: str, width: int, height: int) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        GameRecord(usual_settings(game), width, height).beginning()


def test_a_record_from_a_start_gives_each_move_to_its_color() -> None:
    start = OthelloPosition(4)
    moves = [*(square for _, square in BEFORE_THE_PASS), PASS, 1]
    game_record = GameRecord.from_start(OTHELLO, start, moves)
    assert game_record.setup == ()
    assert [color for color, _ in game_record.moves] == [0, 1, 0, 1, 0, 1]
    assert start.move_number == 0
    start.play(14)
    later = GameRecord.from_start(OTHELLO, start, [13])
    assert later.first_to_move == 1
    assert len(later.setup) == 5
    assert later.moves == ((1, 13),)
    assert later.beginning().is_same(start)


def test_the_last_positions_end_with_the_current_one() -> None:
    game_record = record_before_the_pass()
    shown = [position.stones.tolist() for position in game_record.last_positions(3)]
    assert shown == [
        game_record.without_last(back).position().stones.tolist() for back in (2, 1, 0)
    ]
    assert len(game_record.last_positions(8)) == 1 + len(game_record.moves)
