"""A plugin of pytest: tests run on the core that $SPARRING_CORE names (`make sanitize`)."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location

import engine

spec = spec_from_file_location("engine._core", os.environ["SPARRING_CORE"])
assert spec is not None
assert spec.loader is not None
core = module_from_spec(spec)
sys.modules["engine._core"] = core
spec.loader.exec_module(core)
setattr(engine, "_core", core)  # noqa: B010 - no attribute of the package before
