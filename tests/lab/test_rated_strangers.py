"""Simulated players with server ratings, and `sparring lab ratings`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.lab.rated_strangers import (
    LEARNED,
    RATED,
    UNRATED,
    Errors,
    StrangerGames,
    StrangerWorld,
    games_until_fit,
    play_strangers,
    players_of,
)
from engine.opponents.opponent_rating import scale_for
from engine.opponents.rating_map import ServerScale
from engine.strength.rating_ladder import BUNDLED, RatingLadder, read_ladder
from tests.support.paths import ROOT

TRUTH = StrangerWorld(offset=-150, spread=100, wrong_share=0.1, wrong_elo=600)


@pytest.fixture(scope="module")
def ladder() -> RatingLadder:
    """The bundled ladder of 9x9."""
    return read_ladder(BUNDLED / "go9.json")


@pytest.fixture(scope="module")
def scale(ladder: RatingLadder) -> ServerScale:
    """OGS on 9x9."""
    found = scale_for("ogs", ladder)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def played(scale: ServerScale, ladder: RatingLadder) -> StrangerGames:
    """Sixty players with twelve games each."""
    return play_strangers(TRUTH, scale, ladder, players=60, games=12, seed=1)


def of(played: StrangerGames, engine: str, *, wrong: bool, games: slice) -> Errors:
    chosen = np.array([player.is_wrong == wrong for player in played.players])
    return np.abs(played.errors[engine][chosen][:, games])


def test_a_tenth_of_the_players_are_stronger_than_their_ratings(
    scale: ServerScale, ladder: RatingLadder
) -> None:
    players = players_of(TRUTH, scale, ladder, 400, seed=3)
    wrong = np.array([player.is_wrong for player in players])
    assert wrong.mean() == pytest.approx(0.1, abs=0.04)
    rated = np.array([scale.rated(player.rating)[0] for player in players])
    above = np.array([player.strength for player in players]) - rated
    assert above[~wrong].mean() == pytest.approx(-150, abs=25)
    assert above[wrong].mean() > above[~wrong].mean() + 400  # the ladder's end bounds some


def test_a_rating_halves_the_error_of_the_first_game(played: StrangerGames) -> None:
    first = slice(0, 1)
    errors = {
        engine: of(played, engine, wrong=False, games=first).mean()
        for engine in (UNRATED, RATED, LEARNED)
    }
    assert errors[RATED] < 0.8 * errors[UNRATED]
    assert errors[LEARNED] < errors[RATED]
    until = {
        engine: games_until_fit(of(played, engine, wrong=False, games=slice(None))).mean()
        for engine in (UNRATED, LEARNED)
    }
    assert until[LEARNED] < until[UNRATED]


def test_results_overrule_a_wrong_rating(played: StrangerGames) -> None:
    errors = of(played, RATED, wrong=True, games=slice(None))
    assert errors[:, -1].mean() < 0.6 * errors[:, 0].mean()


def test_the_same_seed_gives_the_same_games(scale: ServerScale, ladder: RatingLadder) -> None:
    once, again = (
        play_strangers(TRUTH, scale, ladder, players=3, games=4, seed=5) for _ in range(2)
    )
    for engine in once.errors:
        assert np.array_equal(once.errors[engine], again.errors[engine])


def test_moves_tell_more_than_results(scale: ServerScale, ladder: RatingLadder) -> None:
    with_moves = StrangerWorld(-150, 100, 0.1, 600, moves_elo=100)
    errors = [
        np.abs(
            play_strangers(truth, scale, ladder, players=30, games=4, seed=1).errors[UNRATED][:, 3]
        ).mean()
        for truth in (TRUTH, with_moves)
    ]
    assert errors[1] < errors[0]


def test_the_games_until_the_level_fits() -> None:
    errors = np.array([[200.0, -149.0, 300.0], [100.0, 0.0, 0.0], [900.0, 800.0, 700.0]])
    assert games_until_fit(errors).tolist() == [1, 0, 3]


def test_the_command_prints_a_row_for_each_engine(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "protocols.cli", "lab", "ratings", "--players=12"]
    done = subprocess.run(
        [*command, "--games=5", "--quiet", "--json", "--wrong=0.3"],
        cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    rows = json.loads(done.stdout)
    assert [row["engine"] for row in rows[::2]] == [UNRATED, RATED, LEARNED]
    assert [row["ratings"] for row in rows[:2]] == ["right", "wrong"]
    assert sum(row["players"] for row in rows[:2]) == 12
    assert set(rows[0]["errors"]) == {"0", "1", "3"}
