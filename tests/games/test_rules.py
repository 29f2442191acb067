"""Names and JSON of rule sets, and spellings of moves."""

from __future__ import annotations

import json

import pytest

from engine._core import GoRules
from engine.errors import SettingError
from engine.games.game_settings import GoSettings
from engine.games.rules import (
    RULE_SETS,
    customary_komi,
    named_rules,
    parse_rules,
    parse_rules_and_komi,
    rules_dict,
    rules_json,
    rules_name,
    set_rule,
)
from engine.games.table import COLUMNS, GAMES, read_vertex, write_vertex

# ko, scoring, tax, suicide, button, bonus, friendly pass, komi: the output of KataGo 1.17.2.
KATAGO = {
    "tromp-taylor": "POSITIONAL AREA NONE True False 0 False 7.5",
    "chinese": "SIMPLE AREA NONE False False N True 7.5",
    "chinese-ogs": "POSITIONAL AREA NONE False False N True 7.5",
    "chinese-kgs": "POSITIONAL AREA NONE False False N True 7.5",
    "japanese": "SIMPLE TERRITORY SEKI False False 0 False 6.5",
    "korean": "SIMPLE TERRITORY SEKI False False 0 False 6.5",
    "aga": "SITUATIONAL AREA NONE False False N-1 True 7.5",
    "bga": "SITUATIONAL AREA NONE False False N-1 True 7.5",
    "new-zealand": "SITUATIONAL AREA NONE True False 0 True 7.0",
    "aga-button": "SITUATIONAL AREA NONE False True N-1 True 7.0",
    "stone-scoring": "SIMPLE AREA ALL False False 0 True 7.5",
}


@pytest.mark.parametrize(("name", "fields_of_katago"), KATAGO.items())
def test_named_rules_are_katagos(name: str, fields_of_katago: str) -> None:
    rules = RULE_SETS[name]
    fields = (
        rules.ko,
        rules.scoring,
        rules.tax,
        rules.suicide,
        rules.button,
        rules.white_handicap_bonus,
        rules.friendly_pass,
        customary_komi(rules),
    )
    assert " ".join(map(str, fields)) == fields_of_katago


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("Chinese", "chinese"),
        ("chinese_ogs", "chinese-ogs"),
        ("CHINESEKGS", "chinese-kgs"),
        ("new zealand", "new-zealand"),
        ("new_zealand", "new-zealand"),
        (" nz ", "new-zealand"),
        ("stone_scoring", "stone-scoring"),
        ("ancient area", "stone-scoring"),
        ("AGA Button", "aga-button"),
        ("tromptaylor", "tromp-taylor"),
        ("goe", "ing"),
    ],
)
def test_spellings(spelling: str, name: str) -> None:
    assert parse_rules(spelling) == RULE_SETS[name]


@pytest.mark.parametrize("name", RULE_SETS)
def test_json_comes_back(name: str) -> None:
    rules = RULE_SETS[name]
    assert parse_rules(rules_json(rules)) == rules
    assert parse_rules(rules_dict(rules)) == rules
    assert RULE_SETS[str(rules_name(rules))] == rules


def test_json_is_one_line_under_katagos_keys() -> None:
    assert rules_json(RULE_SETS["aga"]) == (
        '{"friendlyPassOk":true,"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA",'
        '"suicide":false,"tax":"NONE","whiteHandicapBonus":"N-1"}'
    )


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({}, GoRules()),
        ({"ko": "simple"}, GoRules(ko="SIMPLE")),
        ({"score": "TERRITORY"}, GoRules(scoring="TERRITORY", tax="SEKI")),
        ({"scoring": "TERRITORY", "tax": "NONE"}, GoRules(scoring="TERRITORY")),
        ({"whiteHandicapBonus": 0, "suicide": "false"}, GoRules(suicide=False)),
        ({"hasButton": True, "friendlyPassOk": 1}, GoRules(button=True, friendly_pass=True)),
    ],
)
def test_dictionaries(fields: dict[str, object], rules: GoRules) -> None:
    assert parse_rules(fields) == rules
    assert parse_rules(json.dumps(fields)) == rules


@pytest.mark.parametrize(
    ("words", "rules", "komi"),
    [
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", RULE_SETS["japanese"], None),
        ("koSIMPLEscoreTERRITORYsui0", RULE_SETS["japanese"], None),
        ("koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1", RULE_SETS["aga"], None),
        ("whbN-1 button1 fpok1 sui0 ko SITUATIONAL", RULE_SETS["aga-button"], None),
        ("koSIMPLEscoringAREAtaxNONEsui0whbNfpok1komi-7.5", RULE_SETS["chinese"], -7.5),
        ("komi7", RULE_SETS["tromp-taylor"], 7.0),
        ('{"scoring":"AREA","komi":6.5}', RULE_SETS["tromp-taylor"], 6.5),
        ("tromp taylor", RULE_SETS["tromp-taylor"], None),
    ],
)
def test_katagos_words_are_read(words: str, rules: GoRules, komi: float | None) -> None:
    assert parse_rules_and_komi(words) == (rules, komi)
    if komi is None:
        assert parse_rules(words) == rules


