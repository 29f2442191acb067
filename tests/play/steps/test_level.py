"""Moves of weakened play: drawn as the level's weights say, from what may be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.evaluator import NetworkDescription
from engine.games.position import Position
from engine.games.ranks import parse_rank
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES, Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents.tracker import stranger_on
from engine.personas import Persona, make_persona
from engine.play.move_choice import choose
from engine.play.steps.human import utilities
from engine.play.steps.level import choose_by, level_search, numbers_of
from engine.play.steps.request import MoveRequest
from engine.search.one_ply import one_ply_values
from engine.search.search import Restriction, Search
from engine.strength.level import RANDOM, Level, weights
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder, Rung, ladder_for
from engine.values import Choice, Limit
from tests.support.beginnings import first_choice
from tests.support.stand_in import StandInEvaluator, StandInSlot

LEVELS = {
    "random": RANDOM,
    "greedy": Level(index=0.0, greed=1.5),
    "policy": Level(index=1.0),
    "search": Level(visits=8, index=1.0, floor=0.05),
    "people": Level(rank=20.0),
    "restrained people": Level(visits=8, rank=20.0, restraint=3.0),
}


def by_place(slot: StandInSlot, row: int) -> None:
    """The nearer to the middle the likelier, however the board is turned."""
    height, width = slot.spatial.shape[2:]
    x = np.abs(np.arange(width) - (width - 1) / 2)
    y = np.abs(np.arange(height) - (height - 1) / 2)
    board = slot.policy.shape[1] > width
    places = np.hypot(x[None, :], y[:, None]).ravel() if board else x
    slot.policy[row, : len(places)] = -0.7 * places
    slot.policy[row, len(places) :] = -9.0  # passing
    slot.value[row] = 0.0
    slot.misc[row] = 0.0
    slot.ownership[row] = 0.0


def search_of(game: str) -> Search:
    return Search(StandInEvaluator(by_place, game=game), seed=3)


def turn_of(
    game: str, level: object, position: Position | None = None, seed: int = 0
) -> MoveRequest[Any]:
    position = position or first_choice(game)
    persona = Persona("tested", "for a test", level)
    rng = np.random.default_rng(seed)
    return MoveRequest(position, Limit(visits=1), game=game, persona=persona, rng=rng)


def chosen(search: Search, turn: MoveRequest[Any]) -> Choice:
    search.set_position(turn.position)
    return choose(search, turn)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
def test_moves_are_drawn_by_the_levels_weights(game: str, level: Level) -> None:
    search, turn = search_of(game), turn_of(game, level)
    position = turn.position
    rng = np.random.default_rng(1)
    drawn = Counter(chosen(search, replace(turn, rng=rng)).move for _ in range(300))
    liked = one_ply_values(position)
    moves = np.flatnonzero(np.isfinite(liked))
    report = level_search(level, search, turn)
    visits = np.zeros(position.move_count)
    for stats in report.moves:
        visits[stats.move] = stats.edge_visits
    worth = utilities([report], position.move_count)[moves]
    policy = report.policy[moves].astype(float)
    expected = weights(level, policy, visits[moves], liked[moves], worth)
    for move, chance in zip(moves.tolist(), expected, strict=True):
        deviation = np.sqrt(300 * chance * (1 - chance))
        assert abs(drawn[move] - 300 * chance) <= 5 * deviation + 1, (move, chance)


def test_only_a_level_that_needs_the_network_asks_it() -> None:
    for name, level in LEVELS.items():
        evaluator = StandInEvaluator(game="othello")
        chosen(Search(evaluator, seed=1), turn_of("othello", level))
        assert (evaluator.rows > 0) is (name not in {"random", "greedy"})
        assert evaluator.rows <= 9


def test_the_same_generator_plays_the_same_moves() -> None:
    for game in GAMES:
        first, second = (
            [
                chosen(search_of(game), turn_of(game, LEVELS["policy"], seed=s)).move
                for s in range(9)
            ]
            for _ in range(2)
        )
        assert first == second
        assert len(set(first)) > 1


def test_a_place_on_the_ladder_mixes_its_rungs() -> None:
    low, high = Level(worst_share=1.0), Level(index=50.0)
    search = search_of("othello")
    ladder = RatingLadder(
        board=Board("othello", 6, 6),
        network="stand-in",
        rungs=(Rung(-100.0, 1.0, low), Rung(0.0, 1.0, RANDOM), Rung(100.0, 1.0, high)),
    )

    position = GAMES["othello"].new_position(6, 6)
    position.play(position.legal_moves()[0])
    tracker = stranger_on(ladder)

    def played(elo: str) -> Counter[int | None]:
        persona = make_persona(f"level:{elo}", "othello")
        rng = np.random.default_rng(5)
        turn = replace(
            turn_of("othello", RANDOM, position), persona=persona, tracker=tracker, rng=rng
        )
        return Counter(chosen(search, turn).move for _ in range(200))

    # The second move is one of three, each at its own distance from the middle or two at one.
    lowest, highest = set(played("-100")), set(played("9999"))
    assert not lowest & highest
    for elo, extreme in (("-50", lowest), ("50", highest)):
        count = sum(times for move, times in played(elo).items() if move in extreme)
        share = 0.5 + 0.5 * len(extreme) / len(position.legal_moves())
        assert count == pytest.approx(200 * share, abs=5 * 7)
    assert played("50").keys() == set(position.legal_moves())
    turn = replace(turn_of("othello", RANDOM), persona=make_persona("level:50", "othello"))
    assert chosen(search, turn).reason.startswith("It plays at level 50. ")


def test_a_forbidden_move_is_not_drawn() -> None:
    search, turn = search_of("connect4"), turn_of("connect4", RANDOM)
    only = Restriction(black=[1, 1, 0, 1, 0, 1, 1])
    rng = np.random.default_rng(1)
    drawn = {chosen(search, replace(turn, rng=rng, restriction=only)).move for _ in range(60)}
    assert drawn == {2, 4}


def wants_to_pass(slot: StandInSlot, row: int) -> None:
    slot.policy[row] = 0.0
    slot.policy[row, -1] = 9.0
    slot.value[row] = 0.0
    slot.misc[row] = 0.0
    slot.ownership[row] = 0.0


def test_go_passes_when_the_levels_network_would() -> None:
    search = Search(StandInEvaluator(wants_to_pass), seed=3)
    position = GoPosition(5, 5, RULE_SETS["japanese"], 0.5)  # where dame need not be filled
    position.play(12)
    for name, level in LEVELS.items():
        if level.visits > 1:
            continue
        move = chosen(search, turn_of("go", level, position)).move
        assert (move == position.pass_move) is (name in {"policy", "people"})


def people_at(move: int, game: str = "go") -> tuple[HumanPolicy, list[tuple[float, float]]]:
    """People who nearly always play this move; the ranks they are asked for gather in the list."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        by_place(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, move] = 0.0

    asked: list[tuple[float, float]] = []

    class Asked(HumanPolicy):
        def policy_at(self, position: Position, ranks: tuple[float, float]) -> NDArray[np.float64]:
            asked.append(ranks)
            return super().policy_at(position, ranks)

    return Asked(StandInEvaluator(evaluate, game=game)), asked


