from __future__ import annotations

import numpy as np
import pytest

from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from engine.games.table import Board
from engine.opponents.advantage import FIRST_MOVE, NOTHING, Advantage, advantage_of
from engine.opponents.opponent_model import advantage_in

THREE = [(0, 60), (0, 72), (0, 288)]
GIVEN = [
    # Black's setup, first to move, komi, side of the board; Black's Elo from and to
    ([], 0, 7.0, 19, (0, 0)),
    ([], 0, 7.5, 19, (-5, -2)),
    ([], 0, 0.5, 19, (40, 55)),  # half a rank: the turn without komi
    (THREE[:2], 1, 0.5, 19, (140, 150)),  # two stones are a rank and a half
    (THREE, 1, 0.5, 19, (240, 250)),
    ([], 0, 0.5, 13, (75, 105)),
    ([(0, 1), (1, 2)], 0, 7.5, 19, (0, 0)),  # a position, no handicap
    ([(0, move) for move in range(31)], 1, 7.5, 19, (0, 0)),
]


def worth(given: Advantage, elo: float) -> float:
    """Between two of that strength."""
    return float(given.between(elo, np.array([elo]))[0])


@pytest.mark.parametrize(("setup", "first", "komi", "side", "elo"), GIVEN)
def test_whites_advantage_is_the_negative_of_blacks(
    setup: list[tuple[int, int]], first: int, komi: float, side: int, elo: tuple[float, float]
) -> None:
    board = Board("go", side, side)
    black, white = (
        advantage_of(color, board, setup=setup, first_to_move=first, komi=komi) for color in (0, 1)
    )
    for strength in (-500, 900):
        assert elo[0] <= worth(black, strength) <= elo[1]
        assert worth(white, strength) == -worth(black, strength)


@pytest.mark.parametrize(("rules", "points"), [("japanese", 0), ("aga", 2), ("chinese", 3)])
def test_whites_points_for_the_handicap_count_as_komi(rules: str, points: int) -> None:
    board, bonus = Board("go", 19, 19), RULE_SETS[rules].white_handicap_bonus
    given = advantage_of(0, board, setup=THREE, first_to_move=1, komi=0.5, white_bonus=bonus)
    same = advantage_of(0, board, setup=THREE, first_to_move=1, komi=0.5 + points)
    assert worth(given, 900) == pytest.approx(worth(same, 900))
    alone = advantage_of(0, board, setup=THREE[:1], first_to_move=1, komi=0.5, white_bonus=bonus)
    assert alone == advantage_of(0, board, setup=THREE[:1], first_to_move=1, komi=0.5)


def test_a_session_counts_the_bonus_of_its_rules() -> None:
    settings = [GoSettings(RULE_SETS[rules], 0.5) for rules in ("japanese", "chinese")]
    games = [Game.new(each).set_up(THREE, to_move=1) for each in settings]
    japanese, chinese = (worth(advantage_in(game, 0, 0), 900) for game in games)
    assert japanese - chinese == pytest.approx(3 * 100 / 14)


@pytest.mark.parametrize(
    # As levels of the ladder played: komi, their Elo, what Black had in Elo, within what.
    ("komi", "elo", "black", "within"),
    [
        (7.0, -94, -28, 22),
        (-7.0, -94, 60, 22),
        (7.0, 378, -52, 22),
        (-7.0, 378, 89, 31),
        (7.0, 897, -60, 22),
        (-7.0, 897, 121, 24),
        (7.0, 1717, -55, 53),
        (-7.0, 1717, 235, 87),
    ],
)
def test_komi_on_9x9_has_its_measured_worth(
    komi: float, elo: float, black: float, within: float
) -> None:
    assert abs(worth(advantage_of(0, Board("go", 9, 9), komi=komi), elo) - black) < within + 5


def test_the_advantage_depends_on_the_players_strengths() -> None:
    given = Advantage(((100, 10), (300, 50)))
    assert [worth(given, elo) for elo in (0, 100, 150, 300, 999)] == [10, 10, 20, 50, 50]
    assert given.between(100, np.array([0.0, 300.0, 900.0])).tolist() == [10, 30, 50]


CONNECT4 = Board("connect4", 7, 6)


def test_the_first_move_of_connect4_is_worth_the_game_to_the_strong() -> None:
    first, second = (advantage_of(color, CONNECT4) for color in (0, 1))
    assert 20 < worth(first, 0) < 60
    assert worth(first, 1700) > 400
    assert worth(second, 1700) == -worth(first, 1700)


@pytest.mark.parametrize(
    ("board", "setup"),
    [(CONNECT4, [(0, 3), (1, 4)]), (Board("connect4", 8, 7), []), (Board("othello", 10, 10), [])],
)
def test_of_other_beginnings_and_boards_nothing_is_known(
    board: Board, setup: list[tuple[int, int]]
) -> None:
    assert advantage_of(0, board, setup=setup) == NOTHING


@pytest.mark.parametrize("name", FIRST_MOVE)
def test_each_table_is_of_a_board_and_rises_in_strength(name: str) -> None:
    assert Board.of_name(name).name == name
    strengths = [strength for strength, _ in FIRST_MOVE[name].points]
    assert strengths == sorted(set(strengths))
