"""Games between levels, played in processes of this machine.

A game has two levels of weakened play, an opening and a seed; its result is a row. A game has the
same moves on any machine; with a solving level, as far as the solver's time suffices. The list of
games comes from engine.lab.calibrate.round.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.games.chance import draw_by
from engine.games.evaluator import Evaluator
from engine.match.game_spec import GameSpec
from engine.match.match import SEED_BITS
from engine.match.openings import opening, usual_plies
from engine.match.referee import LONGEST_GAME, LONGEST_GAMES
from engine.networks.human_policy import HumanPolicy
from engine.networks.processor import cores
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.networks.runtime import load_evaluator
from engine.personas import Persona
from engine.play.game_networks import NetworkChoice
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.search.chess_aids import NO_AIDS, ChessAids, OpenAids, open_aids
from engine.search.judging import points_of
from engine.search.search import Search
from engine.search.tree import Cache, new_cache
from engine.strength.level import Level
from engine.util.process_pool import WorkerProcesses
from engine.values import Limit

CACHED = 2**18  # evaluations a process
WAITING_A_PROCESS = 4  # games sent ahead, so that none waits for work
OPENING_SHARE = 0.5  # share of a match's usual random moves: levels vary their games by themselves
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CalibrationJob:
    """One game to play."""

    number: int
    levels: tuple[Level, Level]  # levels of color 0 and 1
    start: GameSpec  # the start, with its opening
    seed: int
    tags: tuple[Any, ...] = ()  # the caller's tags of the row, as JSON values


def opened(start: GameSpec, seed: int, drawn: int) -> GameSpec:
    """Returns the start with the opening of that number, and with its chance.

    In games of chance the opening is a match's usual one: it is a part of the chance.
    """
    rng = random.Random(f"{seed} opening {drawn}")  # noqa: S311 - no secret
    share = OPENING_SHARE if start.kind.deal is None else 1.0
    start = replace(start, chance=0, opening=())
    moves = opening(start, rng, round(usual_plies(start) * share))
    return replace(start, opening=moves, chance=rng.getrandbits(SEED_BITS))


def play(
    job: CalibrationJob,
    evaluator: Evaluator,
    cache: Cache,
    human: HumanPolicy | None = None,
    aids: OpenAids | None = None,
) -> Row:
    """Plays the game; returns JSON values: "points" are color 0's, "moves" follow the opening.

    human: the model of human moves for levels with a rank; None: the evaluator stands in. aids: of
    chess; an engine's time is not in the row's seconds. Raises RuntimeError if a level resigns, or
    if the engine is lost.
    """
    aids = aids or OpenAids()
    began = time.process_time()
    position = job.start.position()
    rngs = [np.random.default_rng([job.seed, job.number, color]) for color in (0, 1)]
    personas = [Persona("level", "a rung", level) for level in job.levels]
    search = Search(evaluator, cache=cache, seed=job.seed, aids=aids)
    draw = job.start.draw or draw_by(np.random.default_rng([job.seed, job.number, 2]))
    moves: list[int] = []
    longest = LONGEST_GAMES.get(job.start.game, LONGEST_GAME)
    for _ in range(longest * job.start.width * job.start.height):
        if position.is_over:
            break
        color = position.to_move
        request = MoveRequest(
            position,
            Limit(),
            game=job.start.game,
            persona=personas[color],
            reference=human,
            rng=rngs[color],
        )
        search.set_position(position)
        move = choose(search, request).move
        if move is None:
            raise RuntimeError(f"a level resigned in game {job.number}")
        moves.append(draw(position, move))
        position.play(moves[-1])
    if aids.engine is not None and aids.engine.is_lost:
        raise RuntimeError(f"the engine {aids.engine.command!r} was lost in game {job.number}")
    return {
        "game": job.number,
        "tags": list(job.tags),
        "points": points_of(evaluator, job.start.game, position, 0),
        "opening": [job.start.write(move) for move in job.start.opening],
        "moves": [job.start.write(move) for move in moves],
        "seconds": round(time.process_time() - began, 4),
    }


def evaluator_of(choice: NetworkChoice) -> Evaluator:
    """Returns the network on one thread, or the game's rollout evaluator."""
    if choice.path is None:
        return RolloutEvaluator(choice.game)
    return load_evaluator(
        choice.path, backend=choice.backend, precision=choice.precision, threads=1
    )


def human_policy_of(choice: NetworkChoice | None) -> HumanPolicy | None:
    """Returns the model of human moves on one thread; None without a network of human moves."""
    return None if choice is None else HumanPolicy(evaluator_of(choice))


_process: dict[str, Any] = {}  # the networks and the cache of a playing process


def _begin(choice: NetworkChoice, human: NetworkChoice | None, aids: ChessAids) -> None:
    _process["evaluator"] = evaluator_of(choice)
    _process["cache"] = new_cache(choice.game, CACHED)
    _process["human"] = human_policy_of(human)
    _process["aids"] = open_aids(aids)


def _play(job: CalibrationJob) -> Row:
    return play(job, _process["evaluator"], _process["cache"], _process["human"], _process["aids"])


class Players(WorkerProcesses):
    """Processes that play games; with 1, this process plays."""

    def __init__(
        self,
        choice: NetworkChoice,
        processes: int | None = None,
        *,
        human: NetworkChoice | None = None,
        aids: ChessAids = NO_AIDS,
    ) -> None:
        """human: the network of human moves for each process; None: the other one stands in.

        aids: of chess.
        """
        self.processes = processes or cores()
        super().__init__(self.processes, _begin, (choice, human, aids))

    def play(self, jobs: Iterable[CalibrationJob]) -> Iterator[Row]:
        """Yields the rows as games end."""
        if self.pool is None:
            yield from map(_play, jobs)
            return
        left = iter(jobs)
        under_way: set[Future[Row]] = set()
        while True:
            for job in left:
                under_way.add(self.pool.submit(_play, job))
                if len(under_way) >= self.processes * WAITING_A_PROCESS:
                    break
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
