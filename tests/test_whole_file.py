"""A file written whole: the earlier one stays until the new one is complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.whole_file import whole_file


def test_it_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("earlier")
    with whole_file(path) as unfinished:
        unfinished.write_text("later")
        assert path.read_text() == "earlier"
    assert path.read_text() == "later"
    assert list(tmp_path.iterdir()) == [path]


def write_and_fail(path: Path) -> None:
    with whole_file(path) as unfinished:
        unfinished.write_text("half of")
        raise OSError("the disk is full")


def test_what_breaks_off_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("earlier")
    with pytest.raises(OSError, match="disk"):
        write_and_fail(path)
    assert path.read_text() == "earlier"
