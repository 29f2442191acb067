"""The networks and the visits of a judge of games, and the interface that a judge needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.games.table import Board
from engine.match.engine_player import SharedNetworks
from engine.networks.human_policy import HumanPolicy
from engine.networks.human_profile import RANK_INPUTS
from engine.networks.human_rating import MOST_RATING
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.networks import networks_of
from engine.review.marks import UNKNOWN_RANK
from engine.review.move_ratings import PRIOR_MEAN
from engine.search.search import Search
from engine.strength.rank_scale import RANKED_GAME

WEAKEST_INPUT = float(RANK_INPUTS)  # the weakest rank that the human network knows

# The rank of players without one, in chess their rating, and the greatest one that networks know.
PLAYERS = {RANKED_GAME: (UNKNOWN_RANK, WEAKEST_INPUT), "chess": (PRIOR_MEAN, MOST_RATING)}

Policy = Callable[[Position], NDArray[np.float64]]
PeoplePolicy = Callable[[Position, int], NDArray[np.float64]]


class JudgeSource(Protocol):
    """The searches and policies of a judge."""

    @property
    def visits(self) -> int | None:
        """The visits of a search; None: no searches, the reference alone measures moves."""

    @property
    def teaches(self) -> bool:
        """Whether judgements have advice, for lessons."""

    def search(self, board: Board, /) -> Search:
        """Returns a search with an empty tree."""

    def policy(self, board: Board, /) -> Policy:
        """Returns the reference policy: [move_count] float64 probabilities, 0 for illegal moves."""

    def people_policy(
        self, board: Board, ranks: tuple[float | None, float | None], /
    ) -> PeoplePolicy | None:
        """Returns the policy of people of these ranks, of color 0 and 1; None without a network.

        The function takes a position and the color to move, and returns [move_count] float64. In
        chess the ranks are ratings. PLAYERS has the rank of a player without one.
        """


def policy_of_ranks(
    people: HumanPolicy, ranks: tuple[float | None, float | None], game: str
) -> PeoplePolicy:
    """Returns the policy of people of these ranks, as JudgeSource.people_policy does."""
    unknown, most = PLAYERS.get(game, PLAYERS[RANKED_GAME])
    first, second = (min(unknown if rank is None else rank, most) for rank in ranks)
    both = ((first, second), (second, first))
    return lambda position, color: people.policy_at(position, both[color])


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of a judge: its visits, its networks, and the reference policy."""

    visits: int | None  # visits of a search; None: no judge, the reference alone measures moves
    networks: SharedNetworks = field(default_factory=SharedNetworks)
    network: str | None = None  # the judging network's file; None: the bundled one
    human_network: str | None = None  # the file of the human policy; None: the bundled one
    backend: str = "auto"
    precision: str = "auto"
    profile: str = ""  # the imitated players, by KataGo's names of profiles
    teaches: bool = False  # whether judgements have advice, for lessons

    def strong(self, board: Board) -> NetworkChoice:
        """Returns the judging network."""
        return self._networks(board).on(board)

    def reference(self, board: Board) -> NetworkChoice:
        """Returns the network of the reference policy."""
        return self._networks(board).human_on(board) or self.strong(board)

    def _networks(self, board: Board) -> GameNetworks:
        return networks_of(
            board.game,
            self.network,
            self.backend,
            self.precision,
            human_network=self.human_network,
        )

    def reference_name(self, board: Board) -> str:
        """Returns the name of the reference network, in a word."""
        return _name(self.reference(board))

    def judge_name(self, board: Board) -> str:
        """Returns the name of the judging network, in a word."""
        return _name(self.strong(board))

    def load(self, board: Board) -> None:
        """Loads both networks; raises SettingError if one cannot be loaded."""
        for choice in (self.strong(board), self.reference(board)):
            self.networks.network(choice)

    def search(self, board: Board) -> Search:
        """Returns a new search by the judging network."""
        return Search(self.networks.network(self.strong(board)).evaluator)

    def people_policy(
        self, board: Board, ranks: tuple[float | None, float | None]
    ) -> PeoplePolicy | None:
        """Returns the policy of people of these ranks; None without a network of human moves."""
        people = self.human_policy(board)
        return None if people is None else policy_of_ranks(people, ranks, board.game)

    def human_policy(self, board: Board) -> HumanPolicy | None:
        """Returns the network of human moves; None without one."""
        choice = self._networks(board).human_on(board)
        return None if choice is None else HumanPolicy(self.networks.network(choice).evaluator)

    def policy(self, board: Board) -> Policy:
        """Returns the reference policy: [move_count] float64 probabilities, 0 for illegal moves."""
        reference = HumanPolicy(self.networks.network(self.reference(board)).evaluator)
        return partial(reference.policy, profile=self.profile)


def _name(choice: NetworkChoice) -> str:
    return "quick games" if choice.path is None else choice.path.name.split(".")[0]
