"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.house.test_layers import SOURCES, module_name

WITH_EXAMPLES = [module_name(path) for path in SOURCES if ">>> " in path.read_text()]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_give_what_they_say(module: str) -> None:
    results = doctest.testmod(import_module(module))
    assert results.attempted
    assert not results.failed
