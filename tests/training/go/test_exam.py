"""Human moves of the exam: read as they were played."""

from __future__ import annotations

import zipfile
from pathlib import Path

import torch

from engine.networks.torch_model import Outputs
from engine.training.go.exam import match_humans, read_humans

# Black walks along the top row from the left, White along the bottom row.
LINE = (
    "42\t"
    + "".join(
        f";{color}[{chr(ord('a') + x)}{row}]"
        for x in range(19)
        for color, row in (("B", "a"), ("W", "s"))
    )
    + ";B[jj];W[tt];B[jk];W[kk]"
)


def walker(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
    """Plays beside the opponent's latest move but one: plane 10 is the own last move."""
    rows = len(globals_)
    last = planes[:, 10].float()
    beside = torch.nn.functional.pad(last, (1, 0))[:, :, :-1].flatten(1)
    logits = torch.cat((beside * 9, torch.zeros(rows, 1)), dim=1)
    nothing = torch.zeros(rows, 6)
    return Outputs(logits[:, None], nothing[:, :3], nothing, beside * 0)


def test_human_moves_are_read_as_played(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("2016-07", f"{LINE}\n7\t;B[aa]\n")
    humans = read_humans(path, games=5, a_game=42, seed=1)
    assert len(humans.moves) == 42
    moves = humans.moves.tolist()
    assert moves[:4] == [0, 18 * 19, 1, 18 * 19 + 1]
    assert moves[-4:] == [9 * 19 + 9, 361, 10 * 19 + 9, 10 * 19 + 10]
    # It foresees the walk but for White's first move; Black's is its default, point 0.
    assert match_humans(walker, humans) == round(37 / 42, 4)
