"""The state of a running engine: `sparring status`, the metrics, and ids in the log."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from engine.search.meter import Work
from protocols.activity import COMMAND, Activity
from protocols.cli.status import lines
from protocols.server.statistics import Statistics
from tests.support.free_ports import free_ports
from tests.support.tcp_talk import TcpTalk


def scraped(port: int) -> dict[str, dict[tuple[str, ...], float]]:
    """The samples of all metrics, by name and the values of their labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    samples: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            samples.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return samples


def test_an_operator_sees_sessions_work_and_metrics(
    serve: Callable[..., Any], network: Path
) -> None:
    port = free_ports()
    serving = serve(network, f"--metrics-port={port}", "--log-level=debug")
    before = scraped(port)
    with TcpTalk(serving.gtp_port) as talk:
        for line in ("boardsize 9", "sparring-persona full", "kata-set-param maxVisits 20"):
            talk.say(line)
        assert talk.say("genmove b").startswith("=")
        assert talk.say("nonsense").startswith("?")
        state = json.loads(serving.command("status", "--json", text="").stdout)
        page = serving.command("status", text="").stdout
        after = scraped(port)
    (session,) = state["sessions"]
    assert session["game"] == "go9"
    assert session["moves"] == 1
    assert session["persona"] == "full"
    assert session["commands"] == 5
    assert session["client"].startswith("127.0.0.1:")
    assert session["busy_seconds"] is None
    assert f"{session['id']}  gtp" in page
    assert "sessions  1 of 64" in page
    (held,) = (each for each in state["networks"] if each["file"] == network.name)
    assert held["users"] == 1
    assert held["evaluations"] >= 15
    made = {name: after[name][()] - before[name][()]
            for name in ("sparring_visits_total", "sparring_evaluations_total")}  # fmt: skip
    assert 15 <= made["sparring_evaluations_total"] <= made["sparring_visits_total"] + 10
    assert made["sparring_visits_total"] <= 40
    assert after["sparring_sessions"]["gtp",] == 1
    moves = after["sparring_latency_seconds_count"]
    assert {key: count for key, count in moves.items() if "move" in key} == {
        key: 1 for key in moves if "move" in key
    }
    assert after["sparring_memory_bytes"][()] > 10**7
    assert sum(after["sparring_cache_lookups_total"].values()) >= 15
    serving.logged(f"[{session['id']}] gtp: 127.0.0.1")
    serving.logged("disconnected")
    log = serving.log.read_text()
    own = [line for line in log.splitlines() if session["id"] in line]
    assert any("gtp: genmove in" in line for line in own)
    assert any("move 1:" in line for line in own)


def test_the_lines_of_analysis_carry_the_id_through_the_workers(
    serve: Callable[..., Any], network: Path
) -> None:
    serving = serve(network, "--log-level=debug")
    query = {"id": "q", "moves": [], "boardXSize": 9, "boardYSize": 9, "rules": "chinese",
             "komi": 7, "maxVisits": 2}  # fmt: skip
    assert json.loads(serving.command("analysis", text=json.dumps(query) + "\n").stdout)["id"]
    serving.logged("disconnected")
    ids = set(re.findall(r"\[(\w+)\] analysis: ", serving.log.read_text()))
    assert len(ids) == 1
    assert re.search(r"\[\w+\] analysis: query in ", serving.log.read_text())


def test_status_without_an_engine_is_refused(serving: Any, tmp_path: Path) -> None:
    done: subprocess.CompletedProcess[str] = serving.command(
        "status", f"--socket={tmp_path}/none.sock", text=""
    )
    assert done.returncode == 2
    assert "no engine is running at" in done.stderr


def test_latencies_are_counted_by_kind_and_sessions_end() -> None:
    statistics, activity = Statistics(), Activity("gtp", "user")
    statistics.begin(activity)
    with activity.timed(COMMAND, "name"):
        assert activity.busy_since is not None
    assert activity.commands == 1
    assert statistics.latencies()["gtp", COMMAND].quantile(0.5) == 0.001
    assert statistics.activities() == [activity]
    statistics.end(activity)
    assert statistics.activities() == []
    assert statistics.conversations() == {"gtp": 1}


def test_rates_are_those_of_the_last_minute() -> None:
    statistics = Statistics()
    assert statistics.rates(Work(5, 5), now=1.0) == (0.0, 0.0)
    for second in range(0, 100, 5):
        statistics.sample(Work(playouts=10 * second, evaluations=second), now=second)
    assert statistics.rates(Work(playouts=1000, evaluations=100), now=100) == (10.0, 1.0)


def test_the_page_is_readable_without_sessions() -> None:
    state = {"version": "1", "pid": 2, "uptime_seconds": 3, "sessions": [], "session_limit": 4,
             "refusals": {"gtp": 5}, "visits_per_second": 6, "evaluations_per_second": 7,
             "memory_bytes": 2**20, "move_seconds": {}, "networks": []}  # fmt: skip
    assert list(lines(state)) == [
        "Sparring 1, process 2, up 3 s",
        "sessions  0 of 4, refused 5 gtp",
        "work      6 visits/s, 7 evaluations/s in the last minute",
        "memory    1 MiB",
    ]
