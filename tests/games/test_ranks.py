"""Ranks of Go players as numbers, and their spelling."""

from __future__ import annotations

import pytest

from engine.games.ranks import STRONGEST, WEAKEST, parse_rank, rank_text, recorded_rank


@pytest.mark.parametrize(
    ("text", "rank"),
    [("9d", 1), ("3d", 7), ("1d", 9), ("1k", 10), ("8k", 17), ("20k", 29), ("30k", 39)],
)
def test_a_whole_rank_is_a_whole_number(text: str, rank: int) -> None:
    assert parse_rank(text) == rank
    assert rank_text(rank) == text
    assert rank_text(rank, 1) == text


@pytest.mark.parametrize(("text", "rank"), [("8.4k", 17.4), ("2.5d", 7.5), ("0.5k", 9.5)])
def test_a_fraction_lies_between_ranks(text: str, rank: float) -> None:
    assert parse_rank(text) == pytest.approx(rank)
    assert rank_text(rank, 1) == text


def test_ranks_between_are_ordered_from_strong_to_weak() -> None:
    texts = ["9d", "8.5d", "2d", "1.2d", "1d", "0.8d", "0.7k", "1k", "1.1k", "15k", "30k"]
    ranks = [parse_rank(text) for text in texts]
    assert ranks == sorted(set(ranks))


def test_a_number_is_rounded_to_the_nearest_rank() -> None:
    assert [rank_text(rank) for rank in (17.4, 17.5, 9.4, 9.5)] == ["8k", "9k", "1d", "1k"]
    assert rank_text(9.449, 1) == "0.6d"


def test_numbers_beyond_the_scale_are_its_ends() -> None:
    assert (rank_text(-3.0), rank_text(200.0)) == (rank_text(STRONGEST), rank_text(WEAKEST))


@pytest.mark.parametrize(
    "text", ["", "10d", "31k", "30.1k", "9.1d", "8", "k", "8 k", "-1k", "8,5k", "8K", "5p"]
)
def test_no_other_text_is_a_rank(text: str) -> None:
    with pytest.raises(ValueError, match=f"{text!r} is no rank"):
        parse_rank(text)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("7d", 3.0),
        ("6d?", 4.0),
        ("1 dan", 9.0),
        ("10k", 19.0),
        (" 3 kyu ", 12.0),
        ("18K*", 27.0),
        ("5\u6bb5", 5.0),
        ("2\u7ea7", 11.0),
        ("P9\u6bb5", 1.0),
        ("3p", 1.0),
        ("9D", 1.0),
        ("10d", 1.0),
        ("35k", 39.0),
        ("0d", None),
        ("?", None),
        ("-", None),
        ("", None),
        ("1500", None),
    ],
)
def test_ranks_of_records_are_read_as_servers_write_them(text: str, rank: float | None) -> None:
    assert recorded_rank(text) == rank
