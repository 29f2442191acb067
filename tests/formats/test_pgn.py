"""Games of chess as PGN: read, written, and read again."""

from __future__ import annotations

import pytest

from engine.errors import RecordError
from engine.games.chess_game import read_uci
from engine.games.game import Game
from engine.games.game_settings import PlainSettings

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.formats import pgn

MATE = """[Event "A game"]
[White "Ann"]
[Black "Bee"]
[Result "1-0"]

1. e4 e5 2. Qh5 {early} Nc6 (2... g6) 3. Bc4 Nf6?? 4. Qxf7# 1-0
"""
FROM_FEN = """[FEN "4k3/8/8/8/8/8/8/4K2R b K - 0 9"]
[SetUp "1"]

9... Kd7 10. O-O *
"""
CHESS960 = """[Variant "Chess960"]
[SetUp "1"]
[FEN "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1"]

1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. e3 e6 5. Qe2 Qe7 6. O-O *
"""


def test_a_game_is_read_with_its_tags_and_its_moves() -> None:
    (game,) = pgn.read(MATE)
    assert game.tags["White"] == "Ann"
    assert game.result == "1-0"
    assert game.moves[0] == (0, read_uci("e2e4"))
    assert game.moves[-1] == (0, read_uci("h5f7"))
    assert len(game.moves) == 7
    loaded = Game.new(PlainSettings("chess")).load(game)
    assert (loaded.is_ended, loaded.position.winner) == (True, 0)


def test_another_start_is_the_setup() -> None:
    (game,) = pgn.read(FROM_FEN)
    assert game.first_to_move == 1
    loaded = Game.new(PlainSettings("chess")).load(game)
    assert [color for color, _ in loaded.moves] == [1, 0]
    assert loaded.position.stones[7, 6] == 1  # the king on g1


def test_chess960_castles_onto_the_rook() -> None:
    (game,) = pgn.read(CHESS960)
    assert game.start.is_chess960
    assert game.moves[-1] == (0, read_uci("d1f1"))
    loaded = Game.new(PlainSettings("chess")).load(game)
    assert loaded.position.stones[7, 6] == 1


@pytest.mark.parametrize("text", [MATE, FROM_FEN, CHESS960, MATE + "\n" + FROM_FEN])
def test_what_is_written_is_read_again(text: str) -> None:
    games = pgn.read(text)
    again = pgn.read(pgn.write(games))
    assert [game.played for game in again] == [game.played for game in games]
    assert [game.start.fen for game in again] == [game.start.fen for game in games]
    assert [game.result for game in again] == [game.result for game in games]
    assert "Qxf7#" in pgn.write(games) or text is not MATE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no game"),
        ("nothing of the kind", "no game"),
        ("1. e4 e5 2. Ke5 *", "illegal"),
        ('[Variant "Atomic"]\n\n1. e4 *', "Atomic"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n*', "not a possible position"),
        ('[Variant "Quidditch"]\n\n1. e4 *', "Quidditch"),
    ],
)
def test_faults_are_told_in_words(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        pgn.read(text)
