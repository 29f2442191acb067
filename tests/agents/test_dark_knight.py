"""DarkKnight's search and its techniques: published counts, hand-made boards, the solved board."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from engine._core import (
    BiasCount,
    DarkChessPosition,
    DarkKnightSettings,
    SolvedDarkChess,
    count_likely_outcomes,
    dark_chess_bias,
    dark_chess_minimax,
    likely_outcome,
    random_move,
    search_dark_knight,
    search_dark_knight_stages,
)
from engine.games.chance import drawn
from engine.games.dark_chess import (
    KINDS,
    new_position,
    picture,
    read_action,
    set_up,
    write_action,
    write_cell,
)
from tests.support.dark_chess_referee import DarkGame, color_of, new_dark_game

WEIGHTS = {"K": 55, "G": 50, "M": 25, "R": 10, "N": 8, "C": 30, "P": 8}
UNKNOWN, RED, BLACK, DRAW = range(4)


def board_of(text: str, width: int = 4, height: int = 8, material: str = "") -> DarkChessPosition:
    position = new_position(width, height, material)
    set_up(position, text)
    return position


def settings_of(**values: object) -> DarkKnightSettings:
    settings = DarkKnightSettings()
    for name, value in values.items():
        assert hasattr(settings, name)
        setattr(settings, name, value)
    return settings


def outcome_of(text: str) -> int:
    """Of a material such as "KGm", Red's pieces in capitals."""
    counts = Counter(text)
    red = [counts[kind] for kind in KINDS]
    black = [counts[kind.lower()] for kind in KINDS]
    mirrored = {UNKNOWN: UNKNOWN, RED: BLACK, BLACK: RED, DRAW: DRAW}
    assert likely_outcome(black, red) == mirrored[likely_outcome(red, black)]
    return likely_outcome(red, black)


def test_the_likely_outcomes_are_as_many_as_published() -> None:
    """Hsueh 2019: 8,503,055 materials, 750,174 won by each side, 108,136 drawn."""
    unknown, red, black, drawn_ = count_likely_outcomes()
    assert (red, black, drawn_) == (750_174, 750_174, 108_136)
    assert unknown + red + black + drawn_ == 8_503_055


EXAMPLES = {
    DRAW: "Cc Cp CCccp CCppp Ccpp KCp KCCccp GGk GGMkp GGCkmn GGMMRRNkmr",
    RED: "K KGm KGmm KGGCmmrrppp KGg KGMPk KGggm KGGgmmrc KGk KGc KGp",
    UNKNOWN: "GGkmc Kk KGGMMRRNNCCPPPPPkggmmrrnnccppppp",
}


@pytest.mark.parametrize("outcome", EXAMPLES)
def test_published_examples_of_likely_outcomes(outcome: int) -> None:
    assert {text: outcome_of(text) for text in EXAMPLES[outcome].split()} == dict.fromkeys(
        EXAMPLES[outcome].split(), outcome
    )


def test_equal_seeds_search_alike() -> None:
    position = new_position(4, 8)
    settings = settings_of(simulations=300)
    one, same, other = (search_dark_knight(position, settings, seed) for seed in (5, 5, 6))
    assert one.actions == same.actions
    assert one.actions != other.actions
    assert sum(visits for _, (visits, _) in one.actions) == one.finding.nodes == 300


def test_stages_equal_searches_of_so_many_simulations() -> None:
    position = new_position(4, 8)
    settings = settings_of(terminal_share=0.3)
    stages = search_dark_knight_stages(position, settings, 5, [10, 300])
    for simulations, stage in zip((10, 300), stages, strict=True):
        alone = search_dark_knight(
            position, settings_of(simulations=simulations, terminal_share=0.3), 5
        )
        assert (stage.actions, stage.finding.value) == (alone.actions, alone.finding.value)
    with pytest.raises(ValueError, match="stages"):
        search_dark_knight_stages(position, settings, 5, [10, 10])


def test_captures_are_visited_first() -> None:
    position = board_of("Km\nX-\nMg\nP-\nred k", 2, 4, "KGMP")
    (capture,) = position.captures
    first = search_dark_knight(position, settings_of(simulations=1), 1).finding.move
    plain = search_dark_knight(
        position, settings_of(simulations=1, visits_captures_first=False), 1
    ).finding.move
    assert (first == capture, plain == capture) == (True, False)


def test_a_decided_search_stops_with_the_same_move() -> None:
    rng = random.Random(6)
    saved = 0
    for seed in range(20):
        position = late_position("KGCP", rng)
        whole, stopped = (
            search_dark_knight(
                position, settings_of(simulations=2000, stops_when_decided=stops), seed
            ).finding
            for stops in (False, True)
        )
        assert stopped.move == whole.move
        saved += whole.nodes - stopped.nodes
    assert saved > 20 * 200


