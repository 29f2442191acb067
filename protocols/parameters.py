"""KataGo's parameters, from GUIs and overrideSettings: the treatment of each in each protocol.

TABLE holds it for GTP and for the JSON analysis protocol. A parameter is obeyed; or fixed: it takes
Sparring's one value alone; or unused: it changes no answer, and its use brings a warning; or
refused. Parameters of the search are obeyed here, those of play, of limits and of reports by each
protocol's own table. The names and ranges are those of KataGo's cpp/program/setup.cpp and of its
example configurations.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, ClassVar, Protocol, TypeVar

from engine.errors import SettingError
from engine.games.evaluator import NetworkDescription
from engine.search.search import SearchSettings
from protocols.parameter_values import (
    FACTOR,
    PLAYER,
    QUOTED,
    TRUTH,
    UNIT,
    WORD,
    Kind,
    Number,
    Whole,
)

Value = bool | int | float | str | None


class Searching(Protocol):
    """Settings of a protocol, a frozen dataclass with those of the search."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def search(self) -> SearchSettings:
        """The settings of the search."""


Settings = TypeVar("Settings", bound=Searching)


class Door(IntEnum):
    """The protocols with KataGo's parameters, by their place in a row of TABLE."""

    GTP = 0
    JSON = 1


@dataclass(frozen=True)
class Searched:
    """A field of SearchSettings."""

    field: str
    kind: Kind


@dataclass(frozen=True)
class Own:
    """A row of the protocol's own table."""


@dataclass(frozen=True)
class Fixed:
    """A parameter with one value in Sparring."""

    kind: Kind
    value: Value
    reason: str = ""  # the reason for this one value; empty: the value says it

    def check(self, name: str, value: object) -> None:
        """Raises SettingError on another value."""
        if self.kind.read(name, value) != self.value:
            quoted = repr(str(value)[:QUOTED])
            if self.reason:
                raise SettingError(f"{name} {quoted}: {self.reason}")
            only = json.dumps(self.value)
            raise SettingError(f"{name} is always {only} in Sparring, not {quoted}")


@dataclass(frozen=True)
class Unused:
    """A parameter without effect on answers, such as those of logs and of processors."""

    value: Value = None  # the answer to kata-get-param; None: unknown there

    def note(self, name: str) -> str:
        """Returns the warning."""
        return f"{name} changes no answer of Sparring"


@dataclass(frozen=True)
class Refused:
    """A parameter refused in this protocol."""

    reason: str


@dataclass(frozen=True)
class AtStart:
    """A setting of the first game, for --override-config alone: this command sets it."""

    command: str


Treatment = Searched | Own | Fixed | Unused | Refused | AtStart
OWN, UNUSED = Own(), Unused()
NEVER = Fixed(TRUTH, value=False)
ALWAYS = Fixed(TRUTH, value=True)
NOUGHT = Fixed(FACTOR, 0.0)
ONE = Fixed(FACTOR, 1.0)
NO_SEED = Refused("Sparring draws its own random numbers")
NO_PATTERNS = Refused("Sparring avoids no patterns")
BY_RULES = Refused("a query names its rules in its field rules")