def test_a_level_of_people_draws_from_the_human_policy_of_its_rank() -> None:
    people, asked = people_at(7)
    search = search_of("go")
    turn = replace(turn_of("go", Level(rank=21.5)), reference=people)
    assert {chosen(search, turn).move for _ in range(20)} == {7}
    assert set(asked) == {(21.5, 21.5)}
    assert len(asked) == 20
    # A level of no rank does not ask them, and plays elsewhere.
    turn = replace(turn_of("go", Level()), reference=people)
    assert {chosen(search, turn).move for _ in range(20)} != {7}
    assert len(asked) == 20


@pytest.mark.parametrize(("share", "passes"), [(0.6, True), (0.4, False)])
def test_people_pass_when_most_of_them_would(share: float, passes: bool) -> None:
    position = GoPosition(9, 9, RULE_SETS["japanese"], 6.5)

    def evaluate(slot: StandInSlot, row: int) -> None:
        by_place(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, 7] = np.log(1 - share)
        slot.policy[row, position.pass_move] = np.log(share)

    search = search_of("go")  # its own network would not pass
    for level in (Level(rank=20.0), Level(rank=29.0, index=0.3, greed=1.0)):
        turn = turn_of("go", level, position)
        search.set_position(position)
        human = HumanPolicy(StandInEvaluator(evaluate))
        choice = choose_by(level, search, replace(turn, reference=human))
        assert choice is not None
        assert (choice.move == position.pass_move) is passes
        choice = choose_by(level, search, turn)
        assert choice is not None
        assert choice.move != position.pass_move


