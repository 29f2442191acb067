"""A teacher: any network file, run in torch on whole batches."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from engine.networks.architecture import Architecture
from engine.networks.runtime import read_network
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.go.distill import Machine
from engine.training.go.lessons import Network


def load_teacher(path: Path, machine: Machine) -> tuple[Network, str]:
    """The network of a file as a function of rows, and its name; NetworkFileError as it says."""
    architecture = read_network(path)
    return teacher_of(architecture, machine), architecture.name


def teacher_of(architecture: Architecture, machine: Machine) -> Network:
    """The network as a function of planes uint8 and globals float32 on the machine's device."""
    network = TorchNetwork(architecture).to(machine.device).freeze(machine.teaching)

    @torch.no_grad()
    def answer(planes: Tensor, globals_: Tensor) -> Outputs:
        laid_out = planes.to(machine.teaching).contiguous(memory_format=torch.channels_last)
        out: Outputs = network(laid_out, globals_)
        return out

    return answer
