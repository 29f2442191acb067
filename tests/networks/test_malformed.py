"""Malformed KataGo files: every field wrong in turn, cuts and mutations, each refused in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.networks.architecture import NetworkFileError
from tests.support.networks import malformed
from tests.support.networks.katago_fields import MARK, fields_of
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.malformed import Case, Refusals, cuts, wrong_fields
from tests.support.networks.shapes import KATAGO_SHAPES, network
from tests.support.networks.transformers import TRANSFORMERS
from tests.support.paths import ROOT

GOOD = katago_file(network("version 8"), zipped=False)
# With every layer of the format.
SMALL = ("version 8", "version 14, nested", "version 15, metadata", "version 16", *TRANSFORMERS)
FEW = SMALL[1::3]  # in the short version
KINDS = ("wrong fields", "cuts", "mutations")
SECONDS = 2  # of mutations, over all files


def tried(files: list[Path], *options: str) -> list[str]:
    """The lines of the command on these files, in a process with little memory."""
    words = [sys.executable, "-m", "tests.support.networks.malformed", *map(str, files), *options]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("names", [FEW, pytest.param(SMALL, marks=pytest.mark.slow)])
def test_every_wrong_field_is_refused_in_words(names: tuple[str, ...], tmp_path: Path) -> None:
    files = []
    for number, name in enumerate(names):
        files.append(tmp_path / f"network{number}.bin")
        files[-1].write_bytes(katago_file(network(name), zipped=False))
    lines = tried(files, "--minutes", str(SECONDS / 60), "--most", "1", "--seed", "1")
    for path in files:
        for kind in KINDS:
            assert any(line.startswith(f"{path.name}: {kind}: ") for line in lines)


@pytest.mark.parametrize("count", [1, pytest.param(None, marks=pytest.mark.slow)])
def test_every_wrong_field_of_a_transformer_is_refused(
    katago_data: Path, count: int | None
) -> None:
    transformers = sorted(katago_data.glob("b7c96*.bin.gz"))[:count]
    lines = tried(transformers, "--minutes", "0.02", "--most", "1", "--seed", "1")
    assert len(lines) == 1 + len(KINDS) * len(transformers)


@pytest.mark.parametrize("name", [*KATAGO_SHAPES, *TRANSFORMERS])
def test_the_fields_cover_the_file(name: str) -> None:
    content = katago_file(network(name), zipped=False)
    at = 0
    for place in fields_of(content):
        assert content[at : place.start].strip() == b""
        at = place.end
        assert content.startswith(MARK, place.start) == bool(place.floats)
    assert content[at:].strip() == b""


def test_cases_differ_from_the_good_file() -> None:
    fields = fields_of(GOOD)
    cases = [*wrong_fields(GOOD, fields), *cuts(GOOD, fields)]
    assert len(cases) > 1000
    assert all(case.content != GOOD for case in cases)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (None, "read as a network"),
        (ValueError("shape"), "ValueError: shape"),
        (MemoryError(), "MemoryError"),
        (NetworkFileError("wrong"), "no path in wrong"),
    ],
)
def test_other_answers_are_failures(
    error: Exception | None, failure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Path) -> None:
        if error:
            raise error

    monkeypatch.setattr(malformed, "read_network", read)
    refusals = Refusals(tmp_path)
    refusals.try_case(Case("a case", GOOD))
    assert refusals.failures[0].startswith(f"a case: {failure}")
    assert (tmp_path / "failed1.bin").read_bytes() == GOOD


def test_a_slow_refusal_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(malformed, "LONGEST_SECONDS", 0.0)
    refusals = Refusals(tmp_path)
    refusals.try_case(Case("a case", b"nothing"))
    assert "took" in refusals.failures[0]
