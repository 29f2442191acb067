"""Go's card has the run in words, and the table board by board."""

from __future__ import annotations

from dataclasses import replace

from engine.training.common.policy_metrics import PolicyMetrics
from engine.training.go.card import CardRun, go_card, human_card
from engine.training.go.student import Totals, shape_of
from engine.training.go.validation import GoMetrics

ERRORS = {
    "policy_kl": 0.25,
    "same_move": 0.625,
    "win_rate": 0.05,
    "lead": 1.5,
    "score_stdev": 0.75,
    "ownership": 0.125,
}
RUN = CardRun(
    name="sparring-go-b7c96",
    shape=shape_of(7, 96),
    parameters=1234567,
    totals=Totals(600, 1_000_000, 2_000, 300_000).plus(Totals(300, 500_000, 1_000, 100_000)),
    origin="",
    teacher="g170-b6c96",
    device="a CPU",
    orientations=2,
    archives=("2009-01.zip", "KGS-2015.tar.gz"),
    held_out="2016-07.zip",
    grades=GoMetrics({"9x9": ERRORS}, (PolicyMetrics(1184, 0.45, 0.125),)),
    teacher_grades=GoMetrics(
        {"9x9": dict.fromkeys(ERRORS, 0.0)}, (PolicyMetrics(1184, 0.5, 0.131),)
    ),
)
ALONE = replace(
    RUN,
    teacher="",
    teacher_grades=None,
    grades=GoMetrics({}, RUN.grades.humans),
)


def test_a_card_tells_how_the_network_was_made_and_what_it_scored() -> None:
    card = go_card(RUN).text()
    assert card.startswith("# go\n")
    for told in (
        "7 residual blocks of 96 channels",
        "1,234,567 parameters",
        "1,500,000 positions were learned from in 3,000 batches, 15 minutes on a CPU",
        "g170-b6c96 judged each position in 2 orientations",
        "1,100,000 positions are of quick games",
        "400,000 positions, with the move played",
        "2009-01.zip, KGS-2015.tar.gz",
        "| 9x9 | 0.250 (0.000) | 0.625 (0.000) |",
        "| this network | 1,184 | 45.0% +- 2.8% | 0.125 |",
        "| g170-b6c96 | 1,184 | 50.0% +- 2.8% | 0.131 |",
        "`sparring train go --teacher FILE --games DIR`",
    ):
        assert told in card


def test_a_card_tells_the_network_that_a_run_began_with() -> None:
    begun = go_card(replace(RUN, origin="old of old.safetensors")).text()
    assert "From the weights of old of old.safetensors: 1,500,000 positions" in begun
    assert "No weights were taken over" not in begun
    plain = go_card(RUN).text()
    assert "From random weights: 1,500,000 positions" in plain
    assert "No weights were taken over" in plain


def test_a_card_tells_how_the_positions_of_human_games_were_chosen() -> None:
    doubted = go_card(replace(RUN, doubter="small.bin.gz")).text()
    assert "in doubt: small.bin.gz and the player of the quick games disagreed" in doubted
    assert "in doubt" not in go_card(RUN).text()


def test_a_human_card_says_what_its_values_are_worth() -> None:
    assert "are those of `go`" in human_card(RUN).text()
    alone = human_card(ALONE).text()
    assert "mean nothing" in alone
    assert "g170" not in alone
    assert "`sparring train go-human --games DIR`" in alone


def test_a_ranked_card_tells_of_ranks_and_results() -> None:
    ranked = human_card(replace(ALONE, ranked=True)).text()
    assert "The moves of human players of any rank in Go" in ranked
    assert "from 9 dan to 25 kyu" in ranked
    assert "by players of any rank, weak ones weighted up, on KGS" in ranked
    assert "mean nothing" not in ranked
    assert "`sparring train go-human --ranked --games DIR`" in ranked


def test_a_card_is_silent_on_human_moves_it_was_not_asked_about() -> None:
    unasked = replace(
        RUN,
        archives=(),
        grades=GoMetrics({"9x9": ERRORS}),
        teacher_grades=GoMetrics({"9x9": ERRORS}),
    )
    card = go_card(unasked).text()
    assert "Tygem" not in card
    assert "drawn at random" not in card
