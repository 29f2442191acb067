"""A GTP conversation in memory: no network, no threads, no pipes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.games.evaluator import Evaluator
from engine.games.game_settings import usual_settings
from engine.games.table import Board, usual_board
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.opponents.opponent_store import OpponentStore
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from protocols.gtp import GtpEngine
from protocols.rights import Rights
from tests.support.stand_in import StandInEvaluator, StandInSlot

OWN, OPPONENT, OWN_AREA, OPPONENT_AREA = 1, 2, 18, 19  # planes
KOMI = 5  # global input, in twentieths of a point


def count_area(slot: StandInSlot, row: int) -> None:
    """Whoever has more area wins; moves into one's own area are unlikely."""
    planes = slot.spatial[row].astype(np.float32)
    area = planes[OWN_AREA] - planes[OPPONENT_AREA]
    lead = float(area.sum()) + 20 * float(slot.globals[row, KOMI])
    slot.policy[row, :-1] = (-6 * planes[OWN_AREA] - 2 * planes[OPPONENT_AREA]).ravel()
    slot.policy[row, -1] = -2
    slot.value[row] = (lead / 8, -lead / 8, -9)
    slot.misc[row] = (lead / 20, -1, lead / 20, 0, 0, 0)
    slot.ownership[row] = (3 * area + planes[OWN] - planes[OPPONENT]).ravel()


def search_for(board: Board) -> Search:
    """A search for a game, without a network."""
    if board.game == "go":
        return Search(StandInEvaluator(count_area))
    if board.game == "chess":  # it has no rollouts
        return Search(StandInEvaluator(game="chess"))
    return Search(RolloutEvaluator(board.game))


class NewSearches:
    """Satisfies SearchSource: a new search for each board, and no networks beside it."""

    def search_on(self, board: Board) -> Search:
        return search_for(board)

    def human_policy_on(self, board: Board) -> None:
        pass

    def mixed_network(self, path: Path) -> None:
        pass


class ScriptedInbox:
    """An inbox in which input waits once so many questions were asked."""

    def __init__(self, patience: int = 0) -> None:
        self.patience = patience
        self.waits = 0

    def waiting(self) -> bool:
        self.patience -= 1
        return self.patience < 0

    def wait(self) -> None:
        self.waits += 1

    def abandoned(self) -> bool:
        return False


class Conversation:
    """Says lines to an engine and hears what it emits. Go's network is a stand-in."""

    def __init__(
        self,
        *,
        visits: int = 20,
        folder: Path | None = None,
        evaluator: Evaluator | None = None,
        game: str = "go",
        points: bool = False,
        as_katago: bool = False,
        memory: OpponentStore | None = None,
    ) -> None:
        """memory: of the opponents of a user; None: those of a guest."""
        settings = SessionSettings(budget=Budget(max_visits=visits))
        search = Search(evaluator) if evaluator else search_for(usual_board(game))
        self.session = Session(search, settings, game_settings=usual_settings(game))
        self.inbox = ScriptedInbox()
        self.emitted: list[str] = []
        self.engine = GtpEngine(
            self.session,
            self.emitted.append,
            self.inbox,
            rights=Rights(is_user=folder is not None or memory is not None, folder=folder),
            source=NewSearches(),
            memory=memory,
            points=points,
            as_katago=as_katago,
        )

    def hear(self, line: str) -> str:
        """All that one line brings, as it is sent."""
        self.emitted.clear()
        self.engine.handle(line)
        return "".join(self.emitted)

    def say(self, line: str) -> str:
        """The text of a successful answer."""
        answer = self.hear(line)
        assert answer.startswith("="), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def refused(self, line: str) -> str:
        """The text of a failure."""
        answer = self.hear(line)
        assert answer.startswith("?"), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()
