"""The balance of games: distances, and `sparring lab balance` on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from engine.agents import make_agent
from engine.errors import UsageError
from engine.games.position import Position
from engine.lab.balance import Bout, MatchBalance, balances, by_chance, distance_of
from engine.lab.published import TABLES, published
from engine.match.agent_player import AgentPlayer
from engine.match.game_spec import GameSpec, board_of
from engine.match.player import Memory
from engine.match.players import PLAYERS, PlayerKind, PlayerTerms, check_player
from engine.match.tally import Tally
from engine.networks import runtime
from protocols.cli.balance import OPPONENTS
from protocols.cli.main import dispatch
from protocols.cli.study import player_of
from tests.support.strength.rows import row

# Mean |win - loss| of AlphaDDA1-3, reckoned from the paper's table by hand.
PAPER_MEANS = {
    "connect4": [0.351, 0.469, 0.818],
    "othello6": [0.438, 0.504, 0.691],
    "othello8": [0.319, 0.395, 0.751],
}


def bout(wins: int, losses: int, draws: int = 0) -> Bout:
    """Returns games with both colors in equal number, their results in turn."""
    results = [0] * wins + [1] * losses + [None] * draws
    rows = [row(number, winner, black=number % 2) for number, winner in enumerate(results)]
    return Bout("even", "random", tuple(rows))


@pytest.mark.parametrize(
    ("tally", "value"),
    [
        (Tally(60, 40), 0.2),
        (Tally(40, 60), 0.2),
        (Tally(10, 20, 70), 0.1),
        (Tally(0, 9), 1.0),
        (Tally(), 0.0),
    ],
)
def test_the_distance_of_games_won_and_lost(tally: Tally, value: float) -> None:
    distance = distance_of(tally)
    assert distance.value == pytest.approx(value)
    low, high = distance.interval
    assert 0 <= low <= value <= high <= 1 + 1e-9


def test_an_interval_leaves_even_games_out_only_when_they_are_not() -> None:
    assert distance_of(Tally(55, 45)).interval[0] == 0
    assert distance_of(Tally(65, 35)).interval[0] > 0
    mirrored = distance_of(Tally(35, 65)).interval
    assert distance_of(Tally(65, 35)).interval == pytest.approx(mirrored)


def test_intervals_hold_the_true_distance() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        wins = int(rng.binomial(100, 0.6))
        low, high = distance_of(Tally(wins, 100 - wins)).interval
        held += low <= 0.2 <= high
    assert 180 <= held <= 199


def test_the_two_games_of_an_opening_are_a_pair() -> None:
    """Game 3 is not played yet: its partner stays alone, and the later ones keep theirs."""
    results = [0, 1, None, 1, 0, 0]
    rows = [row(number, winner, black=number % 2) for number, winner in enumerate(results)]
    del rows[3]
    assert Bout("even", "random", tuple(reversed(rows))).duplicates() == [(1, -1), (1, 1)]


def test_what_chance_alone_comes_to() -> None:
    rng = np.random.default_rng(7)
    drawn = rng.multinomial(150, [0.4, 0.4, 0.2], size=4000)
    assert by_chance(Tally(60, 60, 30)) == pytest.approx(
        np.abs(drawn[:, 0] - drawn[:, 1]).mean() / 150, rel=0.05
    )


def test_the_mean_is_reported_without_what_chance_adds() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(20):
        wins = rng.binomial(100, 0.6, size=8)
        mean = MatchBalance("even", tuple(bout(int(won), 100 - int(won)) for won in wins)).mean
        held += mean.interval[0] <= 0.2 <= mean.interval[1]
    assert held >= 14  # with 30 seeds 17.9 +- 1.2, at least 16: eight opponents are few


def test_a_persona_is_summed_up_over_its_opponents() -> None:
    rows = [row(number, 0, pair=(0, 2), black=2 * (number % 2)) for number in range(8)]
    rows += [row(8 + number, 3 * (number % 2), pair=(0, 3)) for number in range(8)]
    rows += [row(16, None, pair=(1, 2), black=1)]
    first, second = balances(rows, ["even", "full", "random", "mcts1"])
    assert (first.persona, second.persona) == ("even", "full")
    assert first.mean.value == 0.5
    assert (first.worst.value, first.worst_opponent) == (1.0, "random")
    assert first.bouts[1].tally(0).games == 8
    values = first.values(("Black", "White"))
    assert values["opponents"][0]["as_white"] == [4, 0, 0]
    assert values["mean_as_black"] == 0.5
    assert values["opponents"][1]["as_white"] == [0, 0, 0]
    assert second.mean.value == 0


# ---- The command


@pytest.mark.parametrize("name", ["go9", "othello8", "othello10", "connect4"])
def test_the_usual_opponents_play_their_game(name: str) -> None:
    board = GameSpec(*board_of(name)).board
    for text in OPPONENTS[board.game]:
        check_player(player_of(text), board)
    if board.game != "go":
        assert set(OPPONENTS[board.game]) == set(TABLES["othello8"])


@pytest.mark.parametrize("board", TABLES)
def test_the_papers_means_are_those_of_its_table(board: str) -> None:
    start = GameSpec(*board_of(board))
    means = [
        float(np.mean([published(start, persona, each) for each in TABLES[board]]))
        for persona in ("alphadda1", "alphadda2", "alphadda3")
    ]
    assert means == pytest.approx(PAPER_MEANS[board], abs=6e-4)
    assert published(start, "even", "random") is None


WORDS = ("lab", "balance", "connect4", "mcts:9", "--against", "random", "first-legal", "--quiet")


def measured(folder: Path, *words: str) -> dict[str, Any]:
    """Returns the command's result."""
    assert dispatch([*WORDS, f"--output={folder}", "--judge-visits=3", *words]) == 0
    found: dict[str, Any] = json.loads((folder / "balance.json").read_text())
    return found


