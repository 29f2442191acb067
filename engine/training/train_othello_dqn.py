"""The training of `sparring train othello-dqn`: settings in, the agent's networks in a folder out.

The module has the names of the files: `othello-dqn.safetensors` is the file of `double-dqn:FILE`
and lets the same command resume, `othello-dqn.md` is its card; `metrics.jsonl` has a row a round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from tqdm import tqdm

from engine.agents.double_dqn import GreedyDqn
from engine.agents.table import make_agent
from engine.errors import SettingError
from engine.games.table import GAMES
from engine.networks.double_dqn import (
    CONVOLUTIONS,
    DoubleDqn,
    read_tensors,
    write_double_dqn,
)
from engine.training.common.card import Card, table
from engine.training.common.metrics import Metrics
from engine.training.othello.agent_games import points_between
from engine.training.othello.double_dqn import Dqn, DqnSettings

Say = Callable[[str], None]

SIZES = (4, 6, 8, 10)
CHECKPOINT_SECONDS = 60.0
NAME = "othello-dqn"
RIVALS = ("random", "roxanne")
RIVAL_GAMES = 100
RIVAL_SEED = 55_000_000
OPENING_PLIES = {4: 2, 6: 4, 8: 8, 10: 8}  # random moves before games against rivals


@dataclass(frozen=True)
class DqnRunSettings:
    """The settings of one run: its folder, its limits, its rivals and its learning."""

    output: Path  # a run in the folder is resumed
    learning: DqnSettings = field(default_factory=DqnSettings)
    rounds: int = 1000  # total, earlier ones included
    minutes: float | None = None  # total, at most; None: until the last round
    rival_every: int = 100  # rounds between games against rivals; 0: none
    threads: int = 1


def learn_dqn(run: DqnRunSettings, say: Say) -> None:
    """Trains the networks and writes their file; raises SettingError for another run's folder."""
    torch.set_num_threads(run.threads)
    output = run.output
    output.mkdir(parents=True, exist_ok=True)
    dqn, spent = _resumed(run)
    saved = time.monotonic()
    begin = saved - spent
    end = None if run.minutes is None else begin + 60 * run.minutes
    bar = tqdm(total=run.rounds, initial=dqn.rounds, unit="round", mininterval=1.0)
    points: dict[str, float] = {}  # the latest
    with Metrics(output, say) as metrics, bar:
        while dqn.rounds < run.rounds and (end is None or time.monotonic() < end):
            row = dqn.round()
            if run.rival_every and dqn.rounds % run.rival_every == 0:
                points = points_of(dqn)
                row |= {f"points_against_{rival}": share for rival, share in points.items()}
            metrics.write(dqn.rounds, row)
            names = ("games", "positions", "black_loss", "white_loss")
            bar.set_postfix({name: row[name] for name in names} | points, refresh=False)
            bar.update()
            now = time.monotonic()
            if now - saved > CHECKPOINT_SECONDS:
                _write(dqn, output, now - begin)
                saved = now
    seconds = time.monotonic() - begin
    _write(dqn, output, seconds)
    points = points_of(dqn) if run.rival_every else {}
    card_of(dqn, seconds, points).write(output / f"{NAME}.md")
    say(f"wrote {_file(output)} after {dqn.rounds} rounds of {dqn.settings.games} games")


def card_of(dqn: Dqn, seconds: float, points: dict[str, float]) -> Card:
    """Returns the networks' card, `points` their share against each rival."""
    settings, shape = dqn.settings, dqn.settings.shape
    parameters = sum(part.numel() for part in dqn.learners[0].network.parameters())
    rows = [[rival, f"{share:.0%}"] for rival, share in points.items()]
    return Card(
        name=NAME,
        about=f"Liang's double DQN for Othello on {shape.size}x{shape.size}: a network a color, "
        f"each of {CONVOLUTIONS} convolutions of {shape.channels} channels and 2 dense layers, "
        f"{parameters:,} parameters. It plays the legal move that it values most: "
        "`double-dqn:FILE` in `sparring match`.",
        made=f"From random weights, by {dqn.rounds * settings.games:,} games against itself in "
        f"{dqn.rounds:,} rounds: {dqn.positions:,} moves, "
        f"{sum(learner.batches for learner in dqn.learners):,} batches of {settings.batch}, "
        f"{seconds / 60:.0f} minutes. Games begin with up to {settings.opening:.0%} random moves; "
        f"of the others {settings.last_exploration:.0%} are random in the end. "
        f"`sparring train othello-dqn --size {shape.size} --games {settings.games} "
        f"--channels {shape.channels} --hidden {shape.hidden} "
        f"--exploring-rounds {settings.exploring_rounds} --seed {settings.seed} "
        f"--rounds {dqn.rounds}` does it again.",
        scored=f"Its share of the points in {RIVAL_GAMES} games after "
        f"{OPENING_PLIES[shape.size]} random moves:\n\n" + table(["against", "points"], rows)
        if rows
        else "",
    )


def _resumed(run: DqnRunSettings) -> tuple[Dqn, float]:
    """Returns the run's learning, resumed if its folder exists, and its seconds so far."""
    dqn, path = Dqn(run.learning), _file(run.output)
    if not path.exists():
        return dqn, 0.0
    _, tensors, progress = read_tensors(path)
    try:
        dqn.restore(tensors, progress)
    except ValueError as error:
        raise SettingError(f"{path}: {error}") from error
    return dqn, float(progress.get("seconds", 0.0))


def points_of(dqn: Dqn) -> dict[str, float]:
    """Returns the networks' share of the points against each rival."""
    shape = dqn.settings.shape
    black, white = (learner.network for learner in dqn.learners)
    agent = GreedyDqn(NAME, DoubleDqn(shape, (black, white)), RIVAL_SEED)
    start = GAMES["othello"].new_position(shape.size, shape.size)
    return {
        rival: points_between(
            agent,
            make_agent(rival, "othello", RIVAL_SEED),
            start,
            games=RIVAL_GAMES,
            plies=OPENING_PLIES[shape.size],
            seed=RIVAL_SEED,
        )
        for rival in RIVALS
    }


def _file(output: Path) -> Path:
    return output / f"{NAME}.safetensors"


def _write(dqn: Dqn, output: Path, seconds: float) -> None:
    progress = {**dqn.progress(), "seconds": seconds}
    write_double_dqn(_file(output), dqn.settings.shape, dqn.tensors(), progress)
