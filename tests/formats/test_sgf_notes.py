"""Annotated SGF: its nodes, and its reading by sgfmill."""

from __future__ import annotations

from sgfmill import sgf as sgfmill_sgf

from engine.formats import sgf
from engine.formats.sgf import SgfGame
from engine.formats.sgf_notes import MoveNote, Variation, write_annotated
from engine.games.rules import RULE_SETS

RULES = RULE_SETS["japanese"]
GAME = SgfGame(
    9, 9, RULES, 6.5, (), 0, ((0, 40), (1, 30), (0, 81), (1, 31)), "W+R",
    ("Ann", "Bob"), ("5k", "3d"), (("DT", "2024-01-02"), ("PC", "a \\ [b]")),
)  # fmt: skip


def test_marks_comments_and_variations_are_those_of_the_notes() -> None:
    notes = {
        1: MoveNote(
            "D6 is [bad]: really\\truly.",
            {"BM": "2", "V": "-3.5"},
            ((50, "A"), (51, "B")),
            (30,),
            (Variation(((1, 50), (0, 51)), "better"), Variation(((1, 52),))),
        ),
        2: MoveNote("a pass", {"DO": ""}),
    }
    data = write_annotated(GAME, "all of it", notes)
    game = sgfmill_sgf.Sgf_game.from_bytes(data)
    root, first = game.get_root(), game.get_main_sequence()[1]
    assert root.get("C") == "all of it"
    assert [root.get(name) for name in ("PB", "BR", "PW", "WR", "DT", "PC")] == [
        "Ann", "5k", "Bob", "3d", "2024-01-02", "a \\ [b]",
    ]  # fmt: skip
    own, better, other = list(first)
    assert [node.get_move() for node in (own, better, other)] == [
        ("w", (5, 3)), ("w", (3, 5)), ("w", (3, 7)),
    ]  # fmt: skip
    assert own.get("C") == "D6 is [bad]: really\\truly."
    assert (own.get("BM"), own.get("V")) == (2, -3.5)
    assert sorted(own.get("LB")) == [((3, 5), "A"), ((3, 6), "B")]
    assert own.get("TR") == {(5, 3)}
    assert (better.get("C"), better[0].get_move()) == ("better", ("b", (3, 6)))
    assert own[0].get("DO") is not None
    assert own[0].get_move() == ("b", None)


def test_the_main_line_is_the_game() -> None:
    notes = {index: MoveNote(variations=(Variation(((0, 3),)),)) for index in (0, 3)}
    read = sgf.read(write_annotated(GAME, "", notes), RULES)
    assert (read.moves, read.names, read.ranks) == (GAME.moves, GAME.names, GAME.ranks)
    assert read.information == GAME.information
    assert sgf.read(sgf.write(GAME), RULES) == read
