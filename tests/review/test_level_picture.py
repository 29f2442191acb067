"""The picture of an even game, from the record of a match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.match.game_spec import GameSpec
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement
from engine.review.level_picture import has_levels, level_picture
from engine.review.measuring import measured
from engine.review.played import of_row
from engine.review.review import Reviewed

ROW: dict[str, Any] = {
    "opening": ["d4"],
    "handicap": [],
    "moves": ["d5", "e4", "e5", "f4"],
    "winner": 0,
    "black": 0,
    "how": "score",
    "result": "B+2",
}


def reviewed(**fields: object) -> Reviewed:
    played = of_row(GameSpec("go", 7, 7), ROW | fields)
    opinion = GameJudgement((0.5,) * 5, (0.0, 1.0, 2.0, 1.0, 2.0), None, (0.5,) * 4)
    game = ReviewedGame("a.jsonl game 0", played, ("even", "gnugo"), "B+2")
    return Reviewed(game, opinion, measured(played, opinion), "go-human", "go")


def test_the_lead_and_the_levels_are_drawn_over_the_moves() -> None:
    pytest.importorskip("matplotlib")
    one = reviewed(levels=[None, 400.0, None, 500.5])
    assert has_levels(one)
    above, below = level_picture(one).axes
    leads = np.asarray(above.lines[0].get_xydata()).tolist()
    assert leads == [[1, 0], [2, 1], [3, 2], [4, 1], [5, 2]]
    assert np.asarray(below.lines[0].get_xydata()).tolist() == [[3, 400], [5, 500.5]]
    assert below.lines[0].get_label() == "even"
    assert above.get_ylabel() == "Black's lead in points"
    (ranks,) = below.child_axes
    assert [text.get_text() for text in ranks.get_yticklabels()][:2] == ["20k", "15k"]


def test_a_record_without_levels_has_no_such_picture() -> None:
    assert not has_levels(reviewed())
    assert not has_levels(reviewed(levels=[None] * 4))