# Treated alike at both doors.
COMMON: dict[str, Treatment] = {
    "winLossUtilityFactor": Searched("win_loss_utility_factor", UNIT),
    "staticScoreUtilityFactor": Searched("static_score_utility_factor", UNIT),
    "dynamicScoreUtilityFactor": Searched("dynamic_score_utility_factor", UNIT),
    "dynamicScoreCenterZeroWeight": Searched("dynamic_score_center_zero_weight", UNIT),
    "dynamicScoreCenterScale": Searched("dynamic_score_center_scale", Number(0.2, 5.0)),
    "cpuctExploration": Searched("cpuct_exploration", Number(0.0, 10.0)),
    "cpuctExplorationLog": Searched("cpuct_exploration_log", Number(0.0, 10.0)),
    "cpuctExplorationBase": Searched("cpuct_exploration_base", Number(10.0, 100_000.0)),
    "cpuctUtilityStdevPrior": Searched("cpuct_utility_stdev_prior", Number(1e-8, 10.0)),
    "cpuctUtilityStdevPriorWeight": Searched(
        "cpuct_utility_stdev_prior_weight", Number(0.0, 100.0)
    ),
    "cpuctUtilityStdevScale": Searched("cpuct_utility_stdev_scale", UNIT),
    "fpuReductionMax": Searched("fpu_reduction_max", Number(0.0, 2.0)),
    "rootFpuReductionMax": Searched("root_fpu_reduction_max", Number(0.0, 2.0)),
    "fpuParentWeightByVisitedPolicyPow": Searched(
        "fpu_parent_weight_by_visited_policy_pow", Number(0.0, 5.0)
    ),
    "numVirtualLossesPerThread": Searched("virtual_losses", Number(0.01, 1000.0)),
    "valueWeightExponent": Searched("value_weight_exponent", UNIT),
    "useNoisePruning": Searched("use_noise_pruning", TRUTH),
    "noisePruneUtilityScale": Searched("noise_prune_utility_scale", Number(0.001, 10.0)),
    "subtreeValueBiasFactor": Searched("subtree_value_bias_factor", UNIT),
    "subtreeValueBiasFreeProp": Searched("subtree_value_bias_free_prop", UNIT),
    "subtreeValueBiasWeightExponent": Searched("subtree_value_bias_weight_exponent", UNIT),
    "useUncertainty": Searched("use_uncertainty", TRUTH),
    "uncertaintyCoeff": Searched("uncertainty_coefficient", Number(0.0001, 1.0)),
    "uncertaintyMaxWeight": Searched("uncertainty_max_weight", Number(1.0, 100.0)),
    "useGraphSearch": Searched("use_graph_search", TRUTH),
    "rootNumSymmetriesToSample": Searched("root_symmetries", Whole(1, 8)),
    "rootSymmetryPruning": Searched("root_symmetry_pruning", TRUTH),
    "ignorePreRootHistory": Searched("ignore_pre_root_history", TRUTH),
    "rootNoiseEnabled": Searched("root_noise", TRUTH),
    "rootDirichletNoiseTotalConcentration": Searched(
        "root_dirichlet_concentration", Number(0.001, 10_000.0)
    ),
    "rootDirichletNoiseWeight": Searched("root_dirichlet_weight", UNIT),
    "rootPolicyTemperature": Searched("root_policy_temperature", Number(0.01, 100.0)),
    "wideRootNoise": Searched("wide_root_noise", Number(0.0, 5.0)),
    "rootEndingBonusPoints": Searched("root_ending_bonus_points", Number(-1.0, 1.0)),
    "conservativePass": Searched("conservative_pass", TRUTH),
    "nnPolicyTemperature": Searched("policy_temperature", Number(0.1, 5.0)),
    "policyOptimism": Searched("policy_optimism", UNIT),
    "rootPolicyOptimism": Searched("root_policy_optimism", UNIT),
    "useLcbForSelection": Searched("use_lcb_for_selection", TRUTH),
    "lcbStdevs": Searched("lcb_stdevs", Number(1.0, 12.0)),
    "minVisitPropForLCB": Searched("min_visit_prop_for_lcb", UNIT),
    "playoutDoublingAdvantage": Searched("playout_doubling_advantage", Number(-3.0, 3.0)),
    "playoutDoublingAdvantagePla": Searched("playout_doubling_color", PLAYER),
    # These belong to KataGo's search and not to ours.
    "noResultUtilityForWhite": NOUGHT,
    "drawEquivalentWinsForWhite": Fixed(UNIT, 0.5),
    "dynamicPlayoutDoublingAdvantageCapPerOppLead": NOUGHT,
    "antiMirror": NEVER,
    "fpuLossProp": NOUGHT,
    "rootFpuLossProp": NOUGHT,
    "fpuParentWeightByVisitedPolicy": ALWAYS,
    "noisePruningCap": Fixed(FACTOR, 1e50),
    "uncertaintyExponent": ONE,
    "graphSearchRepBound": Fixed(Whole(3, 50), 11),
    "graphSearchCatchUpLeakProb": NOUGHT,
    "rootPolicyTemperatureEarly": ONE,
    "rootDesiredPerChildVisitsCoeff": NOUGHT,
    "rootPruneUselessMoves": NEVER,
    "useNonBuggyLcb": ALWAYS,
    "enablePassingHacks": NEVER,
    "enableMorePassingHacks": NEVER,
    "alwaysComputePassAliveUnderSuicideRules": Fixed(WORD, "auto"),
    "ignoreAllHistory": NEVER,
    "useEvalCache": NEVER,
    "avoidMYTDaggerHack": NEVER,
    "avoidRepeatedPatternUtility": NOUGHT,
    "futileVisitsThreshold": NOUGHT,
    "nnRandomize": ALWAYS,
    "warnUnusedFields": ALWAYS,
    "assumeMultipleStartingBlackMovesAreHandicap": ALWAYS,
    "preventCleanupPhase": ALWAYS,
    "humanSLRootExploreProbWeightful": NOUGHT,
    "humanSLPlaExploreProbWeightless": NOUGHT,
    "humanSLPlaExploreProbWeightful": NOUGHT,
    "humanSLOppExploreProbWeightless": NOUGHT,
    "humanSLOppExploreProbWeightful": NOUGHT,
    "searchRandSeed": NO_SEED,
    "nnRandSeed": NO_SEED,
    "nnForcedSymmetry": NO_SEED,
    "autoAvoidRepeatDir": NO_PATTERNS,
    "avoidSgfPatternDirs": NO_PATTERNS,
    "ignoreGTPAndForceKomi": Refused("the controller alone sets the komi"),
    # KataGo's threads, tables and caches; our search takes what the machine has.
    "numSearchThreads": Unused(1),
    "minPlayoutsPerThread": Unused(0.0),
    "subtreeValueBiasTableNumShards": Unused(1),
    "fpuParentWeight": Unused(0.0),
    **dict.fromkeys(
        """
        chosenMoveSubtract chosenMovePrune evalCacheMinVisits gtpForceMaxNNSize
        homeDataDir inputsUseNHWC logAllGTPCommunication logAllRequests logAllResponses logDir
        logDirDated logErrorsAndWarnings logFile logSearchInfo logSearchInfoForChosenMove
        logTimeStamp logToStderr maxBoardSizeForNNBuffer maxBoardXSizeForNNBuffer
        maxBoardYSizeForNNBuffer nnCacheSizePowerOfTwo nnMaxBatchSize nnMutexPoolSizePowerOfTwo
        nodeTableShardsPowerOfTwo numAnalysisThreads numEigenThreadsPerModel
        numNNServerThreadsPerModel numSearchThreadsPerAnalysisThread
        obviousMovesPolicyEntropyTolerance obviousMovesPolicySurpriseTolerance ogsChatToStderr
        requireMaxBoardSize searchFactorWhenWinningThreshold startupPrintMessageToStderr
        """.split(),
        UNUSED,
    ),
}

