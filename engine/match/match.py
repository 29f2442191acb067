"""The games of a match, played and unplayed, in memory and in the record.

In the schedule each pair meets in each round, and every opening is played twice with colors
exchanged, unless the first player always begins. Both games have equal chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from engine.match.game_spec import GameSpec
from engine.match.openings import opening
from engine.match.record import MatchRecord, Row
from engine.match.workers import MatchTable, Pairing, Plan, Series, play_all

Pairs = tuple[tuple[int, int], ...]  # pairs of players, the lower number first

SEED_BITS = 48  # bits of a player's seed for a game; JSON's numbers hold 53


@dataclass(frozen=True, slots=True)
class Schedule:
    """The list of games; equal schedules have equal games, and longer ones extend it."""

    pairs: Pairs
    rounds: int  # games of each pair
    seed: int
    openings: bool = True
    plies: int | None = None  # moves of an opening; None: the game's usual number
    swap: bool = True  # whether every opening is played twice, with colors exchanged


def round_robin(players: int) -> Pairs:
    """Returns every pair of players."""
    return tuple(combinations(range(players), 2))


def pairings(schedule: Schedule, board: GameSpec, played: set[int]) -> Iterator[Pairing]:
    """Yields the unplayed games, round by round; raises ValueError if no opening exists."""
    pairs = schedule.pairs
    for turn in range(schedule.rounds):
        numbers = range(turn * len(pairs), (turn + 1) * len(pairs))
        if played.issuperset(numbers):
            continue
        start = start_of(schedule, board, turn)
        for number, pair in zip(numbers, pairs, strict=True):
            if number not in played:
                black = pair[turn % 2 if schedule.swap else 0]
                yield Pairing(number, pair, black, start, seeds_of(schedule.seed, number))


def start_of(schedule: Schedule, board: GameSpec, turn: int) -> GameSpec:
    """Returns the start of a round's games; raises ValueError if no opening exists."""
    drawn = turn // 2 if schedule.swap else turn
    if board.kind.deal is not None:
        rng = random.Random(f"{schedule.seed} chance {drawn}")  # noqa: S311 - no secret
        board = replace(board, chance=rng.getrandbits(SEED_BITS))
    if not schedule.openings:
        return board
    rng = random.Random(f"{schedule.seed} {drawn}")  # noqa: S311 - no secret
    return replace(board, opening=opening(board, rng, schedule.plies))


def seeds_of(seed: int, number: int) -> tuple[int, int]:
    """Returns the seeds of a game's two players."""
    rng = random.Random(f"{seed} game {number}")  # noqa: S311 - no secret
    return rng.getrandbits(SEED_BITS), rng.getrandbits(SEED_BITS)


class Match:
    """The games of a match, in memory and in the record."""

    def __init__(self, plan: Plan, record: MatchRecord | None = None) -> None:
        self.plan = plan
        self.rows: list[Row] = [] if record is None else list(record.rows)
        self._record = record

    def left(self, schedule: Schedule) -> list[Pairing]:
        """Returns the unplayed games; raises ValueError if no opening exists."""
        played = {int(row["game"]) for row in self.rows}
        return list(pairings(schedule, self.plan.board, played))

    def check_players(self) -> None:
        """Starts every player once; raises EngineLostError or EngineRefusedError for a failure."""
        table = MatchTable(self.plan)
        try:
            for index in range(len(self.plan.players)):
                table.player(index).begin(self.plan.board, 0)
        finally:
            table.close()

    def play(self, series: Iterable[Series], at_once: int) -> Iterator[Row]:
        """Plays on; yields the rows as games end, each already recorded."""
        for row in play_all(self.plan, series, at_once):
            if self._record is not None:
                self._record.append(row)
            self.rows.append(row)
            yield row
