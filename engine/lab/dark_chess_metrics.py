"""Strength on the solved 2x4 board of dark chess: win rates, prediction rates, value errors.

The forms are those of Hsueh's thesis (2019, chapter 3). A win rate counts a draw as half; its games
have the luck of their flips taken out. A prediction rate is the share of positions with the chosen
action among the best ones (PR_BEST), or equal to an expert's. A value error is the mean squared
difference of the root's value from the solved one (MSE_TH), or from the result of an expert's game
with itself from the position (MSE_GO), times 1/4. The thesis does not state the player of the test
positions.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine._core import (
    DarkChessPlayer,
    DarkChessPosition,
    DarkChessSearchPlayer,
    SolvedDarkChess,
    minimax_dark_chess_player,
    optimal_dark_chess_player,
    play_dark_chess_game,
    search_dark_knight,
    search_dark_knight_stages,
    uniform_dark_chess_player,
)
from engine.agents.dark_knight import DarkKnightSetting, read_setting
from engine.games.chance import drawn
from engine.games.dark_chess import new_position
from engine.match.tally import Z_95
from engine.search.dark_chess_solution import best_moves

SIZE = (2, 4)
EMM_PLIES = 4
SEARCH_SEEDS = 4  # of a position
OPT = "OPT"
Row = Mapping[str, Any]


def start_of(material: str) -> DarkChessPosition:
    """Returns the start of the measured games, without the rules of draws."""
    return new_position(*SIZE, material, quiet_limit=0, repetitions=0)


def searching(setting: DarkKnightSetting, start: DarkChessPosition, seed: int) -> DarkChessPlayer:
    """Returns a player by DarkKnight's search; it stops once its move is decided."""
    settings = setting.native()
    settings.stops_when_decided = True
    return DarkChessSearchPlayer(settings, start, SEARCH_SEEDS, seed)


def player_of(
    name: str, solution: SolvedDarkChess, start: DarkChessPosition, seed: int
) -> DarkChessPlayer:
    """Returns the player of a name: OPT, EMM, random, or a setting; ValueError on another one."""
    if name == OPT:
        return optimal_dark_chess_player(solution)
    if name == "EMM":
        return minimax_dark_chess_player(EMM_PLIES, start)
    if name == "random":
        return uniform_dark_chess_player()
    return searching(read_setting(name), start, seed)


def example_positions(
    player: DarkChessPlayer, start: DarkChessPosition, games: int, number: int, seed: int
) -> list[DarkChessPosition]:
    """Returns positions before the moves of a player's games with itself.

    number: positions, drawn from those of all games; fewer if there are no more. A game ends after
    as many quiet moves as the limit of a tournament, 40.
    """
    rng = random.Random(seed)  # noqa: S311 - no secret
    every = []
    for _ in range(games):
        position = new_position(*SIZE, material_text(start), quiet_limit=40, repetitions=0)
        while not position.is_over:
            every.append(position.copy())
            move = player.choose(position, rng.getrandbits(63))
            position.play(drawn(position, move, rng.randrange))
    return rng.sample(every, min(number, len(every)))


def material_text(position: DarkChessPosition) -> str:
    """Returns the material of each side as text.

    >>> material_text(new_position(2, 4, "KGGP"))
    'KGGP'
    """
    return "".join(kind * count for kind, count in zip("KGMRNCP", position.material, strict=True))


@dataclass(frozen=True, slots=True)
class PositionTests:
    """Positions with their solved values, experts' actions and results of experts' games."""

    positions: list[DarkChessPosition]
    best: list[list[int]]
    values: list[float]
    experts: dict[str, list[int]]  # actions by expert
    outcomes: dict[str, list[int]]  # results for the side to move by expert

    @classmethod
    def of(
        cls,
        positions: list[DarkChessPosition],
        solution: SolvedDarkChess,
        experts: Iterable[str],
        outcomes: Iterable[str],
        seed: int,
    ) -> PositionTests:
        """Asks the solution and the experts, who have seeds of their own."""
        actions, results = {}, {}
        for name in experts:
            settings = read_setting(name).native()
            settings.stops_when_decided = True
            actions[name] = [
                search_dark_knight(position, settings, seed + 2 * number + 1).finding.move
                for number, position in enumerate(positions)
            ]
        for name in outcomes:
            results[name] = [
                play_dark_chess_game(position, player, player, 180, seed + number)
                for number, position in enumerate(positions)
                for player in [searching(read_setting(name), position, seed)]
            ]
        best = [best_moves(solution, position) for position in positions]
        values = [solution.value(position) / solution.whole for position in positions]
        return cls(positions, best, values, actions, results)

    def counts_of(self, setting: DarkKnightSetting, stages: list[int], seed: int) -> list[Row]:
        """Returns the counts of a setting's search after each of these numbers of simulations."""
        settings = setting.native()
        counts = [_Counts() for _ in stages]
        for number, position in enumerate(self.positions):
            stops = search_dark_knight_stages(position, settings, seed + 2 * number, stages)
            for count, result in zip(counts, stops, strict=True):
                self._add(count, number, result.finding.move, result.finding.value)
        return [count.row(len(self.positions)) for count in counts]

    def _add(self, count: _Counts, number: int, move: int, value: float) -> None:
        count.hits["BEST"] = count.hits.get("BEST", 0) + (move in self.best[number])
        for name, moves in self.experts.items():
            count.hits[name] = count.hits.get(name, 0) + (move == moves[number])
        error = (value - self.values[number]) ** 2
        count.squares["TH"] = count.squares.get("TH", 0.0) + error
        for name, results in self.outcomes.items():
            error = (value - results[number]) ** 2
            count.squares[f"GO_{name}"] = count.squares.get(f"GO_{name}", 0.0) + error


