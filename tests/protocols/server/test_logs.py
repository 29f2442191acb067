"""The log: text for people, JSON for programs, the journal's prefixes; the id of a conversation."""

from __future__ import annotations

import contextvars
import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import SettingError
from protocols.activity import CURRENT, Activity
from protocols.server import logs

log = logging.getLogger("sparring")


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The log of the test run comes back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def written(path: Path, form: str) -> list[str]:
    """What a conversation and the engine itself log at "info" into a file."""
    logs.start_log("info", form, str(path))

    def converse() -> None:
        CURRENT.set(Activity("gtp", id="0badcafe"))
        log.debug("too fine")
        log.warning("%s of a client", "line")
        try:
            int("a fault")
        except ValueError:
            log.exception("an error")

    log.info("the engine's own")
    contextvars.copy_context().run(converse)
    return path.read_text().splitlines()


def test_text_has_times_ids_and_levels(tmp_path: Path) -> None:
    lines = written(tmp_path / "log", "text")
    assert lines[0].endswith(" sparring: the engine's own")
    assert lines[1].endswith(" sparring: [0badcafe] warning: line of a client")
    assert lines[2].endswith(" sparring: [0badcafe] error: an error")
    assert lines[-1] == "ValueError: invalid literal for int() with base 10: 'a fault'"
    assert lines[0][:2] == "20"


def test_json_has_one_object_a_line(tmp_path: Path) -> None:
    lines = list(map(json.loads, written(tmp_path / "log", "json")))
    assert [each["level"] for each in lines] == ["info", "warning", "error"]
    assert "session" not in lines[0]
    assert lines[1]["session"] == "0badcafe"
    assert lines[1]["message"] == "line of a client"
    assert "ValueError: invalid literal" in lines[2]["exception"]


def test_bytes_after_a_refused_handshake_are_one_line(tmp_path: Path) -> None:
    logs.start_log("info", "text", str(tmp_path / "log"))
    library = logging.getLogger("websockets.server")
    for error in (AssertionError(), ValueError()):
        library.error("unexpected internal error", exc_info=error)
    lines = (tmp_path / "log").read_text().splitlines()
    text = " websockets.server: warning: bytes after a refused handshake: connection closed"
    assert lines[0].endswith(text)
    assert lines[1].endswith(" websockets.server: error: unexpected internal error")
    assert lines[-1] == "ValueError"


def test_the_journal_reads_priorities_and_keeps_its_own_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.start_log("info", "text", "journald")
    log.info("fine")
    log.error("bad\nworse")
    assert capsys.readouterr().err.splitlines() == [
        "<6>sparring: fine",
        "<3>sparring: error: bad",
        "<3>worse",
    ]


def test_the_journal_is_known_by_its_stream(tmp_path: Path, monkeypatch: Any) -> None:
    with (tmp_path / "stream").open("w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        status = os.fstat(stream.fileno())
        assert logs.is_journal({"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        assert not logs.is_journal({"JOURNAL_STREAM": "1:1"})
        assert not logs.is_journal({})


def test_a_rotated_file_is_opened_anew_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, "text")
    path.rename(tmp_path / "log.1")
    log.info("after the rotation")
    assert path.read_text().endswith("after the rotation\n")
    with pytest.raises(SettingError, match="No such file or directory"):
        logs.start_log("info", "text", str(tmp_path / "none" / "log"))


def test_the_level_changes_while_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, "text")
    logs.set_level("debug")
    log.debug("finer")
    assert path.read_text().endswith("finer\n")
