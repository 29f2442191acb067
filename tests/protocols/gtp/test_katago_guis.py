"""What Lizzie and LizzieYzy send once they take an engine for KataGo, read as they read it.

Sources: featurecat/lizzie and yzyray/lizzieyzy, Leelaz.java and MoveData.java.
"""

from __future__ import annotations

import itertools
import json
import re
import time

import pytest

from tests.support.gtp_conversation import Conversation

KATAGO_VERSION = re.compile(r"1\.17\.\d+\+\S+")


@pytest.fixture
def katago() -> Conversation:
    return Conversation(visits=20, as_katago=True)


def analysis(conversation: Conversation, line: str) -> list[str]:
    """The lines of an analysis that input ends after half a second."""
    end = time.monotonic() + 0.5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversation.inbox, "waiting", lambda: time.monotonic() > end)
        header, *lines, last, end_of_reply = conversation.hear(line).split("\n")
    assert header[0] == "="
    assert (last, end_of_reply) == ("", "")
    assert lines
    return lines


def moves_of(line: str) -> list[dict[str, str]]:
    """The moves of a line as MoveData.fromInfoKatago reads them: pairs up to `pv`."""
    found = []
    for text in line.removeprefix("info ").split(" info "):
        words = text.split(" ")
        pairs = words[: words.index("pv")]
        found.append(dict(zip(pairs[::2], pairs[1::2], strict=True)))
    return found


def owners(line: str, key: str) -> list[float]:
    """The numbers behind a key, to the next word or the end."""
    words = line.partition(f" {key} ")[2].split(" ")
    numbers = itertools.takewhile(re.compile(r"-?[0-9.]+(e-?[0-9]+)?").fullmatch, words)
    return [float(word) for word in numbers]


def estimates(line: str) -> list[float]:
    """The ownership as Leelaz.parseLine of Lizzie reads it: numbers alone, to the line's end."""
    return [float(word) for word in line.strip().split("ownership")[1].strip().split(" ")]


# The words of Lizzie's start, as Leelaz.startEngine and the first analysis send them, and the
# answer of KataGo that Lizzie reads. It numbers its commands and sends the next one after a reply.
LIZZIE_START = (
    ("0 name", "=0 KataGo"),
    ("1 version", r"=1 1\.17\.\d+\+\S+"),
    ("2 boardsize 13 9", "=2"),
    ("3 komi 0", "=3"),
    ("4 boardsize 9", "=4"),
    ("5 komi 7.5", "=5"),
    ("6 play B E5", "=6"),
    ("7 play W pass", "=7"),
    ("8 undo", "=8"),
)


def test_lizzie_starts_and_reads_its_whole_display(katago: Conversation) -> None:
    for command, answer in LIZZIE_START:
        said = katago.hear(command)
        assert re.fullmatch(f"{answer} ?\n\n", said), command
        int(said.split(" ")[0].strip()[1:])  # Lizzie's parseInt of the number
    *_, line = analysis(katago, "9 kata-analyze 50 ownership true")
    assert line.startswith("info ")
    assert len(estimates(line)) == 81
    for text in line[5:].split(" info "):
        words = text.split("ownership")[0].strip().split(" ")
        assert words[0] == "move", "MoveData.fromInfoKatago reads pairs from here"
        assert "pv" in words


def test_lizzie_shows_scores_and_ownership(katago: Conversation) -> None:
    assert katago.say("0 name") == "0 KataGo"
    assert KATAGO_VERSION.fullmatch(katago.say("1 version").removeprefix("1 "))
    for line in ("boardsize 9", "komi 7.5", "play B E5", "time_settings 0 2 1", "fixed_handicap 2"):
        answer = katago.hear(f"7 {line}")
        assert int(answer.split(" ")[0][1:]) == 7  # parsed as an int, or Lizzie stops reading
    *_, line = analysis(katago, "8 kata-analyze 10 ownership true")
    assert len(owners(line, "ownership")) == 81
    for move in moves_of(line):
        assert {"move", "visits", "winrate", "scoreMean", "scoreStdev", "prior", "lcb"} <= set(move)
        assert 0 <= float(move["winrate"]) <= 1
        int(move["visits"])
    assert katago.say("9 name") == "9 KataGo"  # which ends an analysis
    answer = katago.say("10 lz-genmove_analyze W 10")
    assert re.search(r"^play ([A-J]\d|pass|resign)$", answer, re.MULTILINE)


