"""The change of an opponent's strength from one game to the next."""

from __future__ import annotations

import math

from engine.opponents.elo_grid import Kernel, normal_around

GAME_DRIFT_ELO = 15.0  # deviation of the change in strength from one game to the next
DAY_DRIFT_ELO = 8.0  # deviation of the change in a day; in n days it is sqrt(n) times as much
# The probability of a jump in strength before a game: a new player, or an end of shamming.
JUMP_PROBABILITY = 0.01
JUMP_ELO = 400.0  # deviation of a jump


def drift_kernel(points: int, step_elo: float, days: float, change_elo: float) -> Kernel:
    """Returns [points now, points later] the probability of each change before another game."""
    slow = math.sqrt(GAME_DRIFT_ELO**2 + days * DAY_DRIFT_ELO**2 + change_elo**2)
    usual = normal_around(points, step_elo, slow)
    jump = normal_around(points, step_elo, math.hypot(slow, JUMP_ELO))
    kernel: Kernel = (1 - JUMP_PROBABILITY) * usual + JUMP_PROBABILITY * jump
    return kernel
