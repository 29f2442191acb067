"""How each way to weaken play decides a move.

METHODS is the table; a settings class of engine.strength is a row. Full strength has none: it is
the games' own steps, which engine.player knows.
"""

from __future__ import annotations

from typing import Any

from engine.steps.alphadda import ALPHADDA1, ALPHADDA2, ALPHADDA3
from engine.steps.alphazero import ALPHAZERO
from engine.steps.even import EVEN
from engine.steps.human import HUMAN
from engine.steps.level import AT_ELO, LEVEL
from engine.steps.position_control import POSITION_CONTROL
from engine.steps.softmax import SOFTMAX
from engine.strength.alphadda import AlphaDda1, AlphaDda2, AlphaDda3
from engine.strength.alphazero import AlphaZero
from engine.strength.at_elo import AtElo
from engine.strength.controller import Aim
from engine.strength.human_play import HumanPlay
from engine.strength.level import Level
from engine.strength.softmax_index import Softmax
from engine.style.position_control import PositionControl
from engine.turn import Steps

METHODS: dict[type, Steps[Any]] = {
    Aim: EVEN,
    AlphaZero: ALPHAZERO,
    AtElo: AT_ELO,
    HumanPlay: HUMAN,
    Level: LEVEL,
    Softmax: SOFTMAX,
    AlphaDda1: ALPHADDA1,
    AlphaDda2: ALPHADDA2,
    AlphaDda3: ALPHADDA3,
    PositionControl: POSITION_CONTROL,
}