def test_lizzieyzy_shows_scores_and_all_ownership(katago: Conversation) -> None:
    assert katago.say("name").lower().startswith("kata")
    major, minor = katago.say("version").split(".")[:2]
    assert int(major) > 1 or int(minor) > 10  # then it asks for movesOwnership
    assert katago.hear("list_commands").startswith("= protocol_version\n")
    for line in ("komi 7.5", "rectangular_boardsize 9 7", "boardsize 9", "clear_board"):
        assert katago.hear(line) == "= \n\n"
    silent = [
        "kata-set-param playoutDoublingAdvantage 0.0",
        "kata-set-param numSearchThreads 8",
        "kata-set-param analysisWideRootNoise 0.04",
        'kata-set-rules {"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI","suicide":false,'
        '"hasButton":false,"whiteHandicapBonus":"0"}',
    ]
    for line in silent:  # a word more would be taken for the answer of another command
        assert katago.hear(line) == "= \n\n"
    assert float(katago.say("kata-get-param playoutDoublingAdvantage")) == 0
    assert float(katago.say("kata-get-param analysisWideRootNoise")) == 0.04
    answer = katago.hear("kata-get-rules")
    assert answer.startswith("= {")
    assert json.loads(answer[2:])["scoring"] == "TERRITORY"
    katago.say("play B E5")
    tags = "ownership true pvVisits true movesOwnership true"
    *_, line = analysis(katago, f"kata-analyze W 10 {tags}")
    assert len(owners(line.rpartition(" movesOwnership ")[2], "ownership")) == 81
    assert len(owners(line, "movesOwnership")) == 81
    assert "pvVisits" in line
    assert katago.hear("stop") == "= \n\n"
    lines = analysis(katago, "kata-analyze W 10 allow W C3,D4 1 ownership true")
    assert {move["move"] for move in moves_of(lines[-1].partition(" ownership ")[0])} <= {
        "C3",
        "D4",
    }
    assert katago.say("kata-raw-nn 3").startswith("symmetry 3\nwhiteWin ")
    for line in (
        "kata-set-param maxVisits 1125899906842624",
        "kata-set-param maxPlayouts 1125899906842624",
        "kata-time_settings byoyomi 600 30 3",
        "kata-set-param maxVisits 5",
    ):
        assert katago.hear(line) == "= \n\n"
    answer = katago.say(f"kata-genmove_analyze W 2147483647 {tags}")
    assert re.search(r"^play ([A-J]\d|pass)$", answer, re.MULTILINE)
    refused = katago.refused("kata-set-param playoutDoublingAdvantage 1.5")
    assert "needs a network of KataGo's" in refused


def test_lizzieyzy_draws_the_networks_policy_and_ownership(katago: Conversation) -> None:
    katago.say("rectangular_boardsize 9 7")
    rows: dict[str, list[list[float]]] = {"policy": [], "whiteOwnership": []}
    first, *lines = katago.say("kata-raw-nn 0").split("\n")
    assert first == "symmetry 0"
    values = dict(line.split(" ") for line in lines if line.startswith(("whiteWin", "whiteLead")))
    assert values.keys() >= {"whiteWin", "whiteLead"}
    assert all(map(float, values.values()))
    part = ""
    for line in lines:  # Leelaz.parseHeatMap: rows of the board's width behind each of two words
        part = next((name for name in rows if line.startswith(name)), part)
        words = line.split()
        if part and len(words) == 9:
            rows[part].append([0.0 if word == "NAN" else float(word) for word in words])
    assert {name: len(found) for name, found in rows.items()} == {"policy": 7, "whiteOwnership": 7}


def test_lizzie_analyses_without_the_moves_that_it_avoids(katago: Conversation) -> None:
    katago.say("boardsize 9")
    avoided = "lz-analyze 10 avoid b E5,D4 50 avoid w E5,D4 50"
    *_, line = analysis(katago, avoided)
    assert not {"E5", "D4"} & {move["move"] for move in moves_of(line)}


def test_the_names_of_forks_of_katago_are_not_taken_for_its_own(katago: Conversation) -> None:
    for line in ("getpda", "dympdacap 1", "pda 0", "startGame", "stopGame", "stop-ponder"):
        assert katago.refused(line) == "unknown command"
