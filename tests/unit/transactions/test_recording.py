"""Decisions about captures, ageing and warnings."""

from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import described
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.transactions.look import Facts, Look, Status
from lamella.domain.transactions.other_writes import Age, Amend, MarkWarned, RememberRequest, Warned  # noqa: F401 - for the table
from lamella.domain.transactions.plan import Insert, Plan
from lamella.domain.transactions.recording import (
    Capture,
    Recorded,
    decide_ageing,
    decide_captures,
    decide_warning,
    look_for_captures,
)
from tests.unit.support.tables import cases
from tests.unit.transactions.tiny import MINUTE, START, TinyProject, facts, observed

HUNK = "@@ -1,1 +1,1 @@\n-{0} = load({0})\n+{0} = loaded({0})"


def capture(number: int, *paths: str, at: datetime = START, request: str | None = None, **fields: Any) -> Capture:
    """Return a captured edit of some files."""
    changes = tuple(CodeChange(path=path, additions=1, deletions=1, hunks=HUNK.format(path[0])) for path in paths)
    given: dict[str, Any] = {"session": "s", "title": "A reason", "source": EDITED, "kind": Kind.CHANGE}
    draft = Draft(content=described(changes, "A reason"), changes=changes, request=request, **{**given, **fields})
    return Capture(id=UUID(int=number), draft=draft, at=at)


def insert(captured: Capture, sequence: int) -> Insert:
    """Return the write that stores a capture as an observation of its own."""
    draft = captured.draft
    said = draft.observed(id=captured.id, project="p", sequence=sequence, now=captured.at)
    return Insert(observation=said, fingerprint=draft.fingerprint, request=draft.request)


def test_captures_look_for_their_requests_and_the_file_that_each_may_join() -> None:
    captures = [capture(1, "a.py", request="r1"), capture(2, "b.py", "c.py"), capture(3, "a.py", request="r1")]
    assert look_for_captures(captures) == Look(requests=("r1", "r1"), paths=("a.py",))


@cases
def test_a_capture_is_recorded_once_as_an_observation_of_its_time(
    captures: list[Capture], there: Facts, plan: Plan, outcomes: tuple[Recorded, ...]
) -> None:
    assert decide_captures(captures, there) == (plan, outcomes)


def test_edits_of_one_file_join_one_after_the_other() -> None:
    captures = [capture(number, "a.py", at=START + number * MINUTE) for number in range(3)]
    (first, once, twice), outcomes = decide_captures(captures, facts())
    assert first == insert(captures[0], 8)
    assert isinstance(once, Amend)
    assert isinstance(twice, Amend)
    joined = [each.observation for each in (once, twice)]
    assert [(each.id, each.updated_at, each.changes[0].additions) for each in joined] == [
        (captures[0].id, START + MINUTE, 2),
        (captures[0].id, START + 2 * MINUTE, 3),
    ]
    assert outcomes == (Recorded.NEW, Recorded.JOINED, Recorded.JOINED)


OTHERS = evolve(insert(capture(9, "a.py"), 7).observation, session="t")
AGAIN = capture(1, "a.py", at=START + MINUTE)


@cases
def test_an_edit_joins_the_latest_that_changed_its_file(
    captures: list[Capture], there: Facts, outcomes: tuple[Recorded, ...]
) -> None:
    assert decide_captures(captures, there)[1] == outcomes


WARNED = Warned(observation=UUID(int=1), session="s", path="a.py")
ABOUT = Look(ids=(WARNED.observation,), warned=WARNED)
THERE = facts(statuses={WARNED.observation: Status(False, "p")})


@cases
def test_a_warning_is_given_once_of_what_is_there(look: Look, there: Facts, plan: Plan, *, given: bool) -> None:
    assert decide_warning(look, there) == (plan, given)


def test_edits_that_are_due_lose_their_lines() -> None:
    edit, bare = insert(capture(1, "a.py"), 1).observation, observed(2)
    plan = (Age(former=edit, now=aged(edit)), Age(former=bare, now=None))
    assert decide_ageing(facts(unaged=(edit, bare))) == (plan, 2)


CAPTURES = st.lists(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(("a.py", "b.py")), min_size=1, max_size=2, unique=True),
            st.integers(0, 30),
            st.sampled_from((None, "r1", "r2", "r3")),
            st.sampled_from((None, "s", "t")),
        ),
        max_size=4,
    ),
    max_size=6,
)


@given(CAPTURES)
def test_any_drain_that_is_repeated_records_nothing_twice(batches: list[list[tuple[Any, ...]]]) -> None:
    project, number = TinyProject(), 0
    for batch in batches:
        captures = []
        for paths, minutes, request, session in batch:
            number += 1
            at = START + minutes * MINUTE
            captures.append(capture(number, *paths, at=at, request=request, session=session))
        named = [each for each in captures if each.draft.request is not None]
        for drained in (captures, named):
            plan, outcomes = decide_captures(drained, project.look(look_for_captures(drained)))
            assert len(outcomes) == len(drained)
            before = len(project.rows)
            project.apply(plan)
            assert len(project.rows) == before + outcomes.count(Recorded.NEW)
        assert set(outcomes) <= {Recorded.KNOWN}
    lines = [
        line for said in project.observations().values() for change in said.changes for line in [change.additions]
    ]
    assert all(line is not None and line > 0 for line in lines)
