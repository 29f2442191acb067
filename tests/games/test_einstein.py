"""EinStein würfelt nicht in the core against a slow referee; notation, boards and dice."""

from __future__ import annotations

import random

import pytest

from engine._core import EinsteinPosition, distinct_positions, perft
from engine.games.chance import drawn, fair_draw, outcomes
from engine.games.einstein import (
    EINSTEIN,
    MOVE_COUNT,
    PLACINGS,
    STEPS,
    deal,
    described,
    read_action,
    write_action,
)
from tests.support.einstein_referee import EinsteinGame, count


def begun(die: int = 1, red: str = "123456", blue: str = "123456") -> EinsteinPosition:
    position = EinsteinPosition()
    position.play(read_action(red))
    position.play(read_action(f"{blue}({die})"))
    return position


def of(*texts: str) -> EinsteinPosition:
    position = EinsteinPosition()
    for text in texts:
        position.play(read_action(text))
    return position


@pytest.mark.parametrize("seed", range(15))
def test_random_play_agrees_with_the_referee(seed: int) -> None:
    rng = random.Random(seed)
    position, game = EinsteinPosition(), EinsteinGame()
    while not position.is_over:
        moves = {
            write_action(played)
            for move in position.legal_moves()
            for played, _ in outcomes(position, move)
        }
        assert moves == set(game.moves())
        move = rng.choice(sorted(moves))
        position.play(read_action(move))
        game = game.play(move)
        assert bool(game.won_by) == position.is_over
    assert ("red", "blue")[position.winner] == game.won_by
    assert not list(game.moves())


def test_counts_of_sequences_agree_with_the_referee() -> None:
    assert [perft(EinsteinPosition(), moves) for moves in range(2)] == [1, 720]
    for die, red, blue in ((1, "123456", "123456"), (3, "416253", "652134")):
        position = begun(die, red, blue)
        game = EinsteinGame().play(red).play(f"{blue}({die})")
        expected = [count(game, moves) for moves in range(4)]
        assert [perft(position, moves) for moves in range(4)] == expected
    # One piece each, three steps from their goals: the games end.
    short = EinsteinPosition()
    short.setup([(2, 6), (6 + 4, 18), (12 + 5, -1)], 0)
    game = EinsteinGame(((3, (2, 4)),), ((5, (4, 2)),), "red", 6)
    expected = [count(game, moves) for moves in range(5)]
    assert [perft(short, moves) for moves in range(5)] == expected
    assert expected[1] == 18


def test_distinct_positions_are_fewer_than_sequences() -> None:
    position = begun()
    counts = distinct_positions(position, 3)
    assert counts[:2] == [1, 18]
    assert counts[3] < perft(position, 3)


def test_the_die_names_the_piece() -> None:
    position = begun(6)
    assert [write_action(move) for move in position.legal_moves()] == ["a3-b3", "a3-a2", "a3-b2"]
    # 2 and 3 take own pieces away: the die 3 then moves 1 or 4.
    position = EinsteinPosition()
    position.setup([(0, 0), (3, 7), (6, 24), (12 + 2, -1)], 0)
    assert sorted(position.movable()) == [0, 7]


def test_own_pieces_may_be_captured() -> None:
    position = begun(1)
    assert "a5-b5" in [write_action(move) for move in position.legal_moves()]
    position.play(read_action("a5-b5(1)"))
    assert (position.stones == 1).sum() == 5


def test_moves_are_described_for_people() -> None:
    position = begun(1)
    step, capture = read_action("a5-b4(3)"), read_action("a5-b5(3)")
    assert described(position, step) == "1 a5xb4"
    assert described(position, capture) == "1 a5xb5"
    position.setup([(0, 0), (3, 7), (6, 24), (12 + 2, -1)], 0)
    assert described(position, read_action("c4-d3")) == "4 c4-d3, die 3"
    assert described(EinsteinPosition(), read_action("652134(2)")) == "the placing 652134"


def test_ends_of_games() -> None:
    position = EinsteinPosition()
    position.setup([(0, 18), (6, 20), (12, -1)], 0)
    goal = read_action("d2-e1")
    assert position.outcomes(goal) == [(goal, 1)]
    position.play(goal)
    assert (position.winner, position.black_score, position.legal_moves()) == (0, 1, [])
    position.setup([(0, 18), (6, 23), (12, -1)], 0)
    last = read_action("d2-d1")
    assert position.outcomes(last) == [(last, 1)]
    position.play(last)
    assert position.winner == 0


