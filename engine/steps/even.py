"""A move of a balanced game: the search reads how it stands, the controller names the level.

Knows in which order that happens and how to say it; the numbers are in engine.strength. The move
itself is the level's (engine.steps.level), and so is its search.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.position import Position
from engine.records import Choice, Report
from engine.search import Search
from engine.steps.level import choose_by
from engine.strength.controller import Aim, Controller, Steering
from engine.strength.outcome import Standing
from engine.turn import Steps, Turn
from engine.watching import Watch, standing


def share_time(_search: Search, turn: Turn[Position]) -> Turn[Position]:
    """The same turn with the time for each of its two searches, the reading and the level's own."""
    return replace(turn, limit=turn.limit.part(0.5))


def play_evenly(search: Search, turn: Turn[Position], report: Report) -> Choice | None:
    """A move at the level that wins as often as wanted; None where no level has a move."""
    aim, watch = turn.strength(Aim), turn.watch
    if watch is None:
        raise TypeError(f"persona {turn.persona.name!r} has no opponent to play evenly with")
    ladder = watch.ladder
    controller = Controller(
        aim,
        watch.opponent.posterior,
        watch.outcome,
        ladder.lowest,
        ladder.highest,
        watch.given,
    )
    before = watch.levels[-1] if watch.levels else None
    steering = controller.steer(standing(turn.position, report), before)

    def prefer(moves: NDArray[np.intp]) -> NDArray[np.float64]:
        return controller.preferences(steering, after_each(turn.position, report, moves))

    choice = choose_by(ladder.at(steering.level_elo).draw(turn.rng), search, turn, prefer)
    if choice is None:
        return None
    reason = f"{in_words(steering, watch)}, {choice.reason}"
    return replace(choice, reason=reason, report=report, level_elo=steering.level_elo)


def after_each(
    position: Position, report: Report, moves: NDArray[np.intp]
) -> list[Standing | None]:
    """How the game stands for who is to move now after each move, as far as the search looked."""
    found = {stats.move: stats for stats in report.moves if stats.visits > 0}
    phase = float((np.count_nonzero(position.stones) + 1) / position.stones.size)
    standings: list[Standing | None] = []
    for move in moves:
        stats = found.get(int(move))
        if stats is None:
            standings.append(None)
        else:
            standings.append(Standing(min(phase, 1.0), stats.win_rate, stats.score_lead))
    return standings


def in_words(steering: Steering, watch: Watch) -> str:
    """What was decided and on what grounds: "level +640 (theirs 610 +- 120), chance 51%"."""
    posterior = watch.opponent.posterior
    low, high = posterior.interval()
    theirs = f"theirs {posterior.mean:.0f} +- {(high - low) / 2:.0f}"
    return f"level {steering.level_elo:+.0f} ({theirs}), chance {steering.chance:.0%}"


EVEN: Steps[Position] = Steps(prepare=(share_time,), after_search=(play_evenly,))