@pytest.mark.parametrize("komi", [400.5, -1e20, 7.25, 3.75, float("nan"), float("inf")])
def test_komi_is_a_whole_or_half_number_of_points(komi: float) -> None:
    with pytest.raises(SettingError, match=f"komi {komi:g}".replace("+", r"\+")):
        GoSettings(komi=komi)


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("", "''"),
        ("japan", "'japan'"),
        ("{", "'{'"),
        ('{"ko":', '"ko":'),
        ({"ko": "SPIGHT"}, '"SPIGHT"'),
        ({"ko": 3}, "3"),
        ({"colour": "red"}, "'colour'"),
        ({"komi": 6.5}, "'komi'"),
        ("koSIMPLEkomi6.5", "'komi'"),
        ("koSIMPLEscore", "'koSIMPLEscore'"),
        ("kosimple", "'kosimple'"),
        ("koSPIGHT", '"SPIGHT"'),
        ("suiTRUE2", "'suiTRUE2'"),
        ("scoreTERRITORYbutton1", "button"),
        ("a" * 100_000, "aaa"),
        ({"suicide": "perhaps"}, "'perhaps'"),
        ({"tax": None}, "None"),
        ({"ko": "\ud800"}, r"'\ud800'"),
        ({"scoring": "\0"}, r"'\x00'"),
        ('{"whiteHandicapBonus": "\\udfff"}', r"'\udfff'"),
        ("{" * 100_000, "not JSON"),
        ('{"ko":' + "[" * 100_000, "not JSON"),
    ],
)
def test_errors_quote_the_input(value: str | dict[str, object], quoted: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse_rules(value)
    assert quoted in str(caught.value)


def test_one_rule_is_set() -> None:
    japanese = named_rules("japanese")
    changed = set_rule(japanese, "scoring", "area")
    assert changed == GoRules(ko="SIMPLE", tax="SEKI", suicide=False)
    assert set_rule(changed, "suicide", "true").suicide
    assert rules_name(changed) is None
    with pytest.raises(SettingError, match="'Suicide'"):
        set_rule(japanese, "Suicide", "true")


def test_rules_are_values() -> None:
    assert len({GoRules(), GoRules(ko="POSITIONAL"), GoRules(ko="SIMPLE")}) == 2
    assert GoRules() != "tromp-taylor"
    assert eval(repr(RULE_SETS["aga"])) == RULE_SETS["aga"]  # noqa: S307
    with pytest.raises(ValueError, match='"positional"'):
        GoRules(ko="positional")


@pytest.mark.parametrize(
    ("text", "width", "height", "move"),
    [
        ("A19", 19, 19, 0),
        ("T1", 19, 19, 360),
        ("d4", 19, 19, 15 * 19 + 3),
        ("J9", 9, 9, 8),
        (" C1 ", 13, 9, 8 * 13 + 2),
        ("PASS", 9, 9, 81),
        ("Pass", 2, 3, 6),
        ("(0,0)", 9, 9, 0),
        ("( 3, 8 )", 9, 9, 75),
    ],
)
def test_reads_vertices(text: str, width: int, height: int, move: int) -> None:
    assert read_vertex(text, width, height) == move


@pytest.mark.parametrize(
    "text", ["", "I5", "A0", "A10", "K1", "A", "4D", "D4x", "(9,0)", "(1)", "A٣", "resign", "A-1"]
)
def test_refuses_other_texts_than_vertices(text: str) -> None:
    with pytest.raises(ValueError, match="'"):
        read_vertex(text, 9, 9)


@pytest.mark.parametrize(("width", "height"), [(19, 19), (13, 9), (2, 2)])
def test_vertices_come_back(width: int, height: int) -> None:
    go = GAMES["go"]
    moves = range(width * height + 1)
    texts = [go.write_move(move, width, height) for move in moves]
    assert [go.read_move(text, width, height) for text in texts] == list(moves)
    assert len(set(texts)) == len(texts)
    assert "I" not in COLUMNS
    with pytest.raises(ValueError, match=str(len(moves))):
        write_vertex(len(moves), width, height)


@pytest.mark.parametrize(
    ("width", "height", "fits"), [(19, 19, True), (2, 7, True), (1, 9, False), (20, 19, False)]
)
def test_sizes_of_go(width: int, height: int, fits: bool) -> None:
    assert GAMES["go"].fits(width, height) == fits