def loses_by_a_corner(slot: StandInSlot, row: int) -> None:
    """A network that sees 30 points lost by a stone in a corner."""
    by_place(slot, row)
    mine, theirs = (slot.spatial[row, of][[0, 0, -1, -1], [0, -1, 0, -1]].sum() for of in (1, 2))
    slot.misc[row, 0] = slot.misc[row, 2] = 1.5 * (int(theirs) - int(mine))


def test_a_search_holds_people_back_by_the_loss_it_sees() -> None:
    moves = (0, 1)  # a corner, and its neighbour

    def evaluate(slot: StandInSlot, row: int) -> None:
        by_place(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, list(moves)] = 0.0

    people = HumanPolicy(StandInEvaluator(evaluate))
    shares = []
    for restraint in (0.0, 10.0, 30.0):
        search = Search(StandInEvaluator(loses_by_a_corner), seed=3)
        level = Level(visits=16, rank=20.0, restraint=restraint)
        turn = replace(turn_of("go", level), reference=people)
        drawn = Counter(chosen(search, turn).move for _ in range(100))
        assert set(drawn) <= set(moves)
        shares.append(drawn[moves[0]] / 100)
    # The search sees some 20 of the points, a utility of 0.17.
    expected = [1 / (1 + np.exp(0.17 * restraint)) for restraint in (0.0, 10.0, 30.0)]
    assert shares == pytest.approx(expected, abs=0.15)
    assert shares[2] < 0.05