@dataclass
class _Counts:
    """Predicted actions by expert, and sums of squared errors by kind of value."""

    hits: dict[str, int] = field(default_factory=dict)
    squares: dict[str, float] = field(default_factory=dict)

    def row(self, positions: int) -> Row:
        return {"positions": positions, "hits": self.hits, "squares": self.squares}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric, and half of its 95% interval. Rates are in percent.

    Metrics over the same positions for all settings have no interval: they differ less between
    settings than the positions let one think.
    """

    value: float
    half: float = math.nan


@dataclass(frozen=True, slots=True)
class Share:
    """A sum over positions, and their number."""

    total: float = 0.0
    number: int = 0

    @property
    def mean(self) -> float:
        """The mean over the positions."""
        return self.total / self.number


@dataclass
class GameSums:
    """Results of games less a share of the luck of their flips, added up over materials.

    The luck's mean is 0: it is a control variate.
    """

    share: float  # of the luck
    games: int = 0
    result: float = 0.0  # 1 won, 0 drawn, -1 lost
    variance: float = 0.0  # of the sum of the results

    def add(self, row: Row) -> None:
        """Adds the games of a row, two or more; materials differ, and that is no noise."""
        games, luck = row["games"], self.share * row["luck"]
        result = row["wins"] - row["losses"] - luck
        squares = row["wins"] + row["losses"] - 2 * self.share * row["luck_results"]
        squares += self.share**2 * row["luck_squares"]
        self.games += games
        self.result += result
        self.variance += games * (squares - result**2 / games) / (games - 1)

    def win_rate(self) -> Metric:
        """Returns the share of points."""
        half = Z_95 * math.sqrt(max(self.variance, 0.0)) / self.games
        return Metric(50 + 50 * self.result / self.games, 50 * half)


def luck_shares(rows: Iterable[Row]) -> dict[str, float]:
    """Returns for each opponent the share of luck that leaves the least variance of results.

    A share of many settings' games fits the noise of none of them.
    """
    together, alone = defaultdict[str, float](float), defaultdict[str, float](float)
    for row in rows:
        if "against" in row:
            name, luck, result = row["against"], row["luck"], row["wins"] - row["losses"]
            together[name] += row["luck_results"] - result * luck / row["games"]
            alone[name] += row["luck_squares"] - luck**2 / row["games"]
    return {name: together[name] / alone[name] if alone[name] > 0 else 0.0 for name in alone}


def metrics_of(rows: Iterable[Row], of_luck: Mapping[str, float]) -> dict[str, Metric]:
    """Returns the metrics of one setting, by the thesis's names, from its rows of all materials.

    of_luck: share of the luck that win rates leave out, by opponent.
    """
    games: dict[str, GameSums] = {}
    hits, squares = dict[str, Share](), dict[str, Share]()
    for row in rows:
        if "against" in row:
            games.setdefault(row["against"], GameSums(of_luck[row["against"]])).add(row)
            continue
        for shares, sums in ((hits, row["hits"]), (squares, row["squares"])):
            for name, total in sums.items():
                before = shares.get(name, Share())
                shares[name] = Share(before.total + total, before.number + row["positions"])
    metrics = {f"WR_{short_name(name)}": sums.win_rate() for name, sums in games.items()}
    for name, share in hits.items():
        metrics[f"PR_{short_name(name)}"] = Metric(100 * share.mean)
    for name, share in squares.items():
        kind, _, expert = name.partition("_")
        full = f"MSE_{kind}_{short_name(expert)}" if expert else f"MSE_{kind}"
        metrics[full] = Metric(share.mean / 4)
    return metrics


def short_name(name: str) -> str:
    """Returns the thesis's name of a player.

    >>> [short_name(name) for name in ("OPT", "1000", "1000000", "1000,EPT")]
    ['OPT', '1k', '1M', '1000,EPT']
    """
    if not name.isdigit() or int(name) % 1000:
        return name
    thousands = int(name) // 1000
    return f"{thousands // 1000}M" if thousands % 1000 == 0 else f"{thousands}k"
