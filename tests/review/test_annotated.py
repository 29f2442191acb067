"""Annotated SGF of reviewed games."""

from __future__ import annotations

from sgfmill import sgf as sgfmill_sgf

from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings, PlainSettings
from engine.games.ranks import parse_rank
from engine.games.rules import RULE_SETS
from engine.review.advice import PositionAdvice
from engine.review.annotated import annotated_sgf
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement
from engine.review.lessons import lessons_of
from engine.review.measuring import measured
from engine.review.played import ReplayedGame
from engine.review.review import Review, Reviewed

GO = GoSettings(RULE_SETS["japanese"], 6.5)
RANK = parse_rank("5k")


def reviewed(best: int) -> Reviewed:
    """A game of two moves; the first one is a blunder, and the point `best` is better."""
    record = GameRecord(GO, 9, 9, moves=((0, 40), (1, 30)))
    played = ReplayedGame(record, ranks=(RANK, RANK))
    advice = PositionAdvice((best, 41, 42), {best: 0.0}, 10.0, 60.0, ((best, 0.5), (20, 0.2)), 0.01)
    judgement = GameJudgement(
        [0.5] * 3, [0.0, -12.0, -12.0], None, [0.5, 0.5],
        advice_by_move=[advice, PositionAdvice((30,))],
    )  # fmt: skip
    measure = measured(played, judgement)
    game = ReviewedGame("a", played, ("Ann", "Bob"), "W+R", ("5k", "5k"), (("DT", "2024-05-06"),))
    lessons = lessons_of(played, judgement, measure.moves)
    return Reviewed(game, judgement, measure, "go-human", "go", lessons)


def test_a_bad_move_has_a_mark_letters_a_triangle_and_the_better_line() -> None:
    data = annotated_sgf(Review([reviewed(50)], [], 100))
    game = sgfmill_sgf.Sgf_game.from_bytes(data)
    root = game.get_root()
    assert root.get("C").splitlines() == [
        "Reviewed by Sparring, network go.",
        "Ann 5k: 1 blunder.",
        "The worst moves first: 1 (E5).",
        "Bob 5k: no marked move.",
    ]
    assert (root.get("DT"), root.get("RE"), root.get("BR")) == ("2024-05-06", "W+R", "5k")
    bad, better = root
    assert (bad.get("BM"), bad.get("V"), bad.get("TR")) == (2, -12.0, {(4, 4)})
    assert dict(bad.get("LB")) == {(3, 5): "A", (6, 2): "B"}
    comment = bad.get("C")
    assert comment.startswith("Blunder: E5 loses 12.0 points; ")
    assert comment.endswith("A marks the better move, the other letters those of people.")
    assert better.get_move() == ("b", (3, 5))
    assert [node.get_move() for node in (better[0], better[0][0])] == [("w", (4, 5)), ("b", (4, 6))]


def test_a_pass_as_the_better_move_has_no_letter() -> None:
    data = annotated_sgf(Review([reviewed(81)], [], 100))
    bad, better = sgfmill_sgf.Sgf_game.from_bytes(data).get_root()
    assert dict(bad.get("LB")) == {(6, 2): "A"}
    assert "A marks" not in bad.get("C")
    assert better.get_move() == ("b", None)


def test_other_games_are_left_out() -> None:
    record = GameRecord(PlainSettings("connect4"), 7, 6, moves=((0, 3),))
    played = ReplayedGame(record)
    judgement = GameJudgement([0.5, 0.5], [0.0, 0.0], None, [0.5])
    measure = measured(played, judgement)
    other = Reviewed(ReviewedGame("b", played, ("A", "B")), judgement, measure, "r", "j")
    assert annotated_sgf(Review([other], [], 1)) == b""
    both = annotated_sgf(Review([reviewed(50), other, reviewed(50)], [], 1))
    assert both.count(b"(;FF[4]") == 2
