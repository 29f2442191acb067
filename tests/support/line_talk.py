"""Conversations by lines without a process: a scripted inbox, and a player that is no engine."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from engine.games.position import Position
from engine.opponents.opponent_store import OpponentName
from protocols.positions.player import (
    AnalysisLine,
    OnAnalysis,
    PositionAnalysis,
    Stop,
    ThinkingLimits,
)
from protocols.rights import Rights


class ScriptedInbox:
    """Lines given beforehand; some come only after the engine has looked for them so often."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = deque(lines)
        self.late: deque[tuple[int, str]] = deque()
        self.closed = False
        self.looks = 0

    def take(self) -> str | None:
        if not self.lines and self.late:
            self.lines.append(self.late.popleft()[1])
        return self.lines.popleft() if self.lines else None

    def waiting(self) -> bool:
        self.looks += 1
        while self.late and self.late[0][0] <= self.looks:
            self.lines.append(self.late.popleft()[1])
        return bool(self.lines) or self.closed

    def abandoned(self) -> bool:
        return False


class StandInPlayer:
    """Satisfies PositionPlayer: thinks in steps, prefers the lowest move.

    The first legal move is worth 4 points, each other one 2 less than the one before. With few
    cells empty it knows everything exactly.
    """

    def __init__(self, *, steps: int = 2, exact_from: int = 0) -> None:
        self.steps = steps
        self.exact_from = exact_from
        self.limits: list[ThinkingLimits] = []
        self.looks = 0
        self.draws = 0.5
        self.games = 0
        self.persona = "full"
        self.opponent = ""
        self.tables = ""
        self.ended: tuple[int | None, str] | None = None
        self.position: Position

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        board = start.copy()
        for move in moves:
            board.play(move)
        self.position = board

    def choose(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        self.limits.append(limits)
        for step in range(1, self.steps):
            if stop():
                return self._analysis(step)
            on_analysis(self._analysis(step))
        return self._analysis(self.steps)

    def analyze(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        self.looks += 1
        return self.choose(limits, stop=stop, on_analysis=on_analysis)

    def set_draw_value(self, first_share: float) -> None:
        self.draws = first_share

    def set_persona(self, persona: str) -> None:
        self.persona = Rights(is_user=True).persona(persona, "othello").name

    def set_tables(self, folders: str) -> None:
        self.tables = folders

    def meet(self, opponent: str) -> None:
        self.opponent = OpponentName(opponent).name if opponent else ""

    def finish(self, winner: int | None, won_by: str) -> None:
        self.ended = winner, won_by

    def clear_search(self) -> None:
        self.games += 1

    def _analysis(self, step: int) -> PositionAnalysis:
        is_exact = int((self.position.stones == 0).sum()) <= self.exact_from
        lines = []
        for order, move in enumerate(self.position.legal_moves()):
            board = self.position.copy()
            board.play(move)
            replies = [] if board.is_over else board.legal_moves()[:1]
            score = 4.0 - 2 * order
            win_rate = 0.5 if score == 0 else float(score > 0)
            lines.append(AnalysisLine((move, *replies), win_rate, score, 10 * step, is_exact))
        return PositionAnalysis(tuple(lines), nodes=100 * step, seconds=0.5 * step)


def blocks(text: str) -> list[tuple[list[str], list[str]]]:
    """A transcript's blocks: lines sent together, marked `< `, and all that is expected then.

    `> ` marks an expected line, `~ ` a regular expression for one, `#` a comment.
    """
    found: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith("<"):
            if not found or found[-1][1]:
                found.append(([], []))
            found[-1][0].append(line[1:].removeprefix(" "))
        elif line.startswith(("> ", "~ ")):
            found[-1][1].append(line)
    return found


def check_transcript(path: Path, say: Callable[[list[str]], list[str]]) -> None:
    """Says what a transcript says and expects what it expects."""
    for sent, expected in blocks(path.read_text()):
        heard = say(sent)
        assert len(heard) == len(expected), f"{sent}: {heard}"
        for line, wanted in zip(heard, expected, strict=True):
            same = line == wanted[2:] if wanted[0] == ">" else re.fullmatch(wanted[2:], line)
            assert same, f"{sent}: {line!r} is not {wanted!r}"
