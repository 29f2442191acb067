"""The rules of the house's words hold, but for the exceptions, whose numbers only fall."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tests.house.rules import LOWER, RULES, allowed, breaches
from tests.house.test_layers import SOURCES, parse
from tests.support.paths import ROOT

SETTINGS = ROOT / "engine" / "core" / "search" / "search_settings.h"


@pytest.mark.parametrize("rule", RULES)
def test_rules_have_no_new_exceptions(rule: str) -> None:
    numbers = allowed()[rule]
    now = breaches(rule)
    new = {module: names for module, names in now.items() if len(names) > numbers.get(module, 0)}
    assert not new, f"{rule}: more than exceptions.json allows"
    gone = [module for module, number in numbers.items() if len(now.get(module, [])) < number]
    assert not gone, f"{rule}: fewer than exceptions.json allows; `{LOWER}` lowers it"


def test_public_classes_have_names_of_their_own() -> None:
    names = Counter(
        node.name
        for path in SOURCES
        for node in parse(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, number in names.items() if number > 1] == []


def test_every_search_setting_has_a_comment() -> None:
    fields = re.findall(r"^  \w+ (\w+) =[^;]+;(.*)$", SETTINGS.read_text(), re.MULTILINE)
    assert len(fields) > 40
    assert [name for name, comment in fields if "//" not in comment] == []
