"""The table of KataGo's parameters, walked over both doors: GTP and the JSON analysis protocol."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import SettingError
from engine.personas import make_persona
from engine.play.session_settings import SessionSettings
from protocols.analysis import settings as analysis
from protocols.gtp import overrides, parameters
from protocols.gtp.parameters import HUMAN, PARAMETERS
from protocols.parameter_values import Number, OneOf, Truth, Whole, Word
from protocols.parameters import (
    TABLE,
    AtStart,
    Door,
    Fixed,
    Own,
    Refused,
    Searched,
    Unused,
    treatment,
)
from tests.support.gtp_conversation import Conversation
from tests.support.stand_in import description_of

# What KataGo 1.17.2 lists: kata-list-params, and the keys of gtp_example.cfg and
# analysis_example.cfg.
KATAGO = """
analysisWideRootNoise analysisIgnorePreRootHistory genmoveAntiMirror antiMirror humanSLProfile
allowResignation ponderingEnabled delayMoveScale delayMoveMax winLossUtilityFactor
staticScoreUtilityFactor dynamicScoreUtilityFactor dynamicScoreCenterZeroWeight
dynamicScoreCenterScale noResultUtilityForWhite drawEquivalentWinsForWhite cpuctExploration
cpuctExplorationLog cpuctExplorationBase cpuctUtilityStdevPrior cpuctUtilityStdevPriorWeight
cpuctUtilityStdevScale fpuReductionMax fpuLossProp fpuParentWeightByVisitedPolicy
fpuParentWeightByVisitedPolicyPow fpuParentWeight policyOptimism valueWeightExponent
useNoisePruning noisePruneUtilityScale noisePruningCap useUncertainty uncertaintyCoeff
uncertaintyExponent uncertaintyMaxWeight useGraphSearch graphSearchRepBound
graphSearchCatchUpLeakProb rootNoiseEnabled rootDirichletNoiseTotalConcentration
rootDirichletNoiseWeight rootPolicyTemperature rootPolicyTemperatureEarly rootFpuReductionMax
rootFpuLossProp rootNumSymmetriesToSample rootSymmetryPruning rootDesiredPerChildVisitsCoeff
rootPolicyOptimism chosenMoveTemperature chosenMoveTemperatureEarly chosenMoveTemperatureHalflife
chosenMoveTemperatureOnlyBelowProb chosenMoveSubtract chosenMovePrune useLcbForSelection lcbStdevs
minVisitPropForLCB useNonBuggyLcb rootEndingBonusPoints rootPruneUselessMoves conservativePass
fillDameBeforePass wideRootNoise enablePassingHacks enableMorePassingHacks
alwaysComputePassAliveUnderSuicideRules playoutDoublingAdvantage playoutDoublingAdvantagePla
nnPolicyTemperature ignorePreRootHistory ignoreAllHistory subtreeValueBiasFactor
subtreeValueBiasTableNumShards subtreeValueBiasFreeProp subtreeValueBiasWeightExponent
numVirtualLossesPerThread numSearchThreads minPlayoutsPerThread maxVisits maxPlayouts maxTime
maxVisitsPondering maxPlayoutsPondering maxTimePondering lagBuffer searchFactorAfterOnePass
searchFactorAfterTwoPass treeReuseCarryOverTimeFactor overallocateTimeFactor midgameTimeFactor
midgameTurnPeakTime endgameTurnTimeDecay obviousMovesTimeFactor obviousMovesPolicyEntropyTolerance
obviousMovesPolicySurpriseTolerance futileVisitsThreshold humanSLCpuctExploration
humanSLCpuctPermanent humanSLRootExploreProbWeightless humanSLRootExploreProbWeightful
humanSLPlaExploreProbWeightless humanSLPlaExploreProbWeightful humanSLOppExploreProbWeightless
humanSLOppExploreProbWeightful humanSLChosenMoveProp humanSLChosenMoveIgnorePass
humanSLChosenMovePiklLambda
logDir logDirDated logFile logAllGTPCommunication logSearchInfo logSearchInfoForChosenMove
logToStderr startupPrintMessageToStderr ogsChatToStderr homeDataDir analysisPVLen
reportAnalysisWinratesAs rules koRule scoringRule taxRule multiStoneSuicideLegal hasButton
friendlyPassOk whiteHandicapBonus defaultBoardSize ignoreGTPAndForceKomi resignThreshold
resignConsecTurns resignMinScoreDifference resignMinMovesPerBoardArea
assumeMultipleStartingBlackMovesAreHandicap dynamicPlayoutDoublingAdvantageCapPerOppLead
preventCleanupPhase avoidMYTDaggerHack avoidRepeatedPatternUtility useEvalCache evalCacheMinVisits
searchFactorWhenWinning searchFactorWhenWinningThreshold nnMaxBatchSize nnCacheSizePowerOfTwo
nnMutexPoolSizePowerOfTwo nnRandomize nnRandSeed gtpForceMaxNNSize numNNServerThreadsPerModel
trtTransformerNHWC trtDeviceToUse cudaDeviceToUse cudaUseNHWC openclReTunePerBoardSize
openclDeviceToUse numEigenThreadsPerModel searchRandSeed nodeTableShardsPowerOfTwo
autoAvoidRepeatDir autoAvoidRepeatUtility autoAvoidRepeatLambda avoidSgfPatternDirs
avoidSgfPatternUtility avoidSgfPatternMaxFiles numAnalysisThreads
numSearchThreadsPerAnalysisThread logAllRequests logAllResponses logErrorsAndWarnings
warnUnusedFields maxBoardXSizeForNNBuffer maxBoardYSizeForNNBuffer requireMaxBoardSize
""".split()
LISTED = [*dict.fromkeys([*TABLE, *KATAGO])]
HUMAN_SESSION = SessionSettings(persona=make_persona("human", "go"))


def gtp(name: str, value: object) -> tuple[SessionSettings, list[str]]:
    """What kata-set-param makes of a session that plays as people do."""
    return parameters.with_changes(HUMAN_SESSION, {name: value})


def json_door(name: str, value: object) -> tuple[analysis.QuerySettings, list[str]]:
    """What overrideSettings makes of a query's settings."""
    return analysis.overridden(analysis.QuerySettings(), {name: value})