# How fast a move is played, and which of the moves found: an analysis plays none.
PLAYED: dict[str, Treatment] = {
    **dict.fromkeys(
        """
        lagBuffer ponderingEnabled allowResignation resignThreshold resignConsecTurns
        resignMinScoreDifference resignMinMovesPerBoardArea friendlyPass cleanupBeforePass
        chosenMoveTemperature chosenMoveTemperatureEarly chosenMoveTemperatureHalflife
        chosenMoveTemperatureOnlyBelowProb humanSLChosenMoveProp humanSLChosenMoveIgnorePass
        humanSLChosenMovePiklLambda humanSLCpuctExploration humanSLCpuctPermanent
        delayMoveScale delayMoveMax
        """.split(),
        OWN,
    ),
    "genmoveAntiMirror": NEVER,
    "fillDameBeforePass": ALWAYS,
    "searchFactorAfterOnePass": ONE,
    "searchFactorAfterTwoPass": ONE,
    "searchFactorWhenWinning": ONE,
    "maxVisitsPondering": Fixed(Whole(1, 1 << 50), 1_000_000),
    "maxPlayoutsPondering": Fixed(Whole(1, 1 << 50), 1 << 50),
    "maxTimePondering": Fixed(FACTOR, 120.0),
    "treeReuseCarryOverTimeFactor": NOUGHT,
    "overallocateTimeFactor": ONE,
    "midgameTimeFactor": ONE,
    "midgameTurnPeakTime": Fixed(FACTOR, 130.0),
    "endgameTurnTimeDecay": Fixed(FACTOR, 100.0),
    "obviousMovesTimeFactor": ONE,
}

# The game's settings in --override-config of `gtp`.
GAME_SETTINGS: dict[str, AtStart] = {
    "rules": AtStart("kata-set-rules"),
    "koRule": AtStart("kata-set-rule ko"),
    "scoringRule": AtStart("kata-set-rule scoring"),
    "taxRule": AtStart("kata-set-rule tax"),
    "multiStoneSuicideLegal": AtStart("kata-set-rule suicide"),
    "hasButton": AtStart("kata-set-rule hasButton"),
    "friendlyPassOk": AtStart("kata-set-rule friendlyPassOk"),
    "whiteHandicapBonus": AtStart("kata-set-rule whiteHandicapBonus"),
    "komi": AtStart("komi"),
    "defaultBoardSize": AtStart("boardsize"),
}

