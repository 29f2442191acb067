"""Strength on the solved 2x4 board of dark chess: win rates, prediction rate, value error.

The forms are those of Hsueh's thesis (2019, chapter 3). A win rate counts a draw as half. The
prediction rate is the share of positions with a best action chosen. The value error is the mean
squared difference of the values, times 1/4. The thesis does not state the player of the test
positions; here it is a random one, or OPT.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine._core import (
    DarkChessPosition,
    DarkKnightSettings,
    SolvedDarkChess,
    dark_chess_minimax,
    search_dark_knight,
)
from engine.agents.dark_knight import DarkKnightSetting, read_setting
from engine.games.chance import drawn
from engine.games.dark_chess import new_position
from engine.match.tally import Tally
from engine.search.dark_chess_solution import best_moves

SIZE = (2, 4)
EMM_PLIES = 4
# (position, seed) -> the move and the expected result for its side, None from a player without one
DarkChessPlayer = Callable[[DarkChessPosition, int], tuple[int, float | None]]


def optimal(solution: SolvedDarkChess) -> DarkChessPlayer:
    """Returns OPT: any of the best moves, each with equal probability."""

    def choose(position: DarkChessPosition, seed: int) -> tuple[int, float | None]:
        rng = random.Random(seed)  # noqa: S311 - no secret
        return rng.choice(best_moves(solution, position)), None

    return choose


def minimax(position: DarkChessPosition, seed: int) -> tuple[int, float | None]:
    """Chooses as EMM: expectiminimax of 4 plies on weighted material."""
    return dark_chess_minimax(position, EMM_PLIES, seed).move, None


def searching(settings: DarkKnightSettings) -> DarkChessPlayer:
    """Returns a player by DarkKnight's search."""

    def choose(position: DarkChessPosition, seed: int) -> tuple[int, float | None]:
        finding = search_dark_knight(position, settings, seed).finding
        return finding.move, finding.value

    return choose


def baseline(name: str, solution: SolvedDarkChess) -> DarkChessPlayer:
    """Returns the player of a name: OPT, EMM or a setting. Raises ValueError on another one."""
    if name == "OPT":
        return optimal(solution)
    return minimax if name == "EMM" else searching(read_setting(name).native())


def start_of(material: str, *, quiet_limit: int = 180, repetitions: int = 0) -> DarkChessPosition:
    """Returns the start of the measured games.

    With these draws win rates against OPT are near the thesis's. OPT may repeat positions: with the
    usual draws, of 40 quiet moves and of repetitions, it wins less.
    """
    return new_position(*SIZE, material, quiet_limit=quiet_limit, repetitions=repetitions)


def play_game(
    first: DarkChessPlayer, second: DarkChessPlayer, start: DarkChessPosition, seed: int
) -> int | None:
    """Returns the winner, 0 the first player, or None for a draw; the seed draws the flips too."""
    position = start.copy()
    rng = random.Random(seed)  # noqa: S311 - no secret
    while not position.is_over:
        player = (first, second)[position.to_move]
        move, _ = player(position, rng.getrandbits(63))
        position.play(drawn(position, move, rng.randrange))
    return None if position.winner < 0 else position.winner


def match_of(
    player: DarkChessPlayer, other: DarkChessPlayer, start: DarkChessPosition, games: int, seed: int
) -> Tally:
    """Returns the player's results; the players take the first move in turn."""
    tally = Tally()
    for game in range(games):
        pair = (player, other) if game % 2 == 0 else (other, player)
        winner = play_game(*pair, start, seed + game)
        tally = tally.add(winner if winner is None or game % 2 == 0 else 1 - winner)
    return tally


def example_positions(
    player: DarkChessPlayer, start: DarkChessPosition, number: int, seed: int
) -> list[DarkChessPosition]:
    """Returns all positions before the moves of so many games of a player with itself."""
    positions = []
    for game in range(number):
        position = start.copy()
        rng = random.Random(seed + game)  # noqa: S311 - no secret
        while not position.is_over:
            positions.append(position.copy())
            move, _ = player(position, rng.getrandbits(63))
            position.play(drawn(position, move, rng.randrange))
    return positions


def uniform(position: DarkChessPosition, seed: int) -> tuple[int, float | None]:
    """Chooses any legal move, each with equal probability."""
    return random.Random(seed).choice(position.legal_moves()), None  # noqa: S311 - no secret


@dataclass
class SettingMetrics:
    """The metrics of one setting, added up over materials."""

    setting: DarkKnightSetting
    tallies: dict[str, Tally]  # by baseline
    positions: int = 0
    predicted: int = 0
    squares: float = 0.0

    def play(
        self, solution: SolvedDarkChess, start: DarkChessPosition, games: int, seed: int
    ) -> None:
        """Plays against each baseline from a start."""
        player = searching(self.setting.native())
        for name, before in self.tallies.items():
            now = match_of(player, baseline(name, solution), start, games, seed)
            self.tallies[name] = Tally(
                before.wins + now.wins, before.losses + now.losses, before.draws + now.draws
            )

    def predict(
        self, solution: SolvedDarkChess, positions: Iterable[DarkChessPosition], seed: int
    ) -> None:
        """Compares the moves and values of positions with the solved ones."""
        player = searching(self.setting.native())
        for number, position in enumerate(positions):
            move, value = player(position, seed + number)
            error = (value or 0.0) - solution.value(position) / solution.whole
            self.positions += 1
            self.predicted += move in best_moves(solution, position)
            self.squares += error**2

    @property
    def metrics(self) -> dict[str, float]:
        """The metrics by the thesis's names; rates in percent."""
        values = {f"WR_{short_name(name)}": 100 * each.rate for name, each in self.tallies.items()}
        if self.positions:
            values["PR_BEST"] = 100 * self.predicted / self.positions
            values["MSE_TH"] = self.squares / self.positions / 4
        return values


def short_name(name: str) -> str:
    """Returns the thesis's name of a baseline.

    >>> [short_name(name) for name in ("OPT", "1000", "1000,EPT")]
    ['OPT', '1k', '1000,EPT']
    """
    return f"{int(name) // 1000}k" if name.isdigit() and int(name) % 1000 == 0 else name
