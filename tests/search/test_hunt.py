"""Forced captures of likely won endings of dark chess, beside a brute force over the positions."""

from __future__ import annotations

import random

import pytest

from engine._core import DarkChessPosition, hunt_dark_chess, likely_outcome
from engine.games.dark_chess import FACE_DOWN, KINDS, PIECES, new_position, read_action, set_up

MOST_BOARDS = 200_000
ENDINGS = ("KG g", "KG k", "KG p", "KGM mm", "GMR np", "KMC rr")


def placed(pieces: str, rng: random.Random, hidden: str = "") -> DarkChessPosition:
    """Red to move, with these pieces on random cells of the upper half, and others face down."""
    letters = [*pieces.replace(" ", ""), *FACE_DOWN * len(hidden)]
    cells = letters + ["-"] * (16 - len(letters))
    while True:
        rng.shuffle(cells)
        position = new_position(4, 8)
        rows = ["".join(cells[y * 4 : y * 4 + 4]) for y in range(4)] + ["----"] * 4
        set_up(position, "\n".join([*rows, f"red {hidden}".strip()]))
        if not position.is_over:
            return position


def is_won(position: DarkChessPosition) -> bool:
    """Whether Red is likely to win; a side without pieces has lost."""
    counts = [0] * len(PIECES)
    for code in position.pieces.ravel().tolist():
        if 0 <= code < len(PIECES):
            counts[code] += 1
    for code, unrevealed in enumerate(position.pool):
        counts[code] += unrevealed
    return likely_outcome(counts[: len(KINDS)], counts[len(KINDS) :]) == 1


def captures(position: DarkChessPosition, move: int) -> tuple[DarkChessPosition, bool]:
    """The position after a step, and whether it captured."""
    after = position.copy()
    after.play(move)
    return after, after.quiet_moves == 0


def forces(position: DarkChessPosition, move: int, plies: int) -> bool:
    """Whether Red's move forces a capture within so many plies, by trying everything."""
    after, has_captured = captures(position, move)
    if has_captured:
        return is_won(after) and all(
            is_won(captures(after, reply)[0])
            for reply in (() if after.is_over else after.legal_moves())
        )
    if plies <= 1:
        return False
    if after.is_over:
        return after.winner == 0
    return all(is_caught(after, reply, plies - 1) for reply in after.legal_moves())


def is_caught(position: DarkChessPosition, reply: int, plies: int) -> bool:
    after, _ = captures(position, reply)
    return (
        plies > 1
        and is_won(after)
        and not after.is_over
        and any(forces(after, move, plies - 1) for move in after.legal_moves())
    )


@pytest.mark.parametrize("pieces", ENDINGS)
def test_the_quickest_forced_captures_are_those_of_brute_force(pieces: str) -> None:
    rng = random.Random(pieces)
    found = 0
    for _ in range(12):
        position = placed(pieces, rng)
        hunt = hunt_dark_chess(position, 3, MOST_BOARDS)
        assert hunt.is_won
        quickest: list[int] = []
        for plies in (1, 3):
            quickest = [move for move in position.legal_moves() if forces(position, move, plies)]
            if quickest:
                assert hunt.plies == plies
                break
        assert sorted(hunt.moves) == sorted(quickest)
        found += bool(quickest)
    assert found


def test_a_hunt_ends_with_the_game_won() -> None:
    """The king and a guard catch a guard that runs away at random, within the limit of moves."""
    rng = random.Random(5)
    for _ in range(10):
        position = placed("KG g", rng)
        while not position.is_over:
            hunt = hunt_dark_chess(position, 39, MOST_BOARDS)
            assert hunt.moves
            assert hunt.plies + position.quiet_moves <= position.quiet_limit
            position.play(hunt.moves[0])
            if not position.is_over:
                position.play(rng.choice(position.legal_moves()))
        assert position.winner == 0


def test_there_is_no_hunt_where_nothing_is_won_or_a_flip_escapes() -> None:
    rng = random.Random(3)
    assert not hunt_dark_chess(new_position(4, 8), 9, MOST_BOARDS).is_won
    undecided = hunt_dark_chess(placed("KGMP kgmp", rng), 9, MOST_BOARDS)
    assert not undecided.is_won
    assert not undecided.moves
    for _ in range(10):
        hidden = hunt_dark_chess(placed("KG g", rng, hidden="M"), 9, MOST_BOARDS)
        assert hidden.is_won
        assert hidden.plies in (0, 1)  # a capture at once, or none that is forced


def test_moves_that_repeat_a_position_are_named_and_are_no_hunt() -> None:
    position = new_position(4, 8)
    set_up(position, "----\n----\n----\n-KG-\n----\n----\n----\n---g\nred")
    for text in ("b5-b6", "d1-c1", "b6-b5", "c1-d1"):
        position.play(read_action(text, 4, 8))
    hunt = hunt_dark_chess(position, 39, MOST_BOARDS)
    assert hunt.repeating == [read_action("b5-b6", 4, 8)]
    assert not set(hunt.repeating) & set(hunt.moves)
