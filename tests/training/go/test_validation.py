"""Human moves of the exam: drawn from a file, foretold or not."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path

import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.samples import Network
from engine.training.go.validation import (
    VALIDATION_SYMMETRIES,
    draw_samples,
    measure_humans,
    read_humans,
)

# Black walks along the top row from the left, White along the bottom row.
LINE = (
    "42\t"
    + "".join(
        f";{color}[{chr(ord('a') + x)}{row}]"
        for x in range(19)
        for color, row in (("B", "a"), ("W", "s"))
    )
    + ";B[jj];W[];B[jk];W[kk]"
)


def walker(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
    """Plays beside its own latest move, plane 10, seven times as likely as any other point."""
    rows = len(globals_)
    last = planes[:, 10].float()
    beside = torch.nn.functional.pad(last, (1, 0))[:, :, :-1].flatten(1)
    logits = torch.cat((beside * math.log(7), torch.zeros(rows, 1)), dim=1)
    nothing = torch.zeros(rows, 6)
    return Outputs(logits[:, None], nothing[:, :3], nothing, beside * 0)


def test_human_moves_are_read_as_played_and_predicted(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("2016-07", f"{LINE}\n7\t;B[aa]\n")
    humans = read_humans(path, games=5, a_game=42, seed=1)
    assert len(humans) == 42
    moves = humans.moves.tolist()
    assert moves[:4] == [0, 18 * 19, 1, 18 * 19 + 1]
    assert moves[-4:] == [9 * 19 + 9, 361, 10 * 19 + 9, 10 * 19 + 10]
    first, every = measure_humans(walker, humans)
    assert first == every  # there are no more
    # It foresees the walk but for both first moves, the last and the pass, which are guesses.
    logs = [math.log(7 / (legal + 6)) for legal in humans.rows.legal.sum(dim=1).tolist()]
    for guess in (0, 1, 38, 39, 40, 41):
        logs[guess] = math.log(1 / math.exp(-logs[guess]) / 7)
    assert every.moves == 42
    assert every.top1 == pytest.approx(36 / 42, abs=0.002)


def test_a_player_plays_and_the_teacher_judges_the_drawn_positions_alone() -> None:
    rows = {"player": 0, "teacher": 0}

    def counting(name: str) -> Network:
        def network(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
            rows[name] += len(globals_)
            return walker(planes, globals_)

        return network

    games = [
        QuickGoGames(BoardShare(5, 5, 1.0), 8, seed=3, threads=1, pinned=False) for _ in range(2)
    ]
    device = torch.device("cpu")
    alone = draw_samples(walker, games[0], positions=60, device=device)
    samples = draw_samples(
        counting("teacher"), games[1], positions=60, device=device, player=counting("player")
    )
    both = len(VALIDATION_SYMMETRIES)
    assert rows == {"player": both * 8 * 25, "teacher": both * len(samples.globals)}
    assert all(torch.equal(part, other) for part, other in zip(samples, alone, strict=True))