def test_playouts_are_those_of_their_rule() -> None:
    """Playouts are as long as those by a plain reading of their rule, and end alike."""
    position = board_of("Kp\nX-\n-g\nP-\nred k", 2, 4, "KGPP")
    settings = settings_of(simulations=1)
    results = [search_dark_knight(position, settings, seed) for seed in range(3000)]
    flip = results[0].finding.move  # the only action of a search with one simulation
    rng = random.Random(1)
    lengths = []
    for _ in range(3000):
        copy = position.copy()
        copy.play(drawn(copy, flip, rng.randrange))
        length = 0
        while not copy.is_over and copy.quiet_moves < 40:
            moves = copy.captures or copy.legal_moves()
            weights = [weight_of(copy, move) for move in moves] if copy.captures else None
            copy.play(drawn(copy, rng.choices(moves, weights)[0], rng.randrange))
            length += 1
        lengths.append(length)
    mean = sum(result.mean_playout for result in results) / 3000
    assert mean == pytest.approx(sum(lengths) / 3000, rel=0.06)


def weight_of(position: DarkChessPosition, capture: int) -> float:
    """The weight of the captured piece on 2x4."""
    end = write_action(capture, 2, 4)[-2:]
    cell = next(cell for cell in range(8) if write_cell(cell, 2, 4) == end)
    return WEIGHTS[KINDS[int(position.pieces.flat[cell]) % 7]]


TECHNIQUES: list[dict[str, object]] = [
    {},
    {"capture_share": 0.0},
    {"capture_share": 0.5},
    {"visits_captures_first": False},
    {"ends_early": True},
    {"minimax_share": 0.3},
    {"minimax_share": 0.25, "minimax_decay": 20.0},
    {"length_share": 0.25},
    {"terminal_share": 0.3},
    {"bias_share": 0.1},
    {"bias_share": 0.05, "bias_count": BiasCount.root_losses},
    {"ends_early": True, "minimax_share": 0.3, "length_share": 0.25, "terminal_share": 0.3,
     "bias_share": 0.1},
]  # fmt: skip


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_every_technique_comes_near_the_solved_board(technique: dict[str, object]) -> None:
    """In late positions the most visited action is a best one nearly always."""
    solution = SolvedDarkChess(new_position(2, 4, "GGMM"))
    rng, right, number = random.Random(2), 0, 40
    for seed in range(number):
        position = late_position("GGMM", rng)
        found = search_dark_knight(position, settings_of(simulations=2000, **technique), seed)
        values = dict(solution.action_values(position))
        right += values[found.finding.move] == max(values.values())
    assert right >= 0.8 * number


def late_position(material: str, rng: random.Random) -> DarkChessPosition:
    """A position of random play with at most two unrevealed pieces and a choice."""
    while True:
        position = new_position(2, 4, material)
        while not position.is_over:
            if sum(position.pool) <= 2 and len(position.legal_moves()) > 1:
                return position
            move = rng.choice(position.legal_moves())
            position.play(drawn(position, move, rng.randrange))


def test_the_value_comes_near_the_solved_one() -> None:
    position = board_of("Kp\nX-\n-g\n--\nred k", 2, 4, "KGPP")
    solution = SolvedDarkChess(position)
    found = search_dark_knight(position, settings_of(simulations=30_000), 1)
    assert found.finding.value == pytest.approx(solution.value(position) / 40320, abs=0.05)


def test_likely_outcomes_shorten_playouts() -> None:
    position = new_position(4, 8)
    plain, early = (
        search_dark_knight(position, settings_of(simulations=2000, ends_early=ends), 1)
        for ends in (False, True)
    )
    assert early.mean_playout < 0.8 * plain.mean_playout


def test_reversed_outcomes_reverse_values() -> None:
    """The root is unknown; any capture by the guard leaves a likely win."""
    position = board_of("Gm\n-k\nP-\n--\nred", 2, 4, "KGMP")
    values = [
        search_dark_knight(position, settings_of(simulations=100, ends_early=True, outcome_noise=p,
                                                 minimax_share=0.0), 1).finding.value
        for p in (0.0, 1.0)
    ]  # fmt: skip
    assert values[0] > values[1] + 0.2


def test_a_likely_outcome_at_the_root_ends_nothing_at_once() -> None:
    """KGm is won by Red; playouts go on until a piece is captured."""
    position = board_of("K-\n-G\n--\n-m\nblack", 2, 4, "KGMP")
    found = search_dark_knight(position, settings_of(simulations=500, ends_early=True), 1)
    assert found.mean_playout > 1


def test_rewards_grow_with_short_simulations() -> None:
    """Every simulation of a won position wins; longer ones now count for less than others."""
    position = board_of("KG\n--\n--\n-p\nred", 2, 4, "KGPP")
    plain = search_dark_knight(position, settings_of(simulations=3000), 1)
    short = search_dark_knight(position, settings_of(simulations=3000, length_share=0.25), 1)
    assert plain.finding.value <= 1.0
    assert max(value for _, (_, value) in short.actions) > 1.0


