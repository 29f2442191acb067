"""GTP commands about the network: its description, and its outputs without search."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from engine._core import GoPosition
from engine.games.go_ending import with_to_move
from engine.networks.raw import RawOutput, evaluate_raw
from engine.search.search import SearchSettings
from protocols.gtp.arguments import integer_or_none, number_or_none
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.gtp.parameters import value_of

SYMMETRIES = 8
HUMAN_ARGUMENTS = "an optional color and a symmetry 'all' or index [0-7]"
RAW_ARGUMENTS = "an optional color, a symmetry 'all' or index [0-7], and an optional optimism [0-1]"
# KataGo's names of the scores -> fields of RawOutput: of networks of self-play, of human games.
SELF_PLAY = {
    "whiteLead": "lead",
    "whiteScoreSelfplay": "score_mean",
    "whiteScoreSelfplaySq": "score_mean_square",
    "varTimeLeft": "variance_time_left",
}
HUMAN = {"whiteScore": "score_mean", "whiteScoreSq": "score_mean_square"}


def get_models(context: Context, _command: GtpCommand) -> str:
    """Answers the networks in use, as JSON."""
    evaluator = context.session.evaluator
    model = {
        "internalName": evaluator.network.name,
        "maxBatchSize": evaluator.preferred_rows,
        "name": evaluator.network.name,
        "usesHumanSLProfile": evaluator.network.uses_metadata,
        "usingFP16": "true" if evaluator.precision == "fp16" else "false",
        "version": evaluator.network.version,
    }
    return json.dumps([model], separators=(",", ":"))


def raw_nn(context: Context, command: GtpCommand) -> str:
    """Answers the network's raw outputs, from White's view: [color] symmetry|all [optimism].

    Without an optimism the answer has the root's.
    """
    settings = context.session.settings.search
    position, symmetries, optimism = position_and_symmetries(
        context, command, RAW_ARGUMENTS, settings.root_policy_optimism
    )
    evaluator = context.session.evaluator
    doublings = advantage_of(settings, position.to_move)

    def lines_of(symmetry: int) -> str:
        raw = evaluate_raw(
            evaluator, position, symmetry=symmetry, optimism=optimism, doublings=doublings
        )
        return written(symmetry, raw.for_white(white_to_move=position.to_move == 1), SELF_PLAY)

    return "\n".join(map(lines_of, symmetries))


def raw_human_nn(context: Context, command: GtpCommand) -> str:
    """Answers the same of the network of human moves: [color] symmetry|all."""
    position, symmetries, _ = position_and_symmetries(context, command, HUMAN_ARGUMENTS)
    human = context.session.human_policy()
    if human is None:
        raise GtpError(f"Cannot run {command.name}, --human-network was not provided")
    profile = str(value_of(context.session.settings, "humanSLProfile"))
    if human.evaluator.network.uses_metadata and not profile:
        raise GtpError(f"Cannot run {command.name}, humanSLProfile parameter was not set")
    metadata = human.metadata(position, profile)

    def lines_of(symmetry: int) -> str:
        raw = evaluate_raw(human.evaluator, position, symmetry=symmetry, metadata=metadata)
        return written(symmetry, raw.for_white(white_to_move=position.to_move == 1), HUMAN)

    return "\n".join(map(lines_of, symmetries))


def position_and_symmetries(
    context: Context, command: GtpCommand, expected: str, usual_optimism: float = 0.0
) -> tuple[GoPosition, list[int], float]:
    """Reads the position, the symmetries and the optimism from the arguments.

    expected: their description, for errors; without the word optimism none is read.
    usual_optimism: the optimism of a command without one. Raises GtpError.
    """
    words = list(command.arguments)
    who = context.color_or_none(words[0]) if words else None
    if who is not None:
        words.pop(0)
    position = context.game.position
    if not isinstance(position, GoPosition):
        raise TypeError(f"{position!r} is not a position of Go")
    if who is not None and who != position.to_move:
        position = with_to_move(position, who)
    optimism = number_or_none(words[1]) if len(words) == 2 else usual_optimism
    square = position.width == position.height
    symmetries = symmetries_named(words[0] if words else "", square=square)
    most = 2 if "optimism" in expected else 1
    if len(words) > most or optimism is None or not 0 <= optimism <= 1 or not symmetries:
        raise GtpError(
            f"Could not parse {command.name} arguments {quoted(command.text)}: expected {expected}"
        )
    return position, symmetries, optimism


def advantage_of(settings: SearchSettings, color: int) -> float:
    """Returns the playout doubling advantage of this color, the side to move."""
    advantage = settings.playout_doubling_advantage
    return -advantage if settings.playout_doubling_color == 1 - color else advantage


def symmetries_named(word: str, *, square: bool) -> list[int]:
    """Returns the symmetries of a word; transposing ones on square boards alone."""
    available = range(SYMMETRIES if square else SYMMETRIES // 2)
    if word.lower() == "all":
        return list(available)
    number = integer_or_none(word)
    return [] if number is None or number not in available else [number]


def written(symmetry: int, raw: RawOutput, scores: Mapping[str, str]) -> str:
    """Writes an evaluation, from White's view, like kata-raw-nn, its scores by these names."""
    policy = [probability(value) for value in raw.policy.tolist()]
    owners = [f"{value + 0.0:9.7f}" for value in raw.ownership.ravel().tolist()]
    width = raw.ownership.shape[1]
    lines = [
        f"symmetry {symmetry}",
        f"whiteWin {raw.win:.6f}",
        f"whiteLoss {raw.loss:.6f}",
        f"noResult {raw.no_result:.6f}",
        *(f"{name} {getattr(raw, field):.3f}" for name, field in scores.items()),
        f"shorttermWinlossError {raw.win_loss_error:.3f}",
        f"shorttermScoreError {raw.score_error:.3f}",
        "policy",
        *rows(policy[:-1], width),
        f"policyPass {policy[-1]}",
        "whiteOwnership",
        *rows(owners, width),
    ]
    return "\n".join(lines)


def probability(value: float) -> str:
    """Writes a probability of the policy; NAN for an illegal move."""
    return "    NAN" if math.isnan(value) else f"{value:8.6f}"


def rows(cells: list[str], width: int) -> list[str]:
    """Joins the cells into the rows of a board."""
    return [" ".join(cells[start : start + width]) for start in range(0, len(cells), width)]


COMMANDS: dict[str, Handler] = {"kata-get-models": get_models}
GO_COMMANDS: dict[str, Handler] = {"kata-raw-nn": raw_nn, "kata-raw-human-nn": raw_human_nn}
