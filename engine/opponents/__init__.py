"""The opponent of a session: identity, estimated strength, evidence, storage.

`OpponentModel` is the entry: a session holds one. The other names are its frozen values and stores.
"""

from engine.opponents.balance_controller import (
    OPPONENT_KINDS,
    BalanceController,
    PlannedLevel,
    StandingAfter,
)
from engine.opponents.elo_grid import Grid, Tables
from engine.opponents.fallback_store import FallbackStore
from engine.opponents.move_balancer import MoveBalancer
from engine.opponents.move_likelihood import MoveLikelihood
from engine.opponents.opponent import SECONDS_A_DAY, Opponent
from engine.opponents.opponent_model import FORFEITED, ON_TIME, RESIGNED, OpponentModel
from engine.opponents.opponent_store import (
    MOST_RATED,
    MOST_RATED_DEVIATION,
    EloEstimate,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    OpponentSummary,
    RatedEvidence,
    StoredGame,
    StoreError,
    TransientStore,
)
from engine.opponents.outcome_model import OutcomeModel, is_decided
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior, stranger_moments
from engine.opponents.score_model import open_points, with_one_spread
from engine.opponents.server_rating import PERSON, PROGRAM, ServerRating
from engine.opponents.stored_opponent import StoredOpponent
from engine.opponents.stranger_prior import stranger_posterior
from engine.opponents.tracker import GameSoFar, OpponentTracker, judge_last_move, of_stranger

__all__ = [
    "FORFEITED",
    "MOST_RATED",
    "MOST_RATED_DEVIATION",
    "ON_TIME",
    "OPPONENT_KINDS",
    "PERSON",
    "PROGRAM",
    "RESIGNED",
    "SECONDS_A_DAY",
    "BalanceController",
    "EloEstimate",
    "FallbackStore",
    "GameSoFar",
    "Grid",
    "MoveBalancer",
    "MoveLikelihood",
    "Opponent",
    "OpponentEntry",
    "OpponentModel",
    "OpponentName",
    "OpponentStore",
    "OpponentSummary",
    "OpponentTracker",
    "OutcomeModel",
    "PlannedLevel",
    "PlayerStyle",
    "Posterior",
    "RatedEvidence",
    "ServerRating",
    "StandingAfter",
    "StoreError",
    "StoredGame",
    "StoredOpponent",
    "Tables",
    "TransientStore",
    "is_decided",
    "judge_last_move",
    "of_stranger",
    "open_points",
    "stranger_moments",
    "stranger_posterior",
    "with_one_spread",
]
