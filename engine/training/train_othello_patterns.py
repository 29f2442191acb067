"""The training of `sparring train othello-patterns`: settings in, weights and their card out.

The module has the order of the rounds and the names of the files: `othelloN-patterns.npz` is the
engine's evaluation, `othelloN-patterns.md` its card, `metrics.jsonl` has a row a round.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tqdm import tqdm

from engine.errors import SettingError
from engine.networks.othello_weights import (
    OthelloWeights,
    read_othello_weights,
    write_othello_weights,
)
from engine.training.common.card import Card
from engine.training.common.metrics import Metrics
from engine.training.othello.othello_patterns import (
    PatternSamples,
    PatternSettings,
    Weights,
    deviations,
    fit,
    joined,
    play,
    predicted,
    win_scales,
)
from engine.util.atomic_file import atomic_write

Say = Callable[[str], None]

SIZES = (6, 8)
KEPT_ROUNDS = 3  # latest rounds with samples in use
EXAM_SHARE = 0.1  # of a round's games, for validation alone


@dataclass(frozen=True)
class PatternRunSettings:
    """The settings of one run: its folder, its rounds and its learning."""

    output: Path
    learning: PatternSettings = field(default_factory=PatternSettings)
    rounds: int = 6
    weights: Path | None = None  # a file of weights to begin with
    seed: int = 1


def learn_patterns(run: PatternRunSettings, say: Say) -> None:
    """Learns an evaluation and writes its files.

    Raises SettingError for weights of another size.
    """
    settings = run.learning
    learned = 0
    known: list[PatternSamples] = []
    weights: Weights | None = None
    if run.weights is not None:
        earlier = read_othello_weights(run.weights)
        if earlier.size != settings.size:
            raise SettingError(f"{run.weights} is for {earlier.size}x{earlier.size}")
        weights = earlier.weights
        learned = int(str(earlier.card.get("rounds", 0)))
    run.output.mkdir(parents=True, exist_ok=True)
    with Metrics(run.output, say) as metrics:
        for number in tqdm(range(learned + 1, learned + run.rounds + 1), unit="round"):
            seed = run.seed + 2 * number  # another run has other games
            known = [*known, play(settings, weights, seed, settings.games)][-KEPT_ROUNDS:]
            exam = play(settings, weights, seed + 1, max(1, round(EXAM_SHARE * settings.games)))
            weights = fit(settings, joined(*known))
            positions = sum(map(len, known))
            error = float(((predicted(settings, weights, exam) - exam.score) ** 2).mean())
            metrics.write(number, {"positions": positions, "square_error": error})
            card = {
                "rounds": number,
                "positions": positions,
                "mean square error": error,
                "course": asdict(settings),
            }
            _write(run.output, _weights_with_scales(settings, weights, exam, card))
    say(f"wrote {run.output}: {json.dumps(card)}")


def _weights_with_scales(
    settings: PatternSettings, weights: Weights, exam: PatternSamples, card: dict[str, object]
) -> OthelloWeights:
    return OthelloWeights(
        size=settings.size,
        weights=weights,
        win_scales=tuple(win_scales(settings, weights, exam)),
        deviations=tuple(deviations(settings, weights, exam)),
        card=card,
    )


def _write(output: Path, weights: OthelloWeights) -> None:
    """Writes the weights and their card."""
    name = f"othello{weights.size}-patterns"
    with atomic_write(output / f"{name}.npz") as unfinished:
        write_othello_weights(unfinished, weights)
    card_of(weights).write(output / f"{name}.md")


def card_of(weights: OthelloWeights) -> Card:
    """Returns the card of the weights."""
    card, size = weights.card, weights.size
    errors = ", ".join(f"{deviation:.1f}" for deviation in weights.deviations)
    return Card(
        name=f"othello{size}-patterns",
        about=f"A linear evaluation of Othello on {size}x{size}, made for Sparring: the discs that "
        "the side to move will win by, summed from the pieces of the board.",
        made=f"From nothing, in {card['rounds']} rounds of games played by the evaluation of the "
        "round before, searched a few plies deep and played out exactly at the end; no other "
        "program, and no game of others, was learned from. The last fit had "
        f"{card['positions']:,} positions. `sparring train othello-patterns --size {size}` makes "
        "another of the kind.",
        scored="From the score that games not learned from came to, it lies "
        f"{errors} discs away (root mean square, by stage of the game).",
    )
