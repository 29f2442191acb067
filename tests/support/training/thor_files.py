"""Made-up games of Othello, and folders of WTHOR files that hold them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine._core import OthelloPosition
from engine.formats import wthor
from engine.formats.wthor import ThorFile, ThorGame


def liked(move: int) -> float:
    """How often a move is played as a multiple of one in the middle."""
    y, x = divmod(move, 8)
    return 6.0 ** ((x in (0, 7)) + (y in (0, 7)))


def random_game(seed: int) -> ThorGame:
    """A game that begins as the database's do, with f5; its players like corners, then edges."""
    rng = np.random.default_rng(seed)
    position = OthelloPosition(8)
    moves = [37]
    position.play(37)
    while not position.is_over:
        legal = position.legal_moves()
        liking = np.array([liked(move) for move in legal])
        move = int(rng.choice(legal, p=liking / liking.sum()))
        if move != position.pass_move:
            moves.append(move)
        position.play(move)
    return ThorGame(tuple(moves), (64 + position.black_score) // 2)


def write_years(folder: Path, years: dict[int, list[ThorGame]], *, size: int = 8) -> Path:
    """The folder, a file of games in it for each year."""
    folder.mkdir(exist_ok=True)
    for year, games in years.items():
        data = wthor.write(ThorFile(tuple(games), year, size=size))
        (folder / f"WTH_{year}_{size}.wtb").write_bytes(data)
    return folder
