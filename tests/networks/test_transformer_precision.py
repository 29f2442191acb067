"""KataGo's transformer in reduced precision against KataGo's own outputs, within stated bounds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from engine.networks.native_backend import native_precisions
from engine.networks.openvino_backend import openvino_precisions
from engine.networks.raw import evaluate_raw
from engine.networks.runtime import load_evaluator
from tests.networks.test_transformer_reference import area, entries
from tests.support.networks.backends import has_gpu
from tests.support.networks.katago_reference import board, reference_position

NAME = "b10c384h6nbttflrs"
LARGEST_AREA = 9 * 9  # each size costs a compilation
PRECISIONS = {"openvino": openvino_precisions, "native": native_precisions}


class Bounds(NamedTuple):
    """Largest differences: probability, points, total variation, and ownership of a point."""

    win: float
    lead: float
    policy: float
    ownership: float


BOUNDS = {
    # One point's ownership differs by 0.071 where torch multiplies by an AMD processor's bfloat16
    # instructions (Zen 5), and by less than 0.05 elsewhere.
    ("torch", "bf16"): Bounds(0.03, 0.2, 0.03, 0.08),
    ("openvino", "bf16"): Bounds(0.05, 0.4, 0.04, 0.08),  # it rounds the trunk as well
    ("native", "bf16"): Bounds(0.03, 0.2, 0.03, 0.08),
    ("native", "int16"): Bounds(0.01, 0.1, 0.01, 0.02),
    ("native", "int8"): Bounds(0.06, 0.3, 0.05, 0.08),
}
if has_gpu():
    BOUNDS["cuda", "bf16"] = BOUNDS["torch", "bf16"]
    BOUNDS["cuda", "fp16"] = Bounds(0.01, 0.1, 0.01, 0.02)


@pytest.mark.parametrize(("backend", "precision"), BOUNDS)
def test_reduced_precision_is_near_katago(backend: str, precision: str, katago_data: Path) -> None:
    if precision not in PRECISIONS.get(backend, lambda: (precision,))():
        pytest.skip(f"this processor has no {precision}")
    path = katago_data / f"{NAME}.bin.gz"
    evaluator = load_evaluator(path, backend=backend, precision=precision)
    bounds = BOUNDS[backend, precision]
    cases = [entry for entry in entries(katago_data, NAME) if area(entry) <= LARGEST_AREA]
    assert len(cases) >= 5
    for entry in cases:
        position, expected = reference_position(entry), entry["nn"]
        found = evaluate_raw(
            evaluator, position, symmetry=entry["symmetry"], optimism=entry["optimism"]
        ).for_white(white_to_move=position.to_move == 1)
        assert found.win == pytest.approx(expected["whiteWin"], abs=bounds.win)
        assert found.lead == pytest.approx(expected["whiteLead"], abs=bounds.lead)
        policy = np.append(board(expected["policy"]).ravel(), expected["policyPass"])
        assert np.nansum(np.abs(found.policy - policy)) / 2 < bounds.policy
        ownership = np.array(expected["whiteOwnership"], float).ravel()
        assert np.abs(found.ownership.ravel() - ownership).max() < bounds.ownership