def test_a_balance_gone_on_with_is_that_of_an_unbroken_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A GPU rounds otherwise in batches of another size, and the judge's batches are never the same.
    monkeypatch.setattr(runtime, "BACKENDS", {"native": runtime.BACKENDS["native"]})
    unbroken = measured(tmp_path / "one", "--games=6", "--judged=2")
    measured(tmp_path / "two", "--games=4", "--judged=2")
    games = tmp_path / "two" / "games.jsonl"
    games.write_text(games.read_text()[:-50])
    assert measured(tmp_path / "two", "--games=6", "--judged=2") == unbroken
    assert [each["games"] for each in unbroken["personas"][0]["opponents"]] == [6, 6]
    assert (tmp_path / "two" / "balance.png").stat().st_size > 10_000
    with (tmp_path / "two" / "balance.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["opponent"], second["opponent"]) == ("random", "first-legal")
    assert int(first["wins"]) == unbroken["personas"][0]["opponents"][0]["wins"]


def test_the_table_tells_results_and_how_they_came_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(tmp_path, "--games=4", "--judged=2")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "connect4, nothing known before a game"
    assert lines[2].split()[:4] == ["mcts:9", "won", "lost", "drawn"]
    assert [line.split()[0] for line in lines[3:7]] == ["random", "first-legal", "mean", "worst:"]
    assert "natural" in lines[8]
    assert (tmp_path / "balance.txt").read_text().splitlines() == lines


def test_a_game_of_chance_has_a_table_by_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("random", "--against", "random", "greedy", "--games=4", "--judged=0", "--quiet")
    assert dispatch(["lab", "balance", "einstein", *words]) == 0
    table = capsys.readouterr().out.split("\n\n")[-1].splitlines()
    assert table[0].split() == [
        "equal",
        "chance",
        "in",
        "both",
        "games",
        "pairs",
        "won",
        "-",
        "lost",
    ]
    assert [line.split()[:2] for line in table[1:3]] == [["random", "2"], ["greedy", "2"]]
    assert table[3].startswith("root mean square")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("othello9", "even"), "othello9"),
        (("connect4", "angry"), "angry"),
        (("connect4", "mcts1", "--against", "roxanne"), "roxanne"),
        (("go9", "random", "--opening-plies=3"), "openings have their own shapes"),
    ],
)
def test_what_cannot_be_measured_is_said_at_once(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dispatch(["lab", "balance", *words])


# ---- Remembering


class Learner(AgentPlayer):
    """Plays at random and counts its remembered games."""

    before: ClassVar[list[int]] = []  # how many it remembered before each game

    def __init__(self, text: str) -> None:
        super().__init__(make_agent("random", "connect4", 0))
        self.text = text
        self.games = 0

    def begin(self, start: GameSpec, seed: int) -> None:
        super().begin(start, seed)
        self.before.append(self.games)

    def recall(self, known: Memory) -> None:
        self.games = 0 if known is None else int(known["games"])

    def remembered(self) -> Memory:
        return {"games": self.games}

    def finish(self, position: Position, winner: int | None) -> None:
        super().finish(position, winner)
        self.games += 1


def learner(text: str, _rest: str, _game_settings: PlayerTerms) -> Learner:
    return Learner(text)


@pytest.fixture
def learners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Learner, "before", [])
    kind = PlayerKind(("connect4",), learner, "learner:NAME", "counts games")
    monkeypatch.setitem(PLAYERS, "learner", kind)


def known_in(folder: Path) -> dict[tuple[int, ...], list[Any]]:
    rows = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()[1:]]
    found: dict[tuple[int, ...], list[Any]] = {}
    for each in sorted(rows, key=lambda row: row["game"]):
        found.setdefault(tuple(each["pair"]), []).append(each["known"][0])
    return found


@pytest.mark.usefixtures("learners")
def test_what_was_learned_goes_from_game_to_game(tmp_path: Path) -> None:
    words = ("lab", "balance", "connect4", "learner:a", "--against", "random", "first-legal")
    more = ("--remember", "--quiet", "--judged=0", f"--output={tmp_path}")
    dispatch([*words, "--games=3", *more])
    games = tmp_path / "games.jsonl"
    games.write_text("".join(games.read_text().splitlines(keepends=True)[:-2]))
    dispatch([*words, "--games=5", *more])
    counted = [{"games": number + 1} for number in range(5)]
    assert known_in(tmp_path) == {(0, 1): counted, (0, 2): counted}
    with pytest.raises(UsageError, match="its remember is True"):
        dispatch([*words, "--games=5", "--quiet", f"--output={tmp_path}"])


@pytest.mark.usefixtures("learners")
def test_nothing_is_known_before_a_game_without_asking_for_it(tmp_path: Path) -> None:
    words = (
        "lab",
        "balance",
        "connect4",
        "learner:a",
        "--against",
        "random",
        "--quiet",
        "--judged=0",
    )
    dispatch([*words, "--games=4", f"--output={tmp_path}"])
    assert Learner.before == [0] * 5  # once more to see that it starts
    assert "known" not in (tmp_path / "games.jsonl").read_text()
    dispatch(["match", "connect4", "learner:a", "random", "--games=3", "--quiet"])
    assert Learner.before[-3:] == [0, 1, 2], "at one table"
