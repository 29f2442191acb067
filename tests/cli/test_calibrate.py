from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.opponents.move_likelihood import guessed
from engine.strength.rating_ladder import read_ladder
from engine.training.opponents.balanced_games import BalancedGame
from engine.training.opponents.learn import LearnedTables
from engine.training.opponents.table_learner import TableLearner
from engine.values import Standing
from protocols.cli.calibrate import configure, pair_seconds_of
from protocols.cli.main import dispatch

OPTIONS = ["--games", "4", "--from", "-200", "--to", "300", "--processes", "1", "--quiet"]


def test_a_quick_calibration_is_written_shown_and_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "out"
    assert dispatch(["calibrate", "connect4", "--quick", *OPTIONS, "--output", str(folder)]) == 0
    ladder = read_ladder(folder / "connect4.json")
    assert ladder.network == "connect4"
    assert ladder.games > 0
    shown = capsys.readouterr().out
    assert "any move" in shown
    assert f"{ladder.games} games in 2 rounds" in shown
    page = (folder / "calibration.md").read_text()
    assert page.startswith("# The ladder of connect4 on connect4")
    assert (folder / "calibration.png").read_bytes().startswith(b"\x89PNG")
    (installed,) = (tmp_path / "data" / "sparring" / "ladders").iterdir()
    assert read_ladder(installed) == ladder
    again = tmp_path / "again"
    words = ["calibrate", "connect4", "--quick", "--again", "--no-install"]
    assert dispatch([*words, *OPTIONS, "--output", str(again)]) == 0
    assert not (again / "round2.jsonl").exists()
    assert "games in 1 round;" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "seconds"),
    [([], 600), (["--quick"], 15), (["--quick", "--pair-seconds", "40"], 40), (["--accept"], 600)],
)
def test_a_quick_calibration_gives_two_rungs_little_time(words: list[str], seconds: float) -> None:
    parser = argparse.ArgumentParser()
    configure(parser)
    assert pair_seconds_of(parser.parse_args(["darkchess", *words])) == seconds


@pytest.mark.parametrize(
    ("game", "ends", "error"),
    [
        ("go9", ["--from", "5k", "--to", "15k"], r"--from .* is not below"),
        ("connect4", ["--to", "15k"], "'15k' is no Elo"),
    ],
)
def test_ends_may_be_ranks_of_go(game: str, ends: list[str], error: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=error):
        dispatch(["calibrate", game, *ends, "--output", str(tmp_path / "out")])


def test_evidence_is_learned_for_the_ladder_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    asked: list[tuple[int, ...]] = []

    def learn(learner: TableLearner, *, games: int, stranger_games: int) -> LearnedTables:
        assert (learner.folder, learner.processes) == (folder, 1)
        asked.append((games, stranger_games, learner.steered, learner.rounds))
        learner.progress("levels", 1, 2)
        evidence = guessed(learner.ladder.lowest, learner.ladder.highest).to_json()
        turns = tuple((300.0, 300.0, Standing(at / 9, 0.5, 0.0)) for at in range(10))
        balanced = [BalancedGame("random", 0.0, turns, float(at % 2)) for at in range(24)]
        return LearnedTables(replace(learner.ladder, evidence=evidence), [], balanced)

    monkeypatch.setattr("protocols.cli.calibrate_tables.learn", learn)
    folder = tmp_path / "out"
    options = ["--evidence", "--quick", "--processes", "1", "--quiet", "--output", str(folder)]
    assert dispatch(["calibrate", "connect4", *options, "--rounds", "3"]) == 0
    assert asked == [(150, 4, 1, 3)]
    assert dispatch(["calibrate", "connect4", *options, "--rounds", "0"]) == 0
    assert asked[1] == (150, 4, 1, 0)
    ladder = read_ladder(folder / "connect4.json")
    assert ladder.evidence
    reliability = (folder / "reliability.txt").read_text().splitlines()
    assert [line.split()[0] for line in reliability[1:]] == ["15%", "50%", "85%", "last"]
    (installed,) = (tmp_path / "data" / "sparring" / "ladders").iterdir()
    assert read_ladder(installed) == ladder
    with pytest.raises(UsageError, match=r"no ladder of othello10 .* calibrate it first"):
        dispatch(["calibrate", "othello10", *options])


def test_the_outcome_model_is_fitted_to_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    match = tmp_path / "games.jsonl"
    header = {"game": "connect4", "players": ["sparring:even", "mcts:9", "minimax1"]}
    row = {"black": 0, "winner": 0, "how": "line", "opening": [], "handicap": []}
    row |= {"result": "R+", "moves": list("4152"), "levels": [300.0, None, 320.0, None]}
    rows = [row | {"game": number, "pair": [0, 1 + number]} for number in range(2)]
    match.write_text("".join(json.dumps(each) + "\n" for each in (header, *rows)))
    options = ["--matches", str(match), "--processes", "1", "--quiet", "--output", str(tmp_path)]
    assert dispatch(["calibrate", "connect4", *options, "--placed", "mcts:9=700"]) == 0
    ladder = read_ladder(tmp_path / "connect4.json")
    assert ladder.outcome
    said = capsys.readouterr().out
    assert "left out: 1 games against 'minimax1', for want of --placed 'minimax1'=ELO" in said
    (installed,) = (tmp_path / "data" / "sparring" / "ladders").iterdir()
    assert read_ladder(installed) == ladder
    with pytest.raises(UsageError, match="'mcts:9' is no PLAYER=ELO"):
        dispatch(["calibrate", "connect4", *options, "--placed", "mcts:9"])


def test_what_cannot_be_calibrated_is_said() -> None:
    with pytest.raises(UsageError, match="chess"):
        dispatch(["calibrate", "chess"])
