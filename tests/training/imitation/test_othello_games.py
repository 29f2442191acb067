"""Folders of games: the held-out years, and the columns of a position."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.formats.wthor import ThorGame
from engine.training.imitation.othello_games import play_games, read_split
from tests.support.training.thor_files import random_game, write_years


def test_the_last_years_are_held_out(tmp_path: Path) -> None:
    games = [random_game(seed) for seed in range(6)]
    write_years(tmp_path, {1999: games[:3], 2004: games[3:4], 2019: games[4:5], 2020: games[5:]})
    write_years(tmp_path, {2021: [ThorGame((), 50)]}, size=10)
    split = read_split(tmp_path)
    assert (split.learned.count, split.held_out.count, split.years) == (4, 2, "2019 to 2020")
    held_out = play_games(games[4:])
    assert (split.held_out.own == held_out.own).all()
    assert (split.held_out.move == held_out.move).all()
    one = read_split(tmp_path, held_out_years=1)
    assert (one.learned.count, one.held_out.count, one.years) == (5, 1, "2020")


def test_positions_of_learned_games_are_known(tmp_path: Path) -> None:
    game, other = random_game(1), random_game(2)
    twin = replace(game, moves=game.moves[:40])
    write_years(tmp_path, {1999: [game], 2020: [twin, other]})
    split = read_split(tmp_path, held_out_years=1)
    boards = {
        (int(own), int(opponent), int(color))
        for own, opponent, color in zip(
            split.learned.own, split.learned.other, split.learned.to_move, strict=True
        )
    }
    held_out = split.held_out
    columns = zip(held_out.own, held_out.other, held_out.to_move, split.known, strict=True)
    told = [((int(o), int(p), int(c)) in boards, bool(known)) for o, p, c, known in columns]
    assert all(expected == found for expected, found in told)
    assert 30 < sum(found for _, found in told) < len(told) - 30


def test_columns_tell_of_each_position_and_its_game() -> None:
    game = random_game(3)
    broken_off = replace(game, moves=game.moves[:20], black_score=40)
    games = play_games([game, broken_off])
    assert games.count == 2
    assert games.black_score.tolist() == [2 * game.black_score - 64, 16]
    assert games.over.tolist() == [1, 0]
    assert np.bincount(games.game)[1] >= 20
    placed = games.move[games.game == 0]
    assert placed[placed < 64].tolist() == list(game.moves)
    assert games.empties[:2].tolist() == [60, 59]
    assert games.has_choice[:2].tolist() == [True, True]
    assert not games.has_choice[games.move == 64].any()
    assert np.bitwise_count(games.black[0] | games.white[0]) == 4 + len(game.moves)


@pytest.mark.parametrize("years", [0, 2, 3])
def test_years_must_be_left_on_both_sides(tmp_path: Path, years: int) -> None:
    write_years(tmp_path, {1999: [random_game(1)], 2000: [random_game(2)]})
    with pytest.raises(ValueError, match=f"2 years: cannot hold out the last {years}"):
        read_split(tmp_path, years)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"has games of 0 years"):
        read_split(tmp_path / "absent")
    write_years(tmp_path, {1999: [random_game(1)], 2000: [ThorGame((37, 0), 32)]})
    with pytest.raises(ValueError, match="cell 0, is illegal"):
        read_split(tmp_path, 1)
    (tmp_path / "WTH_2001.wtb").write_bytes(b"rubbish")
    with pytest.raises(ValueError, match=r"WTH_2001\.wtb: not a WTHOR file"):
        read_split(tmp_path, 1)
