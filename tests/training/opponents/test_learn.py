from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.games.game_record import GameRecord
from engine.games.table import Board
from engine.match.game_spec import GameSpec
from engine.networks.human_policy import HumanPolicy
from engine.opponents.move_likelihood import FEATURES, PEOPLE_FEATURES, MoveLikelihood
from engine.opponents.score_model import ScoreModel
from engine.opponents.transfer import win_model_of
from engine.opponents.win_model import WinModel
from engine.search.search import Search
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import RatingLadder, Rung, guessed
from engine.training.opponents.balanced_games import BalancedGame, play_balanced_game
from engine.training.opponents.calibration_players import (
    STYLES,
    CalibrationPlayer,
    calibration_players,
)
from engine.training.opponents.ladder_games import (
    KNOWN_WEIGHT,
    STEP,
    LadderGame,
    move_at,
    opponent_samples,
    play_ladder_game,
)
from engine.training.opponents.learn import fit_outcome, learn, learn_outcome, with_margins
from engine.training.opponents.outside_players import outside_samples, placed, play_outside_game
from engine.training.opponents.recorded_even_games import RecordedEvenGame, balanced_game
from engine.training.opponents.stored_games import KNOWN, STRANGERS
from engine.training.opponents.table_learner import TableLearner
from engine.training.opponents.win_model import BalanceSample
from engine.values import Standing
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones

BOARD = Board("connect4", 5, 4)
LADDER = RatingLadder(
    BOARD,
    "stand-in",
    (
        Rung(-200.0, 30.0, Level(index=0.0, greed=-1.5)),
        Rung(0.0, 30.0, RANDOM),
        Rung(400.0, 30.0, Level(index=0.0, greed=1.5)),
        Rung(900.0, 30.0, Level(visits=8, index=2.0)),
    ),
)


def search() -> Search:
    return Search(StandInEvaluator(game="connect4"), seed=2)


def learner(folder: Path) -> TableLearner:
    return TableLearner(
        LADDER, lambda: StandInEvaluator(game="connect4"), folder, steered=1, rounds=2
    )


