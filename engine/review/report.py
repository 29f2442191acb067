"""The report of `sparring review` in words: the worst moves, tables of moves and of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.ranks import rank_text
from engine.games.table import GAMES
from engine.report.tables import aligned
from engine.review.chess_terms import sentences_of_player
from engine.review.lessons import Lesson, worst
from engine.review.luck_words import luck_doubt, luck_sentences
from engine.review.marks import UNKNOWN_RANK
from engine.review.review import PlayerReview, Review, Reviewed
from engine.review.sentences import counted_marks, doubt_of, sentences_of
from engine.strength.rank_scale import RANKED_GAME
from engine.style.measures import MoveMeasure, interval_text

MOVE_HEADS = ("move", "by", "played", "mark", "better", "likely", "rank", "points lost",
              "win rate lost", "distance")  # fmt: skip
LUCK_HEADS = ("came", "luck")
CHESS_HEADS = ("win %", "accuracy", "on Lichess")
PLAYER_HEADS = (
    *("", "games", "moves", "natural", "under .05", "likeliest", "points lost", "win rate lost"),
    *("distance", "lead changes", "late", "margin"),
)


def lines(review: Review) -> Iterator[str]:
    """Yields the text: the worst moves, of a single game all moves, the players."""
    if review.games:
        yield _how(review)
        for each in review.games:
            for doubt in filter(None, (doubt_of(each), luck_doubt(each))):
                yield f"{each.game.name}: {doubt}"
        yield from _worst_moves(review)
        if len(review.games) == 1 and review.players:
            yield from ["", *_moves(review.games[0])]
        yield ""
        yield from player_lines(review.players)
    for failure in review.failures:
        yield f"not read: {failure}"


def player_lines(players: Sequence[PlayerReview]) -> Iterator[str]:
    """Yields a row of text for each player, without empty columns."""
    return columns_used([PLAYER_HEADS, *map(_player_cells, players)])


def columns_used(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields the rows aligned below their heads, without columns of a head alone."""
    if len(rows) == 1:
        return iter(["no moves"])
    used = [any(column[1:]) for column in zip(*rows, strict=True)]
    return aligned(
        [[cell for cell, is_used in zip(row, used, strict=True) if is_used] for row in rows]
    )


def _how(review: Review) -> str:
    """Returns the line on the games, their networks and visits, and on unknown levels."""
    references = ", ".join(sorted({each.reference for each in review.games}))
    judges = ", ".join(sorted({each.judge for each in review.games}))
    judge = "" if review.visits is None else f", judged by {judges} with {review.visits} visits"
    if len(review.games) > 1:
        return f"{len(review.games)} games, natural by {references}{judge}"
    (one,) = review.games
    colors = GAMES[one.game.played.board.game].colors
    who = " against ".join(
        (name if name == color else f"{name} ({color})") + (f" {rank}" if rank else "")
        for name, color, rank in zip(one.game.names, colors, map(one.rank_of, (0, 1)), strict=True)
    )
    return f"{one.game.name}: {who}, {one.outcome()}; natural by {references}{judge}"


def _worst_moves(review: Review) -> Iterator[str]:
    """Yields the worst moves of each player, over all games."""
    of_games = [(each, lesson) for each in review.games for lesson in each.lessons]
    for player in review.players:
        of_player = [
            (each, lesson) for each, lesson in of_games if each.name_of(lesson.color) == player.name
        ]
        if not of_player:
            continue
        lessons = [lesson for _, lesson in of_player]
        yield ""
        yield f"{counted_marks(player.name, lessons)}{_assumed(of_player)}"
        chosen = set(map(id, worst(lessons)))
        yield from _chess_lines(of_player)
        games = {id(each): (each, lesson.color) for each, lesson in of_player}
        yield from (f"  {sentence}" for sentence in luck_sentences(list(games.values())))
        rows = [row for row in of_player if id(row[1]) in chosen]
        for each, lesson in sorted(rows, key=lambda row: -row[1].badness):
            where = f"move {lesson.number}"
            if len(review.games) > 1:
                where = f"{each.game.name} {where}"
            yield f"  {where}: {' '.join(sentences_of(each, lesson))}"


