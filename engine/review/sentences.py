"""The lessons of moves in plain sentences, for reports, comments of SGF and pages."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.ranks import rank_text
from engine.games.table import GAMES
from engine.review.certainty import is_restless
from engine.review.chess_terms import GAME as CHESS
from engine.review.lessons import Lesson, counts, is_misjudged
from engine.review.marks import UNKNOWN_RANK
from engine.review.review import Reviewed
from engine.strength.rank_scale import RANKED_GAME

FOLLOWING = 3  # moves named after the better move
UNITS = {"go": "points", "othello": "discs"}  # of a lead
COLUMN = "column"  # before the number of a move of Connect4
SMALL_LOSS = 0.05  # points or discs that a sentence leaves out


def sentences_of(reviewed: Reviewed, lesson: Lesson) -> list[str]:
    """Returns the sentences on a move: its mark, the better move, the moves of people."""
    sentences = []
    if lesson.mark is not None:
        sentences += _loss(reviewed, lesson)
        if lesson.best_line:
            sentences.append(better_move(reviewed, lesson))
        if lesson.answer is not None:
            sentences.append(best_answer(reviewed, lesson, lesson.answer))
    elif lesson.is_good:
        move = reviewed.move_text(lesson.number, lesson.move)
        people = _people(reviewed, lesson)
        sentences.append(f"Good move: {move} is the best move, and few {people} play it.")
    if lesson.people:
        sentences.append(people_moves(reviewed, lesson))
    return sentences


def doubt_of(reviewed: Reviewed) -> str | None:
    """Returns the remarks on the judge's errors: a wrong end, restless fights; None without any."""
    return " ".join(filter(None, (_wrong_end(reviewed), _restless(reviewed)))) or None


def _restless(reviewed: Reviewed) -> str:
    """Returns the remark on moves without marks in restless fights; empty without any."""
    played, judgement = reviewed.game.played, reviewed.opinion
    if not judgement.advice_by_move:
        return ""
    moves = range(len(judgement.advice_by_move))
    numbers = [number for number in moves if is_restless(played, judgement, number)]
    if not numbers:
        return ""
    first, last = (1 + played.opening + number for number in (numbers[0], numbers[-1]))
    return (
        f"The judge's lead swings near {len(numbers)} moves from {first} to {last}: it does not "
        "understand a fight there. These moves have no marks; a stronger network judges better."
    )


def _wrong_end(reviewed: Reviewed) -> str:
    """Returns the remark on a last lead far from the record's score; empty if it is near."""
    played, leads = reviewed.game.played, reviewed.opinion.leads
    if played.margin is None or not is_misjudged(played, reviewed.opinion):
        return ""
    return (
        f"The judge's last lead is {score_text(leads[-2])} and the record's score "
        f"{score_text(played.margin)}: it misjudges some stones. The last quarter of the game has "
        "no marks, and earlier ones may be wrong; a stronger network judges better."
    )


def score_text(black_score: float) -> str:
    """Returns Black's score as text.

    >>> score_text(3.5), score_text(-12.0)
    ('B+3.5', 'W+12.0')
    """
    return f"{'B' if black_score >= 0 else 'W'}+{abs(black_score):.1f}"


def better_move(reviewed: Reviewed, lesson: Lesson) -> str:
    """Returns the sentence on the better move and the moves after it."""
    line = lesson.best_line[: 1 + FOLLOWING]
    best, *after = reviewed.line_text(lesson.number, line)
    follow = f", followed by {' '.join(after)}" if after else ""
    name = _named(reviewed, best)
    start = name[0] if name == best else name[0].upper()
    return f"{start}{name[1:]} is better{follow}."


