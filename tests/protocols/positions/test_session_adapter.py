"""The engine behind NBoard and UGI: games followed, limits kept, the tree kept where it can be."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.errors import SettingError
from engine.formats import transcript
from engine.games.clock import Clock, TimeControl
from engine.games.table import GAMES
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.opponents import StoredOpponent
from engine.opponents.opponent_store import OpponentName, TransientStore
from engine.search.search import Search
from engine.search.solver import SOLVERS
from protocols.positions.player import PositionAnalysis, ThinkingLimits
from protocols.positions.session_adapter import SessionAdapter
from protocols.rights import Rights
from protocols.ugi import fen
from tests.protocols.positions.test_exact import late
from tests.support.stand_in import StandInEvaluator, StandInSlot


def player(game: str = "othello") -> SessionAdapter:
    return SessionAdapter(Search(RolloutEvaluator(game, seed=1)), game)


def never() -> bool:
    return False


def ignore(_: PositionAnalysis) -> None:
    pass


@pytest.mark.parametrize(("game", "width", "height"), [("othello", 6, 6), ("connect4", 7, 6)])
def test_it_goes_wherever_it_is_told(game: str, width: int, height: int) -> None:
    rng = random.Random(4)
    start = GAMES[game].new_position(width, height)
    mind = player(game)
    moves: list[int] = []
    board = start.copy()
    while not board.is_over:
        moves.append(rng.choice(board.legal_moves()))
        board.play(moves[-1])
        mind.follow(start, moves)
        assert mind.position.is_same(board)
        assert mind.position.move_number == len(moves)
    assert mind.analyze(ThinkingLimits(visits=1), stop=never, on_analysis=ignore).lines == ()
    for length in (3, 0, 5, len(moves), 2):
        mind.follow(start, moves[:length])
        assert mind.position.move_number == length
    with pytest.raises(ValueError, match="illegal"):
        mind.follow(start, [moves[0], moves[0], moves[0], moves[0], moves[0], moves[0], moves[0]])


def test_boards_that_are_set_up_are_begun_from() -> None:
    mind = player()
    for text in ("8/8/8/3ox3/3xo3/8/8/8 o", "4/1xo1/1ox1/4 o", "xo6/8/8/8/8/8/8/8 o"):
        start = fen.read("othello", text)
        mind.follow(start, [])
        assert mind.position.is_same(start)
        assert mind.position.legal_moves() == start.legal_moves()


@pytest.mark.parametrize("game", ["othello", "connect4"])
def test_a_move_is_chosen_and_not_played(game: str) -> None:
    mind = player(game)
    told: list[PositionAnalysis] = []
    analysis = mind.choose(ThinkingLimits(visits=60), stop=never, on_analysis=told.append)
    assert mind.position.move_number == 0
    best = analysis.lines[0]
    board = mind.position.copy()
    for move in best.variation:
        board.play(move)
    assert analysis.nodes == 60
    assert 0 <= best.win_rate <= 1
    assert sum(line.visits for line in analysis.lines) <= 60


def test_the_tree_is_kept_as_the_game_goes_on() -> None:
    start = GAMES["othello"].new_position(8, 8)
    mind = player()
    mind.follow(start, [])
    analysis = mind.choose(ThinkingLimits(visits=300), stop=never, on_analysis=ignore)
    best = analysis.lines[0]
    mind.follow(start, best.variation[:1])
    kept = mind.analyze(ThinkingLimits(visits=1), stop=never, on_analysis=ignore)
    assert kept.nodes > 50
    mind.follow(start, [])
    assert mind.analyze(ThinkingLimits(visits=1), stop=never, on_analysis=ignore).nodes < 50


def test_thinking_ends_when_it_is_told_to() -> None:
    mind = player()
    analysis = mind.analyze(ThinkingLimits(), stop=lambda: True, on_analysis=ignore)
    assert analysis.lines
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    assert mind.choose(ThinkingLimits(visits=10**6), stop=stop, on_analysis=ignore).nodes < 10_000


def test_limits_of_time_are_kept() -> None:
    mind = player("connect4")
    for asked in (
        ThinkingLimits(seconds=0.05),
        ThinkingLimits(clock=Clock(TimeControl.fischer(0.3, 0.0), main=0.3)),
    ):
        assert mind.choose(asked, stop=never, on_analysis=ignore).seconds < 1.0
    assert mind.choose(ThinkingLimits(visits=40), stop=never, on_analysis=ignore).nodes >= 40


def test_a_look_at_a_late_position_is_exact() -> None:
    start = GAMES["connect4"].new_position(4, 4)
    mind = player("connect4")
    mind.follow(start, transcript.read("connect4", "11132332144", start))
    analysis = mind.analyze(
        ThinkingLimits(visits=1, exact_empties=5), stop=never, on_analysis=ignore
    )
    assert [line.is_exact for line in analysis.lines] == [True] * len(analysis.lines)
    assert analysis.lines[0].score == 0


def test_what_the_search_proves_is_exact() -> None:
    position = late("othello", 10, 3)
    mind = player()
    mind.follow(position, [])
    best = mind.choose(ThinkingLimits(visits=5000), stop=never, on_analysis=ignore).lines[0]
    assert best.is_exact
    assert best.score == SOLVERS["othello"](16).solve(position).score


def test_what_a_draw_is_worth_changes_what_is_thought() -> None:
    start = GAMES["connect4"].new_position(4, 4)
    moves = transcript.read("connect4", "11132332144", start)  # best play of both ends in a draw
    rates = []
    for share in (0.0, 0.5, 1.0):
        mind = player("connect4")
        mind.set_draw_value(share)
        mind.follow(start, moves)
        assert mind.position.to_move == 1
        rates.append(
            mind.analyze(ThinkingLimits(visits=300), stop=never, on_analysis=ignore)
            .lines[0]
            .win_rate
        )
    assert rates[0] > 0.9
    assert rates[1] == pytest.approx(0.5, abs=0.05)
    assert rates[2] < 0.1


def test_an_opponents_game_is_noted_as_the_client_tells_it() -> None:
    memory, ann = TransientStore(), OpponentName("Ann")
    mind = SessionAdapter(
        Search(RolloutEvaluator("connect4", seed=1)),
        "connect4",
        opponent_named=lambda name: StoredOpponent(memory, OpponentName(name)),
    )
    mind.set_persona("level:100")
    mind.meet("Ann")
    start = GAMES["connect4"].new_position(7, 6)
    moves: list[int] = []
    for reply in (3, 2):
        analysis = mind.choose(ThinkingLimits(visits=4), stop=never, on_analysis=ignore)
        moves += [analysis.lines[0].variation[0], reply]
        mind.follow(start, moves)
    ((_, game),) = memory.unfinished(ann)
    assert [move for _, move in game.moves] == moves
    assert [bool(reason) for reason in game.reasons] == [True, False, True, False]
    assert (game.color, game.persona) == (0, "level:100")
    mind.finish(0, "R")
    mind.meet("Bob")  # who has nothing to do with what came before
    assert not memory.unfinished(ann)
    known = memory.recall(ann, game.board)
    assert known is not None
    assert known.games == 1
    assert memory.recall(OpponentName("Bob"), game.board) is None


def test_tables_of_chess_are_named_by_a_user_of_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    search = Search(StandInEvaluator(by_nothing, game="chess"), seed=1)
    guest = SessionAdapter(search, "chess")
    with pytest.raises(SettingError, match="files are not open"):
        guest.set_tables(str(tmp_path))
    mind = SessionAdapter(search, "chess", rights=Rights(is_user=True))
    with pytest.raises(SettingError, match=rf"no Syzygy table .* '{tmp_path}'"):
        mind.set_tables(str(tmp_path))
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        (tmp_path / name).touch()
    mind.set_tables(str(tmp_path))
    assert search.aids.tables is not None
    assert search.aids.tables.most_pieces == 3
    assert mind.analyze(ThinkingLimits(visits=3), stop=never, on_analysis=ignore).lines
    mind.set_tables("")
    assert search.aids.tables is None


def by_nothing(slot: StandInSlot, row: int) -> None:
    slot.policy[row], slot.value[row] = 0.0, 0.0
