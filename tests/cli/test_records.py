"""`sparring records`: files checked and converted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine._core import OthelloPosition
from engine.errors import UsageError
from engine.formats import ggf
from engine.formats.ggf import GgfGame, GgfMove, GgfResult
from protocols.cli.main import dispatch

PEOPLE = ("Ada", "Grace", "Barbara")


def random_games(count: int) -> list[GgfGame]:
    games = []
    for seed in range(count):
        rng = random.Random(seed)
        position = OthelloPosition(8)
        made = []
        while not position.is_over:
            move = rng.choice(position.legal_moves())
            made.append(GgfMove(position.to_move, move))
            position.play(move)
        properties = {
            "PB": rng.choice(PEOPLE),
            "PW": rng.choice(PEOPLE),
            "PC": "Home",
            "DT": "1999",
        }
        games.append(GgfGame(8, None, 0, tuple(made), GgfResult(position.black_score), properties))
    return games


def test_games_keep_their_moves_and_names_through_all_formats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = random_games(12)
    first, thor, again, lines = (tmp_path / name for name in ("a.ggf", "b.wtb", "c.ggf", "d.txt"))
    first.write_text(ggf.write(games))
    assert dispatch(["records", str(first), "--write", str(thor)]) == 0
    assert dispatch(["records", str(thor), "--write", str(again)]) == 0
    assert dispatch(["records", str(again), str(again), "--write", str(lines)]) == 0
    assert dispatch(["records", str(lines)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{first}: 12 games, 12 played out, 0 not legal"
    assert said[-1] == f"{lines}: 24 games, 24 played out, 0 not legal"
    back = ggf.read(again.read_text())
    for old, new in zip(games, back, strict=True):
        assert ggf.replay(new)[1] == ggf.replay(old)[1]
        assert new.result == old.result
        for name in ("PB", "PW", "PC", "DT"):
            assert new.properties[name] == old.properties[name]


def test_odd_games_are_named_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = random_games(3)
    games[1] = GgfGame(8, None, 0, games[1].moves, GgfResult(-63))
    games[2] = GgfGame(8, None, 0, (GgfMove(0, 0),))
    path = tmp_path / "odd.ggf"
    path.write_text(ggf.write(games))
    assert dispatch(["records", str(path), "--write", str(tmp_path / "legal.ggf")]) == 1
    said = capsys.readouterr().out
    assert "3 games, 2 played out, 1 of them with another result than stated, 1 not legal" in said
    assert "game 3: move 1, B[A1]" in said
    assert "game 2: stated -63.000, counted " in said
    assert len(ggf.read((tmp_path / "legal.ggf").read_text())) == 2


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.ggf", b"nothing", "no game of GGF: 'nothing'"),
        ("a.wtb", b"nothing", "not a WTHOR file"),
        ("a.txt", b"f5d6\n# fine\nf5a1\n", "line 3: move 2, 'a1'"),
        ("a.pdf", b"", "no format for '.pdf'"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UsageError) as refusal:
        dispatch(["records", str(path)])
    assert text in str(refusal.value)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.ggf"
    path.write_text(ggf.write([GgfGame(size=6, first_to_move=1)]))
    for name, text in (("x.doc", "no format"), ("x.txt", "8x8"), ("x.wtb", "usual position")):
        with pytest.raises(UsageError, match=text):
            dispatch(["records", str(path), "--write", str(tmp_path / name)])
    with pytest.raises(UsageError, match="absent"):
        dispatch(["records", str(tmp_path / "absent.ggf")])
