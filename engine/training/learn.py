"""Fits a ladder's tables of evidence and outcomes to games played for it; what was played is kept.

Knows in which order that is done and where the games lie. The games are those of known_games and
strangers, the fits those of evidence and outcome.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.resident import Network
from engine.search import Search
from engine.strength.ladder import Ladder
from engine.strength.posterior import Posterior
from engine.training.evidence import fit_evidence
from engine.training.known_games import KnownGame, Lessons, look_through, play_known
from engine.training.outcome import fit_outcome
from engine.training.strangers import FITTED_AGENTS, Met, StrangerGame, meet, play_stranger

GAMES = 1500  # between levels, unless another number is asked for
STRANGER_GAMES = 40  # of each agent
SLOW_SHARE = 0.1  # of the games in which the ladder's highest rungs may play too
QUICK_VISITS = 100  # rungs that search more are slow
KNOWN, STRANGERS = "levels.jsonl", "strangers.jsonl"

Progress = Callable[[str, int, int], None]  # (what, done, of how many)


@dataclass(frozen=True, slots=True)
class Learner:
    """What it takes to learn a ladder's tables."""

    ladder: Ladder
    network: Network
    folder: Path  # where games are kept; those that lie there are not played again
    seed: int = 0
    workers: int = 2
    progress: Progress = lambda _what, _done, _of: None

    def search(self, number: int) -> Search:
        """A search of its own for a game."""
        return Search(self.network.evaluator, cache=self.network.cache, seed=number)


def learn(learner: Learner, *, games: int = GAMES, stranger_games: int = STRANGER_GAMES) -> Ladder:
    """The ladder with tables fitted to so many games, played where they are not there yet."""
    learner.folder.mkdir(parents=True, exist_ok=True)
    known = known_games(learner, games)
    strangers = stranger_records(learner, stranger_games)
    lessons = list(_side_by_side(learner, "looking", known, _look_at))
    met = list(_side_by_side(learner, "strangers' games", list(strangers.values()), _meet))
    positions = [position for lesson in (*lessons, *met) for position in lesson.positions]
    ends = learner.ladder.lowest, learner.ladder.highest
    outcome = fit_outcome(positions, *ends)
    moves = [move for lesson in lessons for move in lesson.moves]
    strange = [stranger.player for stranger in met]
    evidence = fit_evidence(moves, strange, Posterior.of_stranger(*ends))
    return replace(learner.ladder, evidence=evidence.to_json(), outcome=outcome.to_json())


def known_games(learner: Learner, games: int) -> list[KnownGame]:
    """The kept games between levels, and as many more as are missing."""
    path = learner.folder / KNOWN
    kept = [KnownGame.from_json(row) for row in _rows(path)][:games]
    quick = max(r.elo for r in learner.ladder.rungs if r.level.visits <= QUICK_VISITS)

    def play(learner: Learner, number: int) -> KnownGame:
        rng = np.random.default_rng([learner.seed, 1, number])
        highest = learner.ladder.highest if rng.random() < SLOW_SHARE else quick
        return play_known(learner.search(number), learner.ladder, rng, highest_elo=highest)

    with path.open("a") as file:
        for game in _side_by_side(learner, "levels", range(len(kept), games), play):
            kept.append(game)
            file.write(json.dumps(game.to_json()) + "\n")
            file.flush()
    return kept


def stranger_records(learner: Learner, games: int) -> dict[str, list[StrangerGame]]:
    """Each agent's games against the ladder, the kept ones and as many more as are missing."""
    path = learner.folder / STRANGERS
    found: dict[str, list[StrangerGame]] = {
        agent: [] for agent in FITTED_AGENTS[learner.ladder.board.game]
    }
    for row in _rows(path):
        game = StrangerGame.from_json(row)
        if game.agent in found and len(found[game.agent]) < games:
            found[game.agent].append(game)

    def play_on(learner: Learner, agent: str) -> list[StrangerGame]:
        number = list(found).index(agent)
        for count in range(len(found[agent]), games):
            rng = np.random.default_rng([learner.seed, 2, number, count])
            search = learner.search(count)
            game = play_stranger(agent, found[agent], search, learner.ladder, rng)
            found[agent].append(game)
            with path.open("a") as file:
                file.write(json.dumps(game.to_json()) + "\n")
        return found[agent]

    for _ in _side_by_side(learner, "strangers", list(found), play_on):
        pass
    return found


def _look_at(learner: Learner, game: KnownGame) -> Lessons:
    return look_through(game, learner.search(0), learner.ladder)


def _meet(learner: Learner, games: Sequence[StrangerGame]) -> Met:
    return meet(games, learner.search(0), learner.ladder)


def _side_by_side(
    learner: Learner, what: str, items: Iterable[Any], work: Callable[[Learner, Any], Any]
) -> Iterator[Any]:
    """What the work makes of each item, in their order, several at a time."""
    todo = list(items)
    with ThreadPoolExecutor(learner.workers) as pool:
        for done, result in enumerate(pool.map(lambda item: work(learner, item), todo), 1):
            learner.progress(what, done, len(todo))
            yield result


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of them; a last one that was cut short is taken out."""
    if not path.is_file():
        return
    text = path.read_text()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        with path.open("r+") as file:
            file.truncate(len(whole.encode()))
    for line in whole.splitlines():
        yield json.loads(line)
