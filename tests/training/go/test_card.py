"""Go's card tells what happened in words, the table board by board."""

from __future__ import annotations

from dataclasses import replace

from engine.training.go.card import Run, card_of
from engine.training.go.exam import Grades
from engine.training.go.student import Totals, shape_of

ERRORS = {
    "policy_kl": 0.25,
    "same_move": 0.625,
    "win_rate": 0.05,
    "lead": 1.5,
    "score_stdev": 0.75,
    "ownership": 0.125,
}
RUN = Run(
    name="sparring-go-b7c96",
    shape=shape_of(7, 96),
    parameters=1234567,
    totals=Totals().plus(600, 1_000_000, 2_000).plus(300, 500_000, 1_000),
    teacher="g170-b6c96",
    device="a CPU",
    orientations=2,
    grades=Grades({"9x9": ERRORS}, 0.45),
    teacher_grades=Grades({"9x9": dict.fromkeys(ERRORS, 0.0)}, 0.5),
)


def test_a_card_tells_how_the_network_was_made_and_what_it_scored() -> None:
    card = card_of(RUN).text()
    assert card.startswith("# sparring-go-b7c96\n")
    assert "7 residual blocks of 96 channels" in card
    assert "1,234,567 parameters" in card
    assert "1,500,000 positions" in card
    assert "3,000 batches, 15 minutes on a CPU" in card
    assert "| 9x9 | 0.250 (0.000) | 0.625 (0.000) |" in card
    assert "in 45.0% of positions (the teacher's in 50.0%)" in card


def test_a_card_is_silent_on_human_moves_it_was_not_asked_about() -> None:
    unasked = replace(RUN, grades=Grades({"9x9": ERRORS}, None))
    assert "Tygem" not in card_of(unasked).text()
