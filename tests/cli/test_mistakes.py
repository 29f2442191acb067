"""What a new user gets wrong on the command line: one line of stderr, exit code 2, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import errors
from engine.match import tables_csv
from engine.training.opponents.stored_games import rows_of
from protocols.cli import main
from tests.support.paths import ROOT

MISTAKES = [
    # the command line; what is said
    ("serv", "no subcommand 'serv'; did you mean 'serve'?"),
    ("quux", "no subcommand 'quux'; see `sparring --help`"),
    ("gtp --quux 10", "unrecognized arguments: --quux 10; see `sparring gtp --help`"),
    ("serve --gtpport 1", "unrecognized arguments: --gtpport 1, did you mean --gtp-port?"),
    ("serve --gtp-port 99999", "'99999' is not a port: 0 (any free one) to 65535"),
    ("serve --gtp-port -1", "'-1' is not a port"),
    ("serve --websocket-port abc", "'abc' is not a port"),
    ("serve --sessions 0", "'0' is not a whole number above 0"),
    ("gtp --precision fp8", "invalid choice: 'fp8'"),
    ("gtp --network nosuch.bin.gz", "no network file 'nosuch.bin.gz'"),
    ("nboard --analysis-threads 2", "unrecognized arguments: --analysis-threads 2"),
    ("match checkers a b", "no game 'checkers': there are go7 to go19"),
    ("match go20 random random", "no board 'go20'"),
    ("match othello8 roxane random", "did you mean 'roxanne'?"),
    ("match othello8 roxanne", "a match is between two players or more"),
    ("match othello8 roxanne random --games -1", "'-1' is not a whole number above 0"),
    ("match othello8 roxanne random --games " + "9" * 30, "is too large: 9 digits at most"),
    ("match othello8 roxanne random --komi 5", "--komi is an option of Go, not of Othello"),
    ("match connect4 random random --rules japanese", "--rules is an option of Go"),
    ("match go9 random random --rules martian", "invalid choice: 'martian'"),
    ("match othello8 roxanne random --csv no/x.csv", "no/x.csv: No such file or directory"),
    ("match othello8 roxanne random --csv .", ".: Is a directory"),
    ("match othello8 roxanne random --record no/x.jsonl", "no/x.jsonl: No such file or directory"),
    ("match othello8 roxanne random --record notes", "'notes' is no match record"),
    ("match connect4 nosuch random", "no player 'nosuch'"),
    ("calibrate foo", "no game 'foo'"),
    ("calibrate othello8 --komi 5", "--komi is an option of Go"),
    ("calibrate connect4 --games 0", "'0' is not a whole number above 0"),
    ("lab balance othello8 even --output notes", "notes: File exists"),
    ("train chess", "invalid choice: 'chess'"),
    ("train connect4 --output notes", "notes"),
    ("curves nosuch", "no numbers of a run at nosuch/metrics.jsonl"),
    ("network nosuch", "nosuch: cannot be read"),
    ("records nosuch.ggf", "nosuch.ggf: No such file or directory"),
    ("records notes", "no format"),
    ("review nosuch.sgf", "nosuch.sgf: No such file or directory"),
    ("review 4453 --csv no/x.csv", "no/x.csv: No such file or directory"),
    ("review 4453 --output notes", "notes: File exists"),
    ("lab frontier nosuch.jsonl", "nosuch.jsonl: No such file or directory"),
    ("solve othello --positions nosuch", "nosuch: No such file or directory"),
    ("solve go9 x", "no solver for 'go9'"),
    ("solve othello a1", "move 1, 'a1': not a legal move"),
    ("solve othello --random 2 --empties ten", "'ten' is not a whole number above 0"),
    ("solve connect4 --random -1", "'-1' is not a whole number above 0"),
    ("solve connect4 --positions notes", "notes: line 1: "),
    ("bench --rounds 0", "'0' is not a whole number above 0"),
    ("calibrate connect4 --from 500 --to 100", "--from 500 is not below --to 100"),
    ("match go9 random random --handicap 99", "no fixed handicap of 99 stones"),
    ("match go9 random random --komi 1e20", "komi 1e+20 is not within"),
    ("lab frontier notes", "'notes' is no match record"),
    ("serve --chess-tables nosuch", "no folder 'nosuch' of endgame tables"),
    ("serve --chess-book nosuch.bin", "no opening book 'nosuch.bin'"),
    ("personas --personas notes", "'notes' is no folder"),
    ("personas nosuch", "no persona 'nosuch'"),
    ("personas techer", "did you mean 'teacher'?"),
    ("personas full about x --write --personas notes/in", "notes/in: Not a directory"),
    ("opponents --store notes", "notes: "),
    ("opponents --store /proc/nosuch/x.sqlite3", "/proc/nosuch/x.sqlite3: "),
    ("opponent Ann --store /proc/nosuch/x.sqlite3 --delete", "/proc/nosuch/x.sqlite3: "),
    ("lab examine go9", "exact results are known of Othello and Connect4"),
    ("lab examine connect4 --json x.json", "unrecognized arguments: x.json"),
    ("bench --sizes nine", "no positions of size 'nine'"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_mistake_is_told_in_a_line(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "none.sock"))
    notes = tmp_path / "notes"
    notes.write_text("mine")
    with pytest.raises(errors.UsageError) as mistake:
        main.dispatch(words.split())
    assert said in str(mistake.value)
    assert len(str(mistake.value).splitlines()) == 1
    assert notes.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


@pytest.mark.parametrize("name", ["metrics.jsonl", "checkpoint.safetensors"])
def test_training_leaves_foreign_files_as_they_are(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("mine")
    with pytest.raises(errors.UsageError, match=name):
        main.dispatch(["train", "connect4", "--output", str(tmp_path)])
    assert path.read_text() == "mine"


def test_learning_from_games_leaves_foreign_files_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for text in ("mine", '{"a": 1}\nmine', "[1]\n", "mine\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match="holds no games"):
            rows_of(path)
        assert path.read_text() == text
    path.write_text('{"a": 1}\n{"a"')
    assert rows_of(path) == [{"a": 1}]
    assert path.read_text() == '{"a": 1}\n'


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """What this Python code does as a program, its user's data in the folder."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "data")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_table_of_a_match_is_printed_though_its_file_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "games.csv")

    monkeypatch.setattr(tables_csv, "write", full)
    words = "match connect4 random random --games 2 --quiet --json --csv"
    with pytest.raises(errors.UsageError, match=r"games\.csv: No space left on device"):
        main.dispatch([*words.split(), str(tmp_path / "games.csv")])
    assert json.loads(capsys.readouterr().out)


