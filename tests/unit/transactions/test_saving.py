"""Decisions about a draft: new, a duplicate or a retry, and what it replaces."""

from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.transactions.look import Facts, Look, Status
from lamella.domain.transactions.other_writes import AddEntry
from lamella.domain.transactions.plan import Insert, Plan, SetStatus
from lamella.domain.transactions.saving import Added, Saved, decide_restoring_save, decide_save, look_for_save
from lamella.domain.transactions.status import decide_status
from tests.unit.support.tables import cases
from tests.unit.transactions.tiny import ENTRY, MINUTE, START, TinyProject, facts, observed, same, signed

NEW, OLD, OTHER = UUID(int=100), UUID(int=1), UUID(int=2)
NOW = START + 60 * MINUTE


def saved(draft: Draft, there: Facts) -> tuple[Plan, Saved]:
    """Return the decision about a draft saved at noon."""
    return decide_save(draft, there, id=NEW, entry=ENTRY, now=NOW)


def insert(draft: Draft, **fields: Any) -> Insert:
    """Return the write that stores a draft as the next observation."""
    said = draft.observed(id=NEW, project="p", sequence=8, now=NOW)
    return Insert(observation=evolve(said, **fields), fingerprint=draft.fingerprint, request=draft.request)


def edit(**changes: Any) -> AddEntry:
    """Return the entry of a replacement."""
    by = Signature(at=NOW, actor="agent")
    count = sum(map(len, changes.values()))
    return AddEntry(AuditEntry(id=ENTRY, action=Action.EDIT, by=by, count=count, **changes))


def test_a_save_looks_for_the_same_words_and_for_what_it_replaces() -> None:
    draft = Draft(content="said", session="s", replaces=(OLD,))
    assert look_for_save(draft) == Look(ids=(OLD,), fingerprint=draft.fingerprint, session="s", neighbours=True)


def test_a_note_that_replaces_nothing_is_compared_with_similar_ones() -> None:
    draft = Draft(content="The server runs on port 1.")
    look = Look(fingerprint=draft.fingerprint, neighbours=True, similar=("server", "runs", "port"))
    assert look_for_save(draft) == look
    assert look_for_save(evolve(draft, kind=Kind.SUMMARY)) == evolve(look_for_save(draft), similar=())


SAID, CALLED = Draft(content="said"), Draft(content="said", request="call-2")
BOTH = evolve(SAID, replaces=(OLD, OTHER, OLD))
REWORDED = evolve(SAID, keywords="words", replaces=(OLD,))
KNOWN = observed(1)
"""Observation that says the same; its id is `OLD`."""
LIVE = Status(False, "p")


def new(draft: Draft, corrected: UUID | None = None, **fields: Any) -> Saved:
    """Return the outcome for a new draft."""
    return Saved(insert(draft, **fields).observation, Added.NEW, corrected)


def replaced(*ids: UUID, by: UUID = NEW) -> SetStatus:
    """Return the write that purges what is replaced."""
    return SetStatus(ids=ids, at=NOW, purged=True, replaced_by=by)


@cases
def test_a_draft_is_new_or_a_duplicate_or_a_retry_and_may_replace_others(
    draft: Draft, there: Facts, plan: Plan, outcome: Saved
) -> None:
    assert saved(draft, there) == (plan, outcome)


def test_a_replacement_has_the_common_origin_of_what_it_replaces() -> None:
    for other, origin in (("merged", "merged"), ("p", "p")):
        there = {OLD: Status(False, "merged"), OTHER: Status(False, other)}
        (_, _, written), outcome = saved(BOTH, facts(statuses=there))
        assert outcome.observation.origin == origin
        assert isinstance(written, AddEntry)
        assert written.entry.origin == origin


def test_fingerprints_are_of_what_is_said_and_not_of_who_or_when() -> None:
    one, other = CodeChange(path="a.py"), CodeChange(path="b.py", hunks="+b")
    draft = Draft(content="said", changes=(one, other))
    alike = Draft(
        content="said",
        kind=Kind.CHANGE,
        actor="user",
        author="ada",
        keywords="other",
        session="s",
        request="call",
        changes=(evolve(other, hunks="", additions=2), one),
    )
    unlike: list[dict[str, Any]] = [
        {"content": "Said"},
        {"content": "said "},
        {"title": "t"},
        {"source": "s"},
        {"changes": (one,)},
    ]
    assert alike.fingerprint == draft.fingerprint
    assert len({draft.fingerprint, *(evolve(draft, **each).fingerprint for each in unlike)}) == 1 + len(unlike)


@cases
def test_what_cannot_be_replaced_is_an_error(there: dict[UUID, Status]) -> None:
    with pytest.raises(NotReplaceableError):
        saved(Draft(content="said", replaces=(OLD, OTHER)), facts(statuses={OLD: Status(False, "p"), **there}))


