"""The job that learns from commits, step by step."""

from collections.abc import Iterator

from attrs import define, field

from lamella.domain.errors import HistoryUnreadableError
from lamella_adapters.background import Learning


@define
class Repository:
    """Something checked out, and passes of learning from it."""

    head: str | None = "a"
    passes: list[list[int]] = field(factory=list)
    fails: bool = False

    def learn(self) -> Iterator[object]:
        steps: list[int] = []
        self.passes.append(steps)
        for number in range(3):
            steps.append(number)
            yield number
        if self.fails:
            raise HistoryUnreadableError(reason="gone", advice="none")


def looks(job: Learning) -> None:
    # The first one only sets the time of the next.
    for _ in range(3):
        job(lambda _: False)


def test_commits_are_learned_once_and_again_when_others_are_checked_out() -> None:
    repository = Repository()
    job = Learning(lambda: repository.head, repository.learn, rests=0)
    looks(job)
    looks(job)
    assert repository.passes == [[0, 1, 2]]
    repository.head = "b"
    looks(job)
    assert repository.passes == [[0, 1, 2]] * 2


def test_nothing_is_learned_without_a_history_or_before_the_time() -> None:
    repository = Repository(head=None)
    looks(Learning(lambda: repository.head, repository.learn, rests=0))
    repository.head = "a"
    looks(Learning(lambda: repository.head, repository.learn))
    assert repository.passes == []


def test_a_pass_goes_on_where_it_paused() -> None:
    repository = Repository()
    job = Learning(lambda: repository.head, repository.learn, rests=0)
    for _ in range(6):
        job(lambda _: True)
    assert repository.passes == [[0, 1, 2]]


def test_a_pass_that_failed_is_not_repeated_before_another_commit() -> None:
    repository = Repository(fails=True)
    job = Learning(lambda: repository.head, repository.learn, rests=0)
    looks(job)
    looks(job)
    assert repository.passes == [[0, 1, 2]]
