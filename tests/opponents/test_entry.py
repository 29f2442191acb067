"""The package of the opponent has one entry: others import its public list, not its modules."""

from __future__ import annotations

import ast

from tests.house.test_layers import SOURCES, imports_of, module_name, parse, within

PACKAGE = "engine.opponents"
STORE = f"{PACKAGE}.store"
FITTED = {
    f"{PACKAGE}.{name}"
    for name in (
        "margin_model",
        "move_likelihood",
        "score_model",
        "standing",
        "tracker",
        "transfer",
        "win_model",
    )
}
RATED = {
    f"{PACKAGE}.{name}"
    for name in (
        "learned_map",
        "linked_accounts",
        "opponent_rating",
        "rating_map",
        "rating_prior",
        "rating_system",
    )
}
# The package that fits the tables of the model, and the modules of these tables; the commands and
# the study of servers' ratings, and the modules of these.
ALLOWED = {
    "engine.training.opponents": FITTED,
    "engine.lab.rated_strangers": RATED,
    "protocols.cli.opponent_accounts": RATED,
    "protocols.cli.ratings": RATED,
}
MODULES = {module_name(path) for path in SOURCES if within(module_name(path), PACKAGE)}


def test_others_import_the_public_list() -> None:
    for path in SOURCES:
        name = module_name(path)
        if within(name, PACKAGE):
            continue
        allowed = set().union(*(mods for owner, mods in ALLOWED.items() if within(name, owner)))
        inside = {each for each in imports_of(parse(path)) & MODULES if not within(each, STORE)}
        assert inside <= {PACKAGE, *allowed}, name


def test_the_public_list_is_all_that_the_package_file_holds() -> None:
    tree = parse(next(path for path in SOURCES if module_name(path) == PACKAGE))
    assert all(isinstance(node, ast.Expr | ast.ImportFrom | ast.Assign) for node in tree.body)
