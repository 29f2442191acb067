"""The folder of a table learner: its games, of which the missing ones are played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.balanced_games import BalancedGame
from engine.training.opponents.calibration_players import calibration_players
from engine.training.opponents.ladder_games import LadderGame
from engine.training.opponents.outside_players import OutsideGame
from engine.training.opponents.recorded_even_games import RecordedEvenGame, balanced_game
from engine.training.opponents.table_learner import (
    LearnerPool,
    TableLearner,
    look_at,
    play_known,
    play_steered,
    play_stranger,
)
from engine.values import Standing

RUNGS = "rungs.json"  # the rungs of the folder's games
KNOWN, STRANGERS, STEERED = "levels.jsonl", "strangers.jsonl", "steered{}.jsonl"
RECORDED = "recorded.jsonl"  # standings of recorded games


def claim(learner: TableLearner) -> None:
    """Claims the folder for this ladder."""
    learner.folder.mkdir(parents=True, exist_ok=True)
    path = learner.folder / RUNGS
    own = json.dumps([[rung.elo, rung.level.to_json()] for rung in learner.ladder.rungs])
    if path.is_file() and path.read_text() != own:
        raise ValueError(f"{str(learner.folder)!r} holds games of another ladder")
    path.write_text(own)


def ladder_games(learner: TableLearner, pool: LearnerPool, games: int) -> list[LadderGame]:
    """Returns the games between levels; plays the missing ones."""
    path = learner.folder / KNOWN
    stored = [LadderGame.from_json(row) for row in rows_of(path)][:games]
    seeds = [(learner.seed, 1, number) for number in range(len(stored), games)]
    with path.open("a") as file:
        for game in pool.work("levels", play_known, seeds):
            stored.append(game)
            file.write(json.dumps(game.to_json()) + "\n")
            file.flush()
    return stored


def outside_games_of(
    learner: TableLearner, pool: LearnerPool, games: int
) -> list[list[OutsideGame]]:
    """Returns each agent's games against the ladder; plays the missing ones."""
    path = learner.folder / STRANGERS
    agents = list(calibration_players(learner.ladder.board))
    found: dict[str, list[OutsideGame]] = {agent: [] for agent in agents}
    for row in rows_of(path):
        game = OutsideGame.from_json(row)
        if game.agent in found and len(found[game.agent]) < games:
            found[game.agent].append(game)
    while todo := [agent for agent in agents if len(found[agent]) < games]:
        # One game of each at a time: the next game's level depends on all before.
        tasks = [((learner.seed, 2, len(found[a]), agents.index(a)), a, found[a]) for a in todo]
        played = pool.work("strangers", play_stranger, tasks)
        with path.open("a") as file:
            for game in played:
                found[game.agent].append(game)
                file.write(json.dumps(game.to_json()) + "\n")
    return list(found.values())


def balanced_games(
    learner: TableLearner,
    pool: LearnerPool,
    ladder: RatingLadder,
    rivals: Mapping[str, float],
    request: int,
) -> list[BalancedGame]:
    """Returns the games kept even by the present tables; plays the missing ones."""
    path = learner.folder / STEERED.format(request)
    stored = [BalancedGame.from_json(row) for row in rows_of(path)]
    tasks = [
        (rival, elo, (learner.seed, 3, request, number, game))
        for game in range(learner.steered)
        for number, (rival, elo) in enumerate(rivals.items())
    ]
    with path.open("a") as file:
        missing = [(ladder, *task) for task in tasks[len(stored) :]]
        for steered in pool.work(f"steering {request}", play_steered, missing):
            stored.append(steered)
            file.write(json.dumps(steered.to_json()) + "\n")
            file.flush()
    return stored


def balanced_games_of(
    learner: TableLearner, pool: LearnerPool, games: Sequence[RecordedEvenGame]
) -> list[BalancedGame]:
    """Returns the recorded games with their standings; searches for the missing ones."""
    path = learner.folder / RECORDED
    turns = {
        row["name"]: [(level, Standing(**standing)) for level, standing in row["turns"]]
        for row in rows_of(path)
    }
    missing = [game for game in games if game.name not in turns]
    with path.open("a") as file:
        for game, seen in zip(missing, pool.work("standings", look_at, missing), strict=True):
            turns[game.name] = seen
            rows = [(level, asdict(standing)) for level, standing in seen]
            file.write(json.dumps({"name": game.name, "turns": rows}) + "\n")
            file.flush()
    return [balanced_game(game, turns[game.name]) for game in games]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Returns the rows of a file; an incomplete last one is removed.

    Raises ValueError, and leaves the file unchanged, if it holds something else.
    """
    if not path.is_file():
        return []
    text = path.read_text()
    whole = text[: text.rfind("\n") + 1]
    rest = text[len(whole) :]
    try:
        rows = [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise ValueError(f"{str(path)!r} holds no games: {error}") from error
    if not all(isinstance(row, dict) for row in rows) or (rest and rest[0] != "{"):
        raise ValueError(f"{str(path)!r} holds no games")
    if rest:
        with path.open("r+") as file:
            file.truncate(len(whole.encode()))
    return rows
