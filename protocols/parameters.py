"""KataGo's names for search parameters, as GUIs and overrideSettings send them.

Knows which field of SearchSettings each one is, its range and how its value is written. Does not
know limits, clocks and reports: those belong to each protocol.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.records import SettingError
from engine.search import SearchSettings

_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


@dataclass(frozen=True)
class Number:
    """A number from low to high."""

    low: float
    high: float

    def read(self, name: str, value: object) -> float:
        """The number that a JSON value or a word is; raises SettingError."""
        try:
            number = float(value) if isinstance(value, str | int | float) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if isinstance(value, bool) or not self.low <= number <= self.high:
            quoted = str(value)[:80]
            raise SettingError(f"{name} must be from {self.low:g} to {self.high:g}, not {quoted!r}")
        return number


@dataclass(frozen=True)
class Whole(Number):
    """A whole number from low to high."""

    def read(self, name: str, value: object) -> int:
        """The whole number that a JSON value or a word is; raises SettingError."""
        number = super().read(name, value)
        if number != int(number):
            raise SettingError(f"{name} must be a whole number, not {str(value)[:80]!r}")
        return int(number)


class Truth:
    """True or false."""

    def read(self, name: str, value: object) -> bool:
        """The truth that a JSON value or a word is; raises SettingError."""
        truth = value if isinstance(value, bool) else _TRUTHS.get(str(value).strip().lower())
        if truth is None:
            raise SettingError(f"{name} must be true or false, not {str(value)[:80]!r}")
        return truth


Kind = Number | Whole | Truth
TRUTH = Truth()
UNIT = Number(0.0, 1.0)

# KataGo's name -> (field of SearchSettings, values it takes)
SEARCH: dict[str, tuple[str, Kind]] = {
    "winLossUtilityFactor": ("win_loss_utility_factor", UNIT),
    "staticScoreUtilityFactor": ("static_score_utility_factor", UNIT),
    "dynamicScoreUtilityFactor": ("dynamic_score_utility_factor", UNIT),
    "dynamicScoreCenterZeroWeight": ("dynamic_score_center_zero_weight", UNIT),
    "dynamicScoreCenterScale": ("dynamic_score_center_scale", Number(0.2, 5.0)),
    "cpuctExploration": ("cpuct_exploration", Number(0.0, 10.0)),
    "cpuctExplorationLog": ("cpuct_exploration_log", Number(0.0, 10.0)),
    "cpuctExplorationBase": ("cpuct_exploration_base", Number(10.0, 100_000.0)),
    "cpuctUtilityStdevPrior": ("cpuct_utility_stdev_prior", Number(1e-8, 10.0)),
    "cpuctUtilityStdevPriorWeight": ("cpuct_utility_stdev_prior_weight", Number(0.0, 100.0)),
    "cpuctUtilityStdevScale": ("cpuct_utility_stdev_scale", UNIT),
    "fpuReductionMax": ("fpu_reduction_max", Number(0.0, 2.0)),
    "rootFpuReductionMax": ("root_fpu_reduction_max", Number(0.0, 2.0)),
    "fpuParentWeightByVisitedPolicyPow": (
        "fpu_parent_weight_by_visited_policy_pow",
        Number(0.0, 5.0),
    ),
    "numVirtualLossesPerThread": ("virtual_losses", Number(0.01, 1000.0)),
    "valueWeightExponent": ("value_weight_exponent", UNIT),
    "useNoisePruning": ("use_noise_pruning", TRUTH),
    "noisePruneUtilityScale": ("noise_prune_utility_scale", Number(0.001, 10.0)),
    "subtreeValueBiasFactor": ("subtree_value_bias_factor", UNIT),
    "subtreeValueBiasFreeProp": ("subtree_value_bias_free_prop", UNIT),
    "subtreeValueBiasWeightExponent": ("subtree_value_bias_weight_exponent", UNIT),
    "useUncertainty": ("use_uncertainty", TRUTH),
    "uncertaintyCoeff": ("uncertainty_coefficient", Number(0.0001, 1.0)),
    "uncertaintyMaxWeight": ("uncertainty_max_weight", Number(1.0, 100.0)),
    "useGraphSearch": ("use_graph_search", TRUTH),
    "rootNumSymmetriesToSample": ("root_symmetries", Whole(1, 8)),
    "rootSymmetryPruning": ("root_symmetry_pruning", TRUTH),
    "rootNoiseEnabled": ("root_noise", TRUTH),
    "rootDirichletNoiseTotalConcentration": (
        "root_dirichlet_concentration",
        Number(0.001, 10_000.0),
    ),
    "rootDirichletNoiseWeight": ("root_dirichlet_weight", UNIT),
    "rootPolicyTemperature": ("root_policy_temperature", Number(0.01, 100.0)),
    "wideRootNoise": ("wide_root_noise", Number(0.0, 5.0)),
    "rootEndingBonusPoints": ("root_ending_bonus_points", Number(-1.0, 1.0)),
    "conservativePass": ("conservative_pass", TRUTH),
    "nnPolicyTemperature": ("policy_temperature", Number(0.1, 5.0)),
    "useLcbForSelection": ("use_lcb_for_selection", TRUTH),
    "lcbStdevs": ("lcb_stdevs", Number(1.0, 12.0)),
    "minVisitPropForLCB": ("min_visit_prop_for_lcb", UNIT),
}

# Parameters of KataGo that change nothing here. They are taken without complaint, because KaTrain
# gives a query up at the first warning about it.
WITHOUT_EFFECT = frozenset(
    """
    antiMirror avoidRepeatedPatternUtility chosenMovePrune chosenMoveSubtract
    chosenMoveTemperature chosenMoveTemperatureEarly chosenMoveTemperatureHalflife
    chosenMoveTemperatureOnlyBelowProb delayMoveMax delayMoveScale drawEquivalentWinsForWhite
    enableMorePassingHacks enablePassingHacks fillDameBeforePass fpuLossProp fpuParentWeight
    fpuParentWeightByVisitedPolicy friendlyPassOk futileVisitsThreshold ignoreAllHistory
    ignorePreRootHistory analysisIgnorePreRootHistory lagBuffer maxPlayoutsPondering
    maxTimePondering maxVisitsPondering minPlayoutsPerThread noResultUtilityForWhite
    numSearchThreads numSearchThreadsPerAnalysisThread playoutDoublingAdvantage
    playoutDoublingAdvantagePla policyOptimism rootDesiredPerChildVisitsCoeff rootFpuLossProp
    rootPolicyOptimism rootPolicyTemperatureEarly rootPruneUselessMoves searchFactorAfterOnePass
    searchFactorAfterTwoPass subtreeValueBiasTableNumShards treeReuseCarryOverTimeFactor
    uncertaintyExponent useEvalCache useNonBuggyLcb humanSLChosenMoveIgnorePass
    humanSLChosenMovePiklLambda humanSLChosenMoveProp humanSLCpuctExploration
    humanSLCpuctPermanent humanSLOppExploreProbWeightful humanSLOppExploreProbWeightless
    humanSLPlaExploreProbWeightful humanSLPlaExploreProbWeightless
    humanSLRootExploreProbWeightful humanSLRootExploreProbWeightless
    """.split()
)


def changed(settings: SearchSettings, name: str, value: object) -> SearchSettings:
    """A copy of `settings` with KataGo's parameter `name`, a key of SEARCH, at `value`.

    Raises SettingError, quoting it, on a value that cannot be used.
    """
    attribute, kind = SEARCH[name]
    copy = settings.copy()
    setattr(copy, attribute, kind.read(name, value))
    return copy


def value_of(settings: SearchSettings, name: str) -> float | bool:
    """What KataGo's parameter `name`, a key of SEARCH, is set to."""
    value: float | bool = getattr(settings, SEARCH[name][0])
    return value
