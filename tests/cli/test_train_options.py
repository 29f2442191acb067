"""The options of `sparring train`, as settings of the trainings."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import SettingError
from engine.networks.bundled import human_networks
from engine.training.alphazero.recipes import RECIPES
from engine.training.go.run_settings import GoRunSettings, usual_device
from engine.training.go.territory import Territory
from protocols.cli.train import go, go_human, go_self_play, self_play

OUTPUT = Path("training")
Configure = Callable[[argparse.ArgumentParser], None]


def options_of(configure: Configure, words: str) -> argparse.Namespace:
    """Returns the options of a training named othello8, read from words."""
    parser = argparse.ArgumentParser()
    configure(parser)
    return parser.parse_args(words.split(), argparse.Namespace(training="othello8"))


def test_a_run_of_go_has_the_settings_own_defaults() -> None:
    settings = go.settings_of(options_of(go.configure, "--teacher t"))
    makers = go.GPU_MAKERS if usual_device() == "cuda" else 0
    assert settings == GoRunSettings(OUTPUT, teacher=Path("t"), seconds=3600.0, makers=makers)
    alone = go.settings_of(options_of(go_human.configure, "--games a b --steps 7"))
    games = (Path("a"), Path("b"))
    assert alone == GoRunSettings(OUTPUT, games=games, steps=7, human_share=1.0, shard_cells=0)


def test_a_ranked_run_begins_with_the_bundled_network(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[GoRunSettings] = []
    monkeypatch.setattr(go_human, "learn_go", lambda settings, _say: runs.append(settings))
    for words in ("--games a", "--games a --ranked", "--games a --ranked --continue c"):
        go_human.run(options_of(go_human.configure, words), print)
    bundled = human_networks("go")[None]
    assert [(run.ranked, run.checkpoint) for run in runs] == [
        (False, None),
        (True, bundled),
        (True, Path("c")),
    ]


def test_options_of_go_change_their_settings() -> None:
    words = "--teacher t --minutes 2 --continue c --cool-down 0.5 --exam-rows 9 --turns 8"
    more = "--chapter-cells 5 --cells 6 --uses 7 --player p --doubter d --games g"
    settings = go.settings_of(options_of(go.configure, f"{words} {more}"))
    assert (settings.seconds, settings.steps, settings.checkpoint) == (120.0, None, Path("c"))
    assert (settings.cool_down_share, settings.validation_rows) == (0.5, 9)
    assert (settings.orientations, settings.shard_cells, settings.cells) == (8, 5, 6)
    assert (settings.uses, settings.player, settings.doubter) == (7.0, Path("p"), Path("d"))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--steps 0", "--steps 0: more than 0"),
        ("--uses 0", "--uses 0.0: more than 0"),
        ("--exam-rows -1", "--exam-rows -1: more than 0"),
        ("--cool-down 1.5", "--cool-down 1.5: from 0 to 1"),
        ("--doubter d --games g", "--doubter d: it needs --player and --games"),
    ],
)
def test_numbers_out_of_range_are_refused(words: str, reason: str) -> None:
    with pytest.raises(SettingError, match=reason):
        go.settings_of(options_of(go.configure, f"--teacher t {words}"))


def test_absent_options_leave_the_recipe_as_it_is() -> None:
    for name in ("sparring", "alphadda"):
        recipe = self_play.recipe_of(options_of(self_play.configure, f"--recipe {name}"))
        assert recipe == RECIPES[name]["othello8"]


def test_options_change_fields_of_the_recipe() -> None:
    words = "--visits 90 --passes 2 --window 500 --rival mcts4 --blocks 3 --full-share 0.5"
    recipe = self_play.recipe_of(options_of(self_play.configure, words))
    assert recipe.play == {**RECIPES["sparring"]["othello8"].play, "visits": 90, "full_share": 0.5}
    assert (recipe.learning.passes, recipe.growth.first, recipe.blocks) == (2, 500, 3)
    assert recipe.rival.agent == "mcts4"


def test_the_card_names_the_options_that_change_a_network() -> None:
    options = options_of(self_play.configure, "--visits 90 --threads 3 --minutes 5 --output o")
    settings = self_play.settings_of(options, self_play.recipe_of(options))
    assert settings.command(12) == (
        "sparring train othello8 --iterations 12 --seed 1 --recipe sparring --visits 90"
    )
    assert (settings.name, settings.output, settings.minutes) == ("othello8", Path("o"), 5.0)
    assert (settings.threads, settings.iterations, settings.start) == (3, None, None)


@pytest.mark.parametrize(
    ("words", "territory"),
    [
        ("", None),
        ("--beta 0.2", Territory(0.2, 3, 1)),
        ("--beta 0.2 --size 10", Territory(0.2, 3, 1)),
        ("--beta -0.2 --size 11", Territory(-0.2, 4, 1)),
        ("--beta 0.2 --size 19", Territory(0.2, 4, 1)),
        ("--beta 0.2 --line 4", Territory(0.2, 4, 1)),
    ],
)
def test_the_fourth_line_is_in_the_middle_but_on_small_boards(
    words: str, territory: Territory | None
) -> None:
    options = options_of(go_self_play.configure, words)
    assert go_self_play.recipe_of(options).territory == territory
