"""A match as tables for spreadsheets: one of the games and one of the pairs.

The tables are written from the record's rows after a match.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from engine.match.record import Row
from engine.match.summary import MatchSummary, PairSummary, finite, pair_of

Cells = Mapping[str, object]


def beside(path: Path) -> Path:
    """Returns the path of the pairs' table beside the games' table at `path`."""
    return path.with_name(f"{path.stem}-summary{path.suffix}")


def write(path: Path, summary: MatchSummary) -> None:
    """Writes the games to `path` and the pairs beside it."""
    _write(path, [game(row, summary.players) for row in sorted(summary.rows, key=_number)])
    _write(beside(path), [cells(pair) for pair in summary.pairs])


def _number(row: Row) -> int:
    return int(row["game"])


def _write(path: Path, rows: Sequence[Cells]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def game(row: Row, players: Sequence[str]) -> Cells:
    """Returns one game's cells. "black" is the first to move, in every game."""
    first, second = pair_of(row)
    order = (0, 1) if row["black"] == first else (1, 0)
    white = second if row["black"] == first else first
    winner = row["winner"]
    return {
        "game": row["game"],
        "black": players[row["black"]],
        "white": players[white],
        "winner": "" if winner is None else players[winner],
        "result": row["result"],
        "how": row["how"],
        "judge": row["judge"],
        "plies": len(row["opening"]) + len(row["moves"]),
        **dict(_spent("black", row["efforts"][order[0]])),
        **dict(_spent("white", row["efforts"][order[1]])),
        "opening": " ".join(row["opening"]),
        "moves": " ".join(row["moves"]),
    }


def _spent(side: str, effort: Mapping[str, float]) -> Iterator[tuple[str, object]]:
    yield f"{side}_moves", effort["moves"]
    yield f"{side}_seconds", round(effort["seconds"], 6)
    yield f"{side}_longest_seconds", round(effort["longest_seconds"], 6)
    yield f"{side}_visits", effort["visits"] if effort["counted_moves"] else ""


def cells(pair: PairSummary) -> Cells:
    """Returns one pair's cells, from the first player's side."""
    tally = pair.tally
    low, high = tally.interval()
    elo_low, elo, elo_high = (finite(number) for number in tally.elo())
    row_cells: dict[str, object] = {
        "first": pair.texts[0],
        "second": pair.texts[1],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "rate": tally.rate,
        "rate_low": low,
        "rate_high": high,
        "elo": elo,
        "elo_low": elo_low,
        "elo_high": elo_high,
    }
    for index, side in enumerate(("first", "second")):
        for name, value in asdict(pair.effort(index)).items():
            row_cells[f"{side}_{name}"] = value
    return row_cells
