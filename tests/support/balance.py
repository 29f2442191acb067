"""Balance controllers of a ladder from -200 to 1600 Elo, and beliefs about opponents on it."""

from __future__ import annotations

from engine.opponents.balance_controller import BalanceController
from engine.opponents.posterior import Posterior
from engine.opponents.win_model import guessed
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Standing

LOWEST, HIGHEST = -200.0, 1600.0
OUTCOME = guessed(LOWEST, HIGHEST)
START = Standing(phase=0.0, win_rate=0.5, lead=0.0)


def known(elo: float, deviation: float = 40.0) -> Posterior:
    return Posterior.of_stranger(LOWEST, HIGHEST, mean_elo=elo, deviation_elo=deviation)


def controlled(posterior: Posterior, aim: TargetWinRate | None = None) -> BalanceController:
    return BalanceController(aim or TargetWinRate(caution=0), posterior, OUTCOME, LOWEST, HIGHEST)
