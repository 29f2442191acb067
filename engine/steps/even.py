"""A move of a balanced game: the search reads how it stands, the controller names the level.

Knows in which order that happens and how to say it; the numbers are in engine.strength. The move
itself is the level's (engine.steps.level), and so is its search.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.position import Position
from engine.records import Choice, Report, Standing
from engine.search import Search
from engine.steps.level import choose_by
from engine.strength.controller import Aim, Controller, Steering
from engine.turn import Steps, Turn
from engine.watching import Watch, phase_of

UNSURE_VISITS = 6  # with so many a move is taken for half as good as it seems, above the worst


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
        aim.paying_back(watch.opponent.surplus),
        watch.opponent.posterior,
        watch.outcome,
        ladder.lowest,
        ladder.highest,
        watch.given,
    )
    before = watch.levels[-1] if watch.levels else None
    standing = watch.stands(turn.position, report)
    steering = controller.steer(standing, before)

    def prefer(moves: NDArray[np.intp], natural: NDArray[np.float64]) -> NDArray[np.float64]:
        after = after_each(watch, turn.position, report, moves)
        return controller.preferred(after, natural)

    choice = choose_by(ladder.at(steering.level_elo).draw(turn.rng), search, turn, prefer)
    if choice is None:
        return None
    return replace(
        choice,
        reason=f"{in_words(steering, watch)}, {choice.reason}",
        report=report,
        level_elo=steering.level_elo,
        # Without closeness the level does not follow from how it stands: results tell of it.
        standing=standing if aim.closeness > 0 else None,
    )


def after_each(
    watch: Watch, position: Position, report: Report, moves: NDArray[np.intp]
) -> list[Standing | None]:
    """How the game stands for who is to move now after each move, as far as the search looked."""
    found = {stats.move: stats for stats in report.moves if stats.visits > 0}
    if not found:
        return [None] * len(moves)
    worst = min(stats.win_rate for stats in found.values())
    least = min(stats.score_lead for stats in found.values())
    standings: list[Standing | None] = []
    for move in map(int, moves):
        stats = found.get(move)
        if stats is None:
            standings.append(None)
            continue
        after = position.copy()
        after.play(move)
        if after.is_over:
            won = 0.5 if after.winner < 0 else float(after.winner == position.to_move)
            standings.append(Standing(1.0, won, stats.score_lead, over=True))
            continue
        mine = after.to_move == position.to_move  # Othello, where the opponent must pass
        greedy, careless = (share if mine else 1 - share for share in watch.weak(after))
        # Of many moves that were hardly looked at the one that seems best is so by chance.
        sure = stats.visits / (stats.visits + UNSURE_VISITS)
        win_rate = worst + sure * (stats.win_rate - worst)
        lead = least + sure * (stats.score_lead - least)
        standings.append(Standing(phase_of(after), win_rate, lead, greedy, careless))
    return standings


def in_words(steering: Steering, watch: Watch) -> str:
    """What was decided and on what grounds: "level +640 (theirs 610 +- 120), chance 51%"."""
    posterior = watch.opponent.posterior
    low, high = posterior.interval()
    theirs = f"theirs {posterior.mean:.0f} +- {(high - low) / 2:.0f}"
    return f"level {steering.level_elo:+.0f} ({theirs}), chance {steering.chance:.0%}"


EVEN: Steps[Position] = Steps(prepare=(share_time,), after_search=(play_evenly,))
