"""UCI: one best move for each go, every option, every command at every moment."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import pytest

from engine.games.table import Board
from protocols.positions.player import AnalysisLine, PositionAnalysis, PositionPlayer
from protocols.uci import COMMANDS, UciEngine
from protocols.uci.codec import read_go, read_opponent, score
from protocols.uci.elo_scale import PLACES, ladder_elo
from tests.support.line_talk import ScriptedInbox, StandInPlayer

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

MATED = "position startpos moves f2f3 e7e5 g2g4 d8h4"
THREE_TIMES = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 2
DEAD = "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1"


class ChessPlayer(StandInPlayer):
    """A stand-in whose personas are of chess; it has searched until stopped in an analysis."""

    def set_persona(self, persona: str) -> None:
        self.persona = persona

    def meet(self, opponent: str) -> None:
        self.opponent = opponent

    def analyze(self, limits: Any, *, stop: Any, on_analysis: Any) -> PositionAnalysis:
        self.looks += 1
        for _ in range(1000):
            if stop():
                break
        return self._analysis(self.steps)


class Conversation:
    """Says lines to an engine and hears what it emits."""

    def __init__(self) -> None:
        self.inbox = ScriptedInbox()
        self.emitted: list[str] = []
        self.engine = UciEngine(self._player_for, self.emitted.append, self.inbox)

    def _player_for(self, board: Board) -> PositionPlayer:
        assert board.game == "chess"
        self.player = ChessPlayer()
        return self.player

    def say(self, *lines: str, late: Sequence[tuple[int, str]] = ()) -> list[str]:
        """The answers to these lines; late ones come after so many looks at the inbox."""
        self.emitted.clear()
        self.inbox.lines.extend(lines)
        self.inbox.late.extend((self.inbox.looks + looks, line) for looks, line in late)
        self.engine.run()
        return "".join(self.emitted).splitlines()


def best_moves(heard: Sequence[str]) -> list[str]:
    return [line for line in heard if line.startswith("bestmove")]


def test_it_names_itself_and_its_options() -> None:
    heard = Conversation().say("uci", "isready")
    assert heard[0] == "id name Sparring"
    assert heard[-2:] == ["uciok", "readyok"]
    options = {re.fullmatch(r"option name (.*?) type .*", line) for line in heard[2:-2]}
    names = {option[1] for option in options if option is not None}
    assert names >= {
        "Hash", "Threads", "MultiPV", "Ponder", "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo",
        "UCI_AnalyseMode", "UCI_Chess960", "UCI_Opponent", "Move Overhead",
        "SyzygyPath",
    }  # fmt: skip


FORMS = [
    "go",
    "go infinite",
    "go movetime 10",
    "go depth 3",
    "go nodes 5",
    "go mate 2",
    "go wtime 1000 btime 900 winc 10 binc 10",
    "go wtime -50 btime 900 movestogo 3",
    "go searchmoves e2e4 d2d4 nodes 3",
    "go ponder wtime 1000 btime 1000",
    "go nonsense depth x",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("setting", ["position startpos", MATED, THREE_TIMES, DEAD])
def test_each_go_has_one_best_move(form: str, setting: str) -> None:
    talk = Conversation()
    heard = talk.say(setting, form, late=[(5, "stop")])
    move = r"bestmove [a-h][1-8][a-h][1-8]( ponder \w+)?"
    expected = r"bestmove \(none\)" if setting in {MATED, DEAD} else move
    (best,) = best_moves(heard)
    assert re.fullmatch(expected, best)
    assert heard[-1] == best


MOMENTS = [
    "uci", "isready", "ucinewgame", "position startpos moves e2e4", "stop", "ponderhit", "debug on",
    "setoption name MultiPV value 3", "setoption name UCI_Elo value 700", "nonsense", "go nodes 1",
    "position fen nothing", "setoption", "go",
]  # fmt: skip


@pytest.mark.parametrize("searching", ["go infinite", "go ponder movetime 5", "go movetime 5"])
@pytest.mark.parametrize("line", MOMENTS)
def test_every_command_at_every_moment(line: str, searching: str) -> None:
    """Before a search, during one and after it: one best move a go, and life afterwards."""
    talk = Conversation()
    heard = talk.say(line, searching, late=[(2, line), (4, "stop"), (5, line), (6, "stop")])
    heard += talk.say("isready")
    goes = 1 + 3 * line.startswith("go")
    assert len(best_moves(heard)) == goes
    assert heard[-1] == "readyok"


@pytest.mark.parametrize("lines", [*itertools.permutations(["go infinite", "stop", "isready"])])
def test_any_order_of_three_lines_is_answered(lines: tuple[str, ...]) -> None:
    heard = Conversation().say(*lines)
    assert len(best_moves(heard)) == 1
    assert heard.count("readyok") == 1


def test_quit_ends_a_search_with_its_best_move() -> None:
    for searching in ("go infinite", "go ponder", "go"):
        talk = Conversation()
        heard = talk.say(searching, late=[(3, "quit"), (4, "isready")])
        assert len(best_moves(heard)) == 1
        assert "readyok" not in heard


def test_a_hit_ponders_search_goes_on_by_the_clock() -> None:
    talk = Conversation()
    heard = talk.say("go ponder wtime 60000 btime 60000", late=[(3, "ponderhit")])
    assert len(best_moves(heard)) == 1
    assert talk.player.looks == 1
    (limits,) = talk.player.limits
    assert limits.clock is not None
    assert limits.clock.main == 59.9


def test_the_limits_are_those_of_go() -> None:
    talk = Conversation()
    talk.say(
        "setoption name Move Overhead value 100",
        "go nodes 7 movetime 300",
        "position startpos moves e2e4",
        "go wtime 1000 btime 4100 binc 2000",
        "go btime 4100 movestogo 5",
        "position startpos",
        "go searchmoves e2e4 d2d4",
    )
    nodes, clock, moves_to_go, searched = talk.player.limits
    assert (nodes.visits, nodes.playouts, nodes.seconds) == (7, 7, 0.2)
    assert clock.clock is not None
    assert (clock.clock.main, clock.clock.control.increment) == (4, 2)
    assert moves_to_go.clock is not None
    assert (moves_to_go.clock.period, moves_to_go.clock.stones) == (4, 5)
    assert len(searched.only) == 2


@pytest.mark.parametrize(
    ("go", "seconds"), [("movetime 1000", 0.9), ("movetime 120", 0.06), ("movetime 0", 0.001)]
)
def test_a_tenth_of_a_second_is_kept_back_by_default_but_never_most_of_the_time(
    go: str, seconds: float
) -> None:
    talk = Conversation()
    talk.say(f"go {go}", f"go wtime {go.split()[1]} btime 1")
    fixed, clock = talk.player.limits
    assert fixed.seconds == seconds
    assert clock.clock is not None
    assert clock.clock.main == seconds


def test_a_fixed_elo_is_a_level_until_it_is_let_go() -> None:
    talk = Conversation()
    talk.say("setoption name UCI_Elo value 700")
    assert talk.player.persona == "even"
    talk.say("setoption name uci_limitstrength value true")
    assert talk.player.persona == f"level:{ladder_elo(700):.0f}"
    talk.say("setoption name UCI_Elo value 900", "setoption name Persona value full")
    assert talk.player.persona == f"level:{ladder_elo(900):.0f}"
    talk.say("setoption name UCI_LimitStrength value false")
    assert talk.player.persona == "full"
    heard = talk.say("setoption name UCI_Elo value many", "setoption name Nothing value 1")
    assert "is not a number" in heard[0]
    assert "no option" in heard[1]


def test_an_elo_of_a_gui_is_that_of_stockfish_on_the_ladder() -> None:
    assert [ladder_elo(elo) for elo, _ in PLACES] == [place for _, place in PLACES]
    scale = [ladder_elo(elo) for elo in range(0, 4001, 50)]
    assert scale == sorted(scale)
    assert ladder_elo(675) == pytest.approx(ladder_elo(1350) / 2)
    beyond = ladder_elo(2400) - ladder_elo(2300)
    assert beyond == pytest.approx(ladder_elo(2200) - ladder_elo(2100))


def test_the_opponent_is_an_identity_with_a_prior() -> None:
    talk = Conversation()
    talk.say("setoption name UCI_Opponent value GM 2800 human Gary Kasparov")
    assert '"account": "Gary Kasparov"' in talk.player.opponent
    assert '"rating": 2800' in talk.player.opponent
    assert '"kind": "person"' in talk.player.opponent
    assert "rating" not in read_opponent("none none computer Shredder")
    assert '"kind": "program"' in read_opponent("none none computer Shredder")
    assert read_opponent("none 1500 human") == ""


def test_variations_and_wdl_are_shown_when_wanted() -> None:
    talk = Conversation()
    heard = talk.say("setoption name MultiPV value 3", "go")
    assert {line.split(" multipv ")[1][0] for line in heard if "multipv" in line} == set("123")
    heard = talk.say("setoption name UCI_ShowWDL value true", "go")
    assert all(re.search(r"score cp -?\d+ wdl \d+ \d+ \d+ ", line) for line in heard[:-1])


def test_a_score_has_the_centipawns_and_wdl_of_the_mover() -> None:
    line = AnalysisLine((0,), 0.5228, 0.0, 1, draw=0.0387)
    assert score(line, shows_wdl=False) == "cp 6"  # lc0's for Maia-1100 at the start
    assert score(line, shows_wdl=True) == "cp 6 wdl 503 39 458"
    for pawns, text in ((4.1, "cp 410"), (97.0, "mate 3"), (-95.0, "mate -5"), (127.8, "cp 12780")):
        assert score(AnalysisLine((0,), 1.0, 0.0, 1, pawns=pawns), shows_wdl=False) == text
    for win_rate, draw in ((1.0, 0.0), (0.0, 0.0), (0.5, 1.0)):
        numbers = score(AnalysisLine((0,), win_rate, 0.0, 1, draw=draw), shows_wdl=True).split()
        assert sum(map(int, numbers[3:])) == 1000


def test_castling_is_written_by_the_rook_in_chess960_alone() -> None:
    fen = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    talk = Conversation()
    talk.say(f"position {fen} moves e1g1")
    assert talk.player.position.move_number == 1
    talk.say("setoption name UCI_Chess960 value true", f"position {fen} moves e1h1")
    assert talk.player.position.move_number == 1


@pytest.mark.parametrize("line", [
    "position", "position here", "position fen x", "position startpos moves e2e5",
    "position startpos x", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
])  # fmt: skip
def test_an_impossible_position_changes_nothing(line: str) -> None:
    talk = Conversation()
    heard = talk.say("position startpos moves e2e4", line)
    assert len(heard) == 1
    assert heard[0].startswith("info string 'position' ignored")
    assert talk.player.position.move_number == 1


def test_words_that_are_no_limits_are_named() -> None:
    wanted, wrong = read_go("depth x searchmoves e2e4 ponder nodes 4".split())
    assert (wanted.moves, wanted.ponder, wanted.nodes, wrong) == (
        ("e2e4",),
        True,
        4,
        ["depth", "x"],
    )


def test_every_command_is_in_the_tests() -> None:
    assert {line.split()[0] for line in MOMENTS} >= COMMANDS.keys() - {"quit"}


def test_the_folders_of_tables_are_named_and_named_no_more() -> None:
    talk = Conversation()
    talk.say("setoption name SyzygyPath value /tables with blanks:/more")
    assert talk.player.tables == "/tables with blanks:/more"
    talk.say("setoption name SyzygyPath value <empty>")
    assert talk.player.tables == ""
