"""Names the system packages that `make run` needs and this system lacks; exits with 1 if any.

The Makefile runs this by the first Python on the path, perhaps an old one.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

OLDEST = (3, 11)
PROGRAM = "#include <concepts>\ntemplate <std::integral T> T same(T x) { return x; }\n"


def missing(
    version: tuple[int, ...] = sys.version_info[:2],
    include: str = sysconfig.get_path("include"),
    compiler: str = os.environ.get("CXX", ""),
) -> list[str]:
    """Returns one line for each missing part.

    version: version of this Python. include: folder of its headers. compiler: command of the C++
    compiler, as in $CXX; an empty one means the system's compiler.
    """
    name = ".".join(map(str, version))
    if version < OLDEST:
        return [f"Python {name} is too old: 3.11 or newer is needed (make run PYTHON=...)"]
    lines = []
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        lines.append(f"Python {name} cannot make a .venv: install python{name}-venv")
    if not (Path(include) / "Python.h").is_file():
        lines.append(f"the headers of Python {name} are absent: install python{name}-dev")
    command = shlex.split(compiler) or [shutil.which("c++") or "g++"]
    try:
        # The command is the user's own.
        done = subprocess.run(
            [*command, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"],
            input=PROGRAM,
            capture_output=True,
            text=True,
            check=False,
        )
        works = done.returncode == 0
    except OSError:
        works = False
    if not works:
        lines.append(f"{shlex.join(command)} compiles no C++20: install g++ 11, clang 14 or newer")
    return lines


if __name__ == "__main__":
    sys.exit("\n".join(missing()) or 0)
