"""The removal of dead stones after both players passed, as pure decisions.

The server marks cells as removed: dead stones, and empty points that count for nobody. Both players
accept the same marks, or one rejects them and the game goes on. The engine knows the dead stones.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bots.ogs.coordinates import encode_cells

Command = tuple[str, dict[str, object]]  # the name and the data

MOST_CORRECTIONS = 5  # of the marks in one phase, the first ones included
MOST_REJECTIONS = 2  # in a game; then the server decides


@dataclass(frozen=True, slots=True)
class JudgedStones:
    """The engine's judgement of all stones on the board, as cells."""

    dead: frozenset[int]
    alive: frozenset[int]


class StoneRemoval:
    """The bot's part in the removal of dead stones of one game."""

    def __init__(self, game_id: int) -> None:
        self._game_id, self._width = game_id, 0
        self._judged: JudgedStones | None = None
        self._accepted: frozenset[int] | None = None  # the marks that the bot accepted last
        self._corrections = 0  # in this phase
        self._rejections = 0
        self._is_rejecting = False  # in this phase

    def begin(self, width: int) -> None:
        """Enters the phase on a board of this width; the engine's judgement is wanted."""
        self._width = width
        self._judged, self._accepted, self._corrections = None, None, 0
        self._is_rejecting = False

    def go_on(self, marks: Collection[int]) -> list[Command]:
        """Repeats what the server may not have heard, after a new connection."""
        self._accepted = None
        if self._is_rejecting:
            return [self._rejection]
        self._corrections = max(0, self._corrections - 1)  # this one is no dispute
        return self.change(marks)

    def judge(self, judged: JudgedStones, marks: Collection[int]) -> list[Command]:
        """Takes the engine's judgement; marks: the cells marked now."""
        self._judged = judged
        return self._answer(judged, frozenset(marks))

    def change(self, marks: Collection[int]) -> list[Command]:
        """Takes the marks after a change by either player."""
        if self._judged is None:
            return []
        return self._answer(self._judged, frozenset(marks))

    def _answer(self, judged: JudgedStones, marks: frozenset[int]) -> list[Command]:
        """Returns the commands that correct and accept the marks, or reject them."""
        if self._is_rejecting:
            return []
        stones = judged.dead | judged.alive
        wanted = (marks - stones) | judged.dead
        if marks == wanted:
            if self._accepted == wanted:
                return []
            self._accepted = wanted
            return [self._accept(wanted)]
        self._corrections += 1
        if self._corrections > MOST_CORRECTIONS:
            return self._reject()
        self._accepted = None
        commands = [
            self._set(wanted - marks, is_removed=True),
            self._set(marks - wanted, is_removed=False),
        ]
        return [command for command in commands if command[1]["stones"]]

    def _reject(self) -> list[Command]:
        if self._rejections >= MOST_REJECTIONS:
            return []
        self._rejections += 1
        self._is_rejecting = True
        return [self._rejection]

    @property
    def _rejection(self) -> Command:
        return "game/removed_stones/reject", {"game_id": self._game_id}

    def _set(self, cells: Collection[int], *, is_removed: bool) -> Command:
        stones = encode_cells(cells, self._width)
        data = {"game_id": self._game_id, "removed": is_removed, "stones": stones}
        return "game/removed_stones/set", data

    def _accept(self, marks: Collection[int]) -> Command:
        stones = encode_cells(marks, self._width)
        data = {"game_id": self._game_id, "stones": stones, "strict_seki_mode": False}
        return "game/removed_stones/accept", data
