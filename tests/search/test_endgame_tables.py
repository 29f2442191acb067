"""Endgame tables: results under the rule of fifty moves, and their values in a search."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.errors import SettingError
from engine.games.chess_game import read_uci, write_uci
from engine.games.chess_position import ChessPosition
from engine.search.chess_aids import ChessAids, OpenAids, open_aids
from engine.search.endgame_tables import EndgameTables, TableMove
from engine.search.search import Search
from engine.values import Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot
from tests.support.stand_in_tables import tables_of

# White mates by Ra8; Kf6 lets the king out, Ra2 keeps the win, and the rook on g1 is lost.
HUNT = "6k1/8/6K1/8/8/8/8/R7 w - - {clock} 1"


def position_at(clock: int = 0) -> ChessPosition:
    return ChessPosition(HUNT.format(clock=clock))


def distances(position: ChessPosition, known: dict[str, int], otherwise: int) -> dict[str, int]:
    """The values of all positions one move later: the known ones by the move, others alike."""
    values = {}
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        text = " ".join(after.fen.split()[:4])
        values[text] = known.get(write_uci(move), otherwise)
    return values


def moves_at(clock: int, known: dict[str, int], otherwise: int) -> dict[str, TableMove]:
    position = position_at(clock)
    moves = tables_of(distances(position, known, otherwise)).moves(position)
    assert moves is not None
    return {write_uci(move): each for move, each in moves.items()}


def test_moves_have_the_result_and_the_half_moves_to_progress() -> None:
    moves = moves_at(0, {"a1a2": -15, "a1g1": 0, "g6f6": 7}, -20)
    assert moves["a1a8"] == TableMove(1, 1)  # a mate by the rules
    assert moves["a1a2"] == TableMove(1, 16)
    assert moves["a1g1"].result == 0
    assert moves["g6f6"].result == -1


@pytest.mark.parametrize(("clock", "result"), [(0, 1), (83, 1), (84, 0), (90, 0)])
def test_a_win_beyond_fifty_moves_is_a_draw(clock: int, result: int) -> None:
    assert moves_at(clock, {"a1a2": -15}, -30)["a1a2"].result == result


def test_a_value_that_fifty_moves_take_away_is_a_draw() -> None:
    assert moves_at(0, {"a1a2": -120}, -30)["a1a2"].result == 0


def test_positions_of_more_pieces_and_with_castling_are_unknown() -> None:
    tables = tables_of({})
    assert tables.most_pieces == 3
    for fen in ("6k1/8/6K1/8/8/8/8/RR6 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", HUNT):
        position = ChessPosition(fen.format(clock=0))
        assert tables.moves(position) is None
        assert tables.win_loss(position) is None


def test_a_position_has_a_value_after_progress_alone() -> None:
    known = {" ".join(position_at().fen.split()[:4]): 1}
    assert tables_of(known).win_loss(position_at()) == 1
    assert tables_of(known).win_loss(position_at(clock=1)) is None


def without_knowledge(slot: StandInSlot, row: int) -> None:
    slot.policy[row], slot.value[row] = 0.0, 0.0


def test_a_search_takes_the_exact_values_of_leaves() -> None:
    before = ChessPosition("6k1/8/6K1/8/8/8/1p6/8 b - - 0 1")
    search = Search(StandInEvaluator(without_knowledge, game="chess"), seed=1)
    after = before.copy()
    after.play(read_uci("b2b1r"))
    drawn_there = {" ".join(after.fen.split()[:4]): 0}
    search.aids = OpenAids(tables=tables_of(drawn_there))
    search.set_position(before)
    report = search.run(Limit(visits=60))
    drawn = next(stats for stats in report.moves if stats.move == read_uci("b2b1r"))
    assert (drawn.win_rate, drawn.no_result) == (0.5, 1.0)
    assert drawn.pv == (drawn.move,)  # nothing is searched behind it
    search.set_position(after, [read_uci("b2b1r")])
    assert search.run(Limit(visits=2)).root.visits >= 1  # it may become the root all the same


def test_folders_and_books_that_are_none_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no folder '/none' of endgame tables"):
        ChessAids(tables=f"{tmp_path}:/none").check()
    with pytest.raises(SettingError, match=r"no opening book '/none.bin'"):
        ChessAids(book="/none.bin").check()
    with pytest.raises(SettingError, match=rf"no Syzygy table .* in the folder '{tmp_path}'"):
        open_aids(ChessAids(tables=str(tmp_path)))
    with pytest.raises(SettingError, match="cannot read the folder '/none'"):
        EndgameTables.in_folders(["/none"])
    broken = tmp_path / "book.bin"
    broken.write_bytes(b"no book")
    with pytest.raises(SettingError, match=r"cannot read the opening book '.*book.bin'"):
        open_aids(ChessAids(book=str(broken)))
