"""Atomic writing: the earlier file stays until the new one is complete."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.util.atomic_file import atomic_write


def test_a_complete_file_replaces_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("earlier")
    with atomic_write(path) as unfinished:
        unfinished.write_text("later")
        assert path.read_text() == "earlier"
    assert path.read_text() == "later"
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_are_on_the_disk_before_the_name_and_the_name_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.txt"
    path.write_text("earlier")
    synced: list[tuple[str, str]] = []

    def fsync(descriptor: int) -> None:
        synced.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, path.read_text()))

    monkeypatch.setattr(os, "fsync", fsync)
    with atomic_write(path) as unfinished:
        unfinished.write_text("later")
    assert synced == [("file.txt.unfinished", "earlier"), (tmp_path.name, "later")]


def write_and_fail(path: Path) -> None:
    with atomic_write(path) as unfinished:
        unfinished.write_text("half of")
        raise OSError("the disk is full")


def test_an_interrupted_write_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("earlier")
    with pytest.raises(OSError, match="disk"):
        write_and_fail(path)
    assert path.read_text() == "earlier"