def _chess_lines(of_player: Sequence[tuple[Reviewed, Lesson]]) -> Iterator[str]:
    """Yields a player's games of chess in Lichess's terms, and the rating of the moves."""
    games = {id(each): (each.chess, lesson.color) for each, lesson in of_player if each.chess}
    for sentence in sentences_of_player(
        [(terms, color) for terms, color in games.values() if terms is not None]
    ):
        yield f"  {sentence}"


def _assumed(of_player: Sequence[tuple[Reviewed, object]]) -> str:
    """Returns a remark if the player's level is assumed."""
    for each, _ in of_player:
        if each.game.played.board.game == RANKED_GAME and None in each.game.played.ranks:
            return f" (marked as {rank_text(UNKNOWN_RANK)} where the rank is unknown)"
    return ""


def _moves(one: Reviewed) -> Iterator[str]:
    rows = [
        [
            str(move.number).rjust(len(MOVE_HEADS[0])),
            one.name_of(move.color),
            one.move_text(move.number, move.move),
            *_lesson_cells(one, move.number),
            _text(move.likely, ".1%"),
            "" if move.rank is None else str(move.rank),
            _text(move.points, "+.2f"),
            _text(move.loss, "+.1%"),
            _text(move.distance, ".1f"),
            *_chess_cells(one, move.number),
            *_luck_cells(one, move),
        ]
        for move in one.measure.moves
    ]
    ratings = () if one.chess is None or one.chess.ratings is None else one.chess.ratings.ratings
    by_rating = [f"at {rating:.0f}" for rating in ratings]
    heads = [*MOVE_HEADS, *([] if one.chess is None else [*CHESS_HEADS, *by_rating])]
    heads += LUCK_HEADS if one.game.played.has_chance else ()
    yield from columns_used([heads, *rows])


def _chess_cells(one: Reviewed, number: int) -> list[str]:
    """Returns Lichess's terms of a move, and its probability by rating; none in another game."""
    if one.chess is None:
        return []
    row = one.chess.move_row(number)
    ratings = () if one.chess.ratings is None else one.chess.ratings.ratings
    return [
        _text(row.get("win_percent"), ".0f"),
        _text(row.get("accuracy"), ".0f"),
        row.get("lichess_mark") or "",
        *(_text(row.get(f"likely_{rating:.0f}"), ".0%") for rating in ratings),
    ]


def _luck_cells(one: Reviewed, move: MoveMeasure) -> list[str]:
    """Returns the move with its outcome, and the mover's luck; none in a game without chance."""
    if not one.game.played.has_chance:
        return []
    row = one.move_row(move)
    luck = row.get("luck")
    return ["" if luck is None else row["outcome"], _text(luck, "+.1%")]


def _lesson_cells(one: Reviewed, number: int) -> tuple[str, str]:
    """Returns the mark of a move and the better move."""
    lesson = one.lesson_at(number)
    if lesson is None or lesson.mark is None:
        return ("good" if lesson is not None and lesson.is_good else "", "")
    best = lesson.best_line[:1]
    return str(lesson.mark), "".join(one.line_text(number, best))


def _player_cells(player: PlayerReview) -> list[str]:
    """Returns a row of text."""
    side = player.side
    return [
        player.name,
        str(player.games),
        str(side.moves),
        interval_text(side.natural, ".3f"),
        interval_text(side.unnatural, ".1%"),
        interval_text(side.first, ".1%"),
        interval_text(side.points, ".2f"),
        interval_text(side.loss, ".1%"),
        interval_text(side.distance, ".2f"),
        interval_text(player.lead_changes, ".1f"),
        interval_text(player.late_lead_changes, ".1f"),
        interval_text(player.margin, ".1f"),
    ]


def _text(number: float | None, form: str) -> str:
    return "" if number is None else f"{number:{form}}"