Row = tuple[
    Treatment | None, Treatment | None
]  # treatments by Door; None: the door does not have the parameter
TABLE: dict[str, Row] = {
    **{name: (treatment, treatment) for name, treatment in COMMON.items()},
    **{name: (treatment, UNUSED) for name, treatment in PLAYED.items()},
    **{name: (treatment, BY_RULES) for name, treatment in GAME_SETTINGS.items()},
    "komi": (GAME_SETTINGS["komi"], Refused("a query says it in its field komi")),
    "defaultBoardSize": (
        GAME_SETTINGS["defaultBoardSize"],
        Refused("a query says it by boardXSize"),
    ),
    "maxVisits": (OWN, OWN),
    "maxPlayouts": (OWN, OWN),
    "maxTime": (OWN, OWN),
    "analysisPVLen": (Fixed(Whole(1, 1000), 19), OWN),
    "reportAnalysisWinratesAs": (Fixed(WORD, "SIDETOMOVE"), OWN),
    "analysisWideRootNoise": (OWN, None),
    "analysisIgnorePreRootHistory": (NEVER, None),
    "antiMirror": (NEVER, OWN),
    "humanSLProfile": (OWN, OWN),
    "humanSLRootExploreProbWeightless": (OWN, NOUGHT),
}
# Processors, and directories that are refused above.
UNUSED_PREFIXES = (
    *("cuda", "trt", "opencl", "metal", "migraphx", "eigen", "deviceToUse", "gpuToUse"),
    *("autoAvoidRepeat", "avoidSgfPattern"),
)


def named_values(text: str) -> Iterator[tuple[str, str]]:
    """Yields the names and values of "name=value,name=value", without the empty values."""
    for pair in filter(str.strip, text.split(",")):
        name, equals, value = (part.strip() for part in pair.partition("="))
        if value or not equals:
            yield name, value


def treatment(name: str, door: Door) -> Treatment | None:
    """Returns a protocol's treatment of the parameter of this name; None if it is unknown."""
    row = TABLE.get(name)
    if row is not None:
        return row[door]
    return UNUSED if name.startswith(UNUSED_PREFIXES) else None


def with_values(
    settings: Settings,
    door: Door,
    values: Mapping[str, object],
    with_own: Callable[[Settings, str, object], Settings],
    on_unknown: Callable[[str], None],
) -> tuple[Settings, list[str]]:
    """Returns the settings with these values of parameters, by name, and warnings.

    with_own: returns the settings with a value of the protocol's own parameter. on_unknown: takes
    the name of an unknown parameter, and may raise. Raises SettingError, quoting it, on a wrong
    value or a refused parameter.
    """
    warnings: list[str] = []
    for name, value in values.items():
        match treatment(name, door):
            case Searched():
                settings = replace(settings, search=changed(settings.search, name, value))
            case Own():
                settings = with_own(settings, name, value)
            case Fixed() as fixed:
                fixed.check(name, value)
            case Unused() as unused:
                warnings.append(unused.note(name))
            case Refused() | AtStart() as row:
                raise refusal(name, row)
            case None:
                on_unknown(name)
    return settings, warnings


def changed(settings: SearchSettings, name: str, value: object) -> SearchSettings:
    """Returns a copy of `settings` with the Searched parameter `name` at `value`.

    Raises SettingError, quoting it, on a value that cannot be used.
    """
    row = TABLE[name][0]
    if not isinstance(row, Searched):
        raise TypeError(f"{name} is no parameter of the search")
    copy = settings.copy()
    setattr(copy, row.field, row.kind.read(name, value))
    return copy


def check_network(settings: SearchSettings, network: NetworkDescription) -> None:
    """Raises SettingError on settings without a matching input of the network."""
    if settings.playout_doubling_advantage != 0 and not network.uses_doublings:
        raise SettingError(
            f"playoutDoublingAdvantage needs a network of KataGo's (--network FILE): "
            f"{network.name} was trained without it"
        )


def refusal(name: str, row: Refused | AtStart) -> SettingError:
    """Returns the error of a refused parameter."""
    if isinstance(row, AtStart):
        return SettingError(f"{name} cannot be set here: the command {row.command} sets it")
    return SettingError(f"{name} cannot be set here: {row.reason}")
