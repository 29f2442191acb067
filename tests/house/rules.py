"""The rules of the house's words: what counts against each, and what is still allowed.

exceptions.json holds, by rule and module, how many breaches are left. The numbers may only fall:
`python -m tests.house.rules` lowers them to those of today.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.house.test_layers import SOURCES, imports_of, module_name, parse, within

EXCEPTIONS = Path(__file__).with_name("exceptions.json")
LOWER = "python -m tests.house.rules"

PRONOUN = re.compile(r"\b(who|whom|whose|what|which|where|that)\b", re.IGNORECASE)
PRONOUNS_IN_100_WORDS = 2
OPENING = re.compile(r"(?:^|[.!?:]\s+|\n\s*\n\s*)(Who|What|Of|So|Nor)\b")
VAGUE = {"told", "found", "look", "seen", "given", "asked", "kept", "liked"}
ARRAY = re.compile(r"\b(NDArray|ndarray|Tensor|\w*Array|Floats)\b")
SHAPE = re.compile(r"\[[^\]]*\]")
TOOLS_OF_COMMANDS = {"argparse", "matplotlib", "tqdm", "csv"}

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(tree: ast.AST) -> Iterator[str]:
    """The docstrings of a module, its classes and its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            yield ast.get_docstring(node) or ""


def parameters(node: Function) -> list[ast.arg]:
    """All parameters of a function."""
    own = node.args
    stars = [each for each in (own.vararg, own.kwarg) if each]
    return [*own.posonlyargs, *own.args, *own.kwonlyargs, *stars]


def public(tree: ast.Module) -> Iterator[ast.stmt]:
    """The public statements of a module and of its public classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function) and node.name.startswith("_"):
            continue
        yield node
        if isinstance(node, ast.ClassDef):
            yield from (
                inner
                for inner in node.body
                if not isinstance(inner, Function) or not inner.name.startswith("_")
            )


def relative_pronouns(path: Path) -> list[str]:
    """The relative pronouns of a file's docstrings beyond two in 100 words, rounded up."""
    text = " ".join(docstrings(parse(path)))
    allowed = math.ceil(len(text.split()) * PRONOUNS_IN_100_WORDS / 100)
    return [match.group() for match in PRONOUN.finditer(text)][allowed:]


def openings(path: Path) -> list[str]:
    """The first 40 letters of sentences that begin with Who, What, Of, So or Nor."""
    return [
        text[match.start(1) :][:40].splitlines()[0]
        for text in docstrings(parse(path))
        for match in OPENING.finditer(text)
    ]


def vague_names(path: Path) -> list[str]:
    """The public names and the parameters that say too little."""
    tree = parse(path)
    names = [
        each.arg
        for node in ast.walk(tree)
        if isinstance(node, FUNCTIONS)
        for each in parameters(node)
    ]
    for node in public(tree):
        if isinstance(node, ast.ClassDef | Function):
            names.append(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names += [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if name in VAGUE]


def shapeless_arrays(path: Path) -> list[str]:
    """The public functions of arrays that give no shape `[..]` in a docstring or a comment."""
    lines = path.read_text().splitlines()
    found = []
    for node in public(parse(path)):
        if not isinstance(node, FUNCTIONS):
            continue
        types = [each.annotation for each in parameters(node)] + [node.returns]
        if not ARRAY.search(" ".join(ast.unparse(each) for each in types if each)):
            continue
        signature = lines[node.lineno - 1 : node.body[0].lineno]
        comments = " ".join(line.partition("#")[2] for line in signature)
        if not SHAPE.search(f"{ast.get_docstring(node) or ''} {comments}"):
            found.append(node.name)
    return found


def tools_of_commands(path: Path) -> list[str]:
    """The tools of the command line that a protocol imports."""
    module = module_name(path)
    if not within(module, "protocols") or within(module, "protocols.cli"):
        return []
    return sorted({name.partition(".")[0] for name in imports_of(parse(path))} & TOOLS_OF_COMMANDS)


RULES: dict[str, Callable[[Path], list[str]]] = {
    "relative pronouns in docstrings": relative_pronouns,
    "sentences that begin with Who, What, Of, So, Nor": openings,
    "names that say too little": vague_names,
    "arrays without a shape": shapeless_arrays,
    "tools of the command line in protocols": tools_of_commands,
}


def breaches(rule: str) -> dict[str, list[str]]:
    """The breaches of a rule, by module."""
    found = {module_name(path): RULES[rule](path) for path in SOURCES}
    return {module: names for module, names in found.items() if names}


def allowed() -> dict[str, dict[str, int]]:
    """The number of breaches that are left, by rule and module."""
    table: dict[str, dict[str, int]] = json.loads(EXCEPTIONS.read_text())
    return table


def lower() -> None:
    """Lowers the numbers to those of today; none rises."""
    table = {
        rule: {
            module: min(len(now[module]), number)
            for module, number in before.items()
            if module in now
        }
        for rule, before in allowed().items()
        for now in [breaches(rule)]
    }
    EXCEPTIONS.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    lower()
