from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from engine.games.ranks import parse_rank
from engine.games.table import GAMES, Board
from engine.strength.level import ANY_LOSS, RANDOM, Level
from engine.strength.settings_curve import CURVES, knots_of, level_at, place_of

SCALED = ("visits", "restraint", "rank", "rating", "most_loss")  # fields of any size
NEAR_ALL = 39.0  # points
OWN_CURVES = ("go9", "go13")
BOARDS = {
    name: Board.of_name(name) if name in OWN_CURVES else Board(name, *GAMES[name].usual_sizes[0])
    for name in CURVES
    if name in (*GAMES, *OWN_CURVES)
}
each_curve = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))


def test_a_board_has_its_own_curve_or_its_games() -> None:
    assert knots_of(Board("go", 9, 9)) is CURVES["go9"]
    assert knots_of(Board("go", 13, 13)) is CURVES["go13"]
    assert knots_of(Board("go", 19, 19)) is CURVES["go"]


@each_curve
def test_the_chain_rises_through_random_play(board: Board) -> None:
    elos = [corner.elo for corner in knots_of(board)]
    assert elos == sorted(set(elos))
    assert [corner.level for corner in knots_of(board) if corner.elo == 0] == [RANDOM]
    assert elos[0] < 0


@each_curve
def test_settings_change_little_by_little(board: Board) -> None:
    corners = knots_of(board)
    for corner in corners:
        assert level_at(board, corner.elo) == corner.level
    assert level_at(board, corners[0].elo - 1000) == corners[0].level
    assert level_at(board, corners[-1].elo + 1000) == corners[-1].level
    along = [level_at(board, elo) for elo in np.arange(corners[0].elo, corners[-1].elo, 1.0)]
    for before, after in pairwise(along):
        if changes_policy(before, after) or becomes_a_beginner(before, after):
            continue
        for field in fields(before):
            if field.name in ("rank", "rating") and not (
                before.needs_network and after.needs_network
            ):
                continue  # of no use to the blind one
            if field.name == "reading" and after.most_loss > NEAR_ALL:
                continue  # it hardly changes a move yet
            low, high = getattr(before, field.name), getattr(after, field.name)
            step = max(1.0, 0.1 * low) if field.name in SCALED else 0.1
            assert abs(high - low) <= step or (field.name == "solve" and high), field.name


@each_curve
def test_the_place_of_a_level_on_the_curve_is_found(board: Board) -> None:
    knots = knots_of(board)
    for elo in np.linspace(knots[0].elo, knots[-1].elo, 60):
        level = level_at(board, float(elo))
        written = Level.from_json(level.to_json())
        place = place_of(board, written)
        assert place is not None
        assert place <= elo + 1.0  # the lowest, where the curve stands still
        assert level_at(board, place).to_json() == pytest.approx(level.to_json(), rel=1e-3)


def test_a_level_off_the_curve_has_no_place() -> None:
    assert place_of(Board("connect4", 7, 6), Level(index=0.4, greed=-2.0)) is None


def changes_policy(lower: Level, upper: Level) -> bool:
    """Whether one draws from the human policy, the other from the search's."""
    both = lower.needs_network and upper.needs_network
    return both and lower.needs_people != upper.needs_people


def becomes_a_beginner(lower: Level, upper: Level) -> bool:
    """Whether one is blind, and the other as weak by its preference of losses."""
    return lower.is_blind and upper.restraint < 0


def test_people_of_go_rise_to_the_searches_without_a_break() -> None:
    board = BOARDS["go"]
    elos = [corner.elo for corner in knots_of(board)]
    along = [level_at(board, elo) for elo in np.arange(0.0, elos[-1], 5.0)]
    assert sum(changes_policy(*pair) for pair in pairwise(along)) == 1
    people = [level for level in along if level.needs_people]
    ranks = [level.rank for level in people]
    assert ranks == sorted(ranks, reverse=True)
    assert (ranks[0], ranks[-1]) == (parse_rank("20k"), parse_rank("9d"))
    assert all(level.is_imitation for level in people if level.rank < ranks[0])
    # Beginners prefer losses, the less the stronger they are, and play no move beyond the people.
    weakest = [level for level in people if level.rank == ranks[0]]
    assert [level.restraint for level in weakest] == sorted(level.restraint for level in weakest)
    assert [level.index for level in weakest] == sorted(level.index for level in weakest)
    assert not any(level.greed for level in people)
    assert all(level.floor >= 0.01 for level in people if level.restraint < 0)
    assert all(level.floor >= 0.005 for level in people)
    # Imitation alone between them and 10 kyu: no search.
    alone = [level for level in people if level.rank > parse_rank("10k") and level.restraint >= 0]
    assert {level.visits for level in alone} == {1}


def test_people_of_9x9_read_ever_more() -> None:
    board = BOARDS["go9"]
    along = [level_at(board, elo) for elo in np.arange(0.0, 2870.0, 5.0)]
    assert sum(changes_policy(*pair) for pair in pairwise(along)) == 0
    assert sum(becomes_a_beginner(*pair) for pair in pairwise(along)) == 1
    people = [level for level in along if level.needs_people]
    for falling in ("rank", "most_loss"):
        values = [getattr(level, falling) for level in people]
        assert values == sorted(values, reverse=True), falling
    assert [level.index for level in people] == sorted(level.index for level in people)
    assert (people[0].rank, people[-1].rank) == (parse_rank("20k"), parse_rank("9d"))
    assert all(level.is_imitation for level in people if level.rank < parse_rank("18k"))
    # Beginners prefer losses, the less the stronger they are, and play no move beyond the people.
    assert [level.restraint for level in people] == sorted(level.restraint for level in people)
    assert not any(level.greed for level in people)
    assert all(level.floor >= 0.01 for level in people if level.restraint < 0)
    assert all(level.floor >= 0.005 for level in people)
    bounds = [level.most_loss for level in along]
    assert (bounds[0], bounds[-1]) == (ANY_LOSS, 4.0)
    assert all(bool(level.reading) == (level.most_loss < ANY_LOSS) for level in along)


def test_players_of_chess_go_down_to_random_play_and_up_to_the_search() -> None:
    board = BOARDS["chess"]
    elos = [corner.elo for corner in knots_of(board)]
    along = [level_at(board, elo) for elo in np.arange(0.0, elos[-1] + 5, 5.0)]
    assert sum(changes_policy(*pair) for pair in pairwise(along)) == 1
    people = [level for level in along if level.needs_people]
    assert [level.rating for level in people] == sorted(level.rating for level in people)
    assert (people[0].rating, people[-1].rating) == (1100, 1900)
    # Below the weakest network its temperature rises until all moves are alike.
    weakest = [level.index for level in people if level.rating == 1100]
    assert weakest == sorted(weakest)
    assert weakest[0] < 0.01
    assert weakest[-1] == 1.0
    # A search holds back only the players of the highest rating.
    assert {level.rating for level in people if level.uses_utilities} == {1900}
