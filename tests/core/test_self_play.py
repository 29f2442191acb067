"""Games that play themselves in the core: what they depend on, and what their rows teach."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine._core import (
    Connect4Solver,
    GoPosition,
    GoRules,
    NetworkScales,
    OthelloSolver,
    SearchSettings,
)
from engine.games.table import GAMES
from engine.search.search import Search
from engine.values import Limit
from tests.support.self_played import Changes, ends_of, positions_of, rows_of, same, self_play
from tests.support.stand_in import StandInEvaluator, StandInSlot

SOLVERS: dict[str, Any] = {"othello": OthelloSolver, "connect4": Connect4Solver}
SELF_KOMI = 5  # of the numbers that the network sees: what the side to move gets

QUICK: Changes = {"visits": 24, "fast_visits": 6, "full_share": 0.4}
BOARDS = [("othello", (6, 6)), ("connect4", (5, 4)), ("darkchess", (2, 4))]


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize(
    ("at_once", "rows", "slots"), [(1, 1, 1), (3, 2, 1), (5, 3, 2), (50, 50, 2)]
)
def test_games_are_the_same_however_they_are_batched(
    game: str, size: tuple[int, int], at_once: int, rows: int, slots: int
) -> None:
    changes = QUICK | {"random_openings": 0.5, "solve_empties": 6}
    expected = rows_of(game, size, changes, games=5, first_game=3)
    found = rows_of(
        game, size, changes, games=5, first_game=3, at_once=at_once, rows=rows, slots=slots
    )
    assert same(expected, found)
    assert expected.games == [3, 4, 5, 6, 7]
    assert len({tuple(expected.moves(number)) for number in expected.games}) == 5


def test_a_game_depends_on_its_number_and_the_seed() -> None:
    many = rows_of("connect4", (5, 4), QUICK, games=4)
    alone = rows_of("connect4", (5, 4), QUICK, games=1, first_game=2)
    other = rows_of("connect4", (5, 4), QUICK, games=4, seed=2)
    assert alone.moves(2) == many.moves(2)
    assert [many.moves(i) for i in range(4)] != [other.moves(i) for i in range(4)]


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_rows_show_the_positions_and_how_they_ended(game: str, size: tuple[int, int]) -> None:
    rows = rows_of(game, size, QUICK, games=6)
    ends = ends_of(GAMES[game].new_position(*size), rows)
    assert all(end.is_over for end in ends.values())
    assert len(rows) == sum(len(rows.moves(number)) for number in rows.games)
    assert not rows.exact.all()
    later: dict[int, float] = {}  # what the rows of a game after this one say, Black's view
    for row, position in reversed(list(enumerate(positions_of(game, size, rows)))):
        number = int(rows.game[row])
        planes, numbers = position.features()
        assert np.array_equal(rows.planes[row], planes)
        assert np.array_equal(rows.globals[row], numbers)
        assert np.array_equal(rows.legal[row], position.legal_mask())
        end = ends[number]
        side = 1 if position.to_move == 0 else -1
        owners = np.array([0, 1, -1])[end.stones] * side
        assert np.array_equal(rows.ownership[row], owners.ravel())
        if not rows.exact[row]:
            black_score = later.get(number, end.black_score)
            assert rows.score[row] == side * black_score
        later[number] = side * float(rows.score[row])
        assert rows.result[row] == 0.5 + 0.5 * np.sign(rows.score[row])


def test_games_of_go_are_decided_as_their_start_says() -> None:
    """Points of the middle count for more; whose the points are is what the area says."""
    size = (5, 5)
    start = GoPosition(*size, GoRules(), 0.5)
    start.weigh_territory(0.5, 2)
    how: Changes = {"visits": 12, "fast_visits": 8, "opening_moves": 8}
    rows = rows_of("go", size, how, games=4, start=start)
    line = np.minimum.outer(*[np.array([1, 2, 3, 2, 1])] * 2)
    for number, end in ends_of(start, rows).items():
        area = end.area()  # type: ignore[attr-defined]
        score = float((area * (1 + 0.5 * np.sign(line - 2))).sum()) - 0.5
        of_game = rows.game == number
        assert of_game.any()
        black = rows.globals[of_game, SELF_KOMI] < 0
        sides = np.where(black, 1, -1)
        assert np.allclose(rows.score[of_game], sides * score)
        assert np.array_equal(rows.result[of_game], 0.5 + 0.5 * np.sign(sides * score))
        assert np.array_equal(rows.ownership[of_game], sides[:, None] * area.ravel())


@pytest.mark.parametrize(("game", "size"), [*BOARDS, ("connect4", (7, 6))])
@pytest.mark.parametrize("visits", [1, 5, 24])
def test_policies_are_of_full_searches_and_on_legal_moves(
    game: str, size: tuple[int, int], visits: int
) -> None:
    rows = rows_of(game, size, QUICK | {"visits": visits}, games=12)
    taught = rows.policy_weight > 0
    assert 0.2 < taught.mean() < 0.9
    assert np.allclose(rows.policy[taught].sum(axis=1), 1)
    assert not rows.policy[~taught].any()
    assert not rows.policy[rows.legal == 0].any()
    for row in range(len(rows)):
        is_last = row + 1 == len(rows) or rows.game[row + 1] != rows.game[row]
        assert rows.reply_weight[row] == (0 if is_last else rows.policy_weight[row + 1])
        if not is_last:
            assert np.array_equal(rows.reply[row], rows.policy[row + 1])
    assert not rows.reply[rows.reply_weight == 0].any()


@pytest.mark.parametrize(
    ("game", "size", "empties"), [("othello", (4, 4), 12), ("connect4", (5, 4), 20)]
)
def test_solved_games_teach_what_the_solver_says(
    game: str, size: tuple[int, int], empties: int
) -> None:
    changes: Changes = {"solve_empties": empties, "solved_random_share": 0.3}
    rows = rows_of(game, size, changes, games=6)
    solver = SOLVERS[game](1)
    worse = 0
    for row, position in enumerate(positions_of(game, size, rows)):
        scores = dict(solver.solve_moves(position))
        best = max(scores.values())
        assert rows.exact[row] == 1
        assert rows.policy_weight[row] == 1
        assert rows.score[row] == best
        moves = [move for move, score in scores.items() if score == best]
        assert np.flatnonzero(rows.policy[row]).tolist() == sorted(moves)
        assert np.allclose(rows.policy[row][moves], 1 / len(moves))
        worse += scores[rows.moves(int(rows.game[row]))[rows.ply[row]]] < best
    assert 0 < worse < len(rows) / 3


@pytest.mark.parametrize(("game", "size"), [("othello", (6, 6)), ("connect4", (7, 6))])
def test_what_a_search_proves_is_true(game: str, size: tuple[int, int]) -> None:
    changes: Changes = {"visits": 100, "fast_visits": 50}
    rows = rows_of(game, size, changes, games=6, search={"solve_empties": 8})
    solver = SOLVERS[game](16)
    proven = 0
    for row, position in enumerate(positions_of(game, size, rows)):
        if not rows.exact[row]:
            continue
        proven += 1
        scores = dict(solver.solve_moves(position))
        assert rows.score[row] == max(scores.values())
        for move in np.flatnonzero(rows.policy[row]):
            assert scores[int(move)] == rows.score[row]
    assert proven > 10


def middle_wins(slot: StandInSlot, row: int) -> None:
    """Every column as likely; who has the bottom of the middle one is winning."""
    bottom = slot.spatial[row, :, -1, slot.spatial.shape[3] // 2].astype(np.int64)
    slot.policy[row] = 0.0
    slot.value[row] = (2.0 * (bottom[1] - bottom[2]), 0.0, -9.0)
    slot.misc[row] = slot.ownership[row] = 0.0


def test_forced_playouts_are_made_and_are_no_part_of_the_policy() -> None:
    visits, forced = 200, 2.0
    evaluator = StandInEvaluator(middle_wins, game="connect4")
    settings = SearchSettings()
    settings.root_symmetries = 1
    settings.root_forced_playouts = forced
    search = Search(evaluator, settings, seed=1)
    search.set_position(GAMES["connect4"].new_position(7, 6))
    made = {move.move: move.visits for move in search.run(Limit(visits=visits)).moves}
    assert all(made[move] >= math.sqrt(forced * visits / 7) - 1 for move in range(7))
    assert made[3] < 0.8 * visits

    changes: Changes = {"visits": visits, "full_share": 1.0, "forced_playouts": forced}
    quiet: Changes = {"root_dirichlet_weight": 0.0}
    rows = rows_of("connect4", (7, 6), changes, games=1, search=quiet, evaluate=middle_wins)
    assert all(rows.policy[0][move] < made[move] / visits / 3 for move in range(7) if move != 3)
    unforced = changes | {"forced_playouts": 0.0}
    natural = rows_of("connect4", (7, 6), unforced, games=1, search=quiet, evaluate=middle_wins)
    assert np.abs(rows.policy[0] - natural.policy[0]).max() < 0.03


def test_noise_is_of_full_searches_alone() -> None:
    """Without it, and with the best move always played, all games are the same."""
    changes: Changes = {"visits": 30, "fast_visits": 30, "opening_temperature": 0.0}
    different = {}
    for share in (0.0, 1.0):
        changes["full_share"] = share
        rows = rows_of("connect4", (7, 6), changes, games=4, evaluate=middle_wins)
        different[share] = len({tuple(rows.moves(number)[:20]) for number in rows.games})
    assert different == {0.0: 1, 1.0: 4}


def test_the_temperature_is_the_openings_and_then_the_later_one() -> None:
    changes: Changes = {"visits": 40, "full_share": 1.0, "opening_moves": 8}
    rows = rows_of("othello", (6, 6), changes, games=8)
    best = rows.policy.max(axis=1)
    played = [
        rows.policy[row][rows.moves(int(rows.game[row]))[rows.ply[row]]] for row in range(len(rows))
    ]
    chosen = (played == best)[(rows.policy_weight > 0) & (rows.exact == 0)]
    early = (rows.ply < 8)[(rows.policy_weight > 0) & (rows.exact == 0)]
    assert chosen[~early].all()
    assert 0.2 < chosen[early].mean() < 0.9


def sure_of_the_middle(slot: StandInSlot, row: int) -> None:
    """Nothing but the middle column is worth a look."""
    slot.policy[row] = 0.0
    slot.policy[row, slot.spatial.shape[3] // 2] = 14.0
    slot.value[row] = (0.0, 0.0, -9.0)
    slot.misc[row] = slot.ownership[row] = 0.0


def test_a_share_of_the_playouts_may_begin_with_any_move() -> None:
    visits, made = 400, {}
    for epsilon in (0.0, 0.35):
        settings = SearchSettings()
        settings.root_epsilon = epsilon
        search = Search(StandInEvaluator(sure_of_the_middle, game="connect4"), settings, seed=1)
        search.set_position(GAMES["connect4"].new_position(7, 6))
        moves = search.run(Limit(visits=visits)).moves
        made[epsilon] = {move.move: move.edge_visits for move in moves if move.move != 3}
    assert sum(made[0.0].values()) < 8
    # 20 each, with a standard deviation of 4.
    assert len(made[0.35]) == 6
    assert all(8 <= count <= 32 for count in made[0.35].values())


@pytest.mark.parametrize(("softness", "columns"), [(0.5, {3}), (1000.0, set(range(7)))])
def test_openings_may_be_chosen_softly_from_all_legal_moves(
    softness: float, columns: set[int]
) -> None:
    changes: Changes = {"visits": 20, "opening_moves": 1, "opening_softness": softness}
    rows = rows_of("connect4", (7, 6), changes, games=60, evaluate=sure_of_the_middle)
    first = [rows.moves(number)[0] for number in rows.games]
    assert set(first) == columns
    assert max(first.count(column) for column in columns) / 60 * len(columns) < 2.2


def test_random_openings_have_no_rows() -> None:
    changes = QUICK | {"random_openings": 1.0, "random_opening_moves": 6}
    rows = rows_of("othello", (6, 6), changes, games=12)
    firsts = {int(number): int(rows.ply[rows.game == number].min()) for number in rows.games}
    assert set(firsts.values()) <= set(range(1, 7))
    assert len(set(firsts.values())) > 3
    assert min(rows_of("othello", (6, 6), QUICK, games=2).ply) == 0


def test_self_play_never_evaluates_a_root_for_its_optimism() -> None:
    scales = NetworkScales()
    scales.optimistic = True
    how: dict[str, Any] = {"games": 2, "search": {"policy_optimism": 1.0}}
    plain = rows_of("go", (5, 5), QUICK, **how)
    optimistic = rows_of("go", (5, 5), QUICK, scales=scales, **how)
    assert same(plain, optimistic)


def test_rows_are_taken_once() -> None:
    playing = self_play("connect4", (4, 4), {"solve_empties": 16}, games=3, at_once=1)
    batch = StandInEvaluator(game="connect4").open(4, 4, 1)
    assert playing.select(0, batch.spatial, batch.globals, 1) == 0
    assert playing.over
    assert playing.finished == 3
    rows = playing.take()
    assert len(rows) == playing.positions > 0
    again = playing.take()
    assert len(again) == 0
    assert again.planes.shape == (0, 6, 4, 4)
    with pytest.raises(ValueError, match="game 0 is not among these"):
        again.moves(0)


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("seed", range(4))
def test_games_survive_an_evaluation_that_fails(
    game: str, size: tuple[int, int], seed: int
) -> None:
    expected = rows_of(game, size, QUICK, games=3, at_once=3, seed=seed)
    playing = self_play(game, size, QUICK, games=3, at_once=3, seed=seed)
    batch = StandInEvaluator(game=game).open(*size, 3)
    turns = 0
    while not playing.over:
        filled = playing.select(0, batch.spatial, batch.globals, 3)
        turns += 1
        if filled and turns % 3 == 0:
            playing.abandon(0)
        elif filled:
            batch.start(filled)
            batch.wait()
            value = batch.value.copy()
            if turns % 5 == 0:
                value[filled - 1] = np.nan
            answers = (batch.policy, value, batch.misc, batch.ownership)
            if turns % 5 == 0:
                with pytest.raises(RuntimeError, match="not finite"):
                    playing.update(0, *answers)
            else:
                playing.update(0, *answers)
    assert same(expected, playing.take())


@pytest.mark.parametrize(
    ("changes", "how", "message"),
    [
        ({"visits": 0}, {}, "visits 0 is not in 1.."),
        ({"full_share": 1.5}, {}, "full_share 1.5"),
        ({"opening_temperature": float("nan")}, {}, "opening_temperature"),
        ({"solve_empties": -1}, {}, "solve_empties -1 is not in 0.."),
        ({}, {"games": -1}, "games -1 is not in 0.."),
        ({}, {"at_once": 0}, "at_once 0 is not in 1.."),
    ],
)
def test_bad_settings_are_refused(changes: Changes, how: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        self_play("othello", (6, 6), changes, **({"games": 1} | how))


def test_arrays_of_another_shape_are_refused() -> None:
    playing = self_play("othello", (6, 6), QUICK, games=1)
    batch = StandInEvaluator(game="othello").open(6, 6, 2)
    with pytest.raises(ValueError, match="the arrays hold fewer rows than 3"):
        playing.select(0, batch.spatial, batch.globals, 3)
    with pytest.raises(ValueError, match="slot 64"):
        playing.select(64, batch.spatial, batch.globals, 2)
    assert playing.select(0, batch.spatial, batch.globals, 2) == 1
    with pytest.raises(ValueError, match="outputs must be"):
        playing.update(0, batch.policy[:, 1:].copy(), batch.value, batch.misc, batch.ownership)
