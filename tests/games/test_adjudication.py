"""Adjudication of Othello and Connect4: turns, the end, the score."""

from __future__ import annotations

import pytest

from engine.errors import GameOverError, IllegalMoveError
from engine.games.adjudication import ADJUDICATIONS
from engine.games.game_settings import usual_settings
from engine.games.position import Position
from engine.games.table import GAMES
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import ReportOptions, Search
from engine.values import Limit, Report

BOARDS = [("othello", (4, 4)), ("othello", (6, 6)), ("connect4", (7, 6)), ("connect4", (5, 4))]


def session_of(game: str, size: tuple[int, int]) -> Session:
    settings = SessionSettings(budget=Budget(max_visits=12))
    session = Session(Search(RolloutEvaluator(game)), settings, game_settings=usual_settings(game))
    session.start_over(size)
    return session


def test_every_game_has_an_adjudication() -> None:
    assert ADJUDICATIONS.keys() == GAMES.keys()


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_a_game_is_played_to_its_end_and_back(game: str, size: tuple[int, int]) -> None:
    session = session_of(game, size)
    hashes = []
    while not session.game.position.is_over:
        hashes.append(session.game.position.graph_hash)
        color = session.game.position.to_move
        choice = session.genmove(color)
        assert choice.move is not None  # no resignation
        assert session.game.moves[-1] == (color, choice.move)
    assert session.final_status().black_score == session.game.position.black_score
    assert not session.final_status().dead.any()
    with pytest.raises(GameOverError):
        session.genmove(session.game.position.to_move)
    session.analyze(0, stop=lambda: False, on_report=lambda _: None, report_every_seconds=1)
    session.ponder(stop=lambda: False)
    for before in reversed(hashes):
        session.undo()
        assert session.game.position.graph_hash == before


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_players_must_take_turns(game: str, size: tuple[int, int]) -> None:
    session = session_of(game, size)
    move = session.game.position.legal_moves()[0]
    for wrong in (
        lambda: session.play(1, move),
        lambda: session.genmove(1),
        lambda: session.genmove(1, play=False),
    ):
        with pytest.raises(IllegalMoveError, match="wrong color"):
            wrong()
    assert session.game.moves == ()
    session.play(0, move)
    with pytest.raises(IllegalMoveError, match="wrong color"):
        session.play(0, session.game.position.legal_moves()[0])


def test_a_forced_pass_need_not_be_named() -> None:
    session = session_of("othello", (4, 4))
    for color, move in [(0, 14), (1, 13), (0, 4), (1, 15)]:
        session.play(color, move)
    assert session.genmove(1, play=False).move in {0, 1, 2, 3, 8, 11, 7}
    assert session.game.position.to_move == 0
    with pytest.raises(IllegalMoveError):
        session.play(1, 5)
    assert session.game.position.to_move == 0
    session.genmove(1)
    assert [color for color, _ in session.game.moves[-2:]] == [0, 1]
    session.undo()
    assert len(session.game.moves) == 4
    assert session.genmove(0).reason == "This is the only move."


def report_with(lead: float, to_move: int) -> Report:
    search = Search(RolloutEvaluator("othello"))
    session = session_of("othello", (8, 8))
    search.set_position(session.game.position)
    report = search.run(Limit(visits=2), options=ReportOptions())
    root = report.root.__class__(
        **{name: getattr(report.root, name) for name in report.root.__dataclass_fields__}
        | {"score_lead": lead, "to_move": to_move}
    )
    return Report(root, report.moves, report.policy, report.seconds, report.playouts)


@pytest.mark.parametrize(
    ("game", "lead", "to_move", "score"),
    [
        ("othello", 6.8, 0, 6),
        ("othello", 7.2, 0, 8),
        ("othello", 7.2, 1, -8),
        ("othello", 0.9, 0, 0),
        ("connect4", 3.4, 0, 3),
        ("connect4", 3.4, 1, -3),
    ],
)
def test_an_unfinished_game_is_estimated_by_a_possible_score(
    game: str, lead: float, to_move: int, score: float
) -> None:
    position: Position = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    status = ADJUDICATIONS[game].judge(position, lambda _, _visits: report_with(lead, to_move))
    assert status.black_score == score
    assert (status.alive == (position.stones != 0)).all()


def test_the_tree_follows_a_game() -> None:
    session = session_of("othello", (6, 6))
    session.change_settings(SessionSettings(budget=Budget(max_visits=300)))
    session.genmove(0)
    search = session.search
    session.ponder(stop=lambda: search.visits >= 40)
    assert search.visits >= 40
