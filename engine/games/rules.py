"""Rule sets of Go by name, read and written as KataGo's JSON and KataGo's words.

A rule set is an `engine._core.GoRules`; this module knows the names and spellings. It knows no
board and no game. Komi belongs to a game; a rule set has only a customary one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from engine._core import GoRules
from engine.errors import SettingError

# The rule sets of KataGo 1.17 (its docs/rules.html).
_CHINESE = GoRules(ko="SIMPLE", suicide=False, white_handicap_bonus="N", friendly_pass=True)
_CHINESE_SUPERKO = GoRules(suicide=False, white_handicap_bonus="N", friendly_pass=True)
_JAPANESE = GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI", suicide=False)
_AGA = GoRules(ko="SITUATIONAL", suicide=False, white_handicap_bonus="N-1", friendly_pass=True)
RULE_SETS: dict[str, GoRules] = {
    "tromp-taylor": GoRules(),
    "chinese": _CHINESE,
    "chinese-ogs": _CHINESE_SUPERKO,
    "chinese-kgs": _CHINESE_SUPERKO,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "new-zealand": GoRules(ko="SITUATIONAL", friendly_pass=True),
    "aga-button": GoRules(
        ko="SITUATIONAL",
        suicide=False,
        button=True,
        white_handicap_bonus="N-1",
        friendly_pass=True,
    ),
    "stone-scoring": GoRules(ko="SIMPLE", tax="ALL", suicide=False, friendly_pass=True),
    "ancient-territory": GoRules(ko="SIMPLE", scoring="TERRITORY", tax="ALL", suicide=False),
    "ing": GoRules(friendly_pass=True),
}
# The default. After the passes players agree on the dead stones and take them off.
USUAL_RULES = "chinese"
_OTHER_NAMES = {"nz": "new-zealand", "goe": "ing", "ancient-area": "stone-scoring"}


def _letters(name: str) -> str:
    """Returns the name in lower case, without spaces, hyphens and underscores."""
    return name.strip().casefold().replace(" ", "").replace("-", "").replace("_", "")


_BY_LETTERS = {_letters(name): rules for name, rules in RULE_SETS.items()} | {
    _letters(other): RULE_SETS[name] for other, name in _OTHER_NAMES.items()
}
_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def _upper(key: str, value: object) -> str:
    if isinstance(value, str) or (value == 0 and not isinstance(value, bool)):
        word = str(value).strip().upper()
        if word.isascii() and word.isprintable():  # the core takes no half of a surrogate pair
            return word
    raise SettingError(f"rule {key!r} wants a word, not {value!r}")


def _truth(key: str, value: object) -> bool:
    truth = value if isinstance(value, bool) else _TRUTHS.get(str(value).strip().casefold())
    if truth is None:
        raise SettingError(f"rule {key!r} wants true or false, not {value!r}")
    return truth


# KataGo's JSON key -> (field of GoRules, reader of its value). "score" is an older spelling.
_KEYS: dict[str, tuple[str, Callable[[str, object], str | bool]]] = {
    "friendlyPassOk": ("friendly_pass", _truth),
    "hasButton": ("button", _truth),
    "ko": ("ko", _upper),
    "scoring": ("scoring", _upper),
    "suicide": ("suicide", _truth),
    "tax": ("tax", _upper),
    "whiteHandicapBonus": ("white_handicap_bonus", _upper),
}
_OLDER_KEYS = {"score": "scoring"}

# KataGo's words in its SGF files: "koSIMPLEscoreTERRITORYtaxSEKIsui0whbN-1". Their order is free,
# each may be absent, and blanks between them mean nothing.
_WORDS = {
    "ko": "ko",
    "score": "scoring",
    "scoring": "scoring",
    "tax": "tax",
    "sui": "suicide",
    "button": "hasButton",
    "whb": "whiteHandicapBonus",
    "fpok": "friendlyPassOk",
    "komi": "komi",
}
_WORD = re.compile(f"({'|'.join(sorted(_WORDS, reverse=True))})(N-1|[A-Z]+|-?[0-9.]+)")

LARGEST_KOMI = 400.0  # points for either side; KataGo's bound


def named_rules(name: str) -> GoRules:
    """Returns the rule set of a name; case, spaces, hyphens and underscores do not matter.

    Raises SettingError quoting an unknown name.
    """
    rules = _BY_LETTERS.get(_letters(name))
    if rules is None:
        raise SettingError(f"unknown rules {name!r}; known are {', '.join(RULE_SETS)}")
    return rules


def parse_rules(value: str | Mapping[str, Any]) -> GoRules:
    """Returns the rules described by a name, KataGo's JSON text or dictionary, or KataGo's words.

    Omitted rules are those of tromp-taylor, but territory scoring has a tax on seki. Raises
    SettingError quoting the unusable part.
    """
    fields = _fields(value)
    return named_rules(str(value)) if fields is None else _rules_of(fields)


def parse_rules_and_komi(value: str | Mapping[str, Any]) -> tuple[GoRules, float | None]:
    """Returns the rules and the komi of a description; None as komi if it names none."""
    fields = dict(_fields(value) or {})
    if "komi" not in fields:
        return parse_rules(value), None
    komi = fields.pop("komi")
    try:
        number = float(komi)
    except (TypeError, ValueError):
        raise SettingError(f"komi {komi!r} is not a number") from None
    return _rules_of(fields), checked_komi(number)


def checked_komi(komi: float) -> float:
    """Returns the komi; raises SettingError unless it is a multiple of 0.5 up to LARGEST_KOMI."""
    if not abs(komi) <= LARGEST_KOMI:
        raise SettingError(f"komi {komi:g} is not within {-LARGEST_KOMI:g}..{LARGEST_KOMI:g}")
    if komi * 2 != round(komi * 2):
        raise SettingError(f"komi {komi!r} is not a whole or half number of points")
    return komi


def set_rule(rules: GoRules, key: str, value: object) -> GoRules:
    """Returns the rules with one JSON key changed. SettingError quotes a bad key or value."""
    return _rules_of(rules_dict(rules) | {_known_key(key): value})


def rules_dict(rules: GoRules) -> dict[str, str | bool]:
    """Returns the rules under KataGo's JSON keys, without komi."""
    return {key: getattr(rules, field) for key, (field, _) in _KEYS.items()}


