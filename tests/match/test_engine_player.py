"""The engine itself as a player of a match: games of Go in this process, counted by agreement."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine._core import EvaluationCache
from engine.games.table import Board
from engine.match.engine_options import options_of
from engine.match.engine_player import EnginePlayer
from engine.match.game_spec import GameSpec, handicap_moves
from engine.match.player import MoveBudget
from engine.match.referee import play_game
from engine.match.workers import Pairing, row
from engine.opponents.advantage import NOTHING
from engine.opponents.posterior import Posterior
from engine.play.game_networks import NetworkChoice
from engine.play.network_use import Network
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator, StandInSlot, uniform

BOARD = GameSpec("go", 7, 7, rules="chinese", komi=2.5)


def player(text: str = "full", visits: int = 16) -> EnginePlayer:
    # Row by row: in larger batches a cached evaluation counts earlier than a new one.
    network = Network(StandInEvaluator(count_area, rows=1, slots=1), EvaluationCache(1024))
    return EnginePlayer(text, options_of(BOARD.board, [text]), network, MoveBudget(visits=visits))


@pytest.mark.parametrize("stones", [0, 2])
def test_both_players_count_the_same_game(stones: int) -> None:
    start = replace(BOARD, handicap=handicap_moves("go", 7, 7, stones), opening=(24,))
    game, ending = play_game(start, (player(), player()), (1, 2))
    assert (ending.how, ending.judge) in {("score", "players"), ("resign", "")}
    assert len(game.moves) > 10


def test_a_finished_game_is_counted_by_its_rules() -> None:
    start = replace(BOARD, rules="tromp-taylor")
    one = player()
    one.begin(start, 1)
    for color, move in ((0, 24), (1, 49), (0, 49)):
        one.watch(color, move)
    assert one.final_score() == "B+46.5"


def test_the_options_behind_a_persona() -> None:
    assert options_of(BOARD.board, ["full"]).persona.name == "full"
    with pytest.raises(ValueError, match="'angry'"):
        options_of(BOARD.board, ["angry"])
    board = Board("othello", 6, 6)
    assert not options_of(board, ["full", "--no-solver"]).solve
    assert options_of(board, ["full", "--no-network"]).network == NetworkChoice(
        None, game="othello"
    )


def likes_the_middle(slot: StandInSlot, row: int) -> None:
    """All positions are alike, and the point in the middle of 7x7 is likely to be played."""
    uniform(slot, row)
    slot.policy[row, 24] = 9.0


def test_a_persona_mixes_in_the_network_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "centre.safetensors"
    path.touch()
    asked: list[Path] = []

    def biased(file: Path) -> Network:
        asked.append(file)
        return Network(StandInEvaluator(likes_the_middle), EvaluationCache(16))

    usual = Network(StandInEvaluator(count_area), EvaluationCache(1024))
    text = f"full+mixed={path}:w_diff=1:p_th=0"
    options = options_of(BOARD.board, [text])
    one = EnginePlayer(text, options, usual, MoveBudget(visits=16), biased=biased)
    one.begin(BOARD, 1)
    one.choose(BOARD.board.start())
    assert asked == [path.resolve()]
    assert one.session.last_choice is not None
    assert one.session.last_choice.move == 24


def index_of(player: EnginePlayer) -> float:
    """Returns the strength index of its game."""
    watch = player.session.opponent_model.tracker
    assert watch is not None
    return watch.opponent.index.index


def test_it_learns_from_game_to_game_what_it_is_not_told_to_forget() -> None:
    one, other = player("softmax-between"), player("softmax:0")
    _, ending = play_game(BOARD, (one, other), (1, 2))
    assert ending.winner is not None
    index = -0.375 if ending.winner == 0 else 0.375
    one.begin(BOARD, 3)
    assert index_of(one) == index
    before = one.remembered()
    one.recall(None)
    one.begin(BOARD, 3)
    assert index_of(one) == 0
    one.recall(before)
    assert one.remembered() == before
    one.begin(BOARD, 3)
    assert index_of(one) == index


def test_a_seed_has_the_same_game_again() -> None:
    def moves(seed: int) -> list[int]:
        return play_game(BOARD, (player("softmax:0"), player("softmax:0")), (seed, 7))[0].moves

    assert moves(1) == moves(1) != moves(2)


def test_what_was_learned_of_an_opponent_counts_in_the_next_game() -> None:
    start = replace(BOARD, opening=(24,))
    one, other = player("even", visits=4), player(visits=4)
    found = []
    for forget in (False, False, True):
        if forget:
            one.recall(None)
        play_game(start, (one, other), (1, 2))
        found.append(learned(one))
    first, second, third = found
    assert [each["games"] for each in found] == [1, 2, 1]
    assert third["posterior"] == first["posterior"], "the same game again"
    assert second["posterior"] != first["posterior"]
    assert known(other)["opponent"] is None, "full strength is the same against anybody"
    anew = player("even", visits=4)
    anew.recall(json.loads(json.dumps(known(one))))
    play_game(start, (anew, other), (1, 2))
    assert learned(anew)["games"] == 2
    assert mean(anew) == pytest.approx(Posterior.from_json(second["posterior"]).mean, abs=1)


def known(one: EnginePlayer) -> dict[str, Any]:
    """Returns a player's memory."""
    remembered = one.remembered()
    assert remembered is not None
    return dict(remembered)


