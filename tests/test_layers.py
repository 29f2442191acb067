"""The shape of the source: which module may import which, and how long a file may get."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("engine", "protocols", "bots")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# Lowest first. A module may import from its own row and from rows above it.
LAYERS: tuple[tuple[str, ...], ...] = (
    (
        "engine._core",
        "engine.records",
        "engine.elo",
        "engine.position",
        "engine.chains",
        "engine.dame",
        "engine.whole_file",
        "engine.paths",
        "engine.data_folder",
        "engine.optional_modules",
        "engine.process_pool",
        "engine.interruptible",
    ),
    ("engine.games", "engine.named", "engine.evaluator", "engine.rules", "engine.terms"),
    ("engine.othello_weights", "engine.playouts", "engine.solver"),
    ("engine.sgf", "engine.ggf", "engine.wthor", "engine.transcript"),
    ("engine.networks",),
    ("engine.search", "engine.search_report", "engine.search_tree", "engine.reference"),
    ("engine.strength", "engine.style"),
    ("engine.clock", "engine.ending", "engine.handicap", "engine.personas"),
    ("engine.weak_play", "engine.last_moves", "engine.watching", "engine.turn"),
    ("engine.customs", "engine.judging", "engine.steps"),
    ("engine.player", "engine.agents"),
    ("engine.course", "engine.session_settings", "engine.memory"),
    ("engine.operation_queue", "engine.careful_memory"),
    ("engine.game",),
    ("engine.acquaintance",),
    ("engine.encounter",),
    ("engine.session", "engine.store"),
    ("engine.resident",),
    ("engine.bench", "engine.match", "engine.training"),
    ("protocols",),
    ("bots",),
)
HEAVY = {"torch", "openvino", "onnx"}
HEAVY_OWNERS = ("engine.networks", "engine.training")
ASYNCIO_OWNERS = ("protocols.server", "protocols.client", "bots")
STDOUT_OWNERS = ("protocols.stdio", "protocols.cli")
LIGHT_MODULES = ("protocols.cli", "protocols.client", "protocols.version")
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


def within(module: str, owner: str) -> bool:
    return module == owner or module.startswith(f"{owner}.")


def layer_of(module: str) -> int | None:
    for rank, owners in enumerate(LAYERS):
        if any(within(module, owner) for owner in owners):
            return rank
    return None


def imports_of(tree: ast.AST) -> set[str]:
    """Dotted names imported anywhere in `tree`; `from a import b` gives both a and a.b."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_imports_go_downwards(path: Path) -> None:
    module = module_name(path)
    if module in PACKAGES:
        assert not imports_of(parse(path)), "package roots stay empty"
        return
    rank = layer_of(module)
    assert rank is not None, f"{module} has no row in LAYERS: decide where it belongs"
    wrong = []
    for name in imports_of(parse(path)):
        other = layer_of(name)
        if other is not None and other > rank:
            wrong.append(name)
    assert not wrong, f"{module} imports from a higher layer: {wrong}"


def test_bots_speak_to_the_engine_over_the_socket_only() -> None:
    for path in SOURCES:
        if within(module_name(path), "bots"):
            assert not [name for name in imports_of(parse(path)) if within(name, "engine")]


@pytest.mark.parametrize(
    ("imported", "owners"),
    [
        (HEAVY, HEAVY_OWNERS),
        ({"asyncio", "uvloop"}, ASYNCIO_OWNERS),
        ({"sqlalchemy", "alembic", "sqlite3", "psycopg"}, ("engine.store",)),
    ],
    ids=["inference runtimes", "asyncio", "databases"],
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
    code = "import sys, protocols.alone, protocols.server.command; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & {"sqlalchemy", "alembic", "sqlite3", "psycopg"}


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_files_and_functions_stay_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_modules_open_with_a_docstring(path: Path) -> None:
    assert ast.get_docstring(parse(path))


def test_core_files_stay_short_and_only_bindings_know_python() -> None:
    for path in (ROOT / "engine" / "core").glob("*.[hc]*"):
        text = path.read_text()
        assert len(text.splitlines()) <= LONGEST_CORE_FILE, path.name
        if not path.name.startswith("bind"):
            assert "nanobind" not in text or path.suffix == ".txt", path.name