def rules_json(rules: GoRules) -> str:
    """Returns the rules as KataGo's one-line JSON, without komi."""
    return json.dumps(rules_dict(rules), separators=(",", ":"))


def rules_name(rules: GoRules) -> str | None:
    """Returns the first name in RULE_SETS for these rules; None without a name."""
    return next((name for name, known in RULE_SETS.items() if known == rules), None)


def customary_komi(rules: GoRules) -> float:
    """Returns the customary komi of the rules, in points for White."""
    if rules == RULE_SETS["new-zealand"] or rules.button:
        return 7.0
    return 6.5 if rules.scoring == "TERRITORY" else 7.5


USUAL_KOMI = customary_komi(RULE_SETS[USUAL_RULES])


def _known_key(key: str) -> str:
    key = key.strip()
    key = _OLDER_KEYS.get(key, key)
    if key not in _KEYS:
        raise SettingError(f"unknown rule {key!r}; known are {', '.join(_KEYS)}")
    return key


def _fields(value: str | Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Returns the values under KataGo's JSON keys, perhaps with "komi".

    None if the text is neither JSON nor words. Raises SettingError on broken JSON.
    """
    if isinstance(value, Mapping):
        return value
    if not value.lstrip().startswith("{"):
        text = "".join(value.split())
        if not text or _WORD.sub("", text):
            return None
        return {_WORDS[word]: setting for word, setting in _WORD.findall(text)}
    try:
        fields = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise SettingError(f"rules {value!r} are not JSON: {error}") from None
    return dict(fields)


def _rules_of(fields: Mapping[str, Any]) -> GoRules:
    arguments: dict[str, Any] = {}
    for name, value in fields.items():
        key = _known_key(name)
        field, read = _KEYS[key]
        arguments[field] = read(key, value)
    if arguments.get("scoring") == "TERRITORY":
        arguments.setdefault("tax", "SEKI")
        if arguments.get("button"):
            raise SettingError("a button goes with area scoring, not with territory scoring")
    try:
        return GoRules(**arguments)
    except ValueError as error:
        raise SettingError(str(error)) from None
