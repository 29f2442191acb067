"""The review of a finished game: its curve, its lessons, and its ends."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.review.bench import Bench
from engine.review.confirming import confirmed
from engine.review.files import ReviewedGame
from engine.review.judging import UNWATCHED, Judge
from engine.review.lessons import lessons_of, worst
from engine.review.measuring import measured
from engine.review.review import Reviewed
from engine.review.sentences import counted_marks, sentences_of
from engine.search.search import Search
from protocols.page.downloads import names_of
from protocols.page.reviewer import PROGRESS_SECONDS, ClientJudgeSource, ReviewProgress, visits_on
from tests.support.page_talk import PageTalk, StandInSource, line_of
from tests.support.stand_in import StandInEvaluator

CORNERS = ["E5", "A1", "D4", "A9", "F6", "J1", "C6", "J9", "G3"]  # White plays badly


class WithPeople(StandInSource):
    """A source with a network of human moves."""

    def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
        evaluator: Evaluator = StandInEvaluator(game=board.game)
        return HumanPolicy(evaluator)


class Bundled(StandInSource):
    """A source with the bundled networks."""

    bench = Bench(visits=1)

    def search_on(self, board: Board, /) -> Search:
        return self.bench.search(board)

    def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
        network = self.bench.networks.network(self.bench.reference(board))
        return HumanPolicy(network.evaluator)


@pytest.mark.parametrize(
    ("terms", "moves"),
    [
        ({"width": 5, "height": 5, "handicap": 0}, ["C3", "B2", "D4", "pass", "pass"]),
        ({"game": "othello", "width": 6, "height": 6}, ["c2", "b2", "b3"]),
        ({"game": "connect4"}, ["4", "1", "4", "1", "4", "1", "4"]),
    ],
    ids=["go", "othello", "connect4"],
)
def test_every_game_is_reviewed(terms: dict[str, Any], moves: list[str]) -> None:
    talk = PageTalk(source=WithPeople, now=lambda: 0.0)  # without messages of progress
    state = talk.state("resume", **terms, moves=moves)
    assert talk.say("review")[0]["type"] == ("review" if state["phase"] == "over" else "error")
    if state["phase"] == "counting":
        state = talk.state("agree")
    elif state["phase"] != "over":
        state = talk.state("resign")
    curve, review = (each for each in talk.say("review") if each["type"] == "review")
    moves = [name for _, name in state["moves"]]
    assert (curve["finished"], review["finished"]) == (False, True)
    for key in ("win_rates", "leads", "boards"):
        assert curve[key] == review[key]
        assert len(review[key]) == len(moves) + 1
    assert all(0 <= win_rate <= 1 for win_rate in review["win_rates"])
    assert review["boards"][0].count(".") >= 21
    last = "".join(".xo"[cell] for row in state["board"] for cell in row)
    assert review["boards"][-1] == last
    for lesson in review["lessons"]:
        assert lesson["played"] == moves[lesson["number"] - 1]
        assert lesson["best"]
        assert lesson["sentences"]


def test_the_page_says_what_a_review_says() -> None:
    talk = PageTalk(source=Bundled)
    state = talk.state("resume", color=1, moves=CORNERS)
    state = talk.state("resign")
    assert state["result"]["winner"] == 0
    review = talk.say("review")[-1]

    page_game = talk.conversation.page_game
    played = page_game.played()
    judge = Judge(ClientJudgeSource(Bundled(), visits_on(Board("go", 9, 9))))
    judgement = confirmed(judge, played, judge.judge_game(played), UNWATCHED)
    measure = measured(played, judgement)
    lessons = lessons_of(played, judgement, measure.moves)
    own = [lesson for lesson in lessons if lesson.color == 1]
    assert worst(own), "stones in corners are bad"
    assert review["summary"] == f"{counted_marks('You', own)}."
    shown = [lesson for lesson in own if lesson in worst(own) or lesson.is_good]
    game = ReviewedGame("", played, names_of(page_game))
    reviewed = Reviewed(game, judgement, measure, "", "", lessons)
    assert [lesson["sentences"] for lesson in review["lessons"]] == [
        sentences_of(reviewed, lesson) for lesson in shown
    ]
    assert [lesson["mark"] for lesson in review["lessons"]] == [
        str(lesson.mark or "") for lesson in shown
    ]


def test_the_curve_belongs_to_players_of_the_persons_level() -> None:
    talk = PageTalk(source=Bundled)
    talk.say("resume", color=1, moves=CORNERS)
    talk.say("resign")
    played = talk.conversation.page_game.played()
    review = talk.say("review")[-1]
    judge = Judge(ClientJudgeSource(Bundled(), visits_on(Board("go", 9, 9))))
    strong = [1 - value for value in judge.judge_game(played).values]
    assert review["win_rates"][-1] == 0.0, "White has resigned"
    assert review["win_rates"][:-1] != pytest.approx(strong[:-1], abs=0.02)


def test_the_end_of_a_won_game_has_its_result() -> None:
    talk = PageTalk()
    talk.say("resume", game="connect4", moves=["4", "1", "4", "1", "4", "1", "4"])
    review = talk.say("review")[-1]
    assert review["win_rates"][-1] == 1.0
    assert review["win_rates"][-2] > 0.9, "a win in one is found"


def test_a_new_game_ends_a_review() -> None:
    talk = PageTalk()
    talk.say("resume", game="go", moves=["E5"])
    talk.say("resign")
    talk.inbox.put([line_of("new")])
    assert talk.say("review") == []


def test_progress_is_told_now_and_then() -> None:
    times = iter([0.0, 0.1, PROGRESS_SECONDS + 0.1, PROGRESS_SECONDS + 0.1, PROGRESS_SECONDS + 0.2])
    told: list[tuple[int, int]] = []
    progress = ReviewProgress(lambda done, total: told.append((done, total)), lambda: next(times))
    progress.expect(9)
    for _ in range(3):
        progress.advance()
    assert told == [(2, 9)]
    assert (progress.done, progress.total) == (3, 9)


def test_a_level_before_and_after_is_shown() -> None:
    talk = PageTalk()
    for _ in range(2):
        state = talk.state("new", game="connect4", strength="level:0")
        while state["phase"] == "yours":
            state = talk.state("move", at=state["legal"][0])
        review = talk.say("review")[-1]
    assert review["before"]["low"] < review["before"]["high"]
    assert review["after"] != review["before"]


def test_a_page_that_is_loaded_again_gets_its_review() -> None:
    talk = PageTalk()
    talk.say("resume", game="connect4", moves=["4", "1", "4", "1", "4", "1", "4"])
    review = talk.say("review")[-1]
    again = PageTalk(talk.lobby, talk.memory, visitor=talk.visitor)
    assert again.say("review")[-1] == review
    stranger = PageTalk(talk.lobby, talk.memory)
    assert stranger.say("review")[0]["text"] == "a review comes after the game"
    again.say("new", game="connect4")
    assert again.say("review")[0]["text"] == "a review comes after the game"


def test_a_game_of_chance_is_reviewed_with_its_luck() -> None:
    talk = PageTalk()
    terms = {"game": "darkchess", "width": 2, "height": 4}
    talk.say("resume", **terms, strength="level:0", moves=["a1(P)", "a2(p)", "a1-a2", "b1(p)"])
    talk.say("resign")
    review = talk.say("review")[-1]
    assert review["finished"]
    assert len(review["win_rates"]) == 5
    assert [luck is None for luck in review["lucks"]] == [False, False, True, False]
    assert review["others"][0].startswith("Luck brought ")
    assert review["boards"][:3] == ["X" * 8, "XXXXXXPX", "XXXXpXPX"]


def test_a_review_of_chess_has_fewer_visits_than_of_any_board() -> None:
    others = [visits_on(Board("go", side, side)) for side in (9, 13, 19)]
    others.append(visits_on(Board("othello", 8, 8)))
    assert visits_on(Board("chess", 8, 8)) < min(others)
