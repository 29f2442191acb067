"""The persona of a query: it chooses a move beside the analysis, on a worker's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.personas import Persona
from engine.play.persona_move import persona_move
from engine.play.search_source import OneSearch, SearchSource
from engine.search.search import Search
from engine.values import Choice
from protocols.analysis.query import Query


@dataclass(frozen=True)
class PersonaOfQuery:
    """A persona with its networks."""

    persona: Persona
    human: HumanPolicy | None  # None: the search's own network stands in
    mixed: Evaluator | None

    @classmethod
    def leased(cls, persona: Persona, source: SearchSource | None, board: Board) -> Self:
        """Returns the persona with its networks, from the client's source."""
        if source is None:
            return cls(persona, None, None)
        mixed = None if persona.mixed is None else source.mixed_network(persona.mixed.path)
        return cls(persona, source.human_policy_on(board), mixed)

    def choose(self, search: Search, query: Query, turn: int, stop: Callable[[], bool]) -> Choice:
        """Returns the persona's move at that turn. search: a new one for this move."""
        source = OneSearch(
            search, human_policy=lambda: self.human, mixed_network=lambda _path: self.mixed
        )
        return persona_move(
            query.record(turn),
            self.persona,
            source,
            query.settings.limit,
            restriction=query.restriction,
            stop=stop,
        )
