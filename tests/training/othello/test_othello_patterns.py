"""Othello's evaluation: symmetric, learned from true samples, repeatable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import OthelloPosition, othello_pieces, othello_shared_states
from engine.networks.othello_weights import read_othello_weights
from engine.training.common.metrics import read_metrics
from engine.training.othello.othello_patterns import (
    PatternSamples,
    PatternSettings,
    fit,
    joined,
    play,
    predicted,
)
from engine.training.train_othello_patterns import PatternRunSettings, learn_patterns

Cells = NDArray[np.bool_]


def cells_of(discs: NDArray[np.uint64], size: int) -> Cells:
    """Returns [n, size, size]: the set cells; rows are 8 bits apart."""
    square = np.arange(size, dtype=np.uint64)
    bits = square[:, None] * np.uint64(8) + square
    return (discs[:, None, None] >> bits & np.uint64(1)).astype(bool)


def bits_of(cells: Cells) -> NDArray[np.uint64]:
    square = np.arange(cells.shape[1], dtype=np.uint64)
    bits = np.uint64(1) << (square[:, None] * np.uint64(8) + square)
    return np.where(cells, bits, np.uint64(0)).sum(axis=(1, 2), dtype=np.uint64)


def turned(cells: Cells, symmetry: int) -> Cells:
    cells = cells[:, ::-1] if symmetry & 1 else cells
    cells = cells[:, :, ::-1] if symmetry & 2 else cells
    return cells.transpose(0, 2, 1) if symmetry & 4 else cells


@pytest.mark.parametrize("size", [6, 8])
def test_a_turned_board_has_the_same_pieces(size: int) -> None:
    samples = play(PatternSettings(size=size), None, seed=3, games=10)
    shared = othello_shared_states(size)
    pieces, counts = othello_pieces(size, samples.own, samples.other)
    own, other = cells_of(samples.own, size), cells_of(samples.other, size)
    for symmetry in range(8):
        image, same_counts = othello_pieces(
            size, bits_of(turned(own, symmetry)), bits_of(turned(other, symmetry))
        )
        assert (np.sort(shared[image], axis=1) == np.sort(shared[pieces], axis=1)).all()
        assert (same_counts == counts).all()


@pytest.mark.parametrize("size", [6, 8])
def test_counts_are_those_of_the_position(size: int) -> None:
    samples = play(PatternSettings(size=size), None, seed=4, games=10)
    _, counts = othello_pieces(size, samples.own, samples.other)
    own, other = cells_of(samples.own, size), cells_of(samples.other, size)
    for row in range(len(samples)):
        stones = [(0, int(cell)) for cell in np.flatnonzero(own[row])]
        stones += [(1, int(cell)) for cell in np.flatnonzero(other[row])]
        position = OthelloPosition(size)
        position.setup(stones, to_move=0)
        beside = [neighbours(board[row]) & ~own[row] & ~other[row] for board in (other, own)]
        expected = [1, 0, 0, beside[0].sum(), beside[1].sum(), (size**2 - len(stones)) % 2]
        for color in (0, 1):
            legal = [position.is_legal(move, color) for move in range(size**2)]
            expected[1 + color] = sum(legal)
        assert counts[row].tolist() == expected


def neighbours(cells: Cells) -> Cells:
    """Returns the cells at or beside a set one."""
    size = len(cells)
    wide = np.pad(cells, 1)
    steps = [(y, x) for y in range(3) for x in range(3)]
    return np.any([wide[y : y + size, x : x + size] for y, x in steps], axis=0)


def test_samples_end_as_they_are_labelled() -> None:
    """At the end of a game the score is the board's; empty cells count for the winner."""
    samples = play(PatternSettings(size=6, exact_empties=5), None, seed=1, games=200)
    full = samples.where(samples.discs == 35)
    assert len(full) > 50
    for own, other, score in zip(full.own, full.other, full.score, strict=True):
        position = OthelloPosition(6)
        stones = [(0, int(c)) for c in np.flatnonzero(cells_of(np.array([own]), 6))]
        stones += [(1, int(c)) for c in np.flatnonzero(cells_of(np.array([other]), 6))]
        position.setup(stones, to_move=0)
        (move,) = position.legal_moves()
        position.play(move)
        while not position.is_over:
            position.play(position.legal_moves()[0])
        assert position.black_score == score


def error(settings: PatternSettings, weights: NDArray[np.int16], samples: PatternSamples) -> float:
    return float(((predicted(settings, weights, samples) - samples.score) ** 2).mean())


def test_learning_tells_the_score_of_games_not_seen() -> None:
    settings = PatternSettings(size=6, depth=1, exact_empties=6, steps=15)
    exam = play(settings, None, seed=90, games=300)
    few = play(settings, None, seed=1, games=100)
    weights = [
        fit(settings, few),
        fit(settings, joined(few, play(settings, None, seed=2, games=2000))),
    ]
    variance = float(exam.score.var())
    assert error(settings, weights[1], exam) < error(settings, weights[0], exam) < 0.9 * variance
    assert error(settings, weights[1], exam) < 0.6 * variance


def test_a_run_repeats_itself_and_goes_on(tmp_path: Path) -> None:
    learning = PatternSettings(size=6, games=60, depth=1)
    said: list[str] = []
    for name, weights in {"a": None, "b": None, "c": tmp_path / "a" / FILE}.items():
        run = PatternRunSettings(tmp_path / name, learning, rounds=1, weights=weights)
        learn_patterns(run, said.append)
    first, same, later = (read_othello_weights(tmp_path / name / FILE) for name in "abc")
    assert (first.weights == same.weights).all()
    assert (first.weights != later.weights).any()
    assert (first.card["rounds"], later.card["rounds"]) == (1, 2)
    assert all(scale > 0 for scale in first.win_scales + first.deviations)
    (row,) = read_metrics(tmp_path / "a")
    assert (row["step"], row["square_error"]) == (1, first.card["mean square error"])
    assert [row["step"] for row in read_metrics(tmp_path / "c")] == [2]
    assert "2 rounds" in (tmp_path / "c" / "othello6-patterns.md").read_text()
    assert "wrote" in said[-1]


FILE = "othello6-patterns.npz"
