"""The study of dark chess's metrics: many settings, material after material, in rounds.

A round solves each material once, and measures each setting on it: games against each opponent, and
test positions. Each measurement is a row of a record; a study continues after its last row. Larger
searches play fewer games: their number falls with the root of the simulations.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine._core import SolvedDarkChess, play_dark_chess_series
from engine.agents.dark_knight import DarkKnightSetting, read_setting
from engine.lab.dark_chess_metrics import (
    PositionTests,
    Row,
    example_positions,
    player_of,
    searching,
    start_of,
)

FULL_GAMES = 1000  # simulations of the largest search with all games
QUIET_LIMIT = 180


@dataclass(frozen=True, slots=True)
class Study:
    """The numbers of a study; rows of equal numbers may be added up."""

    settings: Sequence[str]
    materials: Sequence[str]
    against: Sequence[str] = ()
    games: int = 2  # of a setting up to FULL_GAMES, by material, opponent and round
    positions: int = 0  # by material and round
    generator: str = "1000"  # the player of the test positions
    experts: Sequence[str] = ()
    outcomes: Sequence[str] = ()  # experts of MSE_GO
    most_simulations: dict[str, int] = field(default_factory=dict)  # by opponent; default: no limit
    rounds: int = 1
    seed: int = 1

    @property
    def groups(self) -> list[list[DarkKnightSetting]]:
        """The settings that differ in simulations alone, the least first."""
        groups: dict[object, list[DarkKnightSetting]] = {}
        for text in self.settings:
            setting = read_setting(text)
            groups.setdefault((setting.techniques, setting.constants), []).append(setting)
        return [sorted(group, key=lambda each: each.simulations) for group in groups.values()]

    def games_of(self, setting: DarkKnightSetting) -> int:
        """Returns the number of games of a setting against each opponent in a round; even."""
        share = math.sqrt(FULL_GAMES / max(setting.simulations, FULL_GAMES))
        return max(2, 2 * round(self.games * share / 2))


def key_of(row: Row) -> tuple[object, ...]:
    """Returns what a row measures."""
    return row["setting"], row["material"], row["round"], row.get("against")


def measured(study: Study, before: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yields the rows of a study that it lacks, in their order."""
    keys = {key_of(row) for row in before}
    for number in range(study.rounds):
        for place, material in enumerate(study.materials):
            yield from _of_material(study, material, number, 1000 * number + place, keys)


def _of_material(
    study: Study, material: str, number: int, place: int, keys: set[tuple[object, ...]]
) -> Iterator[dict[str, Any]]:
    settings = [read_setting(text) for text in study.settings]

    def lacks(setting: DarkKnightSetting, against: str | None) -> bool:
        return (setting.text, material, number, against) not in keys

    pairs = [
        (setting, against)
        for against in study.against
        for setting in settings
        if lacks(setting, against)
        and setting.simulations <= study.most_simulations.get(against, setting.simulations)
    ]
    groups = [group for group in study.groups if any(lacks(each, None) for each in group)]
    if not pairs and not (groups and study.positions):
        return
    start = start_of(material)
    solution = SolvedDarkChess(start)
    seed = 1_000_000 * (study.seed + place)
    others = {name: player_of(name, solution, start, seed) for name in study.against}
    common = {"material": material, "round": number}
    for setting, against in pairs:
        own_seed = seed + zlib.crc32(f"{setting.text} {against}".encode())
        player = searching(setting, start, own_seed)
        games = study.games_of(setting)
        series = play_dark_chess_series(
            solution, player, others[against], games, QUIET_LIMIT, own_seed, adjudicates=False
        )
        yield {
            "setting": setting.text, **common, "against": against, "games": games,
            "wins": series.wins, "losses": series.losses, "draws": series.draws,
            "luck": series.luck, "luck_squares": series.luck_squares,
            "luck_results": series.luck_results,
        }  # fmt: skip
    if not groups or not study.positions:
        return
    generator = player_of(study.generator, solution, start, seed + 1)
    positions = example_positions(generator, start, study.positions, study.positions, seed)
    tests = PositionTests.of(positions, solution, study.experts, study.outcomes, seed)
    for group in groups:
        stages = [setting.simulations for setting in group]
        for setting, row in zip(group, tests.counts_of(group[0], stages, seed), strict=True):
            if lacks(setting, None):
                yield {"setting": setting.text, **common, **row}
