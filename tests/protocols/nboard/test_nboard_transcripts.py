"""Sessions recorded in files: what is sent, and exactly what is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.line_talk import check_transcript
from tests.support.nboard_conversation import Conversation

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.nboard"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    check_transcript(path, Conversation().say)
