"""Process pools end with their block, and an interrupt at any moment leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

SCRIPT = """
import os, signal, sys
from {module} import {name} as subject
from engine.util.process_pool import ProcessPool

def end(kind, *_):
    print(kind.__name__, flush=True)
    os._exit(9)

sys.excepthook = end

plain = subject.__init__
def interrupted(self, *arguments, **options):
    plain(self, *arguments, **options)
    signal.raise_signal(signal.SIGINT)

subject.__init__ = interrupted
if __name__ == "__main__":
    with ProcessPool(2, print, ()) as pool:
        for _ in range(100):
            pool.submit(len, "abc").result()
"""


@pytest.mark.parametrize(
    "moment",
    [
        ("multiprocessing.synchronize", "BoundedSemaphore"),
        ("multiprocessing.queues", "Queue"),
        ("multiprocessing.queues", "SimpleQueue"),
        ("concurrent.futures.process", "ProcessPoolExecutor"),
        ("multiprocessing.context", "SpawnProcess"),
    ],
)
def test_an_interrupt_while_a_pool_begins_leaves_no_semaphores(
    moment: tuple[str, str], tmp_path: Path
) -> None:
    """The block or its beginning ends by KeyboardInterrupt, and the process at once afterwards."""
    module, name = moment
    script = tmp_path / "pool.py"
    script.write_text(SCRIPT.format(module=module, name=name))
    done = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split()[-1:] == ["KeyboardInterrupt"], done
    assert done.returncode == 9
    assert not done.stderr
