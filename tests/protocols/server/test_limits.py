"""The operator's limits in a running engine: each holds, and says so."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocols.cli.settings import ROWS
from protocols.server.local_engine import LocalEngineOptions, bounds_of
from tests.support.tcp_talk import TcpTalk

QUERY = {"id": "q", "moves": [], "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "komi": 7}


def test_no_client_gets_more_than_the_operator_allows(
    serve: Callable[..., Any], network: Path
) -> None:
    serving = serve(
        network, "--move-visits=7", "--move-seconds=30", "--query-positions=2",
        "--client-sessions=2",
    )  # fmt: skip
    with TcpTalk(serving.gtp_port) as first, TcpTalk(serving.gtp_port) as second:
        first.say("sparring-persona full")
        first.say("kata-set-param maxVisits 1000")
        said = first.say("kata-search_analyze b 1000")
        assert max(int(each) for each in re.findall(r"visits (\d+)", said)) <= 7
        assert second.say("name") == "= Sparring"
        with TcpTalk(serving.gtp_port, "name") as third:
            text = "? this address has 2 conversations already, the most of one client"
            assert third.answer() == text
    queries = [
        QUERY | {"maxVisits": 100},
        QUERY | {"id": "many", "moves": [["b", "A1"], ["w", "B1"]], "analyzeTurns": [0, 1, 2]},
    ]
    text = "".join(json.dumps(query) + "\n" for query in queries)
    said = serving.command("analysis", text=text).stdout
    answers = [json.loads(line) for line in said.splitlines()]
    (warning,) = (each for each in answers if "warning" in each)
    assert warning["field"] == "maxVisits"
    assert warning["warning"] == "this engine searches at most 7 visits"
    (error,) = (each for each in answers if "error" in each)
    assert error["field"] == "analyzeTurns"
    assert error["error"] == "more than 2 positions in one query"
    (answer,) = (each for each in answers if "rootInfo" in each)
    assert answer["rootInfo"]["visits"] == 7


def test_a_search_ends_in_its_seconds(serve: Callable[..., Any], network: Path) -> None:
    serving = serve(network, "--move-seconds=0.2")
    with TcpTalk(serving.gtp_port) as talk:
        talk.say("boardsize 9")
        talk.say("sparring-persona full")
        talk.say("kata-set-param maxTime 60")
        begun = time.monotonic()
        assert talk.say("genmove b").startswith("= ")
        assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, (1_000_000, None)), ({"move_visits": 10**9, "move_seconds": 2.0}, (1_000_000, 2.0))],
)
def test_bounds_are_those_of_the_options(options: dict[str, Any], expected: object) -> None:
    bounds = bounds_of(LocalEngineOptions(**options))
    assert (bounds.visits, bounds.seconds) == expected
    assert bounds_of(LocalEngineOptions(tree_megabytes=3)).nodes == 3 * 2**20 // 1536
    assert ROWS["move_visits"].usual_text == str(bounds_of(LocalEngineOptions()).visits)
