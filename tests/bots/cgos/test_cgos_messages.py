"""The lines of CGOS: good ones by table, and malformed ones by hypothesis."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.cgos.account import CgosAccount
from bots.cgos.messages import (
    CgosPlayer,
    gameover_of,
    genmove_of,
    play_of,
    player_of,
    setup_of,
)
from bots.events import EngineMoved
from bots.fields import WireError
from bots.game_policy import GamePolicy
from bots.game_setup import OnlineMove, OnlineResult
from bots.online_game import OnlineGame

SETUP = "setup 17 9 7.5 60000 gnugo(1800?) Me.9(1500)"


def test_a_setup_names_white_first_and_its_moves_begin_with_black() -> None:
    setup = setup_of(f"{SETUP}  c3 59000 PASS 58000 e5 57500")
    assert (setup.game, setup.size, setup.komi, setup.seconds) == ("17", 9, 7.5, 60.0)
    assert setup.white == CgosPlayer("gnugo", 1800.0, is_provisional=True)
    assert setup.black == CgosPlayer("Me.9", 1500.0, is_provisional=False)
    moves = (OnlineMove(0, "C3"), OnlineMove(1, "pass"), OnlineMove(0, "E5"))
    assert setup.moves == moves
    assert setup.left == (57.5, 58.0)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("gameover 2026-11-23 W+Resign Resignation", OnlineResult(1, "resign")),
        ("gameover 2026-11-23 B+Time ", OnlineResult(0, "time")),
        ("gameover 2026-11-23 B+3.5", OnlineResult(0, "3.5")),
        ("gameover 2026-11-23 Draw", OnlineResult(None, "draw")),
        ("gameover 2026-11-23 Abort", OnlineResult(None, "abort")),
        (
            "gameover 2026-11-23 W+Illegal Illegal move error:KO attempted move:D4",
            OnlineResult(1, "illegal"),
        ),
    ],
)
def test_results(line: str, result: OnlineResult) -> None:
    assert gameover_of(line) == result


def test_the_color_follows_from_the_name_and_the_clock_from_the_lines() -> None:
    account = CgosAccount.of(setup_of(f"{SETUP} c3 59000"), "gnugo", "tromp-taylor")
    assert account.setup.color == 1
    assert account.setup.opponent.name == "Me.9"
    assert account.setup.opponent.pool == "9x9"
    assert account.state(5.0, 0).to_move is None  # before `genmove`
    asked = account.requested(genmove_of("genmove w 60000"))
    state = asked.state(5.0, 3)
    assert (state.to_move, state.answers) == (1, 3)
    assert state.clocks is not None
    assert [clock.seconds for clock in state.clocks.players] == [59.0, 60.0]
    sent = asked.sent("d4")
    assert sent.state(6.0, 0).to_move == 0
    with pytest.raises(WireError):
        sent.played(play_of("play w d5 1"))
    after = sent.played(play_of("play b d5 58000"))
    assert after.moves[-1] == OnlineMove(0, "D5")
    assert after.left == (58.0, 60.0)


def test_the_lag_shows_at_our_next_turn() -> None:
    account = CgosAccount.of(setup_of(SETUP), "Me.9", "tromp-taylor")
    game = OnlineGame(GamePolicy(least_lag_seconds=0.0))
    account = account.requested(genmove_of("genmove b 60000"))
    game.handle(account.state(10.0, 0))
    game.handle(EngineMoved(13.0, 1, "D4"))
    account = account.sent("D4")
    game.handle(account.last_move(13.0, is_ours_next=False))
    account = account.played(play_of("play w e5 59000")).requested(genmove_of("genmove b 55500"))
    game.handle(account.last_move(20.0, is_ours_next=True))
    assert game.lag.latest == pytest.approx(1.5)  # 4.5 s on the server's clock, 3 s here


@pytest.mark.parametrize("name", ["Nobody", "me.9"])
def test_another_players_game_is_refused(name: str) -> None:
    with pytest.raises(WireError):
        CgosAccount.of(setup_of(SETUP), name, "tromp-taylor")


@pytest.mark.parametrize(
    "line",
    [
        "setup",
        "setup 17 9 7.5 60000 gnugo Me(1500)",
        "setup 17 99 7.5 60000 gnugo(1) Me(1500)",
        "setup 17 9 nan 60000 gnugo(1) Me(1500)",
        "setup 17 9 7.5 1e9 gnugo(1) Me(1500)",
        f"{SETUP} c3",
        f"{SETUP} i5 1",
        f"{SETUP} c33 1",
        f"{SETUP} c3 --1",
    ],
)
def test_malformed_setups_raise(line: str) -> None:
    with pytest.raises(WireError):
        setup_of(line)


def test_negative_clocks_count_as_empty_ones() -> None:
    assert genmove_of("genmove b -250").seconds == 0.0


@given(
    st.text(max_size=60) | st.from_regex(r"(setup|play|genmove|gameover)( [\w?().+-]{0,8}){0,9}")
)
def test_any_text_is_read_or_raises(text: str) -> None:
    for read in (setup_of, play_of, genmove_of, gameover_of, player_of):
        with suppress(WireError):
            read(text)
