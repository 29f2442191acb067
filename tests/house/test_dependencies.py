"""Each required package is imported somewhere; each optional one has an extra."""

from __future__ import annotations

import ast
import sys
import tomllib

from packaging.requirements import Requirement

from engine.util.optional_modules import EXTRAS
from tests.house.test_layers import PACKAGES, SOURCES, imports_of, parse
from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BY_URL = {"psycopg"}  # sqlalchemy imports it
MODULES_OF = {"paho-mqtt": "paho"}  # distributions with another name than their module


def names(lines: list[str]) -> set[str]:
    """Names of distributions as their modules have them."""
    found = {Requirement(line).name for line in lines}
    return {MODULES_OF.get(name, name) for name in found}


def imported() -> set[str]:
    """Third-party modules that the packages import anywhere, strings of import_module included."""
    found: set[str] = set()
    for path in SOURCES:
        tree = parse(path)
        found |= {name.partition(".")[0] for name in imports_of(tree)}
        found |= {
            node.args[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and ast.unparse(node.func) == "import_module"
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        }
    found = {name for name in found if "." not in name}
    return found - set(sys.stdlib_module_names) - {*PACKAGES}


def test_what_is_required_is_imported_and_the_rest_is_optional() -> None:
    required = names(PROJECT["dependencies"])
    assert imported() == required | EXTRAS.keys() - BY_URL


def test_every_optional_module_has_its_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    for module, extra in EXTRAS.items():
        assert module in names(extras[extra])
    listed = {name for extra in extras if extra != "dev" for name in names(extras[extra])}
    assert listed - {"sparring"} == EXTRAS.keys()
