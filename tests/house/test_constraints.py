"""What `make` installs: each distribution at one version."""

from __future__ import annotations

import tomllib
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = ("", *PROJECT["project"]["optional-dependencies"])
OWN = {"sparring", "pip", "setuptools"}  # the latter two come with Python


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def wanted_by(name: str, extras: tuple[str, ...]) -> set[str]:
    """The names that a distribution needs itself, where it is installed."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return set()
    needs = [Requirement(line) for line in lines]
    return {
        canonicalize_name(need.name)
        for need in needs
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras)
    }


def test_all_that_is_installed_has_its_version_pinned() -> None:
    found, waiting = set[str](), wanted_by("sparring", EXTRAS)
    while waiting - found:
        found |= waiting
        waiting = {name for each in found for name in wanted_by(each, ("",))}
    installed = {canonicalize_name(each.metadata["Name"]) for each in metadata.distributions()}
    assert (found & installed) - OWN <= pinned().keys()


def test_the_builds_requirements_are_the_pinned_ones() -> None:
    needs = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
    found = {canonicalize_name(need.name): str(need.specifier) for need in needs}
    assert found == {name: f"=={pinned()[name]}" for name in found}
