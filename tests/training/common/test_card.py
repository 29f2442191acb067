"""A card is a page of the parts it is given, and its tables are whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.networks.othello_weights import read_othello_weights
from engine.training.common.card import Card, table
from engine.training.train_othello_patterns import card_of
from tests.support.paths import ROOT

CARD = Card("small", "A small thing.", "By hand.", table(["what", "error"], [["it", "0.5"]]))
PAGE = """# small

A small thing.

## How it was made

By hand.

## What it scored

| what | error |
| --- | --- |
| it | 0.5 |
"""
WEIGHTS = ROOT / "engine" / "networks" / "weights"


def test_a_card_is_a_page_of_its_parts(tmp_path: Path) -> None:
    CARD.write(tmp_path / "small.md")
    assert (tmp_path / "small.md").read_text() == PAGE


def test_a_card_without_scores_has_no_such_part() -> None:
    assert replace(CARD, scored="").text() == PAGE.partition("\n## What it scored")[0]


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="3 cells under 2 titles"):
        table(["what", "error"], [["it", "0.5", "0.6"]])


@pytest.mark.parametrize("name", ["othello6-patterns", "othello8-patterns"])
def test_the_bundled_evaluations_have_the_cards_of_their_files(name: str) -> None:
    told = read_othello_weights(WEIGHTS / f"{name}.npz")
    assert (WEIGHTS / f"{name}.md").read_text() == card_of(told).text()
