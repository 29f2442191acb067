"""Settings of DarkKnight's search for dark chess as text, by the names of Hsueh's thesis (2019).

A text is a number of simulations, then techniques, each perhaps with constants: "1000",
"30000,EPT,eps=0.1", "1000,PB,H=B+C,c_PB=0.01,IMB". The search is engine/core/agents/dark_knight.h.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine._core import BiasCount, DarkKnightSettings

Constant = float | str

# The constants of each technique, with the best ones of the thesis on 4x8.
TECHNIQUES: dict[str, dict[str, Constant]] = {
    "EPT": {"eps": 0.0},
    "IMB": {"w": 0.3, "scale": 0.02, "c_s": 0.0, "c_N": 8.0},
    "SL": {"a_L": 0.25, "k_L": 7.0},
    "TSQ": {"a_T": 0.3, "k_T": 11.0, "c_w": 0.02},
    "PB": {"H": "B+C+F", "c_PB": 0.1, "count": "sqrt(N)", "c_curb": 0.25, "c_flip": 1 / 12},
}
BEST_TECHNIQUES = "EPT,IMB,SL,TSQ,PB"  # all: 84.75% against none of them on 4x8
COMMON: dict[str, Constant] = {"C": 0.7, "captures": 1.0}
COUNTS = {
    "N": BiasCount.visits,
    "sqrt(N)": BiasCount.root_visits,
    "ln(N+1)": BiasCount.log_visits,
    "L": BiasCount.losses,
    "sqrt(L)": BiasCount.root_losses,
    "ln(L+1)": BiasCount.log_losses,
}
HEURISTICS = ("B", "B+C", "B+C+F")
_FIELDS = {
    "C": "exploration",
    "captures": "capture_share",
    "eps": "outcome_noise",
    "w": "minimax_share",
    "scale": "minimax_scale",
    "c_s": "minimax_decay",
    "c_N": "minimax_decay_visits",
    "a_L": "length_share",
    "k_L": "length_slope",
    "a_T": "terminal_share",
    "k_T": "terminal_slope",
    "c_w": "terminal_weight",
    "c_PB": "bias_share",
    "c_curb": "bias_curb",
    "c_flip": "bias_flip",
}


@dataclass(frozen=True, slots=True)
class DarkKnightSetting:
    """A number of simulations and techniques with all of their constants."""

    text: str
    simulations: int
    constants: tuple[tuple[str, Constant], ...]  # sorted by name
    techniques: frozenset[str]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for settings that search alike."""
        return self.simulations, self.techniques, self.constants

    def native(self) -> DarkKnightSettings:
        """Returns the settings for the core."""
        settings = DarkKnightSettings()
        settings.simulations = self.simulations
        settings.ends_early = "EPT" in self.techniques
        for name, value in self.constants:
            if name in _FIELDS:
                setattr(settings, _FIELDS[name], value)
        constants = dict(self.constants)
        if "PB" in self.techniques:
            settings.bias_count = COUNTS[str(constants["count"])]
            settings.bias_values_flips = "F" in str(constants["H"])
            if "C" not in str(constants["H"]):
                settings.bias_curb = 0.0
        return settings


def read_setting(text: str) -> DarkKnightSetting:
    """Returns the settings of a text. Raises ValueError quoting a wrong part of it."""
    simulations, *words = text.replace(";", ",").split(",")
    if not (simulations.isascii() and simulations.isdigit() and int(simulations) > 0):
        raise ValueError(f"{text!r}: a setting begins with a number of simulations")
    techniques = [word for word in words if "=" not in word]
    for word in techniques:
        if word not in TECHNIQUES:
            raise ValueError(f"{word!r} in {text!r} is none of {', '.join(TECHNIQUES)}")
    constants = dict(COMMON)
    for word in techniques:
        constants |= TECHNIQUES[word]
    for word in words:
        name, is_constant, value = word.partition("=")
        if is_constant:
            if name not in constants:
                raise ValueError(f"{word!r} in {text!r}: its techniques have no such constant")
            constants[name] = _read_constant(name, value, text)
    rows = tuple(sorted(constants.items()))
    return DarkKnightSetting(text, int(simulations), rows, frozenset(techniques))


def _read_constant(name: str, value: str, text: str) -> Constant:
    words = {"H": HEURISTICS, "count": tuple(COUNTS)}.get(name)
    if words is not None:
        if value not in words:
            raise ValueError(f"{name}={value} in {text!r}: it is one of {', '.join(words)}")
        return value
    try:
        return float(value)
    except ValueError as error:
        raise ValueError(f"{name}={value} in {text!r} is no number") from error
