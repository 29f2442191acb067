"""The course `sparring train othello-dqn`: options in, the agent's networks in a folder out.

Knows the names of the files: `othello-dqn.safetensors` is what `double-dqn:FILE` plays by and what
`--continue` goes on from; `metrics.jsonl` has a row a round.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import torch
from tqdm import tqdm

from engine.networks.double_dqn import QShape, read_tensors, write_double_dqn
from engine.training.double_dqn import Dqn, DqnCourse

Say = Callable[[str], None]

SIZES = (4, 6, 8, 10)
CHECKPOINT_SECONDS = 60.0
NAME = "othello-dqn.safetensors"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train othello-dqn` to `parser`."""
    parser.add_argument("--size", type=int, choices=SIZES, default=8, help="default: %(default)s")
    parser.add_argument(
        "--output", type=Path, default=Path("training"), metavar="DIR", help="default: %(default)s"
    )
    parser.add_argument(
        "--rounds", type=int, default=1000, help="all told, earlier ones too; default: %(default)s"
    )
    parser.add_argument("--minutes", type=float, help="at most; default: until all rounds are done")
    parser.add_argument(
        "--continue", dest="checkpoint", type=Path, metavar="FILE", help="an earlier course's file"
    )
    parser.add_argument("--games", type=int, default=DqnCourse.games, help="default: %(default)s")
    parser.add_argument(
        "--channels", type=int, default=QShape.channels, help="default: %(default)s"
    )
    parser.add_argument("--hidden", type=int, default=QShape.hidden, help="default: %(default)s")
    parser.add_argument(
        "--exploring-rounds",
        type=int,
        default=DqnCourse.exploring_rounds,
        help="until moves are hardly random any more; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")


def run(options: argparse.Namespace, say: Say) -> int:
    """Trains the networks as the options say; 0 when their file is written."""
    torch.set_num_threads(options.threads)
    dqn = _course(options)
    output: Path = options.output
    output.mkdir(parents=True, exist_ok=True)
    end = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    saved = time.monotonic()
    with (output / "metrics.jsonl").open("a", encoding="utf-8") as metrics:
        for _ in tqdm(range(dqn.rounds, options.rounds), initial=dqn.rounds, unit="round"):
            metrics.write(json.dumps(dqn.round()) + "\n")
            metrics.flush()
            now = time.monotonic()
            if end is not None and now >= end:
                break
            if now - saved > CHECKPOINT_SECONDS:
                _write(dqn, output)
                saved = now
    _write(dqn, output)
    say(f"wrote {output / NAME} after {dqn.rounds} rounds of {dqn.course.games} games")
    return 0


def _course(options: argparse.Namespace) -> Dqn:
    """A new course, or the one of the checkpoint, whose shape is then kept."""
    shape = QShape(options.size, options.channels, options.hidden)
    tensors, progress = None, None
    if options.checkpoint is not None:
        shape, tensors, progress = read_tensors(options.checkpoint)
    dqn = Dqn(
        DqnCourse(
            shape=shape,
            seed=options.seed,
            games=options.games,
            exploring_rounds=options.exploring_rounds,
        )
    )
    if tensors is not None and progress is not None:
        dqn.restore(tensors, progress)
    return dqn


def _write(dqn: Dqn, output: Path) -> None:
    write_double_dqn(output / NAME, dqn.course.shape, dqn.tensors(), dqn.progress())
