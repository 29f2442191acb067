"""`sparring opponents` and `sparring opponent`, as they are called."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib import util
from pathlib import Path

import pytest

from engine import errors
from engine.games.table import Board
from engine.opponents import ServerRating
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_record import known_of
from engine.opponents.opponent_store import OpponentEntry, OpponentName
from engine.opponents.posterior import Posterior
from engine.opponents.rating_prior import RatingPrior
from engine.opponents.store.store import DatabaseStore
from protocols.cli import main
from tests.support.store.known import ANN, BOB, GAME, LARGE, SMALL, counted


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A store with two opponents, one of them on two boards."""
    place = str(tmp_path / "opponents.sqlite3")
    store = DatabaseStore.open(place)
    for _ in range(12):
        store.revise(ANN, SMALL, counted)
    store.revise(ANN, LARGE, counted)
    store.revise(BOB, SMALL, counted)
    game = store.begin_game(GAME)
    store.note_result(game, "W+R", 1.0)
    store.begin_game(replace(GAME, moves=(), reasons=()))
    store.close()
    return place


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says; it must succeed."""
    assert main.dispatch(arguments) == 0
    return capsys.readouterr().out


def test_everybody_is_listed(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    title, *rows = said(capsys, "opponents", "--store", place).splitlines()
    assert title.split() == ["opponent", "board", "strength,", "Elo", "games", "last"]
    words = sorted(row.split()[:-2] for row in rows)
    assert words == [
        ["Ann", "go19", "1", "(0..2),", "below", "20k", "0"],
        ["Ann", "go9", "12", "(10..14),", "below", "20k", "1"],
        ["Bob", "(cgos)", "go9", "1", "(0..2),", "below", "20k", "0"],
    ]


def test_another_game_has_no_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "opponents.sqlite3")
    store = DatabaseStore.open(place)
    store.revise(ANN, Board("othello", 8, 8), counted)
    store.close()
    _, row = said(capsys, "opponents", "--store", place).splitlines()
    assert row.split()[:-2] == ["Ann", "othello8", "1", "(0..2)", "0"]


def test_one_is_told_of(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "opponent", "Ann", "--store", place)
    assert "go9: 12 (10..14) Elo after 1 games, below 20k" in text
    assert "2 games kept, 1 of them finished" in text
    assert "we were White, 1 moves, even: W+R" in text
    assert "we were White, 0 moves, even: unfinished" in text


def test_all_is_exported(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ann.json"
    said(capsys, "opponent", "Ann", "--store", place, "--export", str(path))
    shown = said(capsys, "opponent", "Ann", "--store", place, "--json")
    data = json.loads(path.read_text())
    assert data == json.loads(shown)
    assert (data["format"], data["name"], data["server"]) == (1, "Ann", "")
    assert [found["board"] for found in data["strengths"]] == ["go19", "go9"]
    strength = data["strengths"][1]
    assert strength["state"] == {"number": 12}
    assert [strength[key] for key in ("elo", "from", "to", "games")] == [12, 10.5, 13.5, 1]
    assert len(strength["history"]) == 12
    game, unfinished = data["games"]
    assert game["moves"] == [{"color": "White", "move": "E5", "reason": "the middle"}]
    assert game["setup"] == [["Black", "C7"], ["Black", "G3"]]
    assert (game["result"], game["our points"], game["our color"]) == ("W+R", 1.0, "White")
    assert game["terms"]["komi"] == 0.5
    assert unfinished["finished"] is None


def test_one_is_forgotten_and_nobody_else(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "opponent", "Ann", "--store", place, "--delete") == "Ann is forgotten\n"
    assert "Ann" not in said(capsys, "opponents", "--store", place)
    assert main.dispatch(["opponent", "Ann", "--store", place]) == 1
    assert "nothing is remembered of 'Ann'" in capsys.readouterr().out
    said(capsys, "opponent", "Bob", "--server", "cgos", "--store", place, "--delete")
    assert said(capsys, "opponents", "--store", place) == "nobody is remembered yet\n"


def test_one_of_two_servers_must_be_chosen(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = DatabaseStore.open(place)
    store.revise(OpponentName("Bob"), SMALL, counted)
    store.close()
    with pytest.raises(errors.UsageError, match=r"'Bob' is a name on several servers.*'', 'cgos'"):
        main.dispatch(["opponent", "Bob", "--store", place, "--delete"])
    said(capsys, "opponent", "Bob", "--server", "cgos", "--store", place, "--delete")
    assert "Bob" in said(capsys, "opponent", "Bob", "--store", place)


def strength_of(opponent: OpponentName, points: float, rating: float | None) -> OpponentEntry:
    """The entry of a player after a result against the level 1700 on 9x9, 20 games."""
    made = Opponent(opponent.name, Posterior.of_stranger(-200.0, 2500.0))
    if rating is not None:
        prior = RatingPrior(1700.0, 300.0, 0.05)
        made = made.rated(prior, ServerRating(rating, 60.0, 100), RatingPrior(1250.0, 833.0, 0.0))
    posterior = made.posterior.after_results(1700.0, points, games=20)
    return known_of(replace(made, posterior=posterior, games=20))


def test_two_accounts_are_linked_and_parted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "opponents.sqlite3")
    numbered = OpponentName("123", "ogs", "Ann")
    store = DatabaseStore.open(place)
    store.revise(ANN, SMALL, lambda _: strength_of(ANN, 15, None))
    store.revise(numbered, SMALL, lambda _: strength_of(numbered, 5, 1500.0))
    store.close()

    def elo(name: str) -> float:
        data = json.loads(said(capsys, "opponent", name, "--store", place, "--json"))
        return float(data["strengths"][0]["elo"])

    strong, weak = elo("/Ann"), elo("ogs/123")
    assert strong > weak + 200
    text = said(capsys, "opponents", "link", "ogs/Ann", "/Ann", "--store", place)
    assert text.startswith("Ann (ogs/123) counts as Ann now")
    assert weak < elo("/Ann") == elo("ogs/123") < strong
    assert "Ann (ogs/123), counts as Ann" in said(capsys, "opponents", "--store", place)
    assert "counts as Ann" in said(capsys, "opponent", "ogs/123", "--store", place)
    text = said(capsys, "opponents", "unlink", "ogs/123", "--store", place)
    assert text == "Ann (ogs/123) counts for itself again, and not as Ann\n"
    assert (elo("/Ann"), elo("ogs/123")) == pytest.approx((strong, weak), abs=0.2)
    assert main.dispatch(["opponents", "link", "Carol", "/Ann", "--store", place]) == 1
    for words in (["link", "/Ann"], ["marry", "/Ann", "ogs/123"], ["unlink", "ogs/123"]):
        with pytest.raises(errors.UsageError, match=r"link"):
            main.dispatch(["opponents", *words, "--store", place])


def test_the_map_of_a_server_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "opponents.sqlite3")
    store = DatabaseStore.open(place)
    for number, (points, rating) in enumerate(((5, 1000.0), (10, 1500.0), (15, 2000.0))):
        name = OpponentName(str(number), "ogs")
        store.revise(
            name, SMALL, partial(lambda entry, _: entry, strength_of(name, points, rating))
        )
    store.close()
    drawn = tmp_path / "map.svg"
    text = said(capsys, "opponents", "--map", "ogs", "--store", place, "--picture", str(drawn))
    assert text.startswith("go9: 3 players; a rating of 1500 stands at ")
    assert "slope" in text
    if util.find_spec("matplotlib") is not None:
        assert "players of ogs" in drawn.read_text()
    assert main.dispatch(["opponents", "--map", "kgs", "--store", place]) == 1
    assert "nobody of kgs with a rating" in capsys.readouterr().out
    with pytest.raises(errors.UsageError, match="did you mean 'lichess'"):
        main.dispatch(["opponents", "--map", "lichss", "--store", place])


def test_where_nothing_was_kept_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SPARRING_STORE", raising=False)
    assert said(capsys, "opponents") == "nobody is remembered yet\n"
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_place(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARRING_STORE", place)
    assert "Ann" in said(capsys, "opponents")
    assert said(capsys, "opponents", "--store", "none") == "nobody is remembered yet\n"


BAD = [
    # arguments; what is said
    (["opponents", "--store", "mysql+nothing://u:hunter2@h/d"], "mysql"),
    (["opponent", "Ann", "--store", "{place}", "--export", "{place}/x"], "x.unfinished: Not a dir"),
    (["opponent", "a\tb", "--store", "{place}"], r"not a name: 'a\\tb'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_what_cannot_be_done_is_told(place: str, arguments: list[str], words: str) -> None:
    with pytest.raises(errors.UsageError, match=words) as caught:
        main.dispatch([argument.format(place=place) for argument in arguments])
    assert "hunter2" not in str(caught.value)


def test_a_deletion_that_is_held_up_fails_soon_and_in_words(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.cli.opponents.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        for begin, words in (("BEGIN IMMEDIATE", "locked"), ("BEGIN", "delete once more")):
            other.execute(begin)
            other.execute("SELECT count(*) FROM games").fetchall()
            began = time.monotonic()
            with pytest.raises(errors.UsageError, match=words):
                main.dispatch(["opponent", "Ann", "--store", place, "--delete"])
            assert time.monotonic() - began < 5
            other.execute("ROLLBACK")
    assert main.dispatch(["opponent", "Ann", "--store", place, "--delete"]) == 1
    assert not any(b"Ann" in path.read_bytes() for path in Path(place).parent.iterdir())
