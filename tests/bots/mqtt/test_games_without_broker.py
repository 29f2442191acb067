"""Games by requests: played to their end, with every mistake answered and nothing done twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.mqtt.request_reader import NoWayBackError
from bots.mqtt.served_game import MqttGame
from tests.bots.mqtt.desk_of_test import Desk, run

BOARDS = ["connect4", "connect4-8x7", "othello6", "go5", "go5x4"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("color", ["black", "white"])
def test_games_are_played_to_their_end(board: str, color: str, tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        moves = ["1", "2", "3"] if "connect4" in board else ["pass"]
        started = await desk.result("start", board=board, color=color, genmove=True)
        assert started["requests"] == "sparring/engines/e1/requests"
        assert (started["move"] is None) == (color == "black")
        game = {"game": started["state"]["game"], "token": started["token"]}
        state = started["state"]
        for _ in range(80):
            if state["is_over"]:
                break
            for move in [*moves, *every_move(board)]:
                reply = await desk.ask("play", **game, move=move, genmove=True)
                if reply["ok"]:
                    break
                assert reply["error"]["code"] == "illegal_move"
            state = reply["result"]["state"]
        assert state["is_over"]
        assert state["to_move"] is None
        assert state["result"] == "0" or state["result"][:2] in {"B+", "W+"}
        assert await desk.error("play", **game, move="1") == "game_over"
        assert desk.store.game(game["game"]).public() == state  # type: ignore[union-attr]
        await desk.engine.heard("quit")

    run(test, tmp_path)


def every_move(board: str) -> list[str]:
    if "connect4" in board:
        return [str(column) for column in range(1, 9)]
    rows = range(1, 7)
    return [f"{letter}{row}" for letter in "abcdef" for row in rows]


def test_mistakes_are_answered_and_change_nothing(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        other = {**game, "token": "x" * 24}
        assert await desk.error("genmove", **game) == "not_your_turn"
        assert await desk.error("play", **game, move="9") == "illegal_move"
        assert await desk.error("play", **game, move="d4") == "illegal_move"
        assert await desk.error("play", **game, move="4", number=1) == "out_of_step"
        assert await desk.error("play", **other, move="4") == "wrong_token"
        assert await desk.error("undo", **game) == "refused"
        gone = {**game, "game": "e1.ffffffffffffffff"}
        assert await desk.error("play", **gone, move="4") == "unknown_game"
        foreign = {**game, "game": "e2.0000000000000001"}
        assert await desk.error("play", **foreign, move="4") == "wrong_engine"
        state = (await desk.result("play", **game, move="4", number=0))["state"]
        assert state["moves"] == [["black", "4"]]
        assert await desk.error("play", **game, move="4") == "not_your_turn"

    run(test, tmp_path)


def test_impossible_terms_are_refused(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        assert await desk.error("start", board="go1") == "refused"
        assert await desk.error("start", board="othello7") == "refused"
        assert await desk.error("start", board="go9", persona="nobody-at-all") == "refused"
        assert await desk.error("start", board="connect4", handicap=2) == "refused"
        assert len(desk.conversations) == 0
        for _ in range(3):
            await desk.start()
        assert await desk.error("start", board="connect4") == "busy"

    run(test, tmp_path)


def test_terms_reach_the_engine(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        terms = {"rules": "japanese", "komi": 0.5, "handicap": 2, "persona": "full"}
        result = await desk.result("start", board="go9", opponent="Ann", color="black", **terms)
        assert result["state"]["to_move"] == "white"
        greeting = desk.engine.greetings[-1]["options"]
        assert greeting["game"] == "go"
        assert greeting["persona"] == "full"
        assert greeting["rules"] == "japanese"
        assert greeting["opponent"] == {"server": "mqtt", "name": "Ann"}
        assert desk.engine.lines[:3] == ["boardsize 9 9", "komi 0.5", "fixed_handicap 2"]
        await desk.start()
        assert desk.engine.greetings[-1]["options"]["opponent"] == "none"

    run(test, tmp_path)


def test_moves_are_taken_back(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        await desk.result("play", **game, move="4", genmove=True)
        state = (await desk.result("undo", **game))["state"]
        assert (state["moves"], state["event"], state["to_move"]) == ([], "undo", "black")
        await desk.result("play", **game, move="3")
        state = (await desk.result("undo", **game, moves=1))["state"]
        assert state["moves"] == []

    run(test, tmp_path)


@pytest.mark.parametrize(("kind", "result"), [("resign", "W+R"), ("end", None)])
def test_a_player_may_end_a_game(kind: str, result: str | None, tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        await desk.result("play", **game, move="4")
        state = (await desk.result(kind, **game))["state"]
        assert (state["is_over"], state["result"], state["event"]) == (True, result, kind)
        assert (await desk.result("state", game=game["game"]))["state"] == state
        await desk.engine.heard("quit")

    run(test, tmp_path)


def test_words_of_the_chat_are_answered(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start(persona="even")
        await desk.result("play", **game, move="4", genmove=True)
        assert "Sparring" in (await desk.result("chat", **game, text="hello there"))["text"]
        assert (await desk.result("chat", **game, text="why?"))["text"]
        assert (await desk.result("chat", **game, text="rematch"))["text"]
        before = desk.store.game(game["game"])
        assert (await desk.result("chat", **game, text="weaker"))["text"]
        after = desk.store.game(game["game"])
        assert before is not None
        assert after is not None
        assert before.persona == "even"
        assert after.persona != "even"
        assert desk.store.unpublished_games() == [game["game"]]
        await desk.result("resign", **game)
        assert (await desk.result("chat", **game, text="why?"))["text"] == "The game is over."

    run(test, tmp_path)


def test_queries_are_answered_within_the_limits(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        query: dict[str, Any] = {"moves": [["b", "C3"]], "analyzeTurns": [1, 0]}
        answers = (await desk.result("analyze", query=query))["answers"]
        assert [answer["turnNumber"] for answer in answers] == [0, 1]
        assert answers[0]["rootInfo"]["visits"] == 2000
        query |= {"maxVisits": 5, "overrideSettings": {"maxVisits": 9999, "maxTime": 1e6}}
        answers = (await desk.result("analyze", query=query))["answers"]
        assert answers[0]["rootInfo"]["visits"] == 5
        assert '"maxTime": 20.0' in desk.engine.lines[-1]
        assert await desk.error("analyze", query={}) == "refused"
        many = {"moves": [], "analyzeTurns": [0] * 5}
        assert await desk.error("analyze", query=many) == "refused"
        version = await desk.result("analyze", query={"action": "query_version"})
        assert version["answers"] == [{"action": "query_version", "version": "stand-in"}]

    run(test, tmp_path)


def test_a_reply_of_many_bytes_is_refused(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        desk.change_limits(reply_bytes=300, positions=100)
        query = {"moves": [], "analyzeTurns": [*range(100)]}
        assert await desk.error("analyze", query=query) == "too_large"
        assert (await desk.result("analyze", query={"moves": []}))["answers"]

    run(test, tmp_path)


def test_a_failure_beyond_the_handler_is_logged_and_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(desk: Desk) -> None:
        played = await desk.start()
        answer = desk.store.answer

        def fail_with_a_game(number: int, reply: str, game: MqttGame | None = None) -> None:
            if game is not None:
                raise TypeError("a state that cannot be written")
            answer(number, reply)

        monkeypatch.setattr(desk.store, "answer", fail_with_a_game)
        assert await desk.error("play", **played, move="4") == "internal"
        assert desk.store.unanswered() == []
        monkeypatch.undo()
        state = (await desk.result("play", **played, move="4"))["state"]
        assert len(state["moves"]) == 1

    run(test, tmp_path)
    assert "request 2 of type play failed" in caplog.text
    assert "a state that cannot be written" in caplog.text


def test_replies_to_the_services_own_topics_are_faults(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        desk.settings = replace(desk.settings, reply_filters=("#",))
        desk.change_limits()
        for topic in ("sparring/requests", "sparring/engines/e2/presence"):
            with pytest.raises(NoWayBackError):
                desk.receive("start", board="go9", reply_to=topic)

    run(test, tmp_path)


def test_requests_wait_for_an_engine_that_restarts(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        await desk.result("play", **game, move="4", genmove=True)
        before = desk.store.game(game["game"])
        assert before is not None
        await desk.engine.stop()
        assert await desk.error("play", **game, move="4") == "engine_down"
        assert await desk.error("analyze", query={"moves": []}) == "engine_down"
        await desk.engine.start()
        state = (await desk.result("play", **game, move="4"))["state"]
        assert state["moves"] == [*map(list, before.moves), ["black", "4"]]
        assert (await desk.result("analyze", query={"moves": []}))["answers"]

    run(test, tmp_path)


def test_a_busy_engine_is_waited_for(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        desk.engine.is_busy = True
        assert await desk.error("start", board="connect4") == "engine_down"
        receipt = desk.receive("start", board="connect4", expires_in=2)
        await desk.desk.carry_out(receipt.number)
        assert desk.reply(receipt.number)["error"]["code"] == "expired"
        desk.engine.is_busy = False
        await desk.start()

    run(test, tmp_path)


def test_a_line_lost_after_a_move_leaves_one_move(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        lost: list[str] = []

        def hold(line: str) -> bool:
            if line.startswith(("play", "genmove")) and line not in lost:
                lost.append(line)  # the engine has the move, its answer gets lost
                return True
            return False

        desk.engine.hold = hold
        state = (await desk.result("play", **game, move="4", genmove=True))["state"]
        assert lost == ["play black 4", "genmove white"]
        assert len(state["moves"]) == 2
        assert state["moves"][0] == ["black", "4"]

    run(test, tmp_path)


def test_a_process_killed_before_its_record_carries_out_once_more(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        receipt = desk.receive("play", **game, move="4", genmove=True)
        stored = desk.store.game(game["game"])
        assert stored is not None
        link = await desk.conversations.of(stored)
        await link.ask("play black 4")  # done at the engine, and not recorded
        await link.ask("genmove white")
        desk.close()
        desk.open()
        assert [each.number for each in desk.store.unanswered()] == [receipt.number]
        await desk.desk.carry_out(receipt.number)
        state = desk.reply(receipt.number)["result"]["state"]
        assert [color for color, _ in state["moves"]] == ["black", "white"]
        assert desk.engine.count("gg-undo 2") == 1

    run(test, tmp_path)


def test_a_conversation_that_the_engine_forgot_is_played_anew(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        await desk.result("play", **game, move="4", genmove=True)
        desk.close()
        for path in (tmp_path / "sessions").glob("*.json"):
            path.unlink()
        desk.open()
        state = (await desk.result("play", **game, move="4"))["state"]
        assert len(state["moves"]) == 3

    run(test, tmp_path)


def test_more_games_than_conversations_take_turns(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        games = [await desk.start() for _ in range(3)]
        for move in "12":
            for game in games:
                await desk.result("play", **game, move=move, genmove=True)
        assert len(desk.conversations) == 2

    run(test, tmp_path)


def test_a_redelivered_request_is_not_carried_out_again(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await desk.start()
        first = await desk.ask("play", **game, move="4", correlation_id="m1")
        again = desk.receive("play", **game, move="4", correlation_id="m1")
        assert (again.arrival.value, again.is_waiting) == ("duplicate", False)
        assert desk.reply(again.number) == first
        repeated = desk.receive("play", **game, move="4", correlation_id="m1", attempt=2)
        assert (repeated.arrival.value, repeated.is_waiting) == ("repeated", False)
        reused = desk.receive("play", **game, move="5", correlation_id="m1")
        assert (reused.arrival.value, reused.code) == ("reused", "correlation_id_reused")
        assert desk.reply(reused.number)["error"]["code"] == "correlation_id_reused"
        assert desk.engine.count("play") == 1

    run(test, tmp_path)


def test_an_expired_request_is_answered_and_not_carried_out(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        receipt = desk.receive("start", board="connect4", expires_in=10)
        desk.seconds += 11
        assert await desk.desk.carry_out(receipt.number) == "expired"
        assert desk.engine.greetings == []

    run(test, tmp_path)