FAULT = """
from protocols.cli import main, version
def fault(options, say): raise KeyError("a bug")
version.run = fault
import sys; sys.argv = ["sparring", "version"]
main.main()
"""


@pytest.mark.parametrize("is_writable", [True, False])
def test_a_fault_of_ours_is_a_line_and_its_traceback_in_a_log(
    is_writable: bool,
    tmp_path: Path,
) -> None:
    if not is_writable:
        (tmp_path / "data").write_text("in the way")
    done = run(tmp_path, FAULT)
    assert done.returncode == 70
    assert done.stderr.startswith("sparring: internal error: KeyError: 'a bug'; its traceback")
    log = tmp_path / "data" / "sparring" / "errors.log"
    assert "in fault" in (log.read_text() if is_writable else done.stderr)
    assert len(done.stderr.splitlines()) == 1 or not is_writable


WITHOUT = """
import sys
sys.modules["{module}"] = None
sys.argv = ["sparring", *{words!r}]
from protocols.cli import main
main.main()
"""


@pytest.mark.parametrize(
    ("module", "words", "code", "said"),
    [
        ("torch", "train connect4 --output x", 2, "absent here: install sparring[torch]"),
        ("torch", "match othello8 double-dqn:x random", 2, "absent here: install sparring[torch]"),
        ("torch", "precision --backend torch", 2, "absent here: install sparring[torch]"),
        ("openvino", "precision --backend openvino", 2, "absent here: install sparring[openvino]"),
        ("matplotlib", "curves .", 2, "'matplotlib' is absent here: install sparring[pictures]"),
        ("matplotlib", "review 4453 --visits 0 --output out --quiet", 0,
         "absent here: install sparring[pictures]"),
        ("onnx", "network {go} --onnx x.onnx", 2, "'onnx' is absent here: install sparring[onnx]"),
    ],
)  # fmt: skip
def test_a_module_that_is_absent_is_named_with_what_brings_it(
    module: str, words: str, code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "metrics.jsonl").write_text('{"step": 1, "loss": 2}\n')
    go = ROOT / "engine" / "networks" / "weights" / "go.safetensors"
    done = run(tmp_path, WITHOUT.format(module=module, words=words.format(go=go).split()))
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
