"""Measures the GPU backend in one run with a time limit, the most important parts first.

    python -m tests.support.gpu --data FOLDER --output FOLDER --seconds 560

FOLDER of --data has KataGo's networks and their reference outputs. Each part runs in a process of
its own, so that an error of the device ends this part alone. Each row is printed and written when
it is done: OUTPUT/gpu.jsonl has all rows of a run that was cut off. `--tiny --device cpu` tries
everything on a processor.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import torch

from tests.support.gpu.agreement import agreement
from tests.support.gpu.busy import busy, memory
from tests.support.gpu.learning import learning, teaching
from tests.support.gpu.rates import (
    compiled,
    eager,
    eager_benchmark,
    flights,
    onnx_runtime,
    own_rates,
)
from tests.support.gpu.settings import Row, Rows, Settings, written
from tests.support.paths import ROOT

RESULTS = "gpu.jsonl"


@dataclass(frozen=True)
class Part:
    """One measurement and the longest time for it."""

    run: Callable[[Settings], Rows]
    seconds: float


def machine(settings: Settings) -> Rows:
    """The device, its driver and the versions."""
    row: Row = {"device": platform.processor() or platform.machine(), "cores": os.cpu_count()}
    if settings.device.startswith("cuda"):
        card = torch.cuda.get_device_properties(settings.device)
        row |= {"device": card.name, "memory_mib": card.total_memory >> 20}
        row |= {"multiprocessors": card.multi_processor_count}
    yield row | {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "commit": commit(),
    }


def commit() -> str:
    """The commit of the source; "" outside a repository."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


PARTS = {  # in the order of their importance
    "machine": Part(machine, 30),
    "agreement": Part(agreement, 100),
    "own rates": Part(own_rates, 100),
    "flights": Part(flights, 80),
    "eager": Part(eager, 60),
    "busy": Part(busy, 90),
    "memory": Part(memory, 40),
    "learning": Part(learning, 60),
    "teaching": Part(teaching, 40),
    "compile": Part(compiled, 150),
    "eager, cudnn.benchmark": Part(eager_benchmark, 60),
    "onnxruntime": Part(onnx_runtime, 60),
}


def main(words: list[str] | None = None) -> int:
    """Runs the parts; returns the number of those without all their rows."""
    options = parser().parse_args(words)
    settings = Settings(options.data, options.device, options.tiny)
    options.output.mkdir(parents=True, exist_ok=True)
    if options.part is not None:
        for row in PARTS[options.part].run(settings):
            note(options.output, {"part": options.part, **row})
        return 0
    end = time.monotonic() + options.seconds
    missing = 0
    for name in options.parts or PARTS:
        reason = in_process(name, options, min(PARTS[name].seconds, end - time.monotonic()))
        if reason is not None:
            note(options.output, {"part": name, "ended": reason})
            missing += 1
    return missing


def in_process(name: str, options: argparse.Namespace, seconds: float) -> str | None:
    """Runs a part in a process of its own; returns the reason if it ended early."""
    if seconds <= 0:
        return "no time left"
    command = [sys.executable, "-m", "tests.support.gpu", "--part", name]
    command += ["--data", str(options.data.resolve()), "--output", str(options.output.resolve())]
    command += ["--device", options.device, *(["--tiny"] if options.tiny else [])]
    log = options.output / "errors.txt"
    with log.open("a") as errors:
        # torch.compile starts processes of its own: all of them end with the part.
        part = subprocess.Popen(command, cwd=ROOT, stderr=errors, start_new_session=True)
        try:
            status = part.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"stopped after {seconds:.0f} s"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(part.pid, signal.SIGKILL)
            part.wait()
    if not status:
        return None
    last = [line for line in log.read_text().splitlines() if line.strip()][-1:]
    return f"exit status {status}: {''.join(last)[:300]}"


def note(output: Path, row: Row) -> None:
    """Prints the row and adds it to the results."""
    line = written(row)
    print(line, flush=True)
    with (output / RESULTS).open("a") as file:
        file.write(line + "\n")


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m tests.support.gpu",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    made.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    made.add_argument("--seconds", type=float, default=560.0, help="of all parts")
    made.add_argument("--device", default="cuda")
    made.add_argument("--tiny", action="store_true", help="small sizes, for a trial")
    made.add_argument("--parts", nargs="+", choices=PARTS, help="these alone, in this order")
    made.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    return made


if __name__ == "__main__":
    sys.exit(main())