def test_outcomes_are_the_dice() -> None:
    position = begun()
    move = position.legal_moves()[0]
    assert position.outcomes(move) == [(position.with_outcome(move, d), 1) for d in range(1, 7)]
    with pytest.raises(ValueError, match="needs its outcome"):
        position.play(move)
    with pytest.raises(ValueError, match="illegal"):
        position.outcomes(0 if 0 not in position.legal_moves() else 5)
    with pytest.raises(ValueError, match="illegal"):
        EinsteinPosition().play(STEPS + MOVE_COUNT)  # Red's placing has no die


def test_boards_are_set_up_as_they_are_placed() -> None:
    rng = random.Random(3)
    position = EinsteinPosition()
    while True:
        copy = EinsteinPosition()
        copy.setup(position.placed, position.to_move)
        assert copy.is_same(position)
        assert copy.network_hash == position.network_hash
        if position.is_over:
            return
        position.play(drawn(position, rng.choice(position.legal_moves()), rng.randrange))


@pytest.mark.parametrize(
    ("stones", "to_move"),
    [
        ([(0, 0), (0, 1), (6, 20), (12, -1)], 0),  # a piece twice
        ([(0, 0), (6, 0), (12, -1)], 0),  # a cell twice
        ([(0, 0), (12, -1)], 0),  # no blue piece
        ([(0, 0), (6, 20)], 0),  # no die
        ([(0, 24), (6, 0)], 0),  # two winners
        ([(0, 24), (6, 20), (12, -1)], 0),  # a die after the end
        ([(12, -1)], 0),
        ([], 1),
        ([(19, 0)], 0),
        ([(0, 25), (6, 20), (12, -1)], 0),
    ],
)
def test_impossible_boards_are_refused(stones: list[tuple[int, int]], to_move: int) -> None:
    position = begun()
    with pytest.raises(ValueError, match=r"."):
        position.setup(stones, to_move)
    assert position.is_same(begun())


def test_every_move_has_a_text() -> None:
    number = 0
    for move in range(MOVE_COUNT * 7):
        try:
            text = write_action(move)
        except ValueError:
            continue
        assert read_action(text) == move
        number += 1
    assert number == 7 * MOVE_COUNT == 7 * (720 + 2 * (20 + 20 + 16))
    for text in ("a5-c5", "a5", "112345", "a6-b5", "a5-b4(7)", "123456(0)", ""):
        with pytest.raises(ValueError, match="no move"):
            read_action(text)
    assert PLACINGS[0] == "123456"


def test_features_show_the_board_from_the_mover_s_side() -> None:
    planes, globals_ = of("123456", "654321(2)").features()
    assert planes.shape == (16, 5, 5)
    assert planes[0].all()
    assert (planes[1].sum(), planes[2].sum()) == (6, 6)
    assert (planes[3, 0, 0], planes[9 + 5, 4, 4], planes[15, 0, 1]) == (1, 1, 1)
    assert planes[15].sum() == 1
    assert list(globals_) == [0, 1, 0, 0, 0, 0, 0, 0]
    planes, globals_ = of("123456").features()
    assert (planes[2].sum(), globals_[6], globals_[7]) == (6, 1, 1)  # Blue places


def test_games_of_one_seed_have_equal_dice() -> None:
    def dice_of(seed: int, player_seed: int) -> list[int]:
        rng, draw, position = random.Random(player_seed), deal(seed), EinsteinPosition()
        dice: list[int] = []
        while not position.is_over and len(dice) < 8:
            played = draw(position, rng.choice(position.legal_moves()))
            dice.append(position.outcome_of(played))
            position.play(played)
        return dice

    assert dice_of(1, 1) == dice_of(1, 2) != dice_of(2, 1)
    rolls = [deal(seed)(of("123456"), read_action("123456")) for seed in range(600)]
    assert all(80 < rolls.count(roll) < 125 for roll in set(rolls))
    assert len(set(rolls)) == 6


def test_the_row_of_the_game() -> None:
    position = EINSTEIN.new_position(5, 5)
    assert position.move_count == EINSTEIN.move_count(5, 5) == MOVE_COUNT
    assert not EINSTEIN.fits(6, 6)
    draw = fair_draw(1)
    while not position.is_over:
        position.play(draw(position, position.legal_moves()[-1]))
    assert position.move_number < 60
