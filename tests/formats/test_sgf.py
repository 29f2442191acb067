"""Rules and komi in SGF files."""

from __future__ import annotations

import pytest

from engine.formats import sgf
from engine.games.game_record import GameRecord
from engine.games.rules import RULE_SETS, parse_rules, rules_json

TROMP_TAYLOR = RULE_SETS["tromp-taylor"]


def read(properties: str, rules: str = "tromp-taylor") -> sgf.SgfGame:
    return sgf.read(f"(;GM[1]{properties})".encode(), RULE_SETS[rules])


@pytest.mark.parametrize(
    ("properties", "komi"),
    [
        ("KM[3.75]RU[Chinese]", 7.5),
        ("KM[2.75]RU[chinese, pair go]", 5.5),
        ("KM[-3.25]RU[Chinese]", -6.5),
        ("KM[3.75]RU[AGA]", 7.5),
        ("KM[3.75]", 7.5),
        ("KM[375]RU[Chinese]", 7.5),
        ("KM[650]RU[Japanese]", 6.5),
        ("SZ[9]KM[275]RU[Chinese]", 5.5),
        ("AP[foxwq]KM[325]RU[Chinese]", 6.5),
        ("AP[foxwq]KM[350]RU[Chinese]", 7.0),
        ("AP[SGFC:2.0]KM[-550]", -5.5),
        ("AP[foxwq]KM[6.5]", 6.5),
        ("KM[275]", 275.0),
        ("KM[0]RU[Chinese]", 0.0),
        ("KM[-7.5]RU[Japanese]", -7.5),
        ("RU[Japanese]", 6.5),
        ("RU[koSIMPLEscoreAREAkomi5.5]", 5.5),
        ("RU[koSIMPLEscoreAREAkomi5.5]KM[7]", 7.0),
    ],
)
def test_komi_is_read_in_points(properties: str, komi: float) -> None:
    record = read(properties)
    assert (record.komi, record.warnings) == (komi, ())


@pytest.mark.parametrize(
    ("properties", "komi", "quoted"),
    [
        ("KM[3.75]RU[Japanese]", 6.5, "KM[3.75]"),
        ("KM[7.3]RU[Chinese]", 7.5, "KM[7.3]"),
        ("KM[six]", 7.5, "KM[six]"),
        ("KM[nan]", 7.5, "KM[nan]"),
        ("KM[1e30]", 7.5, "KM[1e30]"),
        ("KM[5.5]RU[our own]", 5.5, "RU[our own]"),
        ("RU[koSPIGHT]", 7.5, "RU[koSPIGHT]"),
    ],
)
def test_unusable_properties_give_a_warning(properties: str, komi: float, quoted: str) -> None:
    record = read(properties)
    assert record.komi == komi
    assert [quoted in warning for warning in record.warnings] == [True]


def test_unknown_rules_give_the_callers_rules() -> None:
    record = read("RU[our own]", "japanese")
    assert (record.rules, record.komi) == (RULE_SETS["japanese"], 6.5)
    assert "the rules are japanese" in record.warnings[0]


@pytest.mark.parametrize(
    ("setup", "moves", "captured"),
    [
        ("AB[ba][ab][bc]AW[ca][bb][db][cc]", ";B[cb];W[bb]", (1, 1)),  # a ko, retaken at once
        ("AB[ba][ab][bb]AW[ca][cb][ac][bc]", ";B[aa]", (4, 0)),
    ],
)
def test_moves_forbidden_by_the_rules_are_taken_from_records(
    setup: str, moves: str, captured: tuple[int, int]
) -> None:
    record = read(f"SZ[5]RU[Japanese]{setup}PL[B]{moves}")
    assert GameRecord.of(record).position().captured == captured  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "words",
    ["koSIMPLEscoreTERRITORYtaxALLsui0", "koPOSITIONALscoreAREAtaxSEKIsui1button1whbN-1fpok1"],
)
def test_rules_without_a_name_come_back(words: str) -> None:
    record = read(f"RU[{words}]KM[7]")
    assert record.rules == parse_rules(words) == read(f"RU[{rules_json(record.rules)}]").rules
    assert sgf.read(sgf.write(record), TROMP_TAYLOR) == record
