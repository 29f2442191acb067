"""The settings of a run of `sparring train go` and `go-human`, and its device."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch

from engine.errors import SettingError
from engine.networks.native_backend import native_precisions
from engine.networks.processor import cores
from engine.training.go.distill import DistillSettings, Machine


def usual_device() -> str:
    """Returns "cuda" where there is a GPU, else "cpu"."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@dataclass(frozen=True)
class GoRunSettings:
    """The settings of one run: its files, its limits, its network and its batches."""

    output: Path  # the folder of the run's files; a run in it is resumed
    teacher: Path | None = None  # the network to learn from; None: human games alone
    player: Path | None = None  # the network that plays quick games; None: the teacher
    # The network that the player has to disagree with for a position of a human game to be judged;
    # None: any position is.
    doubter: Path | None = None
    games: tuple[Path, ...] = ()  # archives of human games, or folders of them
    held_out: Path | None = None  # archive of games for validation alone
    seconds: float | None = None  # total of learning; exactly one of these two is set
    steps: int | None = None
    # An earlier run's checkpoint or a network to begin with, if the output folder has no run.
    checkpoint: Path | None = None
    device: str = field(default_factory=usual_device)  # "cuda" or "cpu"
    seed: int = 1
    threads: int = field(default_factory=cores)
    # The size of KataGo's network of 6 blocks of 96, a teacher. A checkpoint grows to it.
    blocks: int = 6
    channels: int = 96
    cells: int = 24_000  # points of all boards of a batch together
    learning_rate: float = DistillSettings.learning_rate
    cool_down_share: float = DistillSettings.cool_down_share  # of the run; the rate falls in it
    validation_rows: int = 4096  # of each board
    human_share: float = 0.45  # of the batches, beside quick games
    orientations: int = 1  # symmetries of the teacher that are averaged
    shard_cells: int = 8_000_000  # points in a shard of all boards; human games have their share
    uses: float = 4.0  # mean number of draws of a judged position
    ranked: bool = False  # learn every player's moves with both ranks, without a teacher
    makers: int = 0  # processes that make shards ahead; 0: the run makes them in between


def machine_of(device: str) -> Machine:
    """Returns the device and its usual precisions; raises SettingError without such a device."""
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise SettingError(f"no device {device!r}: cuda or cpu") from error
    if chosen.type != "cuda":
        brain = "bf16" in native_precisions()
        learning = torch.bfloat16 if brain else torch.float32
        return Machine(chosen, learning=learning, teaching=learning)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    return Machine(chosen, learning=torch.bfloat16, teaching=torch.float16)