def test_a_purged_memory_is_replaced_unnamed_in_the_entry_unless_it_has_an_heir() -> None:
    purged = facts(statuses={OLD: Status(True, "p"), OTHER: LIVE})
    plan, _ = decide_restoring_save(BOTH, purged, id=NEW, entry=ENTRY, now=NOW)
    revive = SetStatus(ids=(OLD,), at=NOW, purged=False)
    assert plan == (revive, insert(BOTH), replaced(OLD, OTHER), edit(added=(NEW,), purged=(OTHER,)))
    known = facts(same=(same(observed(3)),), statuses={OLD: Status(True, "p")})
    draft = evolve(SAID, replaces=(OLD,))
    linked, _ = decide_restoring_save(draft, known, id=NEW, entry=ENTRY, now=NOW)
    assert linked == (revive, replaced(OLD, by=UUID(int=3)))
    assert decide_restoring_save(SAID, known, id=NEW, entry=ENTRY, now=NOW)[0] == ()
    heirs = facts(statuses={OLD: Status(True, "p", replaced_by=NEW), OTHER: Status(True, "p", UUID(int=9))})
    with pytest.raises(NotReplaceableError):
        decide_restoring_save(BOTH, heirs, id=NEW, entry=ENTRY, now=NOW)


class History(TinyProject):
    """State machine of a project changed by drafts, purges and restores."""

    def play(self, steps: list[tuple[Any, ...]]) -> None:
        """Make changes, and check the invariants after each."""
        for number, (act, *asked) in enumerate(steps):
            before = dict(self.rows)
            ids = list(self.rows)
            if act == "save":
                self.save(number, *asked)
            elif ids:
                self.change(number, act == "purge", [ids[place % len(ids)] for place in asked[0]])
            assert [*self.rows][: len(before)] == [*before]
            sequences = [said.sequence for said in self.observations().values()]
            assert sequences == sorted(set(sequences))

    def save(self, number: int, content: str, keywords: str, request: str | None, replaces: list[int]) -> None:
        """Save a draft twice."""
        ids = [*self.rows]
        asked = tuple(ids[place % len(ids)] for place in replaces) if ids else ()
        draft = Draft(content=content, keywords=keywords, request=request, replaces=asked)
        live = self.live_alike(draft.fingerprint)
        try:
            outcome = self.decide(draft, number)
        except NotReplaceableError:
            return
        assert len(self.live_alike(draft.fingerprint)) <= max(1, len(live))
        before = dict(self.rows)
        again = self.decide(draft, number + 10_000)
        assert self.rows == before
        assert again.observation == self.rows[outcome.observation.id][0]
        assert again.added is not Added.NEW or outcome.observation.purged

    def decide(self, draft: Draft, number: int) -> Saved:
        """Save a draft."""
        there = self.look(look_for_save(draft))
        at = START + number * MINUTE
        plan, outcome = decide_save(draft, there, id=UUID(int=number), entry=ENTRY, now=at)
        self.apply(plan)
        return outcome

    def change(self, number: int, purge: bool, ids: list[UUID]) -> None:
        """Purge or restore some observations. A restore after a purge changes only `updated_at`."""
        before = self.observations()
        self.set_status(number, ids, purge=purge)
        if purge:
            purged = dict(self.rows)
            self.set_status(number + 1, ids, purge=False)
            for id in ids:
                if not before[id].purged:
                    assert evolve(self.rows[id][0], updated_at=before[id].updated_at) == before[id]
            self.rows = purged

    def set_status(self, number: int, ids: list[UUID], *, purge: bool) -> None:
        """Purge or restore some."""
        there = self.look(Look(ids=tuple(ids)))
        given = (ids, []) if purge else ([], ids)
        plan, _ = decide_status(there, purge=given[0], restore=given[1], entry=ENTRY, by=signed(number))
        self.apply(plan)

    def live_alike(self, fingerprint: bytes) -> list[UUID]:
        """Return the live ones with a fingerprint."""
        return [id for id, (said, mark, _) in self.rows.items() if mark == fingerprint and not said.purged]


PLACES = st.lists(st.integers(0, 5), max_size=2)
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("save"),
            st.sampled_from(("one", "two", "three")),
            st.sampled_from(("", "words")),
            st.sampled_from((None, "", "call-1", "call-2")),
            PLACES,
        ),
        st.tuples(st.sampled_from(("purge", "restore")), st.lists(st.integers(0, 5), min_size=1, max_size=3)),
    ),
    max_size=20,
)


@given(STEPS)
def test_any_history_has_no_doubles_and_retries_change_nothing(steps: list[tuple[Any, ...]]) -> None:
    History().play(steps)
