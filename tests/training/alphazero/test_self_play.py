"""Self-play on the command line: files, the card, options with changes of a recipe."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.games.evaluator import NetworkDescription
from engine.networks.architecture import describe
from engine.networks.sparring import read_sparring
from engine.training.alphazero.recipes import RECIPES
from engine.training.alphazero.self_play import configure, recipe_of
from engine.training.common.metrics import read_metrics
from protocols.cli.main import dispatch

SMALL = (
    "--games 4 --first-games 6 --visits 8 --fast-visits 4 --blocks 1 --channels 8 --batch 32 "
    "--rival random --rival-every 0 --threads 1"
).split()


def train(course: str, folder: Path, *more: str) -> NetworkDescription:
    assert dispatch(["train", course, "--output", str(folder), *SMALL, *more]) == 0
    return describe(read_sparring(folder / f"{course}.safetensors"))


def test_a_run_leaves_a_network_its_card_and_numbers(tmp_path: Path) -> None:
    train("connect4", tmp_path, "--minutes", "0.0001", "--seed", "3")
    assert [row["games"] for row in read_metrics(tmp_path)] == [6]
    with pytest.raises(UsageError, match="seed 3, not 4"):
        train("connect4", tmp_path, "--iterations", "2", "--seed", "4")
    found = train("connect4", tmp_path, "--iterations", "2", "--seed", "3")
    assert [row["games"] for row in read_metrics(tmp_path)] == [6, 10]
    assert (found.game, found.trunk, found.policies) == ("connect4", "1 blocks x 8 channels", 1)
    card = (tmp_path / "connect4.md").read_text(encoding="utf-8")
    assert "by 10 games against itself in 2 iterations" in card
    assert "`sparring train connect4 --iterations 2 --seed 3 --recipe sparring --games 4" in card


def options_of(*told: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()

    configure(parser)
    return parser.parse_args(told, argparse.Namespace(training="othello8"))


def test_options_left_out_are_the_recipes() -> None:
    assert recipe_of(options_of()) == RECIPES["sparring"]["othello8"]
    assert recipe_of(options_of("--recipe", "alphadda")) == RECIPES["alphadda"]["othello8"]


def test_options_change_what_they_name() -> None:
    told = "--visits 90 --passes 2 --window 500 --rival mcts4 --blocks 3 --full-share 0.5".split()
    recipe = recipe_of(options_of(*told))
    assert recipe.play == {**RECIPES["sparring"]["othello8"].play, "visits": 90, "full_share": 0.5}
    assert (recipe.learning.passes, recipe.growth.first, recipe.blocks) == (2, 500, 3)
    assert recipe.rival.agent == "mcts4"
