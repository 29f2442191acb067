"""Fixtures every test may use."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from engine.errors import SettingError
from engine.networks.processor import cores
from engine.networks.runtime import BACKENDS, BackendError
from engine.play.networks import bundled_network
from tests.support.instructions import library_settings
from tests.support.networks.backends import choose_usual
from tests.support.paths import ROOT, SUPPORT

SCRIPTED_ENGINE = SUPPORT / "scripted_engine.py"
REFERENCE_NETWORK = "g170-b6c96-s175395328-d26788732.bin.gz"
SHARED_DATA = ROOT.parent / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the choice of the usual backend."""
    parser.addoption(
        "--backend",
        choices=list(BACKENDS),
        help="the backend of networks without a named one; it must be available",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Holds torch and OpenVINO to the instructions that SPARRING_KERNELS names, before they load.

    Workers of pytest-xdist share the cores: each has its part of them for torch's threads. A shell
    lets its jobs in the background ignore interrupts, and programs inherit this: tests of them end
    it.
    """
    settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
    settings.load_profile("untimed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(library_settings())
    if (backend := config.getoption("--backend")) is not None:
        try:
            choose_usual(backend)
        except BackendError as error:
            raise pytest.UsageError(str(error)) from error
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        os.environ.setdefault("OMP_NUM_THREADS", str(max(1, cores() // workers)))


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests keeps their own opponents, ladders and personas."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("SPARRING_STORE", raising=False)
        yield


@pytest.fixture(scope="session")
def katago_model() -> Path:
    """Path of the reference KataGo network; skips where it is absent."""
    path = SHARED_DATA / "katago" / REFERENCE_NETWORK
    if not path.exists():
        pytest.skip(f"needs the reference network {path.name} in ../shared/data/katago")
    return path


@pytest.fixture(scope="session")
def katago_data() -> Path:
    """The folder of KataGo's transformer networks; skips where they are absent."""
    path = SHARED_DATA / "katago"
    if not (path / "reference-v17.json").exists():
        pytest.skip("needs KataGo's transformer networks in ../shared/data/katago")
    return path


@pytest.fixture(scope="session")
def katago_reference() -> Path:
    """Path of KataGo's reference outputs; skips where they are absent."""
    path = SHARED_DATA / "katago" / "reference.json"
    if not path.exists():
        pytest.skip("needs reference.json in ../shared/data/katago")
    return path


@pytest.fixture(scope="session")
def gnugo() -> str:
    """Path of GNU Go; skips where it is absent."""
    path = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if path is None:
        pytest.skip("needs gnugo (Debian: apt install gnugo)")
    return path


@pytest.fixture(scope="session")
def scripted() -> Callable[..., list[str]]:
    """The command line of tests/support/scripted_engine.py, which does what its options say."""
    return lambda *options: [sys.executable, str(SCRIPTED_ENGINE), *options]


@pytest.fixture(scope="session")
def go_network() -> Path:
    """A Go network to play with: the reference one, else the bundled one; skips without either."""
    path = SHARED_DATA / "katago" / REFERENCE_NETWORK
    if path.exists():
        return path
    try:
        return bundled_network()
    except SettingError:
        pytest.skip("needs a Go network: the reference one or the bundled one")
