"""A teacher: any network file, run on whole batches by the fastest means.

On a GPU this is torch; on a processor the core's own arithmetic, in bfloat16 if available.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from engine.errors import SettingError
from engine.networks.architecture import Architecture, NetworkFileError
from engine.networks.native_backend import NativeEvaluator, NativeSlot
from engine.networks.runtime import read_network
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.go.distill import Machine
from engine.training.go.rank_inputs import profiles_of, strongest
from engine.training.go.samples import Network


class RankedNetwork(Protocol):
    """A network that may know its players; see samples.Network."""

    def __call__(self, planes: Tensor, globals_: Tensor, ranks: Tensor | None = None, /) -> Outputs:
        """Returns the outputs of rows [n].

        ranks: float32 [n, 2] as in GoSamples; None: 9 dan. A network without the input ignores it.
        """


def load_teacher(path: Path, machine: Machine, threads: int) -> tuple[Network, str]:
    """Returns a file's network as a function of rows, and its name.

    SettingError for no Go network.
    """
    architecture = _read(path)
    return teacher_of(architecture, machine, threads), architecture.name


def load_ranked(path: Path, machine: Machine, threads: int) -> RankedNetwork:
    """Returns a file's network as a function of rows and ranks; SettingError for no Go network."""
    return ranked_network(_read(path), machine, threads)


def _read(path: Path) -> Architecture:
    try:
        architecture = read_network(path)
    except NetworkFileError as error:
        raise SettingError(str(error)) from error
    if architecture.game != "go":
        raise SettingError(f"{path}: a network for {architecture.game}")
    return architecture


def teacher_of(architecture: Architecture, machine: Machine, threads: int) -> Network:
    """Returns the network as a function of rows on the machine's device; see samples.Network.

    A network with a profile input answers for 9 dans.
    """
    return ranked_network(architecture, machine, threads)


def ranked_network(architecture: Architecture, machine: Machine, threads: int) -> RankedNetwork:
    """Returns the network as a function of rows and of their players' ranks."""
    if machine.device.type == "cpu":
        return _Native(architecture, threads)
    network = TorchNetwork(architecture).to(machine.device).freeze(machine.teaching)

    @torch.no_grad()
    def answer(planes: Tensor, globals_: Tensor, ranks: Tensor | None = None) -> Outputs:
        return replace(machine, learning=machine.teaching).answers(network, planes, globals_, ranks)

    return answer


class _Native:
    """The core's evaluator; it reuses a slot of each board size."""

    def __init__(self, architecture: Architecture, threads: int) -> None:
        self._evaluator = NativeEvaluator(architecture, threads=threads)
        self._slots: dict[tuple[int, int], NativeSlot] = {}

    def __call__(self, planes: Tensor, globals_: Tensor, ranks: Tensor | None = None) -> Outputs:
        rows, _, height, width = planes.shape
        slot = self._slots.get((height, width))
        if slot is None or slot.capacity < rows:
            slot = self._slots[height, width] = self._evaluator.open(width, height, rows)
        slot.spatial[:rows] = planes.numpy()
        slot.globals[:rows] = globals_.numpy()
        if self._evaluator.network.uses_metadata:
            slot.metadata[:rows] = profiles_of(strongest(rows) if ranks is None else ranks).numpy()
        slot.start(rows)
        slot.wait()
        policy, value, misc, ownership = (
            torch.from_numpy(part[:rows].copy())
            for part in (slot.policy, slot.value, slot.misc, slot.ownership)
        )
        return Outputs(policy[:, None], value, misc, ownership)
