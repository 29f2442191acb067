"""Values of a small dark chess by brute force on the slow referee; it shares no code with the core.

Endless play is a draw: values start at 0 and are renewed from their moves' until none changes.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.support.dark_chess_referee import DarkGame

Key = tuple[tuple[str, ...], tuple[str, ...], str]
# The outcomes of one action: the weight and the key of the position after it.
Action = list[tuple[int, Key]]


def key_of(game: DarkGame) -> Key:
    return game.cells, game.pool, game.color


def without_history(game: DarkGame) -> DarkGame:
    return replace(game, quiet=(), quiet_limit=0, repetitions=0)


class BruteForce:
    """The values of all positions that play reaches from one position, for the side to move."""

    def __init__(self, start: DarkGame) -> None:
        self.actions: dict[Key, dict[str, Action]] = {}
        self.values: dict[Key, Fraction] = {}
        waiting = [without_history(start)]
        while waiting:
            game = waiting.pop()
            if key_of(game) in self.values:
                continue
            result = game.result()
            self.values[key_of(game)] = Fraction(
                0 if result is None else 1 if result == game.color else -1
            )
            if result is not None:
                continue
            moves = self.actions[key_of(game)] = {}
            for text in game.actions():
                moves[text] = []
                for played, weight in game.outcomes(text).items():
                    after = without_history(game.play(played))
                    moves[text].append((weight, key_of(after)))
                    waiting.append(after)
        self._renew()

    def _renew(self) -> None:
        """Renews the values of the positions with the fewest pieces first, until all stand."""
        order = sorted(self.actions, key=lambda key: (-key[0].count("-"), len(key[1])))
        is_changed = True
        while is_changed:
            is_changed = False
            for key in order:
                best = max(self.action_value(key, text) for text in self.actions[key])
                if best != self.values[key]:
                    self.values[key] = best
                    is_changed = True

    def action_value(self, key: Key, text: str) -> Fraction:
        outcomes = self.actions[key][text]
        whole = sum(weight for weight, _ in outcomes)
        return (
            -sum((weight * self.values[after] for weight, after in outcomes), Fraction(0)) / whole
        )
