"""`sparring network`: a file described and converted."""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import pytest

from engine.errors import UsageError
from engine.networks.sparring import write_sparring
from protocols.cli.main import dispatch
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import network


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.safetensors"
    card = {"made": "in a test\n\nby hand", "scored": {"win rate": 0.5}}
    write_sparring(path, network("connect4"), card)
    return path


def test_a_file_of_ours_is_described_with_its_card(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["network", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "game        Connect4" in lines
    assert "trunk       3 blocks x 12 channels" in lines
    assert "inputs      6 planes, 2 globals" in lines
    assert "scored.win rate: 0.5" in lines
    assert lines[lines.index("made:") :][:4] == ["made:", "in a test", "", "by hand"]


def test_a_file_of_katagos_is_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "theirs.bin.gz"
    path.write_bytes(katago_file(network("version 15, metadata")))
    assert dispatch(["network", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "inputs      22 planes, 19 globals, 192 numbers about the players" in lines
    assert lines[-1] == "outputs     as KataGo's model version 15"


def test_without_a_file_the_bundled_networks_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert dispatch(["network"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Go, every board ") and "go.safetensors" in line for line in lines)
    assert "of the model versions 8 to 17, transformers too" in lines[-2]
    with pytest.raises(UsageError, match="--onnx converts the network of FILE: name one"):
        dispatch(["network", "--onnx", "network.onnx"])


def test_it_is_converted(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "network.onnx"
    assert dispatch(["network", str(file), "--onnx", str(out)]) == 0
    assert capsys.readouterr().out.endswith(f"{out}: {out.stat().st_size:,} bytes written\n")
    inputs = {value.name: value.type.tensor_type.shape for value in onnx.load(out).graph.input}
    sizes = [size.dim_param or size.dim_value for size in inputs["spatial"].dim]
    assert sizes == ["batch", 6, "height", "width"]


def test_what_cannot_be_done_is_told(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"missing\.bin\.gz: cannot be read"):
        dispatch(["network", str(tmp_path / "missing.bin.gz")])
    with pytest.raises(UsageError, match=r"out\.onnx.*: No such file"):
        dispatch(["network", str(file), "--onnx", str(tmp_path / "nowhere" / "out.onnx")])
    monkeypatch.delitem(sys.modules, "engine.networks.onnx_model")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UsageError, match=r"'onnx' is absent here: install sparring\[onnx\]"):
        dispatch(["network", str(file), "--onnx", str(tmp_path / "out.onnx")])