def best_answer(reviewed: Reviewed, lesson: Lesson, answer: int) -> str:
    """Returns the sentence on the opponent's best answer to a move, and on the one in the game."""
    played = reviewed.game.played
    color = GAMES[played.board.game].colors[1 - lesson.color]
    number = lesson.number + 1
    came = played.game_record.moves[lesson.number][1]
    name, came_name = (
        _named(reviewed, reviewed.move_text(number, move)) for move in (answer, came)
    )
    end = "as played" if came == answer else f"not {came_name}"
    return f"{color}'s best answer is {name}, {end}."


def people_moves(reviewed: Reviewed, lesson: Lesson) -> str:
    """Returns the sentence on the moves of people of the player's level."""
    shares = [
        f"{reviewed.move_text(lesson.number, move)} ({share:.0%})" for move, share in lesson.people
    ]
    listed = any(move == lesson.move for move, _ in lesson.people)
    if not listed and lesson.people_share is not None:
        share = lesson.people_share
        amount = f"{share:.0%}" if share >= 0.01 else "under 1%"
        shares.append(f"{reviewed.move_text(lesson.number, lesson.move)} ({amount})")
    people = _people(reviewed, lesson)
    return f"{people[0].upper()}{people[1:]} play {_joined(shares)}."


def counted_marks(name: str, lessons: Sequence[Lesson]) -> str:
    """Returns the sentence on the number of marks: "Ann: 1 blunder, 2 mistakes"."""
    numbers = [
        f"{number} {mark if number == 1 else _plural(mark)}"
        for mark, number in reversed(counts(lessons).items())
        if number
    ]
    return f"{name}: {', '.join(numbers) or 'no marked move'}"


def _loss(reviewed: Reviewed, lesson: Lesson) -> list[str]:
    """Returns the sentences on the losses of a marked move."""
    game = reviewed.game.played.board.game
    before, after = lesson.win_rates
    mark = str(lesson.mark).capitalize()
    move = _named(reviewed, reviewed.move_text(lesson.number, lesson.move))
    start = f"{mark}: {move} loses"
    between = ""
    if game == RANKED_GAME:
        has_handicap = bool(reviewed.game.played.game_record.setup)
        people = _people(reviewed, lesson)
        between = " with this handicap" if has_handicap else f" between {people}"
    rate = "expected result" if reviewed.game.played.has_chance else "win rate"
    fall = f"the {rate}{between} falls from {before:.0%} to {after:.0%}"
    unit = UNITS.get(game)
    if unit is None or lesson.points is None or lesson.points < SMALL_LOSS:
        return [f"{mark}: with {move} {fall}.", *_luck(reviewed, lesson)]
    if f"{before:.0%}" == f"{after:.0%}":
        return [f"{start} {lesson.points:.1f} {unit}."]
    return [f"{start} {lesson.points:.1f} {unit}; {fall}."]


def _luck(reviewed: Reviewed, lesson: Lesson) -> list[str]:
    """Returns the sentence on the luck of a move; none for a move without chance."""
    played = reviewed.game.played
    chance = reviewed.opinion.chance.get(lesson.number - 1 - played.opening)
    if chance is None:
        return []
    came = reviewed.written(played.game_record.moves[lesson.number - 1][1])
    luck = chance.luck(lesson.color)
    return [f"Its luck, {luck:+.0%} with {came}, is no part of the loss."]


def _named(reviewed: Reviewed, text: str) -> str:
    """Returns a written move inside a sentence: "D4", "column 4", "a pass"."""
    if text == "pass":
        return "a pass"
    return f"{COLUMN} {text}" if reviewed.game.played.board.game == "connect4" else text


def _people(reviewed: Reviewed, lesson: Lesson) -> str:
    game, rank = reviewed.game.played.board.game, reviewed.rank_of(lesson.color)
    if game == CHESS and rank:
        return f"players rated {rank}"
    if game != RANKED_GAME:
        return "people"
    return f"players of {rank or rank_text(UNKNOWN_RANK)}"


def _joined(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _plural(mark: str) -> str:
    return f"{mark[:-1]}ies" if mark.endswith("y") else f"{mark}s"
