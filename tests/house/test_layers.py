"""The shape of the source: which module may import which, and how long a file may get."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PACKAGES = ("engine", "protocols", "bots")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# Packages, lowest first. A module imports from its own package and from rows above its own;
# packages of one row do not know each other. A row names packages, never what lies below them.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("engine",),  # values and errors
    ("engine.util",),
    ("engine.report", "engine.games"),
    ("engine.formats", "engine.networks", "engine.search"),
    ("engine.strength", "engine.style"),
    ("engine.personas",),
    ("engine.opponents",),
    ("engine.opponents.store", "engine.play.steps"),
    ("engine.opponents.store.migrations", "engine.opponents.store.migrations.versions"),
    ("engine.agents", "engine.play"),
    ("engine.match", "engine.training.common"),
    ("engine.review", "engine.training.opponents", "engine.training.othello", "engine.training.go"),
    ("engine.training.imitation", "engine.training.alphazero"),
    ("engine.training", "engine.lab"),
    ("engine.lab.calibrate", "engine.lab.endgames", "engine.lab.examine"),
    ("protocols",),  # what several protocols share
    ("protocols.positions",),
    (
        "protocols.analysis",
        "protocols.nboard",
        "protocols.darkchess",
        "protocols.terminal",
        "protocols.uci",
        "protocols.ugi",
        "protocols.gtp",
        "protocols.page",
    ),
    ("protocols.server",),
    ("bots",),
    ("bots.cgos", "bots.lichess", "bots.mqtt", "bots.ogs"),
    ("protocols.cli",),
    ("protocols.cli.completion", "protocols.cli.doctor", "protocols.cli.train"),
)
CORE_LAYERS = (
    ("common",),
    ("game",),
    ("go", "othello", "connect4", "darkchess", "einstein"),
    ("simd", "agents"),
    ("network", "rollouts", "solvers"),
    ("search",),
    ("selfplay",),
    ("bindings",),
)
CORE_SOURCES = sorted((ROOT / "engine" / "core").glob("*/*.[hc]*"))
LOOSE = {"engine": {"values", "errors"}}  # modules of a package that has folders beside them
HEAVY = {"torch", "openvino", "onnx"}
HEAVY_OWNERS = ("engine.networks", "engine.training")
ASYNCIO_OWNERS = ("protocols.server", "protocols.cli.serve", "bots")
# Drivers of a session; the last one reads its settings.
DRIVERS = (
    "protocols.gtp",
    "protocols.page.page_game",
    "protocols.positions",
    "protocols.terminal",
    "protocols.persona_list",
)
SESSIONS_PART = re.compile(r"\bsession\.(search|source|opponent_model)\b")
STDOUT_OWNERS = ("protocols.server.stdio", "protocols.cli.main")
LIGHT_MODULES = ("protocols.cli.main", "protocols.cli.gui", "protocols.cli.version")
NOT_LIGHT = (
    "numpy",
    "torch",
    "openvino",
    "onnx",
    "asyncio",
    "engine._core",
    "uvloop",
    "websockets",
    "sqlalchemy",
    "alembic",
    "sqlite3",
)

LONGEST_FILE = 400
LONGEST_CORE_FILE = 620
LONGEST_FUNCTION = 60


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path) for path in SOURCES}


def within(module: str, owner: str) -> bool:
    return module == owner or module.startswith(f"{owner}.")


def package_of(module: str) -> str:
    """The package that a module is in; a package is in itself."""
    return module if (ROOT / module.replace(".", "/")).is_dir() else module.rpartition(".")[0]


def layer_of(package: str) -> int | None:
    for rank, packages in enumerate(LAYERS):
        if package in packages:
            return rank
    return None


@cache
def imports_of(tree: ast.AST) -> frozenset[str]:
    """Dotted names imported anywhere in `tree`; `from a import b` gives both a and a.b."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


def packages_imported(path: Path) -> set[str]:
    """Packages of this project that a module imports from, its own left out."""
    names = imports_of(parse(path)) & MODULES
    inner = {name for name in names if not any(other.startswith(f"{name}.") for other in names)}
    return {package_of(name) for name in inner} - {package_of(module_name(path))}


