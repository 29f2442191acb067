from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bots.common_rows import COMMON_ROWS
from bots.configuration import BotConfiguration, ConfigurationError, example, read_configuration
from bots.ogs.acceptance import AcceptanceRules
from bots.ogs.bot_config import bot_config, bot_status, profile_text
from bots.ogs.connection import BotAccount
from bots.ogs.rows import acceptance_rules
from bots.ogs.server import ROWS, settings_of

ALL_ROWS = (*COMMON_ROWS, *ROWS)


def configured(folder: Path, more: str = "") -> BotConfiguration:
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_text("the-secret\n")
    path = folder / "ogs.toml"
    path.write_text(f'[ogs]\nusername = "sparrow"\nkey_file = "{key}"\n{more}')
    return read_configuration(path, ALL_ROWS, {})


def presented(rules: AcceptanceRules) -> dict[str, object]:
    return bot_config(BotAccount(99, "sparrow"), rules, is_hidden=False, least_move_seconds=1.5)


def test_the_usual_configuration_plays_ranked_games_of_usual_boards(tmp_path: Path) -> None:
    rules = acceptance_rules(configured(tmp_path))
    assert rules.board_sizes == frozenset({9, 13, 19})
    assert (rules.allow_ranked, rules.allow_automatic_handicap) == (True, False)
    assert rules.speeds["blitz"].concurrent_games == 0
    assert set(rules.speeds["live"].ranges) == {"fischer", "byoyomi", "simple"}
    assert settings_of(configured(tmp_path)).policy.can_pause


def test_the_operators_choices_are_read(tmp_path: Path) -> None:
    more = """
[challenges]
board_sizes = "square"
ranks = ["15k", "3d"]
komi = [0, 7.5]
blocked = ["Troll", "1234"]
decline_all = true
[correspondence]
concurrent = 2
systems = ["none", "fischer"]
max_time = [0, 86400]
"""
    rules = acceptance_rules(configured(tmp_path, more))
    assert (rules.board_sizes, rules.ranks, rules.komi) == ("square", (15, 32), (0, 7.5))
    assert rules.blocked == {"troll", "1234"}
    limits = rules.speeds["correspondence"]
    assert (limits.concurrent_games, limits.ranges["none"]) == (2, {})
    assert limits.ranges["fischer"]["max_time"] == (0, 86400)


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ('[challenges]\nboard_sizes = "huge"', "board_sizes"),
        ("[challenges]\nboard_sizes = [9, 900]", "board_sizes"),
        ('[challenges]\nranks = ["4k"]', "ranks"),
        ('[challenges]\nranks = ["50", "1d"]', "ranks"),
        ('[live]\nsystems = ["hourglass"]', "systems"),
        ("[live]\nmain_time = 30", "main_time"),
        ("[live]\nmaintime = [0, 30]", "did you mean 'main_time'"),
        ("[blitzz]\nconcurrent = 1", r"did you mean \[blitz\]"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, more: str, part: str) -> None:
    with pytest.raises(ConfigurationError, match=part):
        configured(tmp_path, more)


def test_the_example_file_sets_all_rows_to_their_usual_values(tmp_path: Path) -> None:
    """Uncomments every key of the example, the files of secrets apart."""
    lines = []
    for line in "\n".join(example("", ALL_ROWS)).splitlines():
        body = line.removeprefix("#")
        is_key = " = " in body and not body.startswith(" ")
        if line.startswith("[") or (is_key and "_file" not in body):
            lines.append(body)
    key = tmp_path / "key"
    key.touch(mode=0o600)
    key.write_text("k")
    lines.insert(lines.index("[ogs]") + 1, f'key_file = "{key}"')
    path = tmp_path / "example.toml"
    path.write_text("\n".join(lines))
    usual = acceptance_rules(configured(tmp_path))
    assert acceptance_rules(read_configuration(path, ALL_ROWS, {})) == usual


def test_the_bot_presents_its_rules_without_a_secret(tmp_path: Path) -> None:
    configuration = configured(tmp_path)
    config = presented(acceptance_rules(configuration))
    text = json.dumps(config)
    assert "secret" not in text
    assert "socket" not in text
    assert config["_config_version"] == 2
    assert (config["bot_id"], config["min_move_time"]) == (99, 1500)
    assert config["allowed_board_sizes"] == [9, 13, 19]
    assert config["allowed_blitz_settings"] is None
    live = config["allowed_live_settings"]
    assert isinstance(live, dict)
    assert live["simple"] == {"per_move_time_range": [10, 300]}
    assert repr(configuration["ogs", "key"]) == "Secret(...)"


def test_a_declining_bot_is_hidden(tmp_path: Path) -> None:
    more = "[challenges]\ndecline_all = true"
    config = presented(acceptance_rules(configured(tmp_path, more)))
    assert (config["hidden"], config["decline_new_challenges"]) == (True, True)


def test_the_status_counts_all_speeds() -> None:
    assert list(bot_status(Counter(live=2)).values()) == [0, 0, 2, 0]


def test_the_profile_says_that_the_bot_adapts(tmp_path: Path) -> None:
    text = profile_text(acceptance_rules(configured(tmp_path)))
    for part in ("plays to your level", "rating", "without handicap", "9x9", "rapid", "level, why"):
        assert part in text
