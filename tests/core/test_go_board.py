"""Moves of Go: what is legal, what they capture, what may not come back, against a slow referee."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.games.position import placed_stones
from engine.games.rules import RULE_SETS, named_rules, parse_rules
from engine.games.table import read_vertex, write_vertex
from tests.support.diagrams import drawing_of, position_of
from tests.support.paths import DATA
from tests.support.referee import Game, new_game

KO_RULES = ("SIMPLE", "POSITIONAL", "SITUATIONAL")


def vertex(position: GoPosition, text: str) -> int:
    return read_vertex(text, position.width, position.height)


def play_all(position: GoPosition, moves: str) -> GoPosition:
    for text in moves.split():
        position.play(vertex(position, text))
    return position


def count_games(position: GoPosition, game: Game, plies: int) -> int:
    """Number of games of that many plies or fewer; at each position core and referee must agree."""
    moves = game.legal_moves()
    assert position.legal_moves() == moves
    assert (position.is_over, position.is_no_result) == (game.over, game.no_result)
    if plies == 0 or game.over:
        return 1
    total = 0
    for move in moves:
        after = position.copy()
        after.play(move)
        total += count_games(after, game.play(move), plies - 1)
    return total


@pytest.mark.parametrize(
    ("size", "plies", "ko", "suicide", "games"),
    [
        ((2, 2), 9, "SIMPLE", False, 6441),
        ((2, 2), 9, "SIMPLE", True, 8953),
        ((2, 2), 9, "POSITIONAL", False, 4857),
        ((2, 2), 9, "POSITIONAL", True, 4857),
        ((2, 2), 9, "SITUATIONAL", False, 5217),
        ((2, 2), 9, "SITUATIONAL", True, 6721),
        ((3, 2), 6, "SIMPLE", False, 8889),
        ((3, 2), 6, "POSITIONAL", True, 10057),
        ((3, 2), 5, "SITUATIONAL", True, 3421),
        ((3, 3), 4, "POSITIONAL", False, 5291),
    ],
)
def test_counts_every_game_on_tiny_boards(
    size: tuple[int, int], plies: int, ko: str, suicide: bool, games: int
) -> None:
    position = GoPosition(*size, GoRules(ko=ko, suicide=suicide))
    assert count_games(position, new_game(*size, ko=ko, suicide=suicide), plies) == games


def compare_playout(size: tuple[int, int], ko: str, *, suicide: bool, plies: int, step: int) -> int:
    """Plays at random, comparing stones always and all legal moves each `step` plies."""
    rng = random.Random(f"{size} {ko} {suicide}")
    position = GoPosition(*size, GoRules(ko=ko, suicide=suicide), 0.0)
    game = new_game(*size, ko=ko, suicide=suicide)
    for ply in range(plies):
        assert position.stones.reshape(-1).tolist() == list(game.cells)
        if ply % step == 0:
            assert position.legal_moves() == game.legal_moves()
        if game.over:
            assert position.is_over
            return ply
        on_board = [move for move in position.legal_moves() if move != position.pass_move]
        passes = not on_board or rng.random() < 0.02
        move = position.pass_move if passes else rng.choice(on_board)
        assert game.is_legal(move)
        position.play(move)
        game = game.play(move)
    return plies


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(
    ("size", "plies", "step"),
    [
        ((5, 5), 300, 2),
        ((7, 7), 300, 8),
        ((9, 9), 300, 20),
        ((3, 11), 200, 4),
        ((19, 19), 600, 100),
    ],
)
def test_random_games_agree_with_the_referee(
    size: tuple[int, int], plies: int, step: int, ko: str, suicide: bool
) -> None:
    assert compare_playout(size, ko, suicide=suicide, plies=plies, step=step) > 0


def test_long_cycles_under_simple_ko_end_without_result() -> None:
    rng = random.Random(1)
    without_result = 0
    for _ in range(12):
        position = GoPosition(2, 2, GoRules(ko="SIMPLE", suicide=True))
        game = new_game(2, 2, ko="SIMPLE", suicide=True)
        while not game.over:
            on_board = [move for move in game.legal_moves() if move < 4]
            move = rng.choice(on_board or [4])
            position.play(move)
            game = game.play(move)
            assert (position.is_over, position.is_no_result) == (game.over, game.no_result)
        without_result += game.no_result and position.winner == -1
    assert without_result > 5


def test_score_of_random_positions_agrees_with_the_referee() -> None:
    rng = random.Random(5)
    compared = 0
    for _ in range(150):
        position = GoPosition(5, 5, GoRules(), 0.5)
        game = new_game(5, 5, ko="POSITIONAL", suicide=True)
        for _ in range(rng.randrange(1, 60)):
            move = rng.choice(position.legal_moves())
            position.play(move)
            game = game.play(move)
        alive, stones = position.pass_alive(), position.stones
        if ((alive == 1) & (stones == 2) | (alive == -1) & (stones == 1)).any():
            continue  # the core takes such stones off, the referee does not
        assert position.black_score == game.area_lead() - 0.5
        compared += 1
    assert compared > 50


KO = """
. X O .
X O . O
. X O .
. . . .
"""


@pytest.mark.parametrize("ko", KO_RULES)
def test_a_ko_may_be_retaken_after_another_move(ko: str) -> None:
    position = play_all(position_of(KO, GoRules(ko=ko)), "C3")
    retake = vertex(position, "B3")
    assert position.ko_move == retake
    assert not position.is_legal(retake)
    assert position.is_legal(retake, tolerant=True)
    assert position.is_legal(retake, 0)  # Black may fill it, out of turn
    with pytest.raises(ValueError, match=f"illegal move {retake} "):
        position.play(retake)
    play_all(position, "D1 A1")
    assert position.ko_move == -1
    assert position.is_legal(retake)
    assert position.captured == (0, 1)


def test_servers_and_records_may_retake_a_ko_and_take_their_own_stones_off() -> None:
    position = play_all(position_of(KO, GoRules(ko="SIMPLE", suicide=False)), "C3")
    position.play(vertex(position, "B3"), tolerant=True)
    assert position.captured == (1, 1)
    assert position.ko_move == vertex(position, "C3")
    position = position_of(". X O .\nX X O .\nO O O .\n. . . .", GoRules(suicide=False))
    assert not position.is_legal(0)
    position.play(0, tolerant=True)
    assert position.captured == (4, 0)
    position = position_of(". X .\nX . .\n. . .", GoRules(), to_move=1)
    assert not position.is_legal(0, tolerant=True), "a single stone"


@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
def test_a_turn_advantage_of_the_other_color_forgets_the_moves_before(rules: str) -> None:
    """Passes and bans among them: the network sees the stones as if they had been set up."""
    position = GoPosition(9, 9, RULE_SETS[rules], 6.5)
    for text in f"{RETURNS_ONE} pass pass pass".split():
        position.play(vertex(position, text), tolerant=True)
    turned = position.copy()
    turned.to_move = 1 - position.to_move
    fresh = GoPosition(9, 9, RULE_SETS[rules], 6.5)
    fresh.setup(placed_stones(position), turned.to_move)
    assert turned.white_bonus == position.white_bonus, "the score stays"
    fresh.komi += turned.white_bonus - fresh.white_bonus
    assert all(map(np.array_equal, turned.features(), fresh.features()))  # type: ignore[arg-type]
    assert turned.legal_moves() == fresh.legal_moves()


def test_a_color_that_passes_twice_does_not_end_the_game() -> None:
    position = GoPosition(9, 9, RULE_SETS["japanese"], 6.5)
    position.play(position.pass_move, 0)
    position.play(position.pass_move, 0)
    assert (position.consecutive_passes, position.phase, position.is_over) == (1, 0, False)


# White sends two stones and, after they are taken, returns one: then the first board is back, with
# the other player to move. After a pass White would send two again.
RETURNS_ONE = "A2 C2 B2 D1 J9 B1 J8 A1 C1"


@pytest.mark.parametrize(
    ("moves", "move", "banned_by"),
    [
        (RETURNS_ONE, "B1", {"POSITIONAL"}),
        (f"{RETURNS_ONE} pass", "B1", set()),
        (f"{RETURNS_ONE} B1 pass", "A1", {"POSITIONAL", "SITUATIONAL"}),
    ],
)
@pytest.mark.parametrize("ko", KO_RULES)
def test_send_two_return_one(ko: str, moves: str, move: str, banned_by: set[str]) -> None:
    position = GoPosition(9, 9, GoRules(ko=ko))
    for text in moves.split():
        position.play(vertex(position, text), tolerant=True)
    assert position.is_legal(vertex(position, move)) == (ko not in banned_by)
    assert position.is_legal(vertex(position, move), tolerant=True)


@pytest.mark.parametrize(
    ("diagram", "move", "color", "legal_without", "legal_with"),
    [
        ("single: . O . / O . O / . O .", "B2", 0, False, False),
        ("filled: . O . / O . O / . O .", "B2", 1, True, True),
        ("two: O O . / . X O / O O .", "A2", 0, False, True),
        ("captures: O O X / . X X / O O X", "A2", 0, True, True),
        ("last liberty: . X O . / X X O . / O O O .", "A3", 1, True, True),
        ("eye: . X . / X X O / . O .", "A3", 1, False, False),
    ],
)
def test_suicide(
    diagram: str, move: str, color: int, legal_without: bool, legal_with: bool
) -> None:
    rows = diagram.split(": ")[1].replace(" / ", "\n")
    for allowed, legal in ((False, legal_without), (True, legal_with)):
        position = position_of(rows, GoRules(suicide=allowed), to_move=color)
        assert position.is_legal(vertex(position, move)) == legal


def test_suicide_takes_the_whole_chain() -> None:
    position = position_of("O O .\n. X O\nO O .", GoRules())
    play_all(position, "A2")
    assert drawing_of(position.stones) == "O O .\n. . O\nO O ."
    assert position.captured == (2, 0)


@pytest.mark.parametrize(
    "stones", [[(0, 3), (1, 3)], [(0, 0), (1, 1), (1, 9)], [(2, 0)], [(0, 81)], [(0, -1)]]
)
def test_refused_setup_changes_nothing(stones: list[tuple[int, int]]) -> None:
    position = play_all(GoPosition(9, 9, GoRules()), "E5 C3")
    before = position.stones
    with pytest.raises(ValueError, match=r"\w"):
        position.setup(stones)
    assert np.array_equal(position.stones, before)
    assert position.move_number == 2


@pytest.mark.parametrize(("width", "height"), [(1, 9), (9, 20), (0, 0), (-3, 9)])
def test_refuses_other_sizes(width: int, height: int) -> None:
    with pytest.raises(ValueError, match=f"{width}x{height}"):
        GoPosition(width, height, GoRules())


def test_refuses_what_is_no_move_color_or_komi() -> None:
    position = GoPosition(9, 9, GoRules())
    with pytest.raises(ValueError, match="move 82 "):
        position.play(82)
    with pytest.raises(ValueError, match="color 2 "):
        position.play(3, 2)
    with pytest.raises(ValueError, match="symmetry 8"):
        position.features(8)
    with pytest.raises(ValueError, match="symmetry 4 is not one of"):
        GoPosition(9, 7, GoRules()).features(4)
    with pytest.raises(ValueError, match="komi inf is not in"):
        position.komi = float("inf")
    assert position.komi == 7.5


def test_a_copy_is_independent() -> None:
    position = play_all(GoPosition(9, 9, GoRules()), "E5")
    copy = play_all(position.copy(), "C3")
    assert (position.move_number, copy.move_number) == (1, 2)
    assert position.graph_hash != copy.graph_hash


# Moves that lead to the same position in different orders, or nearly; the hashes say which.
@pytest.mark.parametrize(
    ("one", "other", "same_graph", "same_network"),
    [
        ("C3 G7 G3 C7", "G3 C7 C3 G7", True, False),
        ("C3 G7 G3", "G3 G7 C3", True, False),
        ("C3 G7 G3", "C3 G7 C7", False, False),
        ("C3 G7", "C3 pass G7", False, False),
        ("C3 G7 pass G3 D3", "C3 G3 D3 G7 pass", False, False),
    ],
)
def test_hashes_tell_positions_apart(
    one: str, other: str, same_graph: bool, same_network: bool
) -> None:
    first, second = (play_all(GoPosition(9, 9, GoRules()), moves) for moves in (one, other))
    assert (first.graph_hash == second.graph_hash) == same_graph
    assert (first.network_hash == second.network_hash) == same_network


def test_hashes_know_rules_komi_and_bans() -> None:
    seen = set()
    for rules in RULE_SETS.values():
        for komi in (6.5, 7.5):
            seen.add(play_all(GoPosition(9, 9, rules, komi), "C3 G7").graph_hash)
    assert len(seen) == 2 * len(set(RULE_SETS.values()))
    taken = play_all(position_of(KO, GoRules(ko="SIMPLE")), "C3")
    drawn = position_of(drawing_of(taken.stones), GoRules(ko="SIMPLE"), to_move=1)
    assert taken.hash == drawn.hash
    assert taken.graph_hash != drawn.graph_hash


def test_a_cycle_in_a_small_region_has_no_equal_graph_hash() -> None:
    position = GoPosition(9, 9, GoRules(ko="SIMPLE"))
    hashes = []
    play_all(position, "A2 C2 B2 D1 J9 B1 J8")
    for _ in range(3):
        for text in ("A1", "C1", "B1", "pass"):
            position.play(vertex(position, text))
            hashes.append(position.graph_hash)
    assert len(set(hashes)) == len(hashes)


def verdicts() -> list[dict[str, Any]]:
    path = DATA / "go_verdicts.json"
    return json.loads(path.read_text())["games"]


@pytest.mark.parametrize("number", range(len(verdicts())))
def test_random_games_get_katagos_verdict(number: int) -> None:
    game = verdicts()[number]
    position = GoPosition(game["width"], game["height"], parse_rules(game["rules"]), game["komi"])
    position.prevent_encore = False
    if game["handicap"]:
        position.setup([(0, vertex(position, text)) for text in game["handicap"].split()])
        position.to_move = 1
    for ply, text in enumerate(game["moves"].split()):
        stones = position.stones.reshape(-1)
        odd = np.flatnonzero((stones == 0) != position.legal_mask()[:-1]).tolist()
        told = [vertex(position, v) for v in game["illegal"].get(str(ply), "").split()]
        assert odd == sorted(told)
        position.play(vertex(position, text))
    assert position.is_over
    assert position.phase == game["phase"]
    assert result_of(position) == game["result"]


def result_of(position: GoPosition) -> str:
    if position.is_no_result:
        return "Void"
    score = position.black_score
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def reference_position(entry: dict[str, Any]) -> GoPosition:
    size = entry["size"]
    width, height = size if isinstance(size, list) else (size, size)
    position = GoPosition(width, height, named_rules(entry["rules"]), entry["komi"])
    position.prevent_encore = not entry["cleanup"]
    for command in entry["setup"]:
        stones = command.split()[1:]
        position.setup([(0, vertex(position, text)) for text in stones])
        position.to_move = 1
    for color, text in entry["moves"]:
        position.play(vertex(position, text), "BW".index(color), tolerant=True)
    return position


def test_katagos_reference_positions(katago_reference: Path) -> None:
    for entry in json.loads(katago_reference.read_text())["positions"]:
        position = reference_position(entry)
        shown = entry["showboard"].splitlines()[2 : 2 + position.height]
        cells = [[line[3 + 2 * x] for x in range(position.width)] for line in shown]
        assert drawing_of(position.stones) == "\n".join(" ".join(row) for row in cells)
        assert "BW"[position.to_move] == entry["nextPlayer"]
        policy = np.array(entry["nn"]["policy"], dtype=float).reshape(-1)
        legal = position.legal_mask()[: policy.size] == 1
        assert np.array_equal(legal, ~np.isnan(policy)), entry["name"]
        assert write_vertex(position.pass_move, position.width, position.height) == "pass"
