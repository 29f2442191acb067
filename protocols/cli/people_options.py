"""The options of instruments that examine recorded games of people of known ranks."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from engine.games.ranks import parse_rank
from engine.lab.people_games import PeopleGames, people_games
from engine.training.go.records import find_archives, read_table


def add_people(parser: argparse.ArgumentParser) -> None:
    """Adds the ranks and the archives of games."""
    add = parser.add_argument
    add("ranks", nargs="+", metavar="RANK", help="ranks such as 15k or 3d")
    add("--human-games", type=Path, nargs="+", required=True, metavar="PATH",
        help="KGS tar.gz, or folders of them")  # fmt: skip
    add("--cache", type=Path, required=True, metavar="FILE",
        help="the games read; written if they are others")  # fmt: skip


def chosen_games(options: argparse.Namespace) -> list[tuple[float, PeopleGames]]:
    """Returns each rank with games of its people, by the options `games` and `seed` too.

    Raises ValueError for a malformed rank or one without games, SettingError for a bad archive.
    """
    ranks = [parse_rank(text) for text in options.ranks]
    table = read_table(find_archives(options.human_games), options.cache)
    rng = np.random.default_rng(options.seed)
    return [(rank, people_games(table, rank, options.games, rng)) for rank in ranks]
