"""`sparring train speed` measures both ways of learning, and tells them apart."""

from __future__ import annotations

import re

import pytest
import torch

from engine.training.common.convolution import available
from protocols.cli.main import dispatch

SMALL = "--blocks 2 --channels 32 --size 5 --batch 2 --seconds 0 --threads 1"


@pytest.mark.skipif(not available(), reason="needs the instructions avx512-bf16 without AMX")
def test_both_ways_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    before = torch.get_num_threads()
    assert dispatch(["train", "speed", *SMALL.split()]) == 0
    torch.set_num_threads(before)
    title, torchs, core, ratio = capsys.readouterr().out.splitlines()
    assert title == "2 blocks of 32, 5x5, 2 positions a step, threads: 1"
    speeds = [float(re.findall(r"[\d.]+", line)[0]) for line in (torchs, core)]
    told = float(re.findall(r"[\d.]+", ratio)[0])
    assert speeds[1] / speeds[0] == pytest.approx(told, rel=0.05)
