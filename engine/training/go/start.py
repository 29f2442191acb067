"""A student from the file of an earlier run, or from a network's file.

A network's file keeps each normalization's scale and shift with its running statistics merged.
Learning needs the statistics apart: they are measured again on quick games of the network with
itself, and the scales change such that the network computes the same as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import SettingError
from engine.networks.architecture import Architecture
from engine.networks.bundled import SUFFIX
from engine.networks.sparring import read_card
from engine.networks.torch_layers import EPSILON, Norm
from engine.networks.torch_model import TorchNetwork
from engine.training.go.distill import Machine
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.rank_inputs import profiles_of, strongest
from engine.training.go.start_network import start_network
from engine.training.go.student import (
    Student,
    new_student,
    read_checkpoint,
    student_shape,
    two_policies,
)
from engine.training.go.teacher import teacher_of
from engine.training.go.validation import draw_samples

GAMES = 8  # of each board, for the statistics
POSITIONS = 256  # of them, of each board
SEED = 55_000_000


def earlier_student(
    path: Path, boards: Sequence[BoardShare], machine: Machine, threads: int
) -> Student:
    """Returns the student of a checkpoint, or one with the weights of a network's file.

    Quick games on `boards` give the network's statistics. Raises SettingError for any other file
    and for a network of another shape.
    """
    try:
        return read_checkpoint(path).finished()
    except SettingError as no_checkpoint:
        try:
            network = start_network(path)
        except SettingError as no_network:
            raise SettingError(f"{no_checkpoint}; and as a network: {no_network}") from no_network
    student = student_of(network)
    split_statistics(student.network, _positions(network, boards, machine, threads))
    return replace(student, origin=_origin(path, network))


def student_of(network: Architecture) -> Student:
    """Returns a student that computes what the network does; both policies are the network's.

    Raises SettingError for a shape that `student_shape` does not give.
    """
    shape = student_shape(len(network.blocks), network.planes.outputs)
    metadata = network.metadata.first.inputs if network.metadata else 0
    student = new_student(network.name, replace(shape, metadata=metadata), seed=0)
    state = two_policies(TorchNetwork(network).state_dict())
    sizes = {name: part.shape for name, part in state.items()}
    known = student.network.architecture
    plain = (network.version, network.tip.activation) == (known.version, known.tip.activation)
    if not plain or sizes != {
        name: part.shape for name, part in student.network.state_dict().items()
    }:
        raise SettingError(f"{network.name} has another shape than the networks that learn here")
    student.network.load_state_dict(state)
    return student


@torch.no_grad()
def split_statistics(network: TorchNetwork, inputs: Iterable[tuple[Tensor, Tensor]]) -> None:
    """Gives each normalization the mean and the variance of these inputs.

    `inputs` are planes uint8 [n, 22, H, W] and globals float32 [n, 19]. The scales and shifts
    change with the statistics: the network in evaluation computes the same as before.
    """
    norms = [module for module in network.modules() if isinstance(module, Norm)]
    sums = {norm: torch.zeros(3, norm.layer.channels, dtype=torch.float64) for norm in norms}

    def add(norm: Norm, values: tuple[Tensor, ...]) -> None:
        channels = values[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack(
            (torch.ones(len(channels)) * channels[0].numel(), channels.sum(1), (channels**2).sum(1))
        )

    hooks = [norm.register_forward_pre_hook(add) for norm in norms]
    network.eval()
    for planes, globals_ in inputs:
        profiles = profiles_of(strongest(len(planes))) if network.encoder else None
        network(planes.float(), globals_, profiles)
    for hook in hooks:
        hook.remove()
    for norm, (count, first, second) in sums.items():
        _split(norm, first / count, second / count - (first / count) ** 2)


def _split(norm: Norm, mean: Tensor, variance: Tensor) -> None:
    """Sets the statistics float64 [channels], and the weights of the same function."""
    scale, shift = norm.merged()
    spread = torch.sqrt(variance.clamp_min(0) + EPSILON)
    norm.mean.copy_(mean)
    norm.variance.copy_(variance.clamp_min(0))
    norm.weight.copy_(scale * spread)
    norm.bias.copy_(shift + scale * mean)


def _positions(
    network: Architecture, boards: Sequence[BoardShare], machine: Machine, threads: int
) -> Iterable[tuple[Tensor, Tensor]]:
    """Yields positions of the network's quick games with itself, a batch a board."""
    player = teacher_of(network, machine, threads)
    for index, board in enumerate(boards):
        games = QuickGoGames(board, GAMES, seed=SEED + index, threads=threads, pinned=False)
        samples = draw_samples(player, games, positions=POSITIONS, device=machine.device)
        yield samples.planes.cpu(), samples.globals.cpu()


def _origin(path: Path, network: Architecture) -> str:
    """Returns the name of the network and, where its card has them, the totals of its training."""
    name = f"{network.name} of {path.name}"
    if not path.name.endswith(SUFFIX):
        return name
    card = read_card(path)
    if not {"teacher", "totals"} <= card.keys():
        return name
    totals = card["totals"]
    return (
        f"{name} ({totals['positions']:,} positions in {totals['seconds'] / 60:.0f} minutes, "
        f"judged by {card['teacher'] or 'nobody'})"
    )
