"""`sparring train go-human-compare`: policies of human moves in Go side by side, by rank.

Two tables: how well each network predicts the held-out moves of each group of ranks, and how well
one that knows ranks tells a player's rank from 1, 3 and 10 games.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from engine.networks.runtime import read_network
from engine.training.common.card import table as table_text
from engine.training.go.card import NORMAL_BOUND
from engine.training.go.rank_estimate import (
    INTERVAL,
    RankEstimates,
    chosen_seats,
    estimates,
    fitted_exponent,
    joined_games,
    player_games,
)
from engine.training.go.ranked_games import RANK_GROUPS, held_out
from engine.training.go.ranked_validation import (
    GroupMetrics,
    RankedMoves,
    group_metrics,
    held_out_moves,
    moves_of_9_dans,
    predictions,
)
from engine.training.go.records import GameTable, find_archives, read_table
from engine.training.go.run_settings import machine_of
from engine.training.go.teacher import RankedNetwork, load_ranked
from engine.training.go.validation import read_humans

Say = Callable[[str], None]
SEED = 99_500_000
GAMES = (1, 3, 10)  # of one estimate


@dataclass(frozen=True)
class HumanComparisonSettings:
    """The networks of a comparison and its games."""

    networks: tuple[Path, ...]  # the first one is the measure of the others
    games: tuple[Path, ...]  # archives of human games, or folders of them
    cache: Path  # the file of the games, written if it does not hold these archives
    held_out: Path | None = None  # a Tygem archive, for validation alone
    moves: int = 5000  # of each group of ranks
    games_a_rank: int = 4  # for the estimates of ranks; 0: none
    device: str = "cpu"
    threads: int = 1


@dataclass(frozen=True)
class HumanComparison:
    """The results: metrics by group and network, estimates by network and number of games."""

    groups: dict[str, dict[str, GroupMetrics]]
    ranks: dict[str, dict[int, RankEstimates]]


def compare_go_human(settings: HumanComparisonSettings, say: Say) -> HumanComparison:
    """Measures and reports the networks; raises SettingError for files of another kind."""
    torch.set_num_threads(settings.threads)
    machine = machine_of(settings.device)
    archives = find_archives(settings.games, settings.held_out)
    table = read_table(archives, settings.cache)
    networks = {
        str(path): load_ranked(path, machine, settings.threads) for path in settings.networks
    }
    moves = _moves(settings, table)
    say(f"{len(table):,} games, {held_out(table).sum():,} of them held out")
    groups = {name: _compared(networks, of) for name, of in moves.items()}
    say(_groups_table(groups, moves))
    ranks: dict[str, dict[int, RankEstimates]] = {}
    for path in settings.networks:
        if settings.games_a_rank and read_network(path).metadata is not None:
            exponents, found = _estimated(networks[str(path)], table, settings.games_a_rank)
            ranks[str(path)] = found
            say(_ranks_table(str(path), found, exponents))
    return HumanComparison(groups, ranks)


def _moves(settings: HumanComparisonSettings, table: GameTable) -> dict[str, RankedMoves]:
    drawn = {group.name: held_out_moves(table, group, settings.moves) for group in RANK_GROUPS}
    moves = {name: of for name, of in drawn.items() if of is not None}
    if settings.held_out is not None:
        moves[f"9d, {settings.held_out.name}"] = moves_of_9_dans(read_humans(settings.held_out))
    return moves


def _compared(networks: dict[str, RankedNetwork], of: RankedMoves) -> dict[str, GroupMetrics]:
    rows = {name: predictions(network, of) for name, network in networks.items()}
    first = next(iter(rows.values()))
    return {name: group_metrics(own, first, of.games) for name, own in rows.items()}


def _estimated(
    network: RankedNetwork, table: GameTable, a_rank: int
) -> tuple[dict[int, float], dict[int, RankEstimates]]:
    """Returns the exponents fitted on learned games, and the estimates on those held out."""
    rng = np.random.default_rng(SEED)
    left_out = held_out(table)
    learned, unseen = (
        player_games(network, table, chosen_seats(table, games, a_rank, rng), rng)
        for games in (~left_out, left_out)
    )
    exponents = {count: fitted_exponent(joined_games(learned, count)) for count in GAMES}
    return exponents, {
        count: estimates(joined_games(unseen, count), exponents[count]) for count in GAMES
    }


def _groups_table(groups: dict[str, dict[str, GroupMetrics]], moves: dict[str, RankedMoves]) -> str:
    rows = [
        [
            group,
            f"{len(moves[group]):,} of {len(np.unique(moves[group].games))} games",
            name,
            f"{each.top1:.1%}",
            f"{each.probability:.4f}",
            f"{each.gain:+.4f} +- {NORMAL_BOUND * each.gain_error:.4f}",
            "" if math.isnan(each.value_loss) else f"{each.value_loss:.3f}",
        ]
        for group, networks in groups.items()
        for name, each in networks.items()
    ]
    columns = ["rank", "moves", "policy", "best move played", "geometric mean probability"]
    return table_text([*columns, "gain (nats a move)", "result (nats)"], rows)


def _ranks_table(name: str, ranks: dict[int, RankEstimates], exponents: dict[int, float]) -> str:
    rows = [
        [
            str(count),
            f"{exponents[count]:.3f}",
            f"{each.error:.1f}",
            f"{each.coverage:.0%}",
            f"{each.width:.1f}",
        ]
        for count, each in ranks.items()
    ]
    interval = f"in the {INTERVAL:.0%} interval"
    columns = ["games", "exponent", "mean error (ranks)", interval, "its width (ranks)"]
    return f"Ranks from 20k to 9d by the moves alone, by {name}:\n" + table_text(columns, rows)
