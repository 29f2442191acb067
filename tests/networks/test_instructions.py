"""SPARRING_KERNELS makes this program behave as on a processor with fewer instructions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from types import SimpleNamespace

import pytest

from engine._core import CpuNetwork, forced_instructions, instruction_sets
from engine.networks import native_backend, processor
from engine.networks.native_backend import native_precisions
from engine.networks.processor import is_faster
from tests.support.instructions import INSTRUCTION_SETS, skip_unless_present

ASK = """
import json
from engine._core import OthelloSolver, TrainedConvolution, instruction_sets
from engine.networks.openvino_backend import openvino_precisions
from engine.networks.native_backend import native_precisions
from engine.networks.runtime import choose_backend
print(json.dumps({
    "sets": instruction_sets(),
    "othello": OthelloSolver().instructions,
    "learns": TrainedConvolution.available(),
    "native": native_precisions(),
    "openvino": openvino_precisions(),
    "bf16": choose_backend("auto", "bf16"),
}))
"""
SETS = list(INSTRUCTION_SETS)
LEARNING = "avx512-bf16"
ROUNDING = (LEARNING, "amx-bf16")
IN_BYTES = ("avx2-vnni", "avx512-vnni", LEARNING)
IN_WORDS = ("avx2", *IN_BYTES)
# Forced instructions hide other capabilities of the processor.
ABSENT = [] if forced_instructions() else [name for name in SETS if name not in instruction_sets()]


def ask(script: str, kernels: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SPARRING_KERNELS": kernels, **INSTRUCTION_SETS.get(kernels, {})}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )


@pytest.mark.parametrize("name", SETS)
def test_nothing_beyond_the_forced_set_is_used(name: str) -> None:
    skip_unless_present(name)
    done = ask(ASK, name)
    assert not done.returncode, done.stderr
    told = json.loads(done.stdout)
    present = [each for each in SETS if each in instruction_sets()]
    assert told["sets"] == present[: present.index(name) + 1]
    assert told["othello"] == ("base" if name == "base" else "avx2")
    assert told["learns"] == (name == LEARNING)
    rounds = name in ROUNDING
    assert ("bf16" in told["native"]) == rounds
    assert ("int8" in told["native"]) == (name in IN_BYTES)
    assert ("int16" in told["native"]) == (name in IN_WORDS)
    assert ("bf16" in told["openvino"]) == rounds
    assert told["bf16"] == ("native" if rounds else "torch")


def test_tiles_multiply_bfloat16_faster_than_float32() -> None:
    skip_unless_present("amx-bf16")
    assert CpuNetwork.gain("bf16") > 1.5
    assert native_precisions() == ("bf16", "fp32")


@pytest.mark.parametrize("name", SETS)
def test_only_what_a_set_multiplies_has_a_gain(name: str) -> None:
    skip_unless_present(name)
    assert (CpuNetwork.gain("bf16", name) > 0) == CpuNetwork.has_bf16(name) == (name in ROUNDING)
    assert (CpuNetwork.gain("int16", name) > 0) == CpuNetwork.has_int16(name) == (name in IN_WORDS)
    assert CpuNetwork.gain("int7", name) == 0


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        ({"bf16": 0.5, "int16": 1.0}, ("fp32", "bf16", "int16")),
        ({"bf16": 0.5, "int16": 1.7}, ("int16", "fp32", "bf16")),
        ({"bf16": 1.7, "int16": 0.8}, ("bf16", "fp32", "int16")),
        ({"bf16": 1.7, "int16": 1.9}, ("bf16", "int16", "fp32")),
    ],
)
def test_the_faster_precisions_are_the_first(
    gains: Mapping[str, float], expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Intel's processors without tiles multiply bfloat16 at half the rate of float32."""
    is_faster.cache_clear()
    fake = SimpleNamespace(has_int8=lambda _name: False, gain=lambda name, _set: gains[name])
    for module in (native_backend, processor):
        monkeypatch.setattr(module, "CpuNetwork", fake)
    monkeypatch.setattr(native_backend, "ROUNDING", dict.fromkeys(gains, lambda _name: True))
    assert native_precisions() == expected
    is_faster.cache_clear()


@pytest.mark.parametrize("name", ["sse9", "AVX2", *ABSENT])
def test_a_set_that_is_not_there_is_refused(name: str) -> None:
    done = ask("import engine._core", name)
    assert done.returncode
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: SPARRING_KERNELS is '{name}'; this processor has base")


def test_a_network_with_absent_instructions_is_refused() -> None:
    with pytest.raises(ValueError, match="'sse9'"):
        CpuNetwork(1, 1, 0, instructions="sse9")
