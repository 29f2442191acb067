"""Reviewed games of Go as annotated SGF: comments, marks of moves, variations of better lines."""

from __future__ import annotations

from collections.abc import Iterator

from engine.formats.sgf import SgfGame
from engine.formats.sgf_notes import MoveNote, Variation, write_annotated
from engine.games.game_settings import GoSettings
from engine.review.lessons import Lesson, worst
from engine.review.marks import MoveMark
from engine.review.review import Review, Reviewed
from engine.review.sentences import better_move, counted_marks, doubt_of, sentences_of

# SGF properties of the marks. BM[2] is a very bad move, DO a doubtful one, TE a good one.
PROPERTIES = {
    MoveMark.BLUNDER: ("BM", "2"),
    MoveMark.MISTAKE: ("BM", "1"),
    MoveMark.INACCURACY: ("DO", ""),
}
GOOD = ("TE", "1")
LETTERS = "ABCDEFGH"


def annotated_sgf(review: Review) -> bytes:
    """Returns an SGF collection of the reviewed games of Go; empty without any."""
    return b"\n".join(_annotated(each) for each in review.games if is_go(each))


def is_go(reviewed: Reviewed) -> bool:
    """Whether the game is Go, the game of SGF here."""
    return isinstance(reviewed.game.played.game_record.game_settings, GoSettings)


def _annotated(reviewed: Reviewed) -> bytes:
    record = reviewed.game.played.game_record
    settings = record.game_settings
    if not isinstance(settings, GoSettings):
        raise TypeError(f"{settings.game} has no SGF")
    game = SgfGame(
        record.width,
        record.height,
        settings.rules,
        settings.komi,
        record.setup,
        record.first_to_move,
        record.moves,
        reviewed.game.result,
        reviewed.game.names,
        reviewed.game.ranks,
        reviewed.game.information,
    )
    notes = {lesson.number - 1: _note(reviewed, lesson) for lesson in reviewed.lessons}
    return write_annotated(game, "\n".join(_summary(reviewed)), notes)


def _summary(reviewed: Reviewed) -> Iterator[str]:
    """Yields the lines on the whole game."""
    yield f"Reviewed by Sparring, network {reviewed.judge}."
    if doubt := doubt_of(reviewed):
        yield doubt
    for name in dict.fromkeys(reviewed.game.names):
        lessons = reviewed.of_player(name)
        rank = reviewed.rank_of(lessons[0].color) if lessons else ""
        yield f"{counted_marks(f'{name} {rank}'.strip(), lessons)}."
        if listed := worst(lessons):
            moves = ", ".join(
                f"{lesson.number} ({reviewed.written(lesson.move)})" for lesson in listed
            )
            yield f"The worst moves first: {moves}."


def _note(reviewed: Reviewed, lesson: Lesson) -> MoveNote:
    """Returns the notes on a move; a move without a mark has the lead alone."""
    lead = reviewed.opinion.leads[lesson.number - reviewed.game.played.opening]
    properties = {"V": f"{lead:.1f}"}
    if lesson.is_good:
        name, value = GOOD
        return MoveNote(" ".join(sentences_of(reviewed, lesson)), properties | {name: value})
    if lesson.mark is None:
        return MoveNote(properties=properties)
    name, value = PROPERTIES[lesson.mark]
    record = reviewed.game.played.game_record
    cells = record.width * record.height
    best = lesson.best_line[:1]
    others = [move for move, _ in lesson.people if move not in (*best, lesson.move)]
    shown = [move for move in (*best, *others) if move < cells]
    labels = tuple(zip(shown, LETTERS, strict=False))
    sentences = sentences_of(reviewed, lesson)
    variations: tuple[Variation, ...] = ()
    if best:
        line = tuple(
            (lesson.color if index % 2 == 0 else 1 - lesson.color, move)
            for index, move in enumerate(lesson.best_line)
        )
        variations = (Variation(line, better_move(reviewed, lesson)),)
        if shown[:1] == list(best):
            rest = ", the other letters those of people" if len(labels) > 1 else ""
            sentences.append(f"A marks the better move{rest}.")
    return MoveNote(
        " ".join(sentences),
        properties | {name: value},
        labels,
        (lesson.move,) if lesson.move < cells else (),
        variations,
    )
