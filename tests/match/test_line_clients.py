"""The clients of UGI and NBoard against engines with recorded conversations."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.match.nboard_client import NBoardClient, NBoardMove, parse_answer
from engine.util.engine_process import EngineLostError, EngineProcess
from engine.util.ugi_client import BestMove, UgiClient
from tests.support.paths import SUPPORT

HERE = Path(__file__).parent
GGF = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5];)"
)
START = {"ugi": "< ugi\n> ugiok\n", "nboard": "< nboard 2\n< ping 1\n> pong 1\n"}


def engine_of(path: Path) -> list[str]:
    return [sys.executable, str(SUPPORT / "transcript_engine.py"), str(path)]


def transcript(name: str) -> list[str]:
    return engine_of(HERE / "transcripts" / f"{name}.txt")


def leave(engine: EngineProcess) -> None:
    """Ends a conversation at the end of its transcript."""
    engine.write("quit")
    assert engine.process.wait(timeout=10) == 0, engine.last_words
    engine.kill()


def test_a_ugi_conversation() -> None:
    engine = UgiClient(transcript("ugi_connect4"))
    assert engine.name == "Cute Four"
    assert engine.options == {"Threads", "Clear Hash"}
    engine.set_option("Threads", 2)
    engine.new_game()
    assert engine.best_move([], "movetime 500") == BestMove("4", 1234)
    assert engine.best_move(["4", "4"], "nodes 100") == BestMove("5", None)
    assert engine.best_move(["4", "4", "5"], "nodes 100") == BestMove("", None)
    leave(engine)


def test_a_uci_conversation() -> None:
    engine = UgiClient(transcript("uci_handshake"), dialect="uci")
    assert (engine.name, engine.options) == ("Old Brother", frozenset())
    engine.new_game()
    assert engine.best_move(["e2e4"], "depth 3") == BestMove("e7e5", 12)
    leave(engine)


def test_an_nboard_conversation() -> None:
    engine = NBoardClient(transcript("nboard_doc"))
    assert engine.name == "Edax6"
    engine.set_depth(6)
    engine.set_game(GGF)
    assert engine.go() == NBoardMove("d6", -1.0, 35805)
    engine.play("D6")
    assert engine.go() == NBoardMove("PA", None, None)
    leave(engine)


@pytest.mark.parametrize(
    ("line", "move", "evaluation"),
    [
        ("=== F5/1.5/2.0", "F5", 1.5),
        ("=== F5", "F5", None),
        ("=== F5//2.1", "F5", None),
        ("===F5 / -3 / 1", "F5", -3.0),
        ("=== d6 -1.00 0.0", "d6", -1.0),
        ("=== PA", "PA", None),
        ("===", "", None),
        ("=== F5/good/2", "F5", None),
    ],
)
def test_answers_with_slashes_or_spaces(line: str, move: str, evaluation: float | None) -> None:
    assert parse_answer(line) == NBoardMove(move, evaluation, None)


def ask_ugi(command: list[str], seconds: float) -> None:
    with UgiClient(command, seconds=seconds) as engine:
        engine.best_move([], "movetime 1")


def ask_nboard(command: list[str], seconds: float) -> None:
    with NBoardClient(command, seconds=seconds) as engine:
        engine.go()


ASK: dict[str, Callable[[list[str], float], None]] = {"ugi": ask_ugi, "nboard": ask_nboard}
ASKED = {"ugi": "< position startpos\n< go movetime 1\n", "nboard": "< ping 2\n> pong 2\n< go\n"}


@pytest.mark.parametrize("protocol", sorted(ASK))
@pytest.mark.parametrize("late", [False, True], ids=["at its start", "at a move"])
@pytest.mark.parametrize(
    ("deed", "how"), [("crash", "crashed"), ("hang", "hung"), ("flood", "hung")]
)
def test_engines_that_are_lost(
    tmp_path: Path, protocol: str, late: bool, deed: str, how: str
) -> None:
    path = tmp_path / "transcript.txt"
    path.write_text((START[protocol] + ASKED[protocol] if late else "") + f"! {deed}\n")
    began = time.monotonic()
    with pytest.raises(EngineLostError) as error:
        ASK[protocol](engine_of(path), 60.0 if deed == "crash" else 1.5)
    assert error.value.how == how
    assert time.monotonic() - began < 30


def test_silence_is_reported_with_the_warning_before_it(tmp_path: Path) -> None:
    path = tmp_path / "transcript.txt"
    warning = "warning Must pick a depth first"
    path.write_text(f"{START['nboard']}{ASKED['nboard']}> {warning}\n! hang\n")
    with pytest.raises(EngineLostError, match=f"no reply to 'go' in time; .*{warning}") as error:
        ask_nboard(engine_of(path), 1.5)
    assert error.value.how == "hung"


@pytest.mark.parametrize("protocol", sorted(ASK))
def test_babble_before_an_answer_is_skipped(tmp_path: Path, protocol: str) -> None:
    answer = {"ugi": "> bestmove 4", "nboard": "> === F5"}[protocol]
    path = tmp_path / "transcript.txt"
    path.write_text(f"{START[protocol]}{ASKED[protocol]}! babble\n{answer}\n")
    ASK[protocol](engine_of(path), 60.0)


@pytest.mark.parametrize("protocol", sorted(ASK))
def test_a_program_that_is_not_there(protocol: str) -> None:
    with pytest.raises(EngineLostError) as error:
        ASK[protocol](["no-such-engine"], 1.0)
    assert error.value.how == "absent"
