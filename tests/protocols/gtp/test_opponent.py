"""Opponents over GTP: named, remembered, told of, their games resumed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.games.table import Board
from engine.opponents import StoredOpponent
from engine.opponents.opponent_store import OpponentName, OpponentStore, TransientStore
from engine.opponents.store.store import DatabaseStore
from tests.support.gtp_conversation import Conversation
from tests.support.paths import ROOT
from tests.support.store.known import Noting

ESTIMATE = r"connect4: -?\d+ \(-?\d+\.\.-?\d+\) Elo after (\d+) games"


class Remembering(Conversation):
    """A conversation that remembers opponents."""

    def __init__(self, memory: OpponentStore) -> None:
        super().__init__(visits=8, game="connect4", memory=memory)


def test_nobody_is_known_before_somebody_is_named() -> None:
    talk = Remembering(TransientStore())
    assert talk.refused("sparring-opponent") == "no opponent is named"
    assert talk.refused("sparring-resume") == "no opponent is named"
    assert talk.say("sparring-opponent Ann Other") == ""
    assert talk.say("sparring-opponent").splitlines() == ["Ann Other", "connect4: unknown"]
    assert talk.refused("cgos-opponent_name") == "not an opponent's name: ''"
    assert talk.refused(f"sparring-opponent {'x' * 201}").startswith("not a name")


def test_an_opponent_is_told_of_after_games() -> None:
    memory = TransientStore()
    talk = Remembering(memory)
    talk.say("cgos-opponent_name gnugo-3.8")
    talk.say("sparring-persona even")
    for games in (1, 2):
        talk.say("genmove b")
        talk.say("play w 3")
        talk.say("play w resign")
        talk.engine.idle()
        name, estimate, *history = talk.say("sparring-opponent").splitlines()
        assert name == "gnugo-3.8 (cgos)"
        found = re.fullmatch(ESTIMATE, estimate)
        assert found is not None
        assert int(found[1]) == games
        assert len(history) == games
        assert all(re.fullmatch(r"2\d{3}-\S+ -?\d+ \(.*\)", moment) for moment in history)
        talk.say("clear_board")
    assert memory.recall(OpponentName("gnugo-3.8"), Board("connect4", 7, 6)) is None


@pytest.mark.parametrize(
    ("told", "result", "points"),
    [
        ("B+Resign", "B+R", 1.0),
        ("W+Time", "W+T", 0.0),
        ("b+illegal", "B+F", 1.0),
        ("W+3.5", "W+3.5", 0.0),
        ("Draw", "0", 0.5),
    ],
)
def test_cgos_says_how_the_game_ended(told: str, result: str, points: float) -> None:
    memory = Noting()
    talk = Remembering(memory)
    talk.say("cgos-opponent_name gnugo-3.8")
    talk.say("genmove b")
    assert talk.say(f"cgos-gameover {told}") == ""
    assert memory.results == [(result, points)]
    talk.say("cgos-gameover B+Resign")
    talk.say("clear_board")
    assert len(memory.results) == 1


@pytest.mark.parametrize("told", ["", "B+", "B+Fun", "R+1", "B+1e9", "B+Time W+Time"])
def test_what_is_no_result_is_refused(told: str) -> None:
    assert (
        Remembering(TransientStore()).refused(f"cgos-gameover {told}").startswith("not a result of")
    )


def test_the_end_of_a_game_on_kgs_is_learned_from_the_board() -> None:
    memory = Noting()
    talk = Remembering(memory)
    talk.say("sparring-opponent Ann")
    talk.say("genmove b")
    talk.say("kgs-game_over")
    assert memory.results == []  # not over here; KGS does not say who won
    talk.say("play w resign")
    assert talk.say("kgs-game_over") == ""
    assert memory.results == [("B+R", 1.0)]


def test_an_aborted_game_has_no_result() -> None:
    memory = Noting()
    talk = Remembering(memory)
    talk.say("sparring-opponent Ann")
    talk.say("genmove b")
    assert talk.say("cgos-gameover Abort") == ""
    talk.say("clear_board")
    assert memory.results == [("Void", None)]


def test_a_game_of_another_kind_has_the_same_opponent() -> None:
    memory = TransientStore()
    talk = Remembering(memory)
    talk.say("sparring-opponent Ann")
    talk.say("genmove b")
    talk.say("set_game othello")
    assert memory.unfinished(OpponentName("Ann")) == ()
    assert talk.say("sparring-opponent").splitlines() == ["Ann", "othello8: unknown"]
    assert talk.refused("sparring-resume") == "no unfinished game of Othello with Ann"


def test_a_game_is_resumed() -> None:
    memory = TransientStore()
    first = Remembering(memory)
    first.say("sparring-opponent Ann")
    first.say("genmove b")
    first.say("play w 3")
    board = first.say("showboard")
    second = Remembering(memory)
    second.session.opponent_model.meet(StoredOpponent(memory, OpponentName("Ann")))
    assert second.say("sparring-resume") == "connect4, 2 moves, we are Red"
    assert second.say("showboard") == board


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a store can be made."""
    return str(tmp_path / "opponents.sqlite3")


