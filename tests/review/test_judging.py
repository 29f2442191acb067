"""Judges of recorded games: late positions solved, others searched, moves looked up."""

from __future__ import annotations

import random

import pytest

from engine.errors import SettingError
from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from engine.games.table import Board
from engine.match.game_spec import GameSpec
from engine.networks.bundled import WEIGHTS
from engine.networks.raw import evaluate_raw
from engine.review.bench import Bench
from engine.review.judging import GameJudgement, Judge, judged
from engine.review.played import ReplayedGame, of_row
from tests.support.strength.rows import row

CONNECT4 = GameSpec("connect4", 7, 6)
OTHELLO = GameSpec("othello", 6, 6)


def random_game(start: GameSpec, seed: int) -> tuple[list[str], int]:
    """The moves of a random game, and its winner."""
    rng, position, moves = random.Random(seed), start.empty(), list[str]()
    while not position.is_over:
        move = rng.choice(position.legal_moves())
        moves.append(start.write(move))
        position.play(move)
    return moves, position.winner


@pytest.mark.parametrize("start", [CONNECT4, OTHELLO], ids=lambda start: start.game)
def test_solved_positions_are_never_improved_on(start: GameSpec) -> None:
    rows = []
    for seed in range(3):
        moves, winner = random_game(start, seed)
        rows.append(row(seed, None if winner < 0 else winner, moves=moves, result="R+1"))
    solved = 0
    games = [of_row(start, game) for game in rows]
    for game, found in zip(rows, judged(Bench(visits=2), games, at_once=2), strict=True):
        assert len(found.values) == len(found.leads) == len(game["moves"]) + 1
        assert found.exact is not None
        position = start.empty()
        for number, text in enumerate(game["moves"]):
            value, after = found.values[number : number + 2]
            if number >= found.exact:
                assert value in {0.0, 0.5, 1.0}
                assert (value >= after) if position.to_move == 0 else (value <= after)
                solved += 1
            assert (found.likely[number] is None) == (len(position.legal_moves()) == 1)
            position.play(start.read(text))
    assert solved > 20


def test_human_moves_are_the_reference_where_a_network_knows_them() -> None:
    bench = Bench(visits=9)
    for board, name in (
        (Board("othello", 8, 8), "othello8-human"),
        (Board("go", 9, 9), "go-human"),
    ):
        reference, strong = bench.reference(board).path, bench.strong(board).path
        assert reference is not None
        assert strong is not None
        assert (reference.stem, strong.stem) == (
            name,
            name.removesuffix("-human").replace("go9", "go"),
        )
    for board in (CONNECT4.board, OTHELLO.board):
        assert bench.reference(board) == bench.strong(board)


def test_a_judge_of_human_moves_asks_the_human_network() -> None:
    start = GameSpec("othello", 8, 8)
    game = row(0, 0, moves=["d3", "c3", "c4"], result="B+R") | {"how": "resign"}
    bench = Bench(visits=2)
    found = Judge(bench).judge_game(of_row(start, game))
    assert found.leads[-1] == found.leads[-2], "nobody counted it"
    network = bench.networks.network(bench.reference(start.board))
    policy = evaluate_raw(network.evaluator, start.position()).policy
    assert found.likely[0] == pytest.approx(float(policy[start.read("d3")]), abs=1e-5)
    assert found.ranks[0] in {1, 2, 3, 4}


def test_ranks_follow_probabilities() -> None:
    moves = ["4", "4", "4", "1"]
    found = Judge(Bench(visits=None)).judge_game(
        of_row(CONNECT4, row(0, 0, moves=moves, result="R+1"))
    )
    assert found.values == found.leads == ()
    for rank, likely in zip(found.ranks, found.likely, strict=True):
        assert rank is not None
        assert likely is not None
        assert rank == 1 or likely <= 0.5
        assert likely * rank <= 1


def test_a_game_of_go_that_ended_by_passes_is_counted_without_its_dead_stones() -> None:
    """White's lone stone within Black's wall is dead, and nobody took it."""
    wall = [(0, 7 * y + 3) for y in range(7)] + [(1, 7 * y + 4) for y in range(7)] + [(1, 15)]
    game_settings = GoSettings(RULE_SETS["chinese"], 0.5)
    played = ReplayedGame(GameRecord(game_settings, 7, 7, tuple(wall), 0, ((0, 49), (1, 49))))
    found = Judge(Bench(visits=20)).judge_game(played)
    assert found.margin == 28 - 21 - 0.5
    assert found.values[-1] == 1.0
    unfinished = Judge(Bench(visits=5)).judge_game(
        ReplayedGame(GameRecord(game_settings, 7, 7, tuple(wall), 0, ((0, 49),)))
    )
    assert unfinished.margin is None
    assert 0.5 < unfinished.values[-1] <= 1.0


def test_moves_out_of_turn_are_judged_as_their_colors() -> None:
    game_settings = GoSettings(RULE_SETS["chinese"], 7.5)
    moves = ((0, 20), (0, 60), (0, 24), (1, 56))
    found = Judge(Bench(visits=1)).judge_game(
        ReplayedGame(GameRecord(game_settings, 9, 9, moves=moves))
    )
    assert found.values[2] > found.values[0], "Black has had two moves, and is to have a third"
    assert all(likely is not None and likely > 0 for likely in found.likely)


def test_a_network_of_another_game_is_refused() -> None:
    bench = Bench(visits=1, network=str(WEIGHTS / "othello8-human.safetensors"))
    with pytest.raises(SettingError, match="network of Othello, not of Go"):
        bench.load(Board("go", 9, 9))


def test_opinions_that_older_versions_kept_are_read() -> None:
    kept = {"game": 3, "values": [0.5], "leads": [0.0], "exact": None, "likely": []}
    assert GameJudgement.of(kept) == GameJudgement([0.5], [0.0], None, [])
    assert GameJudgement.of(GameJudgement([0.5], [0.0], None, [], [], 1.0).row(4)).margin == 1.0
