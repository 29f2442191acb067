"""The command `sparring train go`: a network for Go, from another's judgement and human games."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import SettingError
from engine.training.go.distill import DistillSettings
from engine.training.go.run_settings import GoRunSettings, usual_device
from engine.training.train_go import learn_go
from protocols.cli.options import Say
from protocols.cli.train.machine_options import add_machine_options

GPU_MAKERS = 2  # usual on a GPU


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go` to `parser`."""
    parser.add_argument(
        "--teacher", type=Path, required=True, metavar="FILE", help="a network to learn from"
    )
    parser.add_argument(
        "--player",
        type=Path,
        metavar="FILE",
        help="a cheaper network that plays the quick games; default: the teacher plays",
    )
    parser.add_argument(
        "--doubter",
        type=Path,
        metavar="FILE",
        help="another cheap network: the teacher judges the positions of human games about which "
        "it and the player disagree; default: any positions",
    )
    parser.add_argument(
        "--games",
        type=Path,
        nargs="+",
        metavar="PATH",
        help="Tygem zips, KGS tar.gz, or folders of them, to learn the moves from",
    )
    add_options(parser)
    parser.add_argument(
        "--human-share",
        type=float,
        default=GoRunSettings.human_share,
        help="of the batches, beside quick games; default: %(default)s",
    )
    parser.add_argument(
        "--turns",
        type=int,
        default=GoRunSettings.orientations,
        help="symmetries of the teacher that are averaged; default: %(default)s",
    )
    parser.add_argument(
        "--chapter-cells",
        type=int,
        default=GoRunSettings.shard_cells,
        help="points in a shard of all boards, human games included; default: %(default)s",
    )
    parser.add_argument(
        "--uses",
        type=float,
        default=GoRunSettings.uses,
        help="mean number of batches with a judged position; default: %(default)s",
    )
    parser.add_argument(
        "--makers",
        type=int,
        default=GPU_MAKERS if usual_device() == "cuda" else 0,
        metavar="NUMBER",
        help="processes that judge positions ahead of the learning; default: %(default)s",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring train go` and `go-human`."""
    parser.add_argument("--held-out", type=Path, metavar="FILE", help="games for validation alone")
    parser.add_argument(
        "--output", type=Path, default=Path("training"), metavar="DIR", help="default: %(default)s"
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--minutes", type=float, default=60.0, help="total of learning; default: %(default)s"
    )
    limit.add_argument("--steps", type=int, help="total of learning, in place of minutes")
    parser.add_argument(
        "--continue",
        dest="checkpoint",
        type=Path,
        metavar="FILE",
        help="an earlier run's checkpoint, or a network of the same shape, to begin with; it grows "
        "where --blocks or --channels are more than it has",
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    add_machine_options(parser)
    parser.add_argument(
        "--blocks", type=int, default=GoRunSettings.blocks, help="default: %(default)s"
    )
    parser.add_argument(
        "--channels", type=int, default=GoRunSettings.channels, help="default: %(default)s"
    )
    parser.add_argument(
        "--cells",
        type=int,
        default=GoRunSettings.cells,
        help="points in a batch; default: %(default)s",
    )
    parser.add_argument(
        "--learning-rate",
        type=float,
        default=DistillSettings.learning_rate,
        help="default: %(default)s",
    )
    parser.add_argument(
        "--cool-down",
        type=float,
        default=DistillSettings.cool_down_share,
        metavar="SHARE",
        help="of the course in which the learning rate falls; default: %(default)s",
    )
    parser.add_argument(
        "--exam-rows",
        type=int,
        default=GoRunSettings.validation_rows,
        help="of each board; default: %(default)s",
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Learns from a teacher, and from named human games; returns 0 after the files are written."""
    learn_go(settings_of(options), say)
    return 0


def settings_of(options: argparse.Namespace) -> GoRunSettings:
    """Returns the settings of the options; raises SettingError for a number out of range."""
    _check(options)
    return GoRunSettings(
        output=options.output,
        teacher=options.teacher,
        player=options.player,
        doubter=options.doubter,
        games=tuple(options.games or ()),
        held_out=options.held_out,
        seconds=None if options.steps is not None else options.minutes * 60,
        steps=options.steps,
        checkpoint=options.checkpoint,
        device=options.device,
        seed=options.seed,
        threads=options.threads,
        blocks=options.blocks,
        channels=options.channels,
        cells=options.cells,
        learning_rate=options.learning_rate,
        cool_down_share=options.cool_down,
        validation_rows=options.exam_rows,
        human_share=options.human_share,
        orientations=options.turns,
        shard_cells=options.chapter_cells,
        uses=options.uses,
        makers=options.makers,
    )


def _check(options: argparse.Namespace) -> None:
    """Raises SettingError for a number out of range, and for a doubter with nothing to do."""
    if options.doubter is not None and not (options.player and options.games):
        raise SettingError(f"--doubter {options.doubter}: it needs --player and --games")
    for name in ("human_share", "cool_down"):
        if not 0 <= getattr(options, name) <= 1:
            raise SettingError(f"--{name.replace('_', '-')} {getattr(options, name)}: from 0 to 1")
    for name in ("minutes", "steps", "threads", "turns", "cells", "exam_rows", "uses"):
        number = getattr(options, name)
        if number is not None and number <= 0:
            raise SettingError(f"--{name.replace('_', '-')} {number}: more than 0")
