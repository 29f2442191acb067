"""Even endgames from games of Go, and several methods on them."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.errors import UsageError
from engine.formats.sgf import SgfGame, write
from engine.lab.endgames.positions import STRIDE, Moves, endgames, first_endgame, games_of
from engine.lab.endgames.report import EndgameReport, outcomes
from engine.match.game_spec import GameSpec
from engine.review.judging import GameJudgement
from engine.search.search import Search
from engine.style.endgame import EndgameLimits
from protocols.cli.main import dispatch
from tests.support.stand_in import StandInEvaluator, StandInSlot
from tests.support.strength.rows import row

START = GameSpec("go", 7, 7, "tromp-taylor", komi=7.5)
LATE_STONES = 22  # from here on the endgame has begun


def played(moves: int, seed: int = 1) -> Moves:
    """A game of so many random moves, no passes."""
    rng = random.Random(seed)
    position, found = START.empty(), list[int]()
    for _ in range(moves):
        found.append(rng.choice([m for m in position.legal_moves() if m != position.pass_move]))
        position.play(found[-1])
    return tuple(found)


def record(moves: Moves, *, size: int = 7, setup: tuple[tuple[int, int], ...] = ()) -> bytes:
    in_turn = [(number % 2, move) for number, move in enumerate(moves)]
    return write(SgfGame(size, size, GoRules(), 7.5, setup, 0, in_turn))


def told(*, lead: float = 0.5, pass_costs: float = 0.0) -> StandInEvaluator:
    """A network with an endgame after so many stones, the side to move a little ahead."""

    def evaluate(slot: StandInSlot, at: int) -> None:
        stones = int(slot.spatial[at, 1:3].sum())
        deviation = 20.0 if stones < LATE_STONES else 5.0
        passed = slot.globals[at, 0] > 0
        seen = lead + (pass_costs if passed else 0.0)
        slot.policy[at] = 0.0
        slot.policy[at, -1] = -20.0
        slot.value[at] = (0.0, 0.0, -20.0)
        raw = np.log(np.expm1(deviation / 20))
        slot.misc[at] = (seen / 20, raw, seen / 20, 0.0, 0.0, 0.0)

    return StandInEvaluator(evaluate)


def test_the_first_position_with_all_signs_is_found() -> None:
    moves = played(36)
    found = first_endgame(moves, START, Search(told(), seed=1), visits=10)
    assert found is not None
    assert found.moves == moves[: len(found.moves)]
    stones = [int((position_after(moves[:n]).stones > 0).sum()) for n in range(len(moves))]
    late = [n for n in range(0, len(moves), STRIDE) if n >= 20 and stones[n] >= LATE_STONES]
    assert len(found.moves) == late[0]
    assert found.score_stdev < 10


def position_after(moves: Moves) -> GoPosition:
    position = GoPosition(7, 7, GoRules(), 7.5)
    for move in moves:
        position.play(move)
    return position


@pytest.mark.parametrize("evaluator", [told(lead=3.0), told(pass_costs=9.0)])
def test_one_sign_missing_is_none(evaluator: StandInEvaluator) -> None:
    assert first_endgame(played(36), START, Search(evaluator, seed=1), visits=10) is None


def test_games_of_other_kinds_are_left_out(tmp_path: Path) -> None:
    moves = played(36)
    (tmp_path / "a.sgf").write_bytes(record(moves))
    (tmp_path / "b.sgf").write_bytes(record(moves, size=9))
    (tmp_path / "c.sgf").write_bytes(record(moves[2:], setup=((0, moves[0]), (1, moves[1]))))
    (tmp_path / "d.sgf").write_bytes(b"no game")
    (tmp_path / "e.txt").write_bytes(record(moves))
    assert list(games_of([tmp_path], START)) == [moves]
    found = endgames([moves[:21], moves], START, Search(told(), seed=1), visits=10)
    assert len(list(found)) == 1


def test_margins_are_of_the_methods_side_and_only_counted_ones_are_as_wanted() -> None:
    rows = [
        row(0, 0, pair=(0, 1), black=0, result="B+2.5"),
        row(1, 0, pair=(0, 1), black=1, result="W+6.5"),
        row(2, 1, pair=(0, 1), black=1, result="B+9.5"),
        row(3, 1, pair=(0, 1), black=0, result="W+R") | {"how": "resign"},
    ]
    for each in rows:
        each["moves"] = ["A1", "B1"]
    judged = {number: GameJudgement((), (), None, [0.5, 0.01], [1, 9]) for number in range(3)}
    (found,) = outcomes(START, ["close"], rows, judged, (-3.5, 3.5))
    assert found.margins == (2.5, 6.5, -9.5, None)
    assert (found.tally.wins, found.tally.losses) == (2, 2)
    assert (found.within(0).wins, found.within(3.5).wins) == (1, 2)
    assert found.side.moves == 3
    assert found.side.unnatural is not None
    assert found.side.unnatural.value == pytest.approx(2 / 3)
    lines = list(EndgameReport(START, "full", 2, [found], 3.5).lines())
    assert "25% (" in lines[-1]
    assert "6.5 (" in lines[-1]


def test_the_command_plays_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    anything = EndgameLimits(even_lead=400, score_stdev=400, gain=400)
    monkeypatch.setattr(EndgameLimits, "published", classmethod(lambda _cls, _area: anything))
    games = tmp_path / "games"
    games.mkdir()
    for seed in (1, 2):
        (games / f"{seed}.sgf").write_bytes(record(played(30, seed)))
    words = [
        "lab",
        "endgames",
        "go7",
        str(games),
        "--methods",
        "full",
        "full+ending=close",
        "--visits=4",
    ]
    words += ["--opponent-visits=2", "--positions=2", "--quiet", f"--output={tmp_path / 'out'}"]
    assert dispatch([*words, "--games=1"]) == 0
    capsys.readouterr()
    assert dispatch([*words, "--games=2", "--json"]) == 0
    told_values = json.loads(capsys.readouterr().out)
    assert told_values == json.loads((tmp_path / "out" / "endgames.json").read_text())
    assert [each["games"] for each in told_values["methods"]] == [4, 4]
    lines = (tmp_path / "out" / "games.jsonl").read_text().splitlines()
    assert len(lines) == 1 + 8
    begun = {tuple(json.loads(line)["opening"]) for line in lines[1:]}
    assert len(begun) == 2
    with (tmp_path / "out" / "endgames.csv").open(newline="") as file:
        assert [each["method"] for each in csv.DictReader(file)] == ["full", "full+ending=close"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("othello8", "x"), "not of othello"),
        (("go7", "x", "--methods", "nobody"), "nobody"),
        (("go7", "/nowhere"), "no even endgame"),
    ],
)
def test_what_cannot_be_measured_is_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dispatch(["lab", "endgames", *words, "--quiet"])