def test_imports_go_downwards() -> None:
    for path in SOURCES:
        package = package_of(module_name(path))
        if path.name == "__init__.py" and package in PACKAGES:
            assert not imports_of(parse(path)), "package roots stay empty"
        rank = layer_of(package)
        assert rank is not None, f"{package} has no row in LAYERS: decide where it belongs"
        wrong = [name for name in packages_imported(path) if (layer_of(name) or 0) >= rank]
        assert not wrong, f"{module_name(path)} imports from its own or a higher layer: {wrong}"


def test_every_row_names_a_package() -> None:
    there = {package_of(module_name(path)) for path in SOURCES}
    assert {package for row in LAYERS for package in row} == there


def test_nothing_lies_loose() -> None:
    for package, modules in LOOSE.items():
        found = {path.stem for path in (ROOT / package).glob("*.py")}
        assert found - {"__init__"} == modules


def test_bots_speak_to_the_engine_over_the_socket_only() -> None:
    for path in SOURCES:
        if within(module_name(path), "bots"):
            assert not [name for name in imports_of(parse(path)) if within(name, "engine")]


def test_the_drivers_alone_drive_a_session() -> None:
    for path in SOURCES:
        module = module_name(path)
        if within(module, "protocols") and not any(within(module, owner) for owner in DRIVERS):
            assert "engine.play.session" not in imports_of(parse(path)), module


def test_protocols_drive_a_session_by_its_own_methods() -> None:
    for path in SOURCES:
        if within(module_name(path), "protocols"):
            found = SESSIONS_PART.findall(path.read_text())
            assert not found, f"{module_name(path)} reaches through a session: {found}"


@pytest.mark.parametrize(
    ("imported", "owners"),
    [
        (HEAVY, HEAVY_OWNERS),
        ({"asyncio", "uvloop"}, ASYNCIO_OWNERS),
        ({"argparse"}, ("protocols.cli",)),
        ({"csv", "matplotlib", "tqdm"}, ("engine", "protocols.cli")),
        ({"sqlalchemy", "alembic", "psycopg"}, ("engine.opponents.store",)),
        ({"sqlite3"}, ("engine.opponents.store", "bots.mqtt.request_store")),
    ],
    ids=[
        "inference runtimes",
        "asyncio",
        "the command line",
        "tables and pictures",
        "databases",
        "SQLite",
    ],
)
def test_only_the_owners_import(imported: set[str], owners: tuple[str, ...]) -> None:
    for path in SOURCES:
        module = module_name(path)
        if not any(within(module, owner) for owner in owners):
            found = {name.split(".")[0] for name in imports_of(parse(path))} & imported
            assert not found, f"{module} imports {found}"


def writes_stdout(tree: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "print":
            return True
        if isinstance(node, ast.Attribute) and node.attr in {"stdout", "__stdout__"}:
            return isinstance(node.value, ast.Name) and node.value.id == "sys"
    return False


def test_only_the_owners_write_stdout() -> None:
    found = {module_name(path) for path in SOURCES if writes_stdout(parse(path))}
    assert found <= set(STDOUT_OWNERS)


def test_starting_the_command_stays_light() -> None:
    code = f"import sys, {', '.join(LIGHT_MODULES)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & set(NOT_LIGHT)


def test_playing_imports_no_database_before_one_is_opened() -> None:
    code = "import sys, protocols.server.standalone, protocols.cli.serve; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & {"sqlalchemy", "alembic", "sqlite3", "psycopg"}


def test_files_and_functions_stay_short() -> None:
    for path in SOURCES:
        assert len(path.read_text().splitlines()) <= LONGEST_FILE, module_name(path)
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                assert length <= LONGEST_FUNCTION, f"{module_name(path)}.{node.name}: {length}"


def test_modules_open_with_a_docstring() -> None:
    for path in SOURCES:
        assert ast.get_docstring(parse(path)), module_name(path)


def test_core_files_stay_short_and_only_bindings_know_python() -> None:
    for path in CORE_SOURCES:
        text = path.read_text()
        assert len(text.splitlines()) <= LONGEST_CORE_FILE, path.name
        assert path.parent.name == "bindings" or "nanobind" not in text, path.name


def test_headers_of_the_core_are_included_downwards() -> None:
    for path in CORE_SOURCES:
        rank = core_layer_of(path.parent.name)
        for folder in re.findall(r'#include "(\w+)/', path.read_text()):
            assert folder == path.parent.name or core_layer_of(folder) < rank, (path.name, folder)


def core_layer_of(folder: str) -> int:
    return next(rank for rank, folders in enumerate(CORE_LAYERS) if folder in folders)