def test_people_play_the_rungs_with_a_rank_in_each_kind_of_game() -> None:
    """People play in one column; levels of all strengths are of them here, but random play."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, 2] = 0.0

    human = HumanPolicy(StandInEvaluator(evaluate, game="connect4"))
    people = Rung(1.0, 1.0, Level(rank=20.0)), Rung(900.0, 1.0, Level(rank=9.0))
    ladder = RatingLadder(BOARD, "stand-in", (*LADDER.rungs[:2], *people))
    position = BOARD.start()
    for elo in (1.0, 500.0, 900.0):
        moves = [
            move_at(elo, search(), ladder, position, np.random.default_rng(seed), human=human)
            for seed in range(9)
        ]
        assert set(moves) == {2}
    alone = [
        move_at(900.0, search(), ladder, position, np.random.default_rng(seed)) for seed in range(9)
    ]
    assert len(set(alone)) > 1
    # The games pass their people on.
    known = play_ladder_game(
        search(), ladder, np.random.default_rng(5), highest_elo=900, human=human
    )
    assert known != play_ladder_game(search(), ladder, np.random.default_rng(5), highest_elo=900)
    rng = (np.random.default_rng(5) for _ in range(2))
    outside = play_outside_game("random", [], search(), ladder, next(rng), human=human)
    assert outside != play_outside_game("random", [], search(), ladder, next(rng))
    kept = play_balanced_game("level:900", 900.0, search(), ladder, [5, 1], human=human)
    assert kept != play_balanced_game("level:900", 900.0, search(), ladder, [5, 1])


def test_a_known_game_ends_and_is_the_same_for_the_same_chance() -> None:
    games = [
        play_ladder_game(search(), LADDER, np.random.default_rng(7), highest_elo=900)
        for _ in range(2)
    ]
    assert games[0] == games[1]
    position = BOARD.start()
    for move in games[0].moves:
        position.play(move)
    assert position.is_over
    assert games[0].points == (0.5 if position.winner < 0 else 1.0 - position.winner)
    assert LadderGame.from_json(games[0].to_json()) == games[0]


def test_samples_name_who_played_and_only_count_who_ended_the_game() -> None:
    game = LadderGame(
        opening=1, change=3, elos=((10, 20), (30, 40)), moves=(0, 1, 2, 3, 0, 0, 2, 1), points=1.0
    )
    samples = opponent_samples(game, search(), LADDER)
    # Ply 0 was chance's; 1 and 2 the first pair's, color 1 first.
    assert [played.elo for played in samples.moves] == [20, 10, 40, 30, 40, 30, 40]
    assert [played.move for played in samples.moves] == list(game.moves[1:])
    pairs = [(sample.level_elo, sample.strength_elo, sample.points) for sample in samples.positions]
    assert pairs == [(40, 30, 0.0), (30, 40, 1.0), (40, 30, 0.0), (30, 40, 1.0), (40, 30, 0.0)]
    assert samples.positions[0].standing.phase == pytest.approx(3 / 20)


def test_strangers_are_placed_by_their_results_and_their_moves_looked_at() -> None:
    rng = np.random.default_rng(1)
    games: list[Any] = []
    for _ in range(12):
        games.append(play_outside_game("first-legal", games, search(), LADDER, rng))
    assert {game.color for game in games} == {0, 1}
    assert all(LADDER.lowest <= game.level_elo <= LADDER.highest for game in games)
    won = [replace(game, points=1.0) for game in games]
    lost = [replace(game, points=0.0) for game in games]
    assert placed(lost, LADDER).mean < placed(games, LADDER).mean < placed(won, LADDER).mean
    met = outside_samples(games, search(), LADDER)
    assert len(met.player.games) == 12
    for game, own in zip(games, met.player.games, strict=True):
        assert [played.move for played in own] == [
            move for before, move in game.positions(BOARD) if before.to_move == game.color
        ]
    assert len(met.positions) > sum(len(own) for own in met.player.games)


@pytest.mark.parametrize("game", STYLES)
def test_every_fitted_player_plays_its_game(game: str) -> None:
    board = Board(game, 7, 6) if game == "connect4" else Board(game, 6, 6)
    looks = Search(StandInEvaluator(game=game), seed=2)
    assert list(calibration_players(board)) == [
        text for texts in STYLES[game].values() for text in texts
    ]
    for text in calibration_players(board):
        moves = [
            CalibrationPlayer(text, board, looks, np.random.default_rng(3)).choose(board.start())
            for _ in range(2)
        ]
        assert moves[0] == moves[1]
        assert moves[0] in board.start().legal_moves()


def test_who_does_not_know_a_board_is_left_out() -> None:
    found = calibration_players(Board("othello", 4, 4))
    assert "mcts:25" in found
    assert "minimax1-published" not in found


def test_what_was_played_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLES, "connect4", {"strange": ("first-legal", "network-lax")})
    told: list[str] = []
    first = learn(learner(tmp_path), games=12, stranger_games=2).ladder
    assert MoveLikelihood.from_json(first.evidence).coefficients.shape[0] == 2
    outcome = WinModel.from_json(first.outcome)
    assert (outcome.lowest_elo, outcome.highest_elo) == (LADDER.lowest, LADDER.highest)
    before = {name: (tmp_path / name).read_text() for name in (KNOWN, STRANGERS)}
    # A last row cut short by a kill is played again, nothing else.
    (tmp_path / KNOWN).write_text(before[KNOWN][:-20])
    again = replace(learner(tmp_path), progress=lambda what, *_: told.append(what))
    assert learn(again, games=12, stranger_games=2).ladder == first
    assert {name: (tmp_path / name).read_text() for name in (KNOWN, STRANGERS)} == before
    assert told.count("levels") == 1


def test_without_rounds_the_ladder_keeps_its_outcome_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLES, "connect4", {"strange": ("first-legal", "network-lax")})
    ladder = replace(LADDER, outcome={"kept": 1})
    alone = replace(learner(tmp_path), ladder=ladder, rounds=0)
    learned = learn(alone, games=12, stranger_games=2)
    assert learned.ladder.outcome == {"kept": 1}
    assert MoveLikelihood.from_json(learned.ladder.evidence).coefficients.shape[0] == 2
    assert not learned.balanced
    assert not list(tmp_path.glob("steered*"))


def test_without_rounds_a_ladder_without_an_outcome_model_gets_one_of_the_other_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLES, "connect4", {"strange": ("first-legal", "network-lax")})
    bare = replace(learner(tmp_path), ladder=replace(LADDER, outcome={}), rounds=0)
    learned = learn(bare, games=12, stranger_games=2)
    outcome = WinModel.from_json(learned.ladder.outcome)
    assert (outcome.lowest_elo, outcome.highest_elo) == (LADDER.lowest, LADDER.highest)
    assert outcome.to_json() == fit_outcome(LADDER, learned.samples).to_json()
    assert not list(tmp_path.glob("steered*"))


def even_game(rng: np.random.Generator, number: int) -> RecordedEvenGame:
    """A random game of Connect4; ours are the odd or the even moves, with levels from 300 on."""
    position = BOARD.start()
    moves: list[int] = []
    while not position.is_over:
        moves.append(int(rng.choice(position.legal_moves())))
        position.play(moves[-1])
    color = number % 2
    levels = [300.0 + at if at % 2 == color else None for at in range(len(moves))]
    game_record = GameRecord.from_start(
        GameSpec("connect4", 5, 4).game_settings, BOARD.start(), moves
    )
    points = float(number % 3 > 0)
    return RecordedEvenGame(f"a:{number}", "mcts:9", 500.0, color, game_record, levels, points)


def test_an_outcome_model_is_fitted_to_recorded_games(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    games = [even_game(rng, number) for number in range(12)]
    told: list[str] = []
    each = replace(learner(tmp_path), progress=lambda what, *_: told.append(what))
    learned = learn_outcome(each, games)
    assert told.count("standings") == 12
    assert learned.ladder.evidence == LADDER.evidence
    assert WinModel.from_json(learned.ladder.outcome).highest_elo == LADDER.highest
    assert [game.points for game in learned.balanced] == [game.points for game in games]
    for game, recorded in zip(learned.balanced, games, strict=True):
        assert game.starts == tuple(level for level in recorded.levels if level is not None)[::STEP]
        assert {believed for _, believed, _ in game.turns} == {500.0}
        assert {sample.weight for sample in game.positions()} == {KNOWN_WEIGHT}
        assert [stood.phase for _, _, stood in game.turns] == sorted(
            stood.phase for _, _, stood in game.turns
        )
    # The standings are kept; games of levels in the folder count too.
    known = play_ladder_game(search(), LADDER, rng, highest_elo=900.0)
    (tmp_path / KNOWN).write_text(json.dumps(known.to_json()) + "\n")
    more = learn_outcome(each, [*games, even_game(rng, 12)])
    assert told.count("standings") == 13
    assert more.samples
    assert not learned.samples
    assert more.ladder.outcome != learned.ladder.outcome


@pytest.mark.parametrize(
    ("points", "lead", "margin"), [(1.0, 6.5, 6.5), (0.0, -3.0, -3.0), (1.0, -2.0, None)]
)
def test_a_game_without_a_count_ends_by_its_winners_last_lead(
    points: float, lead: float, margin: float | None
) -> None:
    game = replace(even_game(np.random.default_rng(1), 0), points=points)
    turns = [(300.0, Standing(0.1, 0.5, 40.0)), (301.0, Standing(0.9, 0.5, lead))]
    assert balanced_game(game, turns).margin == margin
    assert balanced_game(replace(game, margin=9.0), turns).margin == 9.0


def test_games_of_another_ladder_are_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "rungs.json").write_text("[]")
    with pytest.raises(ValueError, match="another ladder"):
        learn(learner(tmp_path), games=1, stranger_games=1)


def test_a_steered_game_knows_how_each_turn_stood_and_at_what_level_it_was_played() -> None:
    for seed in (0, 1):
        game = play_balanced_game("random", 0.0, search(), LADDER, [5, seed])
        assert game == play_balanced_game("random", 0.0, search(), LADDER, [5, seed])
        assert game.points in (0.0, 0.5, 1.0)
        phases = [stood.phase for _, _, stood in game.turns]
        assert phases == sorted(phases)
        assert all(LADDER.lowest <= turn[0] <= LADDER.highest for turn in game.turns)
        sample = game.positions()
        assert len({s.strength_elo for s in sample}) > 1  # as it seemed from move to move
        assert {s.points for s in sample} == {game.points}
        assert all(s.steered for s in sample)
        assert BalancedGame.from_json(game.to_json()) == game
    level = play_balanced_game("level:400", 400.0, search(), LADDER, [5, 0])
    assert level.elo == 400


def test_samples_of_go_have_the_policies_of_people_if_asked() -> None:
    evaluator = StandInEvaluator(game="go")
    board = Board("go", 5, 5)
    ladder = guessed(board, evaluator.network)
    game = play_ladder_game(Search(evaluator), ladder, np.random.default_rng(3), highest_elo=900.0)
    for people, features in ((None, FEATURES), (HumanPolicy(evaluator), PEOPLE_FEATURES)):
        samples = opponent_samples(game, Search(evaluator), ladder, people)
        assert {each.among.features.shape[1] for each in samples.moves} == {len(features)}
    assert {at.standing.open_points > 0 for at in samples.positions} == {True}


def test_an_even_game_of_go_has_a_margin_and_its_start_levels() -> None:
    board = Board("go", 5, 5)
    evaluator = StandInEvaluator(drawn_from_stones, game="go")
    ladder = replace(LADDER, board=board)
    games = [
        play_balanced_game("level:400", 400.0, Search(evaluator, seed=2), ladder, [5, seed])
        for seed in range(4)
    ]
    finished = [game for game in games if game.margin is not None]
    assert finished
    for game in finished:
        assert game.margin is not None
        assert (game.margin > 0) == (game.points == 1.0)
        assert len(game.starts) == len(game.turns)
        sample = game.margin_sample()
        assert sample is not None
        assert (sample.strength_elo, sample.margin) == (400.0, game.margin)
        # The mean of equal numbers may differ from them in its last digit.
        assert min(game.starts) - 1e-9 <= sample.level_elo <= max(game.starts) + 1e-9
        assert BalancedGame.from_json(game.to_json()) == game
    # Some opponents are strangers, of others there is a belief.
    assert len({round(game.starts[0]) for game in games}) > 1
    assert replace(finished[0], margin=None).margin_sample() is None


def test_the_margins_of_even_games_of_go_are_fitted_to_the_ladder() -> None:
    first = Standing(0.1, 0.5, 0.0, deviation=10.0, open_points=70.0)
    ladder = replace(LADDER, board=Board("go", 9, 9))
    game = BalancedGame("level:900", 900.0, ((300.0, 300.0, first),), 1.0, (300.0,), 40.0)
    tables = win_model_of(with_margins(ladder, [game] * 50))
    unfitted = win_model_of(ladder)
    assert isinstance(tables, ScoreModel)
    assert isinstance(unfitted, ScoreModel)
    rival = np.array([900.0])
    assert tables.balanced_strengths(rival) < unfitted.balanced_strengths(rival) - 50
    assert with_margins(ladder, []) is ladder
    assert with_margins(LADDER, [game]) is LADDER
    samples = [BalanceSample(300.0, 300.0, first, 1.0)]
    fitted = fit_outcome(with_margins(ladder, [game] * 50), samples)
    assert isinstance(fitted, ScoreModel)
    assert fitted.margins.to_json() == tables.margins.to_json()
    assert fitted.leaning.tolist() == tables.leaning.tolist()
    assert fitted.leaning.any()
