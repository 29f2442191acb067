"""Rows turned by the symmetries of their game, each by its own."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.games.table import GAMES
from engine.training.common.rows import SampleRows


@dataclass(frozen=True)
class Turns:
    """The sources of cells and moves under each symmetry of one game on one board.

    A turned board's cell i is the upright board's cell `cells[symmetry, i]`; moves alike.
    """

    cells: Tensor  # int64 [symmetries, height * width]
    moves: Tensor  # int64 [symmetries, moves]

    @property
    def count(self) -> int:
        """The number of symmetries; symmetry 0 changes nothing."""
        return len(self.cells)

    def turned(self, rows: SampleRows, symmetry: Tensor) -> SampleRows:
        """Returns the rows, each turned by its symmetry, int64 [n]."""
        cells, moves = self.cells[symmetry], self.moves[symmetry]
        planes = rows.planes.flatten(2)
        spread = cells[:, None].expand(-1, planes.shape[1], -1)
        return rows._replace(
            planes=planes.gather(2, spread).view_as(rows.planes),
            legal=rows.legal.gather(1, moves),
            policy=rows.policy.gather(1, moves),
            reply=rows.reply.gather(1, moves),
            ownership=rows.ownership.gather(1, cells),
        )


def turns_of(game: str, width: int, height: int) -> Turns:
    """Returns the symmetries of a board: bit 0 flips y, bit 1 flips x, bit 2 then transposes."""
    start = GAMES[game].new_position(width, height)
    area = width * height
    upright = torch.arange(area).view(height, width)
    by_columns, images = start.move_count == width, GAMES[game].move_images
    # Discs fall: a Connect4 board has mirror symmetry alone.
    symmetries = (0, 2) if by_columns else range(start.symmetry_count)
    cells, moves = [], []
    for symmetry in symmetries:
        axes = [axis for bit, axis in ((1, 0), (2, 1)) if symmetry & bit]
        turned = upright.flip(axes)
        turned = turned.T if symmetry & 4 else turned
        cells.append(turned.reshape(area))
        columns = turned[0] % width
        if images is not None:
            # Without a transposition each symmetry is its own inverse.
            moves.append(torch.tensor(images(width, height, symmetry)))
        elif by_columns:
            moves.append(columns)
        else:
            moves.append(torch.cat((cells[-1], torch.tensor([area]))))
    return Turns(torch.stack(cells), torch.stack(moves))
