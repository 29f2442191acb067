"""The card of a network of human moves in Othello, and metrics in words."""

from __future__ import annotations

from engine.networks.description import describe
from engine.training.common.card import Card, table
from engine.training.common.policy_metrics import TOP1, VALUE_LOSS
from engine.training.imitation.learning import HumanLearner
from engine.training.imitation.othello_games import Split
from engine.training.imitation.validation import LEAD_ERROR, STAGE_EMPTIES, ValidationReport

COLUMNS = ("top move", "probability", "result (nats)", "score error (discs)")


def card_of(
    name: str, learner: HumanLearner, split: Split, reports: list[ValidationReport], seconds: float
) -> Card:
    """Returns the card of the trained network; the first report is its own."""
    settings, network = learner.settings, describe(learner.network.architecture)
    return Card(
        name=name,
        about="A network for Othello on 8x8, made for Sparring: its policy is the move that a "
        f"human would play, its values what became of their games. {network.trunk}, "
        f"{network.parameters:,} parameters, kept in half precision.",
        made=f"From random weights and {split.learned.count:,} games of the French federation's "
        f"WTHOR database, {len(split.learned):,} positions: {learner.batches:,} batches of "
        f"{settings.batch}, each position in a random symmetry, {seconds / 60:.0f} minutes of "
        "a processor that others used too. "
        "Forced moves and passes teach the policy nothing. No other program was learned from. "
        f"`sparring train {name} --games DIR --batches {settings.batches} "
        f"--rounds {settings.rounds} --blocks {settings.blocks} --channels {settings.channels} "
        f"--seed {settings.seed}` "
        "does it again.",
        scored=_scored(split, reports),
    )


def in_words(report: ValidationReport) -> str:
    """Returns one predictor's metrics in a line."""
    return (
        f"{report.name}: top move {report.total[TOP1]:.1%}, geometric mean probability "
        f"{report.total['probability']:.3f}, result {report.total[VALUE_LOSS]:.3f} nats"
    )


def _scored(split: Split, reports: list[ValidationReport]) -> str:
    own = reports[0]
    stages = [(f"{own.name}, {stage}", metrics) for stage, metrics in own.stages.items()]
    totals = [(report.name, report.total) for report in reports]
    unknown = [(f"{own.name}, new positions", own.unknown)] if own.unknown else []
    rows = [[title, *_cells(metrics)] for title, metrics in [*totals, *unknown, *stages]]
    return (
        f"On the {split.held_out.count:,} games of {split.years}, which nothing was learned from: "
        f"{own.total['moves']:,.0f} moves, counted as often as they were played, without passes, "
        "forced moves and the first one of a game, which the database turns to f5. The share of "
        "moves that were the likeliest (standard error of the first "
        f"{own.total['top1_error']:.1%}), the geometric mean of the probabilities that they were "
        "given, the surprise at the game's result and the distance of the expected score from the "
        "final one. Positions are new that no game learned from has; stages are of "
        f"{STAGE_EMPTIES} empty cells.\n\n" + table(["", *COLUMNS], rows)
    )


def _cells(metrics: dict[str, float]) -> list[str]:
    return [
        f"{metrics[TOP1]:.1%}",
        f"{metrics['probability']:.3f}",
        f"{metrics[VALUE_LOSS]:.3f}",
        f"{metrics[LEAD_ERROR]:.1f}",
    ]