def learned(one: EnginePlayer) -> dict[str, Any]:
    """Returns a player's belief about its opponent."""
    return dict(known(one)["opponent"])


def mean(one: EnginePlayer) -> float:
    """How strong a player believes its opponent to be."""
    return Posterior.from_json(learned(one)["posterior"]).mean


@pytest.mark.parametrize("winner", [0, 1])
def test_a_result_counts_for_whoever_won(winner: int) -> None:
    start = GameSpec("connect4", 7, 6)
    network = Network(StandInEvaluator(game="connect4"), EvaluationCache(1024))
    one = EnginePlayer(
        "even", options_of(start.board, ["even:closeness=0"]), network, MoveBudget(visits=4)
    )
    one.begin(start, 1)
    position = start.position()
    first = one.choose(position).move
    assert first is not None
    ours, theirs, other = [column for column in (0, 2, 4, 6) if column != first][:3]
    moves = [first, *(theirs, ours) * 3, *((other, ours) if winner == 0 else (theirs,))]
    for number, move in enumerate(moves):
        if number:
            one.watch(number % 2, move)
        position.play(move)
    assert position.winner == winner
    before = one.session.opponent_model.tracker
    assert before is not None
    one.finish(position, position.winner)
    stronger = mean(one) > before.opponent.posterior.mean
    assert stronger == (winner == 1)


def test_nobody_is_judged_by_an_opening() -> None:
    start = GameSpec("connect4", 7, 6, opening=(0, 0, 0, 0, 0, 6))
    network = Network(StandInEvaluator(game="connect4"), EvaluationCache(1024))
    one = EnginePlayer("even", options_of(start.board, ["even"]), network, MoveBudget(visits=4))
    one.begin(start, 1)
    before = one.session.opponent_model.tracker
    one.choose(start.position())
    after = one.session.opponent_model.tracker
    assert before is not None
    assert after is not None
    assert after.opponent.posterior is before.opponent.posterior
    assert after.advantage == NOTHING  # nor is the first move worth what it is from an empty board


def test_a_game_keeps_the_level_of_each_move_that_has_one() -> None:
    start = replace(BOARD, opening=(24,))
    game, ending = play_game(start, (player("even", visits=4), player(visits=4)), (1, 2))
    white, black = game.levels[::2], game.levels[1::2]  # White follows the opening's one move
    assert not any(level is not None for level in white)
    assert any(level is not None for level in black)
    assert len(game.levels) == len(game.moves)
    pairing = Pairing(0, (0, 1), 0, start, (1, 2))
    assert row(pairing, game, ending)["levels"] == game.levels
    full, ending = play_game(start, (player(visits=4), player(visits=4)), (1, 2))
    assert "levels" not in row(pairing, full, ending)
