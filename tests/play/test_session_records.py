"""Records of games: read, refused, written and loaded into a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.formats import sgf
from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from tests.support.sessions import session_of

GAME = (
    "(;GM[1]FF[4]SZ[5:7]KM[0.5]RU[japanese]AB[ba][bb:cc]AW[ee]PL[W];W[aa];B[]"
    "(;W[ab];AE[aa];B[tt])(;W[ac]))"
)


def test_records_are_read_with_their_setup() -> None:
    record = sgf.read(GAME.encode(), RULE_SETS["chinese"])
    assert (record.width, record.height, record.komi) == (5, 7, 0.5)
    assert record.rules == RULE_SETS["japanese"]
    assert record.moves == ((0, 35),)  # stones taken off begin the game anew
    assert (1, 0) not in record.setup
    early = sgf.read(GAME.encode(), RULE_SETS["chinese"], until=3)
    assert early.moves == ((1, 0), (0, 35))
    assert early.setup == ((0, 1), (0, 6), (0, 7), (0, 11), (0, 12), (1, 24))
    assert early.first_to_move == 1


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("", "SGF"),
        ("(;GM[1]SZ[9];B[aa", "SGF"),
        ("(;GM[2]SZ[9])", "GM"),
        ("(;GM[1]SZ[20])", "SZ"),
        ("(;GM[1]SZ[x])", "SZ"),
        ("(;GM[1]SZ[9];B[zz])", "zz"),
        ("(;GM[1]SZ[9];B[aa];W[aa])", "move 2"),
        ("(;GM[1]SZ[9]AB[aa:tt])", "tt"),
        ("(;GM[1]SZ[2]AB[aa][ab][ba][bb])", "setup"),
    ],
)
def test_records_that_cannot_be_played_are_refused(data: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        sgf.read(data.encode(), RULE_SETS["chinese"])


@pytest.mark.parametrize("first", [0, 1])
def test_a_game_written_is_read_the_same(first: int, tmp_path: Path) -> None:
    session = session_of()
    session.set_up([(0, 6), (0, 8)], to_move=first)
    for turn in range(6):
        session.genmove((first + turn) % 2)
    game_settings = GoSettings()
    record = sgf.SgfGame(
        5,
        5,
        game_settings.rules,
        game_settings.komi,
        session.game.setup,
        first,
        session.game.moves,
        "B+R",
    )
    assert sgf.read(sgf.write(record), RULE_SETS["chinese"]) == record
    session.load(record)
    assert session.game.moves == record.moves
