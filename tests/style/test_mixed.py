"""The mixed approach's choice between two searches, and its settings."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from engine.personas import make_persona
from engine.style.mixed import Mixed, mix
from engine.values import MoveStats

REST: dict[str, Any] = {field.name: 0 for field in fields(MoveStats) if field.default is MISSING}

# (move, visits, win rate): the usual search would play 1.
USUAL = [(1, 60, 0.60), (2, 30, 0.56), (3, 9, 0.54), (4, 1, 0.70)]
# (move, visits, probability) of the biased search, and the move to play.
BIASED = {
    "its most visited move": ([(2, 50, 0.4), (1, 40, 0.4)], 2),
    "by visits, not by order": ([(1, 40, 0.4), (2, 50, 0.4)], 2),
    "not one that loses too much": ([(3, 70, 0.6), (2, 20, 0.2)], 2),
    "nor one hardly likely": ([(2, 70, 0.09), (1, 20, 0.2)], 1),
    "just as likely as it must be": ([(2, 70, 0.10), (1, 20, 0.2)], 2),
    "nor one that the usual search did not see": ([(9, 90, 0.9), (2, 5, 0.1)], 2),
    "the usual move where none is left": ([(9, 90, 0.9), (3, 9, 0.5)], 1),
    "a lucky one is not what others are measured by": ([(2, 60, 0.4), (4, 20, 0.3)], 2),
}


def moves(rows: list[tuple[int, int, float]], name: str) -> list[MoveStats]:
    return [
        MoveStats(**REST | {"move": move, "edge_visits": visits, name: value, "pv": ()})
        for move, visits, value in rows
    ]


@pytest.mark.parametrize("case", BIASED)
def test_the_chosen_move_and_its_reason(case: str) -> None:
    biased, expected = BIASED[case]
    usual = moves(USUAL, "win_rate")
    chosen = mix(usual, moves(biased, "prior"), w_diff=0.05, p_th=0.1)
    assert chosen.move == expected
    assert chosen in usual


def test_the_settings_decide_how_far_the_other_network_is_followed() -> None:
    usual, biased = moves(USUAL, "win_rate"), moves([(3, 70, 0.05), (2, 20, 0.2)], "prior")
    for w_diff, p_th, expected in ((0.05, 0.1, 2), (0.07, 0.1, 2), (0.07, 0.04, 3), (0.03, 0.1, 1)):
        assert mix(usual, biased, w_diff=w_diff, p_th=p_th).move == expected


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "centre.safetensors"
    path.touch()
    return path


def test_a_text_and_a_file_name_it_and_its_settings(network: Path, tmp_path: Path) -> None:
    told = make_persona(f"full+mixed={network}", "go").mixed
    assert told == Mixed(str(network), w_diff=0.05, p_th=0.1)
    told = make_persona(f"full+mixed={network}:p_th=0.2:w_diff=0", "go").mixed
    assert told == Mixed(str(network), w_diff=0.0, p_th=0.2)
    assert told.path == network.resolve()
    (tmp_path / "mine.toml").write_text(
        f'strength = "full"\n[mixed]\nnetwork = "{network}"\np_th = 0.3\n'
    )
    mine = make_persona("mine mixed.w_diff=0.1", "go", [tmp_path])
    assert mine.mixed == Mixed(str(network), w_diff=0.1, p_th=0.3)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("full+mixed={}:w_diff=2", "w_diff 2.0 is not within 0..1"),
        ("full+mixed={}:p_th=-1", "p_th -1.0 is not within 0..1"),
        ("full+mixed={}:p_th=high", "p_th 'high' is no float"),
        ("full+mixed={}:wdiff=1", "no setting 'wdiff': did you mean 'w_diff'"),
        ("full+mixed={}.x", "centre.safetensors.x' is no file here"),
        ("full+mixed=w_diff=0.1", "mixed has no network"),
        ("even+mixed={}", "mixed goes with the strength full alone"),
        ("full mixed.network={}.x", "centre.safetensors.x' is no file here"),
        ("even mixed.network={}", "mixed goes with the strength full alone"),
    ],
)
def test_wrong_values_are_quoted(text: str, quoted: str, network: Path) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the text follows)
        make_persona(text.format(network), "go")
    assert quoted in str(raised.value)
    assert text.format(network) in str(raised.value)


def test_it_is_for_go(network: Path) -> None:
    with pytest.raises(ValueError, match="mixed has no place here"):
        make_persona(f"full+mixed={network}", "othello")
