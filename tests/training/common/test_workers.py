"""Self-play games are independent of their workers, even of dead or late ones."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.networks.fresh import fresh_architecture
from engine.training.alphazero.games import SelfPlayTask
from engine.training.alphazero.recipes import SPARRING
from engine.training.common.rows import SampleRows, joined
from engine.training.common.workers import (
    PATIENCE,
    HandOut,
    LocalWorkers,
    RayWorkers,
    Task,
    Tell,
    Workers,
    pieces_of,
    workers_at,
)

GAMES = range(40, 140)


def task_of() -> Task[list[float]]:
    """A stand-in for play; inside a function, so workers get its code with it."""

    def play(games: range, tell: Tell) -> list[float]:
        rows = []
        for game in games:
            rows.append(random.Random(game).random())
            tell(1)
        return rows

    return play


def played(workers: Workers, task: Task[list[float]]) -> list[float]:
    """Returns the rows of GAMES, after a check of one count a game."""
    counted: list[int] = []
    pieces = workers.play(task, GAMES, counted.append)
    assert sum(counted) == len(GAMES)
    return [row for piece in pieces for row in piece]


WANTED = [random.Random(game).random() for game in GAMES]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayWorkers]:
    """A cluster of this machine alone."""
    pytest.importorskip("ray", reason="Ray, an optional extra, is not installed")
    workers = RayWorkers("local")
    yield workers
    workers.close()


def test_pieces_hold_every_game_once_in_order() -> None:
    for workers in (1, 3, 100):
        pieces = pieces_of(GAMES, workers)
        assert [game for piece in pieces for game in piece] == list(GAMES)
        assert {len(piece) for piece in pieces[:-1]} <= {len(pieces[0])}
    assert len(pieces_of(GAMES, 3)) == 12
    assert len(pieces_of(GAMES, 100)) == 13


def test_without_an_address_this_process_plays() -> None:
    workers = workers_at(None, 2)
    assert isinstance(workers, LocalWorkers)
    assert workers.threads == 2
    assert played(workers, task_of()) == WANTED


def test_an_idle_worker_gets_the_next_piece_and_then_one_that_is_late() -> None:
    first, second, third = pieces = [range(10), range(10, 20), range(20, 30)]
    now = 0.0
    hand_out = HandOut(pieces, lambda: now)
    assert [hand_out.next() for _ in range(4)] == [first, second, third, None]
    now = 2.0
    hand_out.finish(second)
    now = PATIENCE * 2.0
    assert hand_out.next() is None
    now += 0.1
    assert [hand_out.next() for _ in range(3)] == [first, third, None]
    hand_out.finish(third)
    hand_out.finish(first)
    assert hand_out.next() is None


def test_a_cluster_that_is_not_there_is_refused_by_name() -> None:
    pytest.importorskip("ray", reason="Ray, an optional extra, is not installed")
    with pytest.raises(ValueError, match=r"no Ray cluster at '127\.0\.0\.1:1'"):
        RayWorkers("127.0.0.1:1")


def test_a_cluster_plays_the_same_games(cluster: RayWorkers) -> None:
    assert played(cluster, task_of()) == WANTED


@pytest.mark.parametrize("judged_by", ["quick games", "a network"])
def test_a_cluster_plays_the_same_self_play(cluster: RayWorkers, judged_by: str) -> None:
    recipe = replace(SPARRING["connect4"], blocks=1, channels=8)
    network = fresh_architecture("small", recipe.shape(), np.random.default_rng(3))
    task = SelfPlayTask(
        game=recipe.game,
        width=5,
        height=4,
        network=None if judged_by == "quick games" else network,
        play={**recipe.play, "visits": 16, "fast_visits": 8, "solve_empties": 6},
        search=recipe.search,
        seed=4,
        threads=1,
        backend="native",
    )
    one: SampleRows = joined(LocalWorkers(1).play(task, range(100, 124), lambda _count: None))
    pieces = cluster.play(task, range(100, 124), lambda _count: None)
    assert len(pieces) == 3
    many = joined(pieces)
    assert set(one.game.tolist()) == set(range(100, 124))
    for name, rows in one._asdict().items():
        assert torch.equal(rows, getattr(many, name)), name


def test_the_games_of_a_worker_that_dies_are_played_again(
    cluster: RayWorkers, tmp_path: Path
) -> None:
    play = task_of()

    def dying(games: range, tell: Tell) -> list[float]:
        if 90 in games and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(games, tell)

    assert played(cluster, dying) == WANTED
    assert (tmp_path / "died").exists()


def test_a_slow_worker_is_not_waited_for(cluster: RayWorkers, tmp_path: Path) -> None:
    play = task_of()

    def dawdling(games: range, tell: Tell) -> list[float]:
        if GAMES[0] in games and not (tmp_path / "slow").exists():
            (tmp_path / "slow").touch()
            time.sleep(600)
        return play(games, tell)

    assert played(cluster, dawdling) == WANTED
    assert (tmp_path / "slow").exists()


def test_an_error_of_the_task_is_raised_here(cluster: RayWorkers) -> None:
    def failing(games: range, tell: Tell) -> list[float]:
        raise ValueError(f"cannot play {games[0]}")

    with pytest.raises(ValueError, match="cannot play 40"):
        played(cluster, failing)
