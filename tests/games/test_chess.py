"""Chess by python-chess behind the interface of positions, against lc0's planes and perft."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engine.errors import SettingError
from engine.games import chess_game
from engine.games.chess_game import MOVES, read_uci, write_uci
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.game_settings import PlainSettings
from engine.games.table import GAMES, Board
from tests.conftest import SHARED_DATA

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.games.chess_position import ChessPosition

REFERENCE = SHARED_DATA / "maia" / "reference.json"
# Leaves of the tree of moves: https://www.chessprogramming.org/Perft_Results
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", [46, 2079]),
]
SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def perft(position: ChessPosition, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        count += perft(after, depth - 1)
    return count


def after(moves: str, start: ChessPosition | None = None) -> ChessPosition:
    position = start or ChessPosition()
    for word in moves.split():
        position.play(position.read_move(word))
    return position


@pytest.mark.parametrize(("fen", "leaves"), PERFT)
def test_the_tree_of_moves_has_the_known_leaves(fen: str, leaves: list[int]) -> None:
    position = ChessPosition(fen)
    assert [perft(position, depth) for depth in range(1, len(leaves) + 1)] == leaves
    assert position.fen == fen


@pytest.fixture(scope="module")
def reference() -> Any:
    if not REFERENCE.exists():
        pytest.skip("needs Maia's reference in ../shared/data/maia")
    return json.loads(REFERENCE.read_text())["positions"]


def test_the_planes_and_the_policys_order_are_lc0s(reference: Any) -> None:
    for entry in reference:
        position = after(" ".join(entry["moves"]), ChessPosition(entry["start_fen"]))
        assert position.fen == entry["fen"]
        expected = np.zeros((112, 64), np.uint8)
        for index, mask, value in entry["planes"]:
            expected[index] = [int(value) * (int(mask, 16) >> at & 1) for at in range(64)]
        planes, globals_ = position.features()
        np.testing.assert_array_equal(planes.reshape(112, 64), expected, entry["name"])
        assert globals_.tolist() == [0]
        indices = position.policy_indices()
        found = {MOVES[move]: int(indices[move]) for move in position.legal_moves()}
        assert found == entry["policy_index"]
        assert (indices >= 0).sum() == len(found)


def test_every_move_of_uci_has_its_number() -> None:
    assert len(MOVES) == len(set(MOVES)) == GAMES["chess"].move_count(8, 8) == 1968
    assert all(read_uci(write_uci(move)) == move for move in range(len(MOVES)))
    assert write_uci(read_uci(" E7E8Q ")) == "e7e8q"
    for text in ("e2e5e", "a1b4", "Nf3", "e7e8k", "e6e7q", ""):
        with pytest.raises(ValueError, match="is not a move"):
            read_uci(text)


def test_moves_are_read_in_both_notations() -> None:
    position = after("e4 e5 Nf3 Nc6 Bc4 Bc5")
    castling = read_uci("e1g1")
    assert [position.read_move(text) for text in ("O-O", "e1g1", "e1h1")] == [castling] * 3
    assert position.san(castling) == "O-O"
    for text in ("e1c1", "Ke3", "x"):
        with pytest.raises(ValueError, match="not a legal move"):
            position.read_move(text)


def test_mate_stalemate_and_dead_positions_end_the_game() -> None:
    mate = after(SCHOLARS_MATE)
    assert (mate.is_over, mate.winner, mate.black_score, mate.legal_moves()) == (True, 0, 1.0, [])
    stalemate = ChessPosition("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (stalemate.is_over, stalemate.winner) == (True, -1)
    assert ChessPosition("8/8/4k3/8/8/3KB3/8/8 w - - 0 1").is_over
    black_wins = after("f3 e5 g4 Qh4")
    assert (black_wins.winner, black_wins.black_score) == (1, -1.0)


def test_the_third_occurrence_and_fifty_moves_are_draws() -> None:
    there_and_back = " Nf3 Nf6 Ng1 Ng8"
    position = after(there_and_back)
    assert (position.is_repeated, position.is_over) == (True, False)
    position = after(there_and_back, position)
    assert (position.is_over, position.winner, position.legal_moves()) == (True, -1, [])
    # A server may play on: the move is legal.
    assert position.is_legal(read_uci("e2e4"))
    assert not ChessPosition("8/5k2/8/8/3R4/8/5K2/8 w - - 99 120").is_over
    assert after("Rd5", ChessPosition("8/5k2/8/8/3R4/8/5K2/8 w - - 99 120")).is_over


def test_a_right_that_is_lost_makes_another_position() -> None:
    """The rook that has moved takes the right to castle with it."""
    start = ChessPosition("r3k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert not after("Rg1 Ra7 Rh1 Ra8", start).is_repeated


def test_chess960_castles_by_the_rook_and_keeps_its_rights() -> None:
    fen = "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq - 0 1"
    position = ChessPosition(fen, chess960=True)
    assert position.is_chess960
    moves = "g1f3 g8f6 g2g3 g7g6 h1g2 h8g7 e2e3 e7e6 e1e2 e8e7"
    position = after(moves, position)
    assert "d1f1" in {MOVES[move] for move in position.legal_moves()}
    assert position.policy_indices()[read_uci("d1f1")] >= 0
    rebuilt = ChessPosition()
    rebuilt.setup(position.placed, position.to_move)
    assert (rebuilt.fen, rebuilt.is_chess960) == (position.fen, True)
    position.play(read_uci("d1f1"))
    assert position.fen.split()[0].endswith("/BNR2RK1")


def test_a_position_is_set_up_whole_or_not_at_all() -> None:
    position = after("e4 a6 e5 d5")
    rebuilt = ChessPosition()
    rebuilt.setup(position.placed, position.to_move)
    assert rebuilt.fen == position.fen
    assert "e5d6" in {MOVES[move] for move in rebuilt.legal_moves()}
    for stones in ([], [(5, 60)], [(5, 60), (11, 60)], [(5, 60), (11, 4), (99, 0)], [(0, 64)]):
        with pytest.raises(ValueError, match=r"chess|pieces"):
            rebuilt.setup(stones, 0)
        assert rebuilt.fen == position.fen
    with pytest.raises(ValueError, match="not a possible position"):
        ChessPosition("8/8/8/8/8/8/8/8 w - - 0 1")


def test_a_copy_is_independent() -> None:
    position = after("e4 e5")
    copy = position.copy()
    copy.play(read_uci("g1f3"))
    assert position.move_number == 2
    assert (copy.to_move, position.to_move) == (1, 0)
    assert not copy.is_same(position)
    assert position.is_same(after("e4 e5"))
    assert position.network_hash != after("e3 e6 e4 e5").network_hash


def test_a_game_is_played_undone_and_kept_as_a_record() -> None:
    game = Game.new(PlainSettings("chess"))
    for number, word in enumerate(SCHOLARS_MATE.split()):
        game = game.play(number % 2, read_uci(word))
    assert (game.is_ended, game.is_final) == (True, True)
    assert not game.undo().is_ended
    start = after("e4 a6 e5 d5")
    record = GameRecord.from_start(PlainSettings("chess"), start, [read_uci("e5d6")])
    assert record.beginning().is_same(record.beginning())
    assert record.position().stones[2, 3] == 1
    assert record.beginning().legal_moves() == start.legal_moves()


def test_without_python_chess_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chess_game, "find_spec", lambda _name: None)
    with pytest.raises(SettingError, match=r"GPL.*install sparring\[chess\]"):
        Board("chess", 8, 8).start()


def test_the_hashes_tell_a_piece_on_the_last_rank_from_one_on_the_first() -> None:
    first = ChessPosition("8/1k6/8/8/8/8/8/R3K3 w - - 0 1")
    last = ChessPosition("5R2/1k6/8/8/8/8/8/4K3 w - - 0 1")
    assert first.hash != last.hash
    assert first.graph_hash != last.graph_hash
    assert first.network_hash != last.network_hash
