"""Made-up human games with ranks: Black plays on the left half of the board, White on the other."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from engine.training.go.records import TYGEM_KOMI, TYGEM_RULES, WHITE, RecordedGame

LETTERS = "abcdefghijklmnopqrs"
STONES = 30  # of each player


def ranked_game(
    seed: int, ranks: tuple[float, float], winner: int = -1, name: int = 7
) -> RecordedGame:
    """Returns a game over some odd rows, without captures; both players have one name."""
    numbers = points_of(seed) + WHITE * (np.arange(2 * STONES) % 2)
    return RecordedGame(
        numbers.astype(np.int16),
        TYGEM_RULES,
        TYGEM_KOMI,
        ranks=ranks,
        winner=winner,
        players=(name, name),
    )


def points_of(seed: int) -> np.ndarray:
    """Returns the game's points, Black's and White's in turn, int64 [60]."""
    rng = np.random.default_rng(seed)
    halves = [
        rng.permutation([19 * y + x for y in range(1, 19, 2) for x in columns])[:STONES]
        for columns in (range(1, 9, 2), range(11, 19, 2))
    ]
    return np.stack(halves, axis=1).ravel()


def write_kgs(path: Path, ranks: Iterable[tuple[str, str]]) -> None:
    """Writes an archive of such games, one for each pair of ranks such as ("8k", "6d")."""
    with tarfile.open(path, "w:gz") as archive:
        for seed, (black, white) in enumerate(ranks):
            moves = "".join(
                f";{'BW'[at % 2]}[{LETTERS[point % 19]}{LETTERS[point // 19]}]"
                for at, point in enumerate(points_of(seed).tolist())
            )
            head = f"(;GM[1]SZ[19]BR[{black}]WR[{white}]PB[b{seed}]PW[w{seed}]RE[B+Resign]"
            data = f"{head}{moves})".encode()
            member = tarfile.TarInfo(f"{seed}.sgf")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