def started(place: str) -> subprocess.Popen[str]:
    command = ["gtp", "--alone", "--game", "connect4", "--persona", "even", "--opponent", "Ann"]
    return subprocess.Popen(
        [sys.executable, "-m", "protocols.cli", *command, "--override-config", "maxVisits=8"],
        cwd=ROOT,
        env={**os.environ, "SPARRING_STORE": place},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def ask(process: subprocess.Popen[str], line: str) -> str:
    """The answer to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(line, file=process.stdin, flush=True)
    answer = []
    while text := process.stdout.readline().strip():
        answer.append(text)
    return "\n".join(answer)


def test_a_killed_engine_loses_neither_the_game_nor_what_it_learned(place: str) -> None:
    with started(place) as killed:
        moves = [ask(killed, "genmove b")[2:]]
        for column in ("1", "7"):
            assert ask(killed, f"play w {column}") == "="
            moves += [column, ask(killed, "genmove b")[2:]]
        believed = ask(killed, "sparring-opponent").splitlines()[1]
        killed.kill()
    store = DatabaseStore.open(place)
    ((_, game),) = store.unfinished(OpponentName("Ann"))
    store.close()
    assert [str(move + 1) for _, move in game.moves] == moves
    with started(place) as again:
        assert ask(again, "sparring-resume") == "= connect4, 5 moves, we are Red"
        assert ask(again, "sparring-opponent").splitlines()[1] == believed
        assert "unknown" not in believed
        assert ask(again, "play w 1") == "="
        assert ask(again, "genmove b").startswith("= ")
        assert ask(again, "play w resign") == "="
        assert ask(again, "quit") == "="
    store = DatabaseStore.open(place)
    assert store.unfinished(OpponentName("Ann")) == ()
    ((_, game),) = store.games(OpponentName("Ann"))
    assert game.result.startswith("B+")  # resigned, if it was not won before
    assert (game.points, len(game.moves)) == (1.0, 7)
    (found,) = store.summaries()
    store.close()
    assert found.known is not None
    assert found.known.games == 1


def test_an_opponent_in_go_has_a_rank_beside_the_elo() -> None:
    talk = Conversation(visits=8, memory=TransientStore())
    talk.say("boardsize 5")
    talk.say("sparring-opponent Ann")
    talk.say("sparring-persona level:15k")
    talk.say("genmove b")
    talk.say("play w resign")
    talk.engine.idle()
    known = talk.say("sparring-opponent").splitlines()[1]
    rank = r"(?:about )?\S+k(?: \(.* to .*\))?"
    assert re.fullmatch(rf"go5: -?\d+ \(.*\) Elo after 1 games, (?:below )?{rank}", known)
