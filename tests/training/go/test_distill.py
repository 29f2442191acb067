"""Learning: a small student comes nearer to a stand-in teacher, the same way from the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.go.distill import Course, Machine, Numbers, Settings, learn, learning_rate
from engine.training.go.exam import Exam, write_lesson
from engine.training.go.lessons import teach
from engine.training.go.losses import WEIGHTS, losses
from engine.training.go.positions import Board, Games
from engine.training.go.student import Student, new_student, shape_of

MACHINE = Machine(torch.device("cpu"), learning=torch.float32, teaching=torch.float32)
BOARDS = (Board(7, 7, 1.0), Board(5, 8, 0.5))


def teacher(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
    """A stand-in with plain opinions: own neighbours are good, passing is not, komi decides."""
    own, other = planes[:, 1:2].float(), planes[:, 2:3].float()
    near = torch.nn.functional.avg_pool2d(own - other, 3, stride=1, padding=1) * 9
    points = near.flatten(1)
    ahead = points.mean(dim=1) + globals_[:, 5]
    moves = torch.cat((points, ahead[:, None] - 3), dim=1)
    misc = torch.stack((ahead, ahead * 0 - 1, ahead, ahead * 0, ahead * 0, ahead * 0), dim=1)
    value = torch.stack((ahead * 3, -ahead * 3, ahead * 0 - 4), dim=1)
    return Outputs(moves[:, None], value, misc, points / 2)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small lose time by sharing their work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def settings(turns_of_work: int) -> Settings:
    """For a clock that counts one second each time it is read."""
    return Settings(
        seconds=turns_of_work,
        seed=3,
        boards=BOARDS,
        cells=1600,
        remembered_moves=16,
        learning_rate=5e-3,
        report_seconds=10,
    )


def course_of(turns_of_work: int) -> tuple[Course, list[Numbers]]:
    student = new_student("small", shape_of(2, 12), seed=1)
    course = Course(student, teacher, settings(turns_of_work), MACHINE)
    ticks = count()
    return course, list(learn(course, lambda: float(next(ticks))))


def test_the_same_seed_learns_the_same() -> None:
    (first, _), (second, _) = course_of(6), course_of(6)
    other = second.student.network.state_dict()
    for name, part in first.student.network.state_dict().items():
        torch.testing.assert_close(part, other[name], rtol=0, atol=1e-6)


def test_learning_brings_a_student_nearer_to_its_teacher() -> None:
    games = Games(BOARDS[0], 16, seed=99, threads=1, pinned=False)
    exam = Exam({"7x7": write_lesson(teacher, games, kept=200, device=MACHINE.device)})

    def grades(student: Student) -> dict[str, float]:
        network = student.network.eval()
        return exam.grade(lambda *rows: MACHINE.answers(network, *rows)).boards["7x7"]

    course, rows = course_of(80)
    before, after = grades(new_student("small", shape_of(2, 12), seed=1)), grades(course.student)
    for error in ("policy_kl", "win_rate", "lead", "score_stdev", "ownership"):
        assert after[error] < 0.6 * before[error], error
    assert after["same_move"] > before["same_move"]
    assert [row["batches"] for row in rows] == [20, 40, 60, 80, 100, 120, 140, 158]
    assert rows[-1]["learning_rate"] == 0


def test_a_teacher_has_the_best_grades_by_its_own_exam() -> None:
    games = Games(BOARDS[1], 8, seed=99, threads=1, pinned=False)
    exam = Exam({"5x8": write_lesson(teacher, games, kept=60, device=MACHINE.device)})
    grades = exam.grade(teacher)
    assert grades.human_match is None
    best = {"policy_kl": 0, "same_move": 1, "win_rate": 0, "lead": 0, "score_stdev": 0}
    assert {name: grades.boards["5x8"][name] for name in best} == pytest.approx(best, abs=2e-3)


def test_nothing_is_left_to_learn_from_oneself() -> None:
    games = Games(BOARDS[0], 8, seed=1, threads=1, pinned=False)
    lesson, _ = teach(teacher, games.rows, [0])
    legal = games.rows.legal[:, None] == 0
    out: Outputs = teacher(lesson.planes, lesson.globals)
    out = out._replace(
        policy=out.policy.masked_fill(legal, -1e9), value=lesson.value.clamp_min(1e-9).log()
    )
    parts = losses(out, lesson)
    assert parts.keys() == WEIGHTS.keys()
    assert all(float(part) == pytest.approx(0, abs=2e-3) for part in parts.values())


def test_the_learning_rate_rises_stays_and_falls() -> None:
    course = Settings(seconds=1, learning_rate=1.0, warm_up_share=0.1, cool_down_share=0.5)
    shares = (0.0, 0.05, 0.1, 0.5, 0.75, 1.0)
    assert [learning_rate(share, course) for share in shares] == [0, 0.5, 1, 1, 0.5, 0]