Change = Callable[[str, object], tuple[Any, list[str]]]
DOORS: dict[Door, Change] = {
    Door.GTP: gtp,
    Door.JSON: json_door,
}


def others(kind: object) -> list[object]:
    """Values of a kind, two at least."""
    match kind:
        case Whole(low, _):
            return [int(low), int(low) + 1]
        case Number(low, high):
            return [low, (low + high) / 2, high]
        case Truth():
            return [True, False]
        case OneOf():
            return ["WHITE", "BLACK"]
        case Word():
            return ["", "another"]
    raise TypeError(kind)


def test_every_parameter_of_katago_is_treated_by_gtp() -> None:
    assert [name for name in KATAGO if treatment(name, Door.GTP) is None] == []
    known = {name for name in KATAGO if treatment(name, Door.JSON) is not None}
    # KataGo's analysis protocol lacks them too.
    assert set(KATAGO) - known == {"analysisWideRootNoise", "analysisIgnorePreRootHistory"}


def test_each_door_obeys_its_own_parameters() -> None:
    owned = {door: {n for n, row in TABLE.items() if isinstance(row[door], Own)} for door in Door}
    assert owned[Door.GTP] == {*PARAMETERS, *HUMAN}
    assert owned[Door.JSON] == set(analysis.OTHERS)


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("name", LISTED)
def test_a_parameter_is_obeyed_refused_or_warned_about(name: str, door: Door) -> None:
    change = DOORS[door]
    match treatment(name, door):
        case Searched(field, kind):
            for value in others(kind):
                settings, warnings = change(name, value)
                expected = kind.read(name, value)
                assert getattr(settings.search, field) == pytest.approx(expected)
                assert warnings == []
        case Fixed() as fixed:
            assert change(name, fixed.value)[1] == []
            for value in others(fixed.kind):
                if fixed.kind.read(name, value) != fixed.value:
                    with pytest.raises(SettingError, match=name):
                        change(name, value)
        case Unused():
            _, (warning,) = change(name, "1")
            assert warning == f"{name} changes no answer of Sparring"
        case Refused() | AtStart():
            with pytest.raises(SettingError, match=f"^{name} cannot be set here: "):
                change(name, "1")


def test_what_is_refused_at_both_doors_is_refused_in_the_same_words() -> None:
    for name, value in [
        ("fpuLossProp", 0.5),
        ("drawEquivalentWinsForWhite", 1),
        ("nnRandSeed", 3),
    ]:
        with pytest.raises(SettingError) as by_gtp:
            gtp(name, value)
        with pytest.raises(SettingError) as by_json:
            json_door(name, value)
        assert str(by_gtp.value) == str(by_json.value)


def test_gtp_tells_the_value_of_each_parameter_that_it_lists() -> None:
    conversation = Conversation()
    names = conversation.say("kata-list-params").split(" ")
    assert {"playoutDoublingAdvantage", "antiMirror", "numSearchThreads", "maxVisits"} < set(names)
    for name in names:
        conversation.hear(f"kata-get-param {name}").startswith("= ")


def test_what_changes_no_answer_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Conversation().hear("kata-set-param nnCacheSizePowerOfTwo 20") == "= \n\n"
    assert "nnCacheSizePowerOfTwo changes no answer" in caplog.text


OVERRIDES: list[tuple[str, tuple[str, ...], list[str]]] = [
    ("", (), []),
    ("maxVisits=10, resignThreshold = -0.8", (), []),
    ("rules=japanese", ("kata-set-rules japanese",), []),
    (
        "taxRule=ALL,rules=chinese,komi=6.5,rules=",
        ("kata-set-rules chinese", "kata-set-rule tax ALL", "komi 6.5"),
        [],
    ),
    ("antiMirror=true", (), ["antiMirror is always false"]),
    ("maxVisits=none,gravity=1", (), ["maxVisits must be", "Unrecognized parameter: gravity"]),
    ("logDir=logs,cudaUseFP16=true", (), ["logDir changes no answer", "cudaUseFP16 changes no"]),
    ("playoutDoublingAdvantage=1", (), ["playoutDoublingAdvantage needs a network"]),
]


@pytest.mark.parametrize(("text", "commands", "warnings"), OVERRIDES)
def test_what_a_conversation_begins_with(
    text: str, commands: tuple[str, ...], warnings: list[str]
) -> None:
    begun = overrides.read(text, SessionSettings(), description_of("go"))
    assert begun.commands == commands
    assert len(begun.warnings) == len(warnings)
    for warning, beginning in zip(begun.warnings, warnings, strict=True):
        assert warning.startswith(f"--override-config: {beginning}")
