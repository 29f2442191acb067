"""The sets of vector instructions that the core knows, and how a run of the tests is held to one.

`SPARRING_KERNELS=avx2 python -m pytest` runs the tests as on a processor whose best set is AVX2.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine._core import forced_instructions, instruction_sets

# Name of a set -> what holds torch, and what torch and OpenVINO compute by, to it.
INSTRUCTION_SETS: Mapping[str, Mapping[str, str]] = {
    "base": {
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    },
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
    "avx2-vnni": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2_VNNI",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
    "avx512": {
        "ATEN_CPU_CAPABILITY": "avx512",
        "ONEDNN_MAX_CPU_ISA": "AVX512_CORE",
        "MKL_ENABLE_INSTRUCTIONS": "AVX512",
    },
    "avx512-vnni": {
        "ATEN_CPU_CAPABILITY": "avx512",
        "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI",
        "MKL_ENABLE_INSTRUCTIONS": "AVX512",
    },
    "avx512-bf16": {
        "ATEN_CPU_CAPABILITY": "avx512",
        "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16",
        "MKL_ENABLE_INSTRUCTIONS": "AVX512",
    },
    "amx-bf16": {
        "ATEN_CPU_CAPABILITY": "avx512",
        "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_AMX",
        "MKL_ENABLE_INSTRUCTIONS": "AVX512",
    },
}


def library_settings() -> Mapping[str, str]:
    """Environment variables that hold the libraries to the forced set; none where none is."""
    return INSTRUCTION_SETS.get(forced_instructions(), {})


def skip_unless_present(name: str) -> None:
    """Skips a test of a set that this process does not use, and says which set it is."""
    if name not in instruction_sets():
        pytest.skip(f"needs the instructions {name}: there are {', '.join(instruction_sets())}")
