"""Opponents inside the stand-in for OGS: quick players of legal moves that also talk and pause."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.games.chains import neighbours
from tests.support.ogs.board import Refused
from tests.support.ogs.online_game import OnlineGame
from tests.support.ogs.server import OgsStandIn

WORDS = ("level", "why", "stronger", "weaker", "stay", "help", "hello there")


@dataclass
class Plan:
    """What an opponent does in a game, by the number of moves on the board."""

    think: tuple[float, float] = (0.0, 0.02)  # seconds, least and most
    chat: dict[int, str] = field(default_factory=dict)  # move number -> line
    undo_at: int | None = None
    pause_at: int | None = None
    pause_seconds: float = 0.3
    resign_at: int | None = None
    pass_from: int = 1000  # passes whenever it can from this move on
    wrong_marks: int = 0  # rounds in which it marks a living stone as dead
    errors: list[str] = field(default_factory=list)  # refusals by the server; none are expected


def drawn_plan(seed: int, area: int) -> Plan:
    """Draws a plan for a board of so many points."""
    draw = random.Random(seed)
    plan = Plan(think=(0.0, draw.choice((0.01, 0.05))), pass_from=draw.randint(area, 2 * area))
    for _ in range(draw.randint(0, 3)):
        plan.chat[draw.randint(1, area // 2)] = draw.choice(WORDS)
    if draw.random() < 0.4:
        plan.undo_at = draw.randint(2, area // 2)
    if draw.random() < 0.3:
        plan.pause_at = draw.randint(1, area // 2)
    if draw.random() < 0.15:
        plan.resign_at = draw.randint(area // 3, area)
    return plan


async def play(server: OgsStandIn, game: OnlineGame, color: int, plan: Plan, seed: int) -> None:
    """Plays one color until the game is over."""
    draw = random.Random(seed)
    account = game.accounts[color]
    done: set[str] = set()

    def once(kind: str, number: int | None) -> bool:
        is_due = number is not None and len(game.moves) >= number and kind not in done
        if is_due:
            done.add(kind)
        return is_due

    while not game.is_over:
        await asyncio.sleep(draw.uniform(*plan.think) + 0.002)
        try:
            for number in [each for each in plan.chat if each <= len(game.moves)]:
                say(server, game, color, plan.chat.pop(number))
            if game.phase == "stone removal":
                await _settle_stones(game, account.id, plan)
            elif game.phase != "play":
                continue
            elif once("resign", plan.resign_at):
                game.resign(account.id)
            elif once("pause", plan.pause_at):
                game.pause(account.id, server.now())
                await asyncio.sleep(plan.pause_seconds)
                if game.phase == "play":
                    game.resume(account.id, server.now())
            elif _can_undo(game, color) and once("undo", plan.undo_at):
                game.request_undo(account.id, len(game.moves))
                await asyncio.sleep(0.3)
            elif game.to_move == color:
                letters = _letters(game, choose(game, color, plan, draw))
                game.play(account.id, letters, server.now())
        except Refused as refused:
            plan.errors.append(f"{game.id}: {refused}")


def say(server: OgsStandIn, game: OnlineGame, color: int, text: str) -> None:
    """Says a line in the game's chat."""
    account = game.accounts[color]
    game.chat(account.id, account.username, {"body": text, "type": "main"}, server.now())


def choose(game: OnlineGame, color: int, plan: Plan, draw: random.Random) -> int:
    """Returns a random legal move that fills no own eye; a pass where there is none."""
    is_placing = game.is_free and len(game.moves) < game.wanted.handicap
    has_other_passed = bool(game.moves) and game.moves[-1][0] == game.pass_move
    if not is_placing and (len(game.moves) >= plan.pass_from or has_other_passed):
        return game.pass_move
    stones = game.position.stones
    width, height = game.wanted.width, game.wanted.height
    moves = [
        move
        for move in range(game.pass_move)
        if stones.flat[move] == 0
        and not _is_eye([int(stones.flat[n]) for n in neighbours(move, width, height)], color)
        and game.position.is_legal(move, color)
    ]
    return draw.choice(moves) if moves else game.pass_move


def _is_eye(around: Sequence[int], color: int) -> bool:
    return all(stone == color + 1 for stone in around)


def _letters(game: OnlineGame, move: int) -> str:
    return ".." if move == game.pass_move else game.letters_of([move])


def _can_undo(game: OnlineGame, color: int) -> bool:
    """Tests whether the opponent may ask for its last move; after our answer with a count alone."""
    first = len(game.moves) - game.base_moves
    if game.to_move == color:
        return game.wanted.is_undo_counted and first >= 2 and len(game.moves) > 2
    return first >= 1 and not game.is_free


async def _settle_stones(game: OnlineGame, player_id: int, plan: Plan) -> None:
    """Accepts the bot's marks; in the first rounds it marks all its opponent's stones instead."""
    others = [each for each in list(game.accepted) if each != player_id]
    if plan.wrong_marks > 0 and others:
        plan.wrong_marks -= 1
        color = game.color_of(player_id)
        wanted = [c for c in range(game.pass_move) if game.position.stones.flat[c] == 2 - color]
        game.set_removed(player_id, {"removed": True, "stones": game.letters_of(wanted)})
        game.accept_removed(player_id, game.letters_of(game.removed))
        await asyncio.sleep(0.2)
    elif others and game.phase == "stone removal":
        game.accept_removed(player_id, game.letters_of(game.removed))
        await asyncio.sleep(0.1)