# Boards, moves and their bias: c_curb 1/4, c_flip 1/12.
BIASES = [
    ("----\n----\n----\n----\n----\nKg--\n----\n----\nred", "a3-b3", 50),  # capture
    ("----\n----\n----\n----\n----\nGk--\n----\n----\nred", "a3-a2", 50),  # escape
    ("----\n----\n----\n----\n----\nM-k-\n----\n----\nred", "a3-b3", -25),  # suicide
    # Escapes to a cell beside another hunter are none; it stays in danger.
    ("----\n----\n----\n----\nk---\nG---\n-g--\n----\nred", "a3-a2", 0),
    ("----\n----\n----\n----\n-g--\n----\nK---\n----\nred", "a2-a3", 0.25 * 50),  # curbs the guard
    ("----\n----\n----\n----\n-p--\n----\nK---\n----\nred", "a2-a3", 0),  # the king takes no pawn
    ("----\n----\n----\n----\n----\nk---\nX---\n----\nred G", "a2(?)", -50),
    ("----\n----\n----\n----\n----\ng---\nX---\n----\nred K", "a2(?)", 50 / 12),
    ("----\n----\n----\n----\n----\nG---\nX---\n----\nred k", "a2(?)", -50),
    ("----\n----\n----\n----\n----\nG---\nX---\n----\nred m", "a2(?)", 25 / 12),
    ("----\n----\n----\n----\n----\nG--X\nX---\n----\nred Kk", "a2(?)", -50 / 2),
]


@pytest.mark.parametrize(("board", "move", "bias"), BIASES)
def test_biases_of_hand_made_boards(board: str, move: str, bias: float) -> None:
    position, settings = board_of(board), DarkKnightSettings()
    assert dark_chess_bias(position, read_action(move, 4, 8), settings) == pytest.approx(bias)
    if "?" in move:
        settings.bias_values_flips = False
        assert dark_chess_bias(position, read_action(move, 4, 8), settings) == 0


def test_a_bias_decides_short_searches() -> None:
    position = board_of("----\n----\n-g--\n-K-m\n----\n---X\nX---\nX--X\nred GRpk")
    settings = settings_of(simulations=40, bias_share=10.0)
    found = search_dark_knight(position, settings, 1)
    assert write_action(found.finding.move, 4, 8) == "b5-b6"


def lead(game: DarkGame) -> float:
    pieces = [*game.pool, *(piece for piece in game.cells if piece not in "-X")]
    return sum(
        WEIGHTS[piece.upper()] * (1 if color_of(piece) == game.color else -1) for piece in pieces
    )


def minimax(game: DarkGame, plies: int) -> float:
    result = game.result()
    if result is not None:
        return 1000.0 if result == game.color else -1000.0
    if plies == 0:
        return lead(game)
    return max(action_value(game, action, plies) for action in game.actions())


def action_value(game: DarkGame, action: str, plies: int) -> float:
    outcomes = game.outcomes(action)
    return -sum(
        weight * minimax(game.play(played), plies - 1) for played, weight in outcomes.items()
    ) / sum(outcomes.values())


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_the_minimax_agrees_with_a_slow_one(plies: int) -> None:
    rng = random.Random(plies)
    for seed in range(12):
        position = late_position("GMCP", rng)
        *rows, last = picture(position).split("\n")
        color, _, pool = last.partition(" ")
        cells, unrevealed = tuple("".join(rows)), tuple(sorted(pool))
        game = new_dark_game(2, 4, "K", quiet_limit=0, repetitions=0)
        game = replace(game, cells=cells, pool=unrevealed, color=color)
        found = dark_chess_minimax(position, plies, seed)
        values = {action: action_value(game, action, plies) for action in game.actions()}
        assert found.value == pytest.approx(max(values.values()))
        assert values[write_action(found.move, 2, 4)] == pytest.approx(max(values.values()))


def test_random_moves_are_uniform() -> None:
    position = board_of("----\n----\n----\n-g--\n----\nC--X\n----\n----\nred k")
    counts = Counter(random_move(position, seed).move for seed in range(4000))
    assert counts.keys() == set(position.legal_moves())
    assert max(counts.values()) < 1.3 * min(counts.values())


def test_wrong_settings_are_refused() -> None:
    position = new_position(4, 8)
    for name, value in (("simulations", 0), ("minimax_share", 1.5), ("exploration", -1.0)):
        with pytest.raises(ValueError, match=name):
            search_dark_knight(position, settings_of(**{name: value}), 1)
    over = board_of("K-\n--\n--\n--\nblack", 2, 4, "KGPP")
    with pytest.raises(ValueError, match="the game is over"):
        search_dark_knight(over, DarkKnightSettings(), 1)
    with pytest.raises(ValueError, match="usual material"):
        search_dark_knight(new_position(2, 4, "KKGG"), settings_of(ends_early=True), 1)
