"""The page's files in the package are those that its sources build."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from protocols.server.page_files import TABLE
from tests.support.paths import ROOT

WEB = ROOT / "web"
FILES = ROOT / "protocols" / "page" / "files"
BUNDLED = ("preact", "@sabaki/shudan", "classnames", "uplot")
tools = pytest.mark.skipif(
    shutil.which("node") is None or not (WEB / "node_modules").is_dir(),
    reason="needs the page's tools: make web-tools",
)


def test_the_table_names_every_file_and_no_other() -> None:
    assert {path.name for path in FILES.iterdir()} == {name for name, _ in TABLE.values()}


def test_versions_are_exact() -> None:
    package = json.loads((WEB / "package.json").read_text())
    locked = json.loads((WEB / "package-lock.json").read_text())["packages"]
    for name, version in package["devDependencies"].items():
        assert locked[f"node_modules/{name}"]["version"] == version


@pytest.mark.parametrize("name", BUNDLED)
def test_the_notices_are_of_the_bundled_versions(name: str) -> None:
    locked = json.loads((WEB / "package-lock.json").read_text())["packages"]
    entry = locked[f"node_modules/{name}"]
    assert entry["license"] == "MIT"
    assert f"## {name} {entry['version']}\n" in (FILES / "NOTICE.md").read_text()


@tools
def test_a_build_gives_the_committed_files(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", "--out", str(tmp_path)], cwd=WEB, check=True)
    for path in FILES.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), "run `make web`"


@tools
def test_the_sources_have_types() -> None:
    subprocess.run(["npx", "--no-install", "tsc", "--noEmit"], cwd=WEB, check=True)
