"""A player's rating as a server states it, on the server's own scale."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from engine.opponents.elo_grid import finite

PERSON, PROGRAM = "person", "program"
KINDS = (PERSON, PROGRAM)
MOST_RATING = 1e5  # the greatest number accepted from a server
MOST_SERVER_GAMES = 1e9
LONGEST_POOL = 40  # characters


@dataclass(frozen=True, slots=True)
class ServerRating:
    """The rating of one player in one pool of a server."""

    rating: float | None = None  # on the server's scale; None: the server states none
    deviation: float | None = None  # one standard deviation, on the same scale; None: not stated
    games: int | None = None  # rated games there; None: not stated
    is_provisional: bool = False  # the server marks the rating as uncertain
    kind: str = PERSON
    # The games of the rating: "overall", a board such as "9x9", a speed such as "blitz".
    pool: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError quoting an impossible field."""
        if self.kind not in KINDS:
            raise ValueError(f"the kind of a player is one of {', '.join(KINDS)}, not {self.kind}")
        if len(self.pool) > LONGEST_POOL or not self.pool.isprintable():
            raise ValueError(f"not a pool of ratings: {self.pool[:LONGEST_POOL]!r}")
        if self.deviation is not None and not 0 <= self.deviation <= MOST_RATING:
            raise ValueError(f"not a deviation of a rating: {self.deviation}")
        if self.games is not None and not 0 <= self.games <= MOST_SERVER_GAMES:
            raise ValueError(f"not a number of games: {self.games}")

    @property
    def is_program(self) -> bool:
        """Whether a program plays."""
        return self.kind == PROGRAM

    def to_json(self) -> dict[str, Any]:
        """Returns all fields as JSON values; from_json reads them."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the values of to_json; absent fields have their defaults.

        Raises ValueError on anything else.
        """
        try:
            rating, deviation, games = (data.get(name) for name in ("rating", "deviation", "games"))
            return cls(
                rating=None if rating is None else finite(rating, MOST_RATING),
                deviation=None if deviation is None else finite(deviation, MOST_RATING),
                games=None if games is None else int(finite(games, MOST_SERVER_GAMES)),
                is_provisional=bool(data.get("is_provisional", False)),
                kind=str(data.get("kind", PERSON)),
                pool=str(data.get("pool", "")),
            )
        except (AttributeError, TypeError, OverflowError) as error:
            raise ValueError(f"not a server's rating: {error}") from error
