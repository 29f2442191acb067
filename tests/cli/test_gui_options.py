"""Options of the programs that a GUI starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.cli import gui
from protocols.cli.gui import greeting_options
from protocols.cli.main import parser_of


@pytest.mark.parametrize("subcommand", ["gtp", "analysis"])
def test_the_network_of_human_moves_has_katagos_spelling_too(subcommand: str) -> None:
    """KaTrain starts its engine with -human-model."""
    parser = parser_of(subcommand, gui, plays=False)
    for option in ("--human-network", "-human-model"):
        sent = greeting_options(parser.options([option, "human.bin.gz"]))
        assert sent["human_network"] == str(Path("human.bin.gz").resolve())
    assert "human_network" not in greeting_options(parser.options([]))
