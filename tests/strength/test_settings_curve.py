from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from engine.games.ranks import parse_rank
from engine.strength.level import RANDOM, Level
from engine.strength.settings_curve import CURVES, knots_of, level_at


@pytest.mark.parametrize("game", CURVES)
def test_the_chain_rises_through_random_play(game: str) -> None:
    elos = [corner.elo for corner in knots_of(game)]
    assert elos == sorted(set(elos))
    assert [corner.level for corner in knots_of(game) if corner.elo == 0] == [RANDOM]
    assert elos[0] < 0


@pytest.mark.parametrize("game", CURVES)
def test_settings_change_little_by_little(game: str) -> None:
    corners = knots_of(game)
    for corner in corners:
        assert level_at(game, corner.elo) == corner.level
    assert level_at(game, corners[0].elo - 1000) == corners[0].level
    assert level_at(game, corners[-1].elo + 1000) == corners[-1].level
    along = [level_at(game, elo) for elo in np.arange(corners[0].elo, corners[-1].elo, 1.0)]
    for before, after in pairwise(along):
        if changes_policy(before, after):
            continue
        for field in fields(before):
            if field.name == "rank" and not (before.needs_network and after.needs_network):
                continue  # of no use to the blind one
            low, high = getattr(before, field.name), getattr(after, field.name)
            step = max(1.0, 0.1 * low) if field.name in ("visits", "restraint", "rank") else 0.1
            assert abs(high - low) <= step or (field.name == "solve" and high), field.name


def changes_policy(lower: Level, upper: Level) -> bool:
    """Whether one draws from the human policy, the other from the search's."""
    both = lower.needs_network and upper.needs_network
    return both and lower.needs_people != upper.needs_people


def test_people_of_go_rise_to_the_searches_without_a_break() -> None:
    elos = [corner.elo for corner in knots_of("go")]
    along = [level_at("go", elo) for elo in np.arange(0.0, elos[-1], 5.0)]
    assert sum(changes_policy(*pair) for pair in pairwise(along)) == 1
    people = [level for level in along if level.needs_people]
    ranks = [level.rank for level in people]
    assert ranks == sorted(ranks, reverse=True)
    assert (ranks[0], ranks[-1]) == (parse_rank("20k"), parse_rank("9d"))
    # Below the weakest people greed grows as their policy goes; from them on nothing weakens it.
    weakest = [level for level in people if level.rank == ranks[0]]
    mixed = [level for level in weakest if level.greed]
    assert [level.index for level in mixed] == sorted(level.index for level in mixed)
    assert mixed[0].index < 0.05
    assert mixed[0].greed > 2
    assert mixed[-1].index > 0.95
    assert mixed[-1].greed < 0.1
    assert all(level.is_imitation for level in people if level.rank < ranks[0])
    # From half of the mixture on, no move that hardly any people play.
    assert all(level.floor >= 0.005 for level in people if level.index >= 0.4)
    # Imitation alone below 10 kyu: no search.
    assert {level.visits for level in people if level.rank > parse_rank("10k")} == {1}
