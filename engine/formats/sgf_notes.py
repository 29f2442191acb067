"""Writing of annotated SGF: a game of Go with comments, marks of moves and variations.

The properties are those of FF[4]: C a comment, BM a bad move, DO a doubtful and TE a good one, V
the node's value in points for Black, LB and TR marks on points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sgfmill import sgf_grammar

from engine.formats.sgf import COLOR_NAMES, Node, SgfGame, encoded, point_name, root_of


@dataclass(frozen=True, slots=True)
class Variation:
    """Moves in place of a move of the game, with a comment at the first."""

    moves: tuple[tuple[int, int], ...]  # (color, move), one or more
    comment: str = ""


@dataclass(frozen=True, slots=True)
class MoveNote:
    """The notes on one move of the game."""

    comment: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)  # such as {"BM": "2"}
    labels: tuple[tuple[int, str], ...] = ()  # (cell, letter)
    triangles: tuple[int, ...] = ()  # cells
    variations: tuple[Variation, ...] = ()


def write_annotated(record: SgfGame, comment: str, notes: Mapping[int, MoveNote]) -> bytes:
    """Returns the game as an SGF file in UTF-8, its main line first.

    comment: on the whole game. notes: by the index of the move.
    """
    root = root_of(record)
    if comment:
        root["C"] = [comment]
    top = tree = sgf_grammar.Coarse_game_tree()
    tree.sequence.append(encoded(root))
    for index, (color, move) in enumerate(record.moves):
        note = notes.get(index, MoveNote())
        node = _move_node(record, color, move) | _properties_of(record, note)
        if note.variations:
            # A branch begins at the move: the game's own move, then the variations.
            branches = [sgf_grammar.Coarse_game_tree() for _ in range(1 + len(note.variations))]
            tree.children = branches
            for branch, variation in zip(branches[1:], note.variations, strict=True):
                branch.sequence = _variation_nodes(record, variation)
            tree = branches[0]
        tree.sequence.append(encoded(node))
    return bytes(sgf_grammar.serialise_game_tree(top))


def _move_node(record: SgfGame, color: int, move: int) -> Node:
    return {COLOR_NAMES[color]: [point_name(move, record.width, record.height)]}


def _variation_nodes(record: SgfGame, variation: Variation) -> list[dict[str, list[bytes]]]:
    nodes = [_move_node(record, color, move) for color, move in variation.moves]
    if variation.comment:
        nodes[0]["C"] = [variation.comment]
    return [encoded(node) for node in nodes]


def _properties_of(record: SgfGame, note: MoveNote) -> Node:
    """Returns the properties of the note."""

    def points(cells: Sequence[int]) -> list[str]:
        return [point_name(cell, record.width, record.height) for cell in cells]

    node: Node = {name: [value] for name, value in note.properties.items()}
    if note.comment:
        node["C"] = [note.comment]
    if note.labels:
        names = points([cell for cell, _ in note.labels])
        node["LB"] = [f"{name}:{text}" for name, (_, text) in zip(names, note.labels, strict=True)]
    if note.triangles:
        node["TR"] = points(note.triangles)
    return node
