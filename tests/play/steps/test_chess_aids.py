"""Moves of chess by an opening book and by endgame tables."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

import chess

from engine.games.chess_game import read_uci, write_uci
from engine.games.chess_position import ChessPosition
from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.level import BEST_FEW, choose_by
from engine.play.steps.request import MoveRequest
from engine.play.steps.tables import won_by_tables
from engine.search.chess_aids import OpenAids
from engine.search.endgame_tables import TableMove
from engine.search.engine_lines import EngineLine
from engine.search.external_engine import MOST_LINES, EngineLimit, ExternalEngine
from engine.search.opening_book import OpeningBook
from engine.search.search import Restriction, Search
from engine.strength.level import Level
from engine.values import Choice, Limit
from tests.search.test_endgame_tables import distances, without_knowledge
from tests.search.test_opening_book import write_book
from tests.support.stand_in import StandInEvaluator, StandInSlot
from tests.support.stand_in_tables import tables_of

OPEN = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1"
LOST = "8/8/8/3k4/8/8/8/r3K3 w - - 0 1"


def choice_of(
    position: Position,
    aids: OpenAids,
    *,
    persona: str = "full",
    seed: int = 1,
    restriction: Restriction | None = None,
) -> Choice:
    search = Search(StandInEvaluator(without_knowledge, game="chess"), seed=seed, aids=aids)
    search.set_position(position)
    request = MoveRequest(
        position,
        Limit(visits=12),
        "chess",
        persona=make_persona(persona, "chess"),
        rng=np.random.default_rng(seed),
        restriction=restriction,
    )
    return choose(search, request)


@pytest.mark.parametrize(
    ("fen", "known", "otherwise", "word", "reason"),
    [
        (OPEN, {"a1a4": -11, "e1d2": -13}, -17, "a1a4", "wins"),
        (OPEN, {"a1a4": 0}, 9, "a1a4", "draws"),
        (LOST, {"e1e2": 21, "e1d2": 11}, 11, "e1e2", "loses"),
    ],
)
def test_full_strength_plays_by_the_tables(
    fen: str, known: dict[str, int], otherwise: int, word: str, reason: str
) -> None:
    position = ChessPosition(fen)
    tables = tables_of(distances(position, known, otherwise))
    choice = choice_of(position, OpenAids(tables=tables))
    assert choice.move == read_uci(word)
    assert choice.reason == f"The endgame tables know that it {reason}."
    assert choice.report is not None
    rates = {"wins": 1.0, "loses": 0.0}
    assert choice.report.root.win_rate == pytest.approx(rates.get(reason, 0.5))
    assert reason == "draws" or all(each.move == choice.move for each in choice.report.moves)


def test_a_person_far_ahead_plays_moves_that_keep_the_win() -> None:
    position = ChessPosition(OPEN)
    winning = {"a1a4": -11, "e1d2": -13, "e1e2": -13}
    tables = tables_of(distances(position, winning, 0))
    aids = OpenAids(tables=tables)
    moves = {choice_of(position, aids, persona="human", seed=seed).move for seed in range(12)}
    assert {write_uci(move) for move in moves if move is not None} <= set(winning)


def test_a_longer_way_is_less_likely_and_a_lost_win_impossible() -> None:
    known = {1: TableMove(1, 5), 2: TableMove(1, 7), 3: TableMove(0, 1)}
    shares = won_by_tables(known, np.array([1, 2, 3]), np.array([0.1, 0.4, 0.5]))
    assert shares is not None
    assert shares[2] == 0.0
    assert shares[1] / shares[0] == pytest.approx(4 * np.exp(-2))
    assert won_by_tables({3: TableMove(0, 1)}, np.array([3]), np.array([1.0])) is None
    assert won_by_tables({}, np.array([3]), np.array([1.0])) is None


def test_full_strength_opens_by_the_weights_of_the_book(tmp_path: Path) -> None:
    start = chess.STARTING_FEN
    rows = [(start, "e2e4", 3), (start, "d2d4", 1)]
    aids = OpenAids(book=OpeningBook(write_book(tmp_path / "book.bin", rows)))
    words = []
    for seed in range(60):
        choice = choice_of(ChessPosition(), aids, seed=seed)
        assert choice.move is not None
        words.append(write_uci(choice.move))
        assert choice.reason.startswith("The opening book has this move with a weight of ")
    assert set(words) == {"e2e4", "d2d4"}
    assert words.count("e2e4") > words.count("d2d4")


def test_a_forbidden_move_of_the_book_is_not_played(tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", [(chess.STARTING_FEN, "e2e4", 3)])
    until = np.zeros(ChessPosition.move_count, np.intp)
    until[read_uci("e2e4")] = 1
    aids = OpenAids(book=OpeningBook(path))
    forbidden = Restriction(black=until.tolist())
    choice = choice_of(ChessPosition(), aids, restriction=forbidden)
    assert choice.move != read_uci("e2e4")
    assert "book" not in choice.reason


def test_levels_of_people_open_by_themselves(tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", [(chess.STARTING_FEN, "a2a3", 1)])
    aids = OpenAids(book=OpeningBook(path))
    moves = {choice_of(ChessPosition(), aids, persona="human", seed=seed).move for seed in range(6)}
    assert len(moves) > 1


class NotedEngine:
    """Another engine that notes the limits of its searches, and has no values."""

    is_lost = False

    def __init__(self) -> None:
        self.limits: list[EngineLimit] = []

    def search(
        self, _position: ChessPosition, limit: EngineLimit, *_rest: object
    ) -> tuple[EngineLine, ...]:
        self.limits.append(limit)
        return ()


def limits_of(level: Level) -> list[EngineLimit]:
    """The limits of another engine's searches for one move of a level from the start."""
    engine = NotedEngine()
    position: Position = ChessPosition()
    aids = OpenAids(engine=cast("ExternalEngine", engine))
    search = Search(StandInEvaluator(few_likely, game="chess"), seed=1, aids=aids)
    search.set_position(position)
    people = HumanPolicy(StandInEvaluator(few_likely, game="chess"))
    request = MoveRequest(position, Limit(), "chess", reference=people)
    choose_by(level, search, request)
    return engine.limits


def few_likely(slot: StandInSlot, row: int) -> None:
    """Three moves of the start position are likely."""
    without_knowledge(slot, row)
    slot.policy[row] = -9.0
    for word in ("e2e4", "d2d4", "g1f3"):
        slot.policy[row, ChessPosition().policy_indices()[read_uci(word)]] = 0.0


def test_another_engine_values_the_moves_that_a_level_may_draw() -> None:
    people = Level(visits=8, rating=1500.0, restraint=3.0, floor=0.05)
    (limit,) = limits_of(people)
    assert set(limit.moves) == {"e2e4", "d2d4", "g1f3"}
    (limit,) = limits_of(Level(visits=8, index=1.0, floor=0.05))
    assert limit.moves == ()


def test_another_engine_works_out_few_lines_for_a_level_that_takes_the_best() -> None:
    (limit,) = limits_of(Level(visits=8, index=10.0))
    assert limit.lines == BEST_FEW.lines
    (limit,) = limits_of(Level(visits=8, index=1.0))
    assert limit.lines == MOST_LINES
