"""Agreement of the outputs on the device with KataGo's, in each precision."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from engine.networks.raw import RawOutput, evaluate_raw
from tests.support.gpu.settings import B6, B10, SUFFIX, VARIANTS, Rows, Settings
from tests.support.networks.katago_reference import Entry, board, reference_position

BOUNDS = {"win": 1e-4, "policy": 1e-4, "lead": 0.01, "ownership": 1e-3}  # of fp32


def agreement(settings: Settings) -> Rows:
    """A row for each network and precision: the largest differences over all positions."""
    for network, entries in cases(settings):
        if not settings.path(network).exists():
            yield {"network": network, "skipped": f"no file {settings.path(network).name}"}
            continue
        for precision in settings.precisions:
            evaluator = settings.evaluator(network, precision)
            worst = dict.fromkeys(BOUNDS, 0.0)
            for entry in entries[:3] if settings.is_tiny else entries:
                position = reference_position(entry)
                raw = evaluate_raw(
                    evaluator,
                    position,
                    symmetry=entry.get("symmetry", 0),
                    optimism=entry.get("optimism", 0.0),
                ).for_white(white_to_move=position.to_move == 1)
                for name, apart in differences(raw, entry["nn"]).items():
                    worst[name] = max(worst[name], apart)
            evaluator.close()
            within = all(worst[name] <= bound for name, bound in BOUNDS.items())
            yield {"network": network, "precision": precision, **worst, "within_fp32": within}


def cases(settings: Settings) -> Iterator[tuple[str, list[Entry]]]:
    """The networks with their reference positions; the small ones alone in a trial."""
    if not settings.is_tiny:
        for network, file in ((B6, "reference.json"), (B10, "reference-v17.json")):
            yield network, json.loads((settings.data / file).read_text())["positions"]
    variants = json.loads((settings.data / "reference-v17-variants.json").read_text())["networks"]
    for each in variants:
        if (name := each["model"].removesuffix(SUFFIX)) in VARIANTS:
            yield name, each["positions"]


def differences(found: RawOutput, expected: Entry) -> dict[str, float]:
    """The largest differences from KataGo's output: NaN counts as infinite."""
    apart = {
        "win": abs(found.win - expected["whiteWin"]),
        "lead": abs(found.lead - expected["whiteLead"]),
        "policy": abs(float(found.policy[-1]) - expected["policyPass"]),
    }
    if "policy" in expected:
        legal = ~np.isnan(policy := board(expected["policy"]).ravel())
        moves = np.abs(found.policy[:-1] - policy)[legal].max(initial=0.0)
        apart["policy"] = float(np.maximum(apart["policy"], moves))
        owners = np.abs(found.ownership - np.array(expected["whiteOwnership"], float))
        apart["ownership"] = float(owners.max())
    return {name: np.inf if np.isnan(value) else value for name, value in apart.items()}
