"""The steps of each method of weakened play.

METHODS is the table, with a row for each settings class of engine.strength. Full strength has no
row: it plays by the games' own steps in engine.play.move_choice.
"""

from __future__ import annotations

from typing import Any

from engine.play.steps.alphadda import ALPHADDA1, ALPHADDA2, ALPHADDA3
from engine.play.steps.alphazero import ALPHAZERO
from engine.play.steps.even import EVEN
from engine.play.steps.human import HUMAN
from engine.play.steps.level import AT_ELO, LEVEL
from engine.play.steps.position_control import POSITION_CONTROL
from engine.play.steps.request import Steps
from engine.play.steps.softmax import SOFTMAX
from engine.strength.alphadda import AlphaDda1, AlphaDda2, AlphaDda3
from engine.strength.alphazero import AlphaZero
from engine.strength.fixed_elo import FixedElo
from engine.strength.human_play import HumanPlay
from engine.strength.level import Level
from engine.strength.softmax_index import Softmax
from engine.strength.target_win_rate import TargetWinRate
from engine.style.position_control import PositionControl

METHODS: dict[type, Steps[Any]] = {
    TargetWinRate: EVEN,
    AlphaZero: ALPHAZERO,
    FixedElo: AT_ELO,
    HumanPlay: HUMAN,
    Level: LEVEL,
    Softmax: SOFTMAX,
    AlphaDda1: ALPHADDA1,
    AlphaDda2: ALPHADDA2,
    AlphaDda3: ALPHADDA3,
    PositionControl: POSITION_CONTROL,
}
