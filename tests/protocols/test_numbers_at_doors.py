"""No number that a client sends at any door is an internal error, then or at the next move."""

from __future__ import annotations

from dataclasses import fields

import pytest

from engine._core import GoRules
from engine.errors import RecordError
from engine.formats import sgf
from engine.strength.human_play import SHORT
from engine.style.naturalness import Naturalness
from engine.style.position_control import CONSTANTS
from protocols.analysis.scheduler import Scheduler
from protocols.parameters import COMMON, Searched
from tests.support.analysis_talk import Talk
from tests.support.gtp_conversation import Conversation
from tests.support.nboard_conversation import Conversation as NBoard
from tests.support.ugi_conversation import Conversation as Ugi

NUMBERS = ("nan", "inf", "-inf", "1e308", "-1e308", "1e20", "1" + "0" * 400, "-1", "0", "1e-320")
GTP = [
    "komi {}",
    "boardsize {}",
    "rectangular_boardsize {} 9",
    "time_settings {} 5 1",
    "time_settings 5 {} 1",
    "time_settings 5 5 {}",
    "kgs-time_settings absolute {}",
    "kgs-time_settings byoyomi {} 5 1",
    "kgs-time_settings byoyomi 5 {} 1",
    "kgs-time_settings byoyomi 5 5 {}",
    "kgs-time_settings canadian 5 {} 1",
    "kata-time_settings fischer {} 1",
    "kata-time_settings fischer 5 {}",
    "kata-time_settings fischer-capped 5 1 {} 5",
    "kata-time_settings fischer-capped 5 1 5 {}",
    "time_left b {} 0",
    "time_left b 5 {}",
    "fixed_handicap {}",
    "place_free_handicap {}",
    "gg-undo {}",
    "final_score {}",
    "kata-raw-nn {}",
    "kata-genmove_analyze b {}",
    "kata-genmove_analyze b maxmoves {}",
    *(
        f"kata-set-param {name} {{}}"
        for name in "maxVisits maxPlayouts maxTime ponderingEnabled lagBuffer resignThreshold"
        " resignConsecTurns resignMinScoreDifference".split()
    ),
]
PERSONAS = [
    "even:{}",
    "even:{}%",
    "even:closeness={}",
    "even:caution={}",
    "level:{}",
    "softmax:{}",
    "softmax:1:{}",
    *(f"human:{name}={{}}" for name in SHORT),
    "alphadda1:{},2,-1.4,200",
    "alphadda1:3,{},-1.4,200",
    "alphadda1:3,2,{},200",
    "alphadda1:3,2,-1.4,{}",
    "alphadda3:{},1.25",
    "alphadda3:5,{}",
    *(f"position:A:{name}={{}}" for name in CONSTANTS),
    "naive:B:c={}",
    *(f"full+naturalness={each.name}={{}}" for each in fields(Naturalness)),
    "full+style=local:{}",
    "full+style=local:1:{}",
    "full+ending=win:high={}",
    "full+ending=shi:gamma={}",
]


def parameters() -> list[str]:
    """The names that kata-list-params lists."""
    return Conversation().say("kata-list-params").split()


@pytest.mark.parametrize(
    "command",
    [*GTP, *(f"kata-set-param {name} {{}}" for name in parameters())]
    + [f"sparring-persona {text}" for text in PERSONAS],
)
def test_gtp(command: str) -> None:
    for number in NUMBERS:
        conversation = Conversation(visits=3)
        conversation.say("boardsize 5")
        told = command.format(number)
        for line in (told, "kata-set-param maxVisits 3", "boardsize 5", "genmove b", "genmove w"):
            answer = conversation.hear(line)
            assert "internal error" not in answer, (told[:80], line[:80], answer[:200])
        assert answer.startswith("="), (told[:80], answer[:200])


def test_ugi() -> None:
    for name in ("nodes", "depth", "movetime", "p1time", "p2time", "p1inc", "p2inc"):
        for number in NUMBERS:
            heard = Ugi().say([f"go {name} {number}", "isready"])
            assert "readyok" in heard
            assert not any("internal" in line for line in heard), (name, number[:9], heard)


SETTINGS = ("set depth {}", "set contempt {}", "set time {}", "hint {}", "ping {}",
            "set game (;GM[Othello]TY[8]TI[{}]BO[8 ---------------------------O*------*O"
            "--------------------------- *];)")  # fmt: skip


def test_nboard() -> None:
    for line in SETTINGS:
        for number in NUMBERS:
            heard = NBoard().say([line.format(number), "go", "ping 7"])
            assert heard[-1] == "pong 7"
            assert not any("internal" in line for line in heard), (line, number[:9], heard)


@pytest.mark.parametrize("name", ["KM", "HA", "TM", "OT", "SZ", "PL", "MN"])
def test_sgf(name: str) -> None:
    for number in NUMBERS:
        text = f"(;GM[1]FF[4]SZ[5]{name}[{number}];B[cc])"
        try:
            sgf.read(text.encode(), GoRules())
        except RecordError:
            continue


LIMITS = ("maxVisits", "priority", "komi", "reportDuringSearchEvery", "analysisPVLen", "boardXSize")


def literal(number: str) -> str:
    """The number as JSON, or as what Python's own reader takes for it."""
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(number, number)


def test_json() -> None:
    with Scheduler(threads=2) as scheduler:
        talk = Talk(scheduler)
        searched = [name for name, how in COMMON.items() if isinstance(how, Searched)]
        overrides = [f'"overrideSettings": {{"{name}": {{}}}}' for name in ("maxTime", *searched)]
        for template in (*(f'"{name}": {{}}' for name in LIMITS), *overrides):
            for number in NUMBERS:
                told = template.replace("{}", literal(number))
                plain = '"id": "q", "moves": [], "rules": "chinese", "boardYSize": 5'
                size = "" if "boardXSize" in told else ', "boardXSize": 5'
                visits = "" if "maxVisits" in told else ', "maxVisits": 2'
                if '"maxVisits": 1' in told:  # it would search as long
                    continue
                talk.send(f"{{{plain}{size}{visits}, {told}}}")
        answers = talk.finish()
        assert answers
        assert not [answer for answer in answers if "internal" in str(answer)]
        talk.outbox.close()