def people_between(moves: Sequence[int], chances: Sequence[float]) -> HumanPolicy:
    """People who play one of these moves, each by its chance."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        by_place(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, list(moves)] = np.log(chances)

    return HumanPolicy(StandInEvaluator(evaluate))


@pytest.mark.parametrize(("most_loss", "share"), [(40.0, 0.8), (10.0, 0.0)])
def test_a_level_that_reads_draws_again_after_a_great_loss(most_loss: float, share: float) -> None:
    corner, middle = 0, 40
    search = Search(StandInEvaluator(loses_by_a_corner), seed=3)
    level = Level(rank=20.0, reading=8, most_loss=most_loss)
    people = people_between((corner, middle), (0.8, 0.2))
    turn = replace(turn_of("go", level), reference=people, limit=Limit())
    drawn = Counter(chosen(search, turn).move for _ in range(100))
    assert set(drawn) <= {corner, middle}
    assert drawn[corner] / 100 == pytest.approx(share, abs=0.15 if share else 0.0)


def test_of_great_losses_alone_the_least_is_played() -> None:
    corner, edge = 0, 4

    def evaluate(slot: StandInSlot, row: int) -> None:
        loses_by_a_corner(slot, row)
        mine, theirs = (slot.spatial[row, of][[0, 4, 8, 4], [4, 0, 4, 8]].sum() for of in (1, 2))
        slot.misc[row, 0] += int(theirs) - int(mine)
        slot.misc[row, 2] += int(theirs) - int(mine)

    search = Search(StandInEvaluator(evaluate), seed=3)
    people = people_between((corner, edge), (0.9, 0.1))
    turn = turn_of("go", Level(rank=20.0, floor=0.01, reading=8, most_loss=5.0))
    turn = replace(turn, reference=people, limit=Limit())
    assert {chosen(search, turn).move for _ in range(20)} == {edge}


@pytest.mark.parametrize(
    ("middle", "is_rescued", "is_saved"),
    [(0.04, False, False), (0.04, True, True), (0.004, True, False)],
)
def test_a_level_that_is_rescued_finds_the_best_move_that_it_draws_at_all(
    middle: float, is_rescued: bool, is_saved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.play.steps.level.MOST_DRAWS", 4)
    moves, level = (0, 8, 72, 80, 40), Level(rank=20.0, floor=0.01, reading=8, most_loss=10.0)
    chances = (*[(1 - middle) / 4] * 4, middle)
    turn = replace(turn_of("go", level), reference=people_between(moves, chances), limit=Limit())
    search = Search(StandInEvaluator(loses_by_a_corner), seed=3)
    search.set_position(turn.position)
    drawn = Counter(
        choice.move
        for _ in range(40)
        if (choice := choose_by(level, search, turn, is_rescued=is_rescued))
    )
    assert (drawn[40] == 40) is is_saved


@pytest.mark.parametrize(("is_rescued", "is_saved"), [(False, False), (True, True)])
def test_a_level_that_is_rescued_finds_a_best_move_that_its_budget_leaves_out(
    is_rescued: bool, is_saved: bool
) -> None:
    level = Level(rank=20.0, reading=8, most_loss=10.0)
    corners = people_between((0, 8, 72, 80, 40), (0.24, 0.24, 0.24, 0.24, 0.04))
    turn = replace(turn_of("go", level), reference=corners, limit=Limit())
    search = Search(StandInEvaluator(loses_by_a_corner), seed=3)
    search.set_position(turn.position)

    def without_the_middle(
        moves: NDArray[np.intp], probabilities: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], str]:
        left = np.where(np.isin(moves, (0, 8)), probabilities, 0.0)
        return left / left.sum(), ""

    choice = choose_by(level, search, turn, without_the_middle, is_rescued=is_rescued)
    assert choice is not None
    assert (choice.move == 40) is is_saved
    assert ("found the best one" in choice.reason) is is_saved


def test_a_level_that_does_not_read_evaluates_its_position_alone() -> None:
    evaluator = StandInEvaluator(loses_by_a_corner)
    for reading, most in ((0, 1), (8, 60)):
        before = evaluator.rows
        level = Level(rank=20.0, reading=reading, most_loss=10.0)
        chosen(Search(evaluator, seed=3), replace(turn_of("go", level), limit=Limit()))
        assert (evaluator.rows - before > 1) is (reading > 0)
        assert evaluator.rows - before <= most


def test_a_point_counts_as_much_on_every_board() -> None:
    level = Level(visits=300, rank=20.0, restraint=10.0)
    losses = []
    for size in (7, 19):
        search = Search(StandInEvaluator(loses_by_a_corner), seed=3)
        turn = turn_of("go", level, GoPosition(size, size, RULE_SETS["chinese"], 7.0))
        turn = replace(turn, reference=people_at(0)[0], limit=Limit())
        search.set_position(turn.position)
        worth = numbers_of(level, search, turn).utilities
        losses.append(np.nanmax(worth) - worth[0])
    assert losses[0] > 0.1
    assert losses[1] == pytest.approx(losses[0], abs=0.03)


@pytest.mark.parametrize("text", ["level", "level:", "level:high", "level:nan", "level:inf"])
def test_a_place_that_is_none_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make_persona(text, "go")


def test_without_a_tracker_the_networks_own_ladder_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Board, NetworkDescription]] = []

    def found(board: Board, network: NetworkDescription) -> RatingLadder:
        asked.append((board, network))
        return RatingLadder(board, network.name, (Rung(-1.0, 1.0, Level()), Rung(0.0, 1.0, RANDOM)))

    monkeypatch.setattr("engine.play.steps.level.ladder_for", found)
    search = search_of("go")
    turn = replace(turn_of("go", RANDOM), persona=make_persona("level:0", "go"))
    chosen(search, turn)
    assert asked == [(Board("go", 9, 9), search.evaluator.network)]


def test_a_rank_is_played_at_its_elo_and_named_beside_it() -> None:
    turn = replace(turn_of("go", RANDOM), persona=make_persona("level:15k", "go"))
    choice = chosen(search_of("go"), turn)
    scale = scale_of(ladder_for(turn.board, search_of("go").evaluator.network))
    assert scale is not None
    assert choice.level_elo == scale.elo_of(parse_rank("15k"))
    assert choice.reason.startswith(f"It plays at level {choice.level_elo:.0f} (about 15k). ")


@pytest.mark.parametrize("text", ["level:8k", "level:3d", "level:12.5k"])
def test_a_rank_belongs_to_go(text: str) -> None:
    make_persona(text, "go")
    with pytest.raises(ValueError, match=f"'{text}'.*is a rank of Go"):
        make_persona(text, "othello")


def test_a_preference_makes_other_chances_of_the_levels() -> None:
    search, turn = search_of("connect4"), turn_of("connect4", RANDOM)
    search.set_position(turn.position)

    def only_two(
        moves: NDArray[np.intp], chances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], str]:
        assert chances == pytest.approx(1 / len(moves))
        return np.isin(moves, (1, 3)) / 2, "Two are left."

    drawn = [choose_by(RANDOM, search, turn, only_two) for _ in range(40)]
    assert {choice.move for choice in drawn if choice is not None} == {1, 3}
    assert {choice.reason for choice in drawn if choice is not None} == {
        "It drew one of 2 likely moves. Two are left."
    }
