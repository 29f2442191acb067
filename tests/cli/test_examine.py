"""`sparring lab examine` from its options to the table and to JSON."""

from __future__ import annotations

import argparse
import json

import pytest

from engine.errors import UsageError
from protocols.cli import examine
from protocols.cli.network_options import add_network_options


def examined(*words: str) -> list[str]:
    """The lines it says."""
    parser = argparse.ArgumentParser()
    examine.configure(parser)
    add_network_options(parser)
    said: list[str] = []
    assert examine.run(parser.parse_args([*words, "--quiet"]), said.append) == 0
    return said


@pytest.mark.parametrize("game", ["connect4-5x4", "othello6"])
def test_json_says_what_the_table_does(game: str) -> None:
    words = (game, "--positions=24", "--empties=5-8", "--visits=20")
    said = examined(*words)
    values = json.loads(examined(*words, "--json")[0])
    assert said[0].startswith(f"{game}, 20 visits")
    assert [line.split("  ")[0] for line in said[2:-1]] == [
        group["name"] for group in values["groups"]
    ]
    everything = values["groups"][-1]
    kept = 0
    for row in values["positions"]:
        worth, best = row["worth"], max(row["worth"].values())
        kept += (worth[row["searched"]["move"]] > 0) == (best > 0) and (
            worth[row["searched"]["move"]] < 0
        ) == (best < 0)
    assert everything["positions"] == len(values["positions"]) == 24
    assert everything["searched"]["kept"] == kept / 24
    assert f"{kept / 24:.1%}" in said[-2]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("go9",), "exact results are known of Othello and Connect4, not of 'go9'"),
        (("checkers",), "no game 'checkers'"),
        (("chess",), "not of 'chess'"),
        (("connect4", "--empties=9-"), "--empties is LOW-HIGH within 2..41, not '9-'"),
        (("connect4", "--empties=9-8"), "not '9-8'"),
        (("connect4", "--empties=9-42"), "not '9-42'"),
        (("othello", "--no-network", "--network=none.gz"), "exclude each other"),
    ],
)
def test_what_makes_no_exam_is_said(words: tuple[str, ...], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        examined(*words)
