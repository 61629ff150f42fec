"""Decisions about a draft: new, a duplicate or a retry, and what it replaces."""

from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.audit.signature import Signature
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.transactions.look import Facts, Look, Status
from lamella.domain.transactions.plan import AddEntry, Insert, Plan, SetStatus
from lamella.domain.transactions.saving import Added, Saved, decide_save, look_for_save
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


def edit(*, added: tuple[UUID, ...], purged: tuple[UUID, ...]) -> AddEntry:
    """Return the entry of a replacement."""
    by = Signature(at=NOW, actor="agent")
    count = len(added) + len(purged)
    return AddEntry(AuditEntry(id=ENTRY, action=Action.EDIT, by=by, added=added, purged=purged, count=count))


def test_a_save_looks_for_the_same_words_and_for_what_it_replaces() -> None:
    draft = Draft(content="said", session="s", replaces=(OLD,))
    assert look_for_save(draft) == Look(ids=(OLD,), fingerprint=draft.fingerprint, session="s", neighbours=True)


def test_a_note_that_replaces_nothing_is_compared_with_similar_ones() -> None:
    draft = Draft(content="The server runs on port 1.")
    look = Look(fingerprint=draft.fingerprint, neighbours=True, similar=("server", "runs", "port"))
    assert look_for_save(draft) == look
    assert look_for_save(evolve(draft, kind=Kind.SUMMARY)) == evolve(look_for_save(draft), similar=())


def test_the_note_that_a_new_one_corrects_is_named() -> None:
    draft = Draft(content="The server runs on port 1.")
    _, outcome = saved(draft, facts(similar={OTHER: "The server runs on port 2."}))
    assert outcome == Saved(insert(draft).observation, Added.NEW, OTHER)


def test_a_new_draft_is_inserted_under_the_next_number() -> None:
    draft = Draft(content="said", request="call-1")
    assert saved(draft, facts()) == ((insert(draft),), Saved(insert(draft).observation, Added.NEW))


def test_a_moment_never_falls_behind_where_the_clock_was_set_back() -> None:
    draft = Draft(content="said")
    assert saved(draft, facts(latest=NOW + MINUTE))[0] == (insert(draft, occurred_at=NOW + MINUTE),)
    assert saved(draft, facts(latest=NOW - MINUTE))[0] == (insert(draft),)


def test_a_duplicate_of_the_first_live_one_stores_nothing() -> None:
    purged, first, second = observed(1, purged_at=NOW), observed(2), observed(3)
    there = facts(same=(same(purged), same(first), same(second)))
    assert saved(Draft(content="said"), there) == ((), Saved(first, Added.DUPLICATE))


def test_what_was_purged_can_be_saved_again() -> None:
    there = facts(same=(same(observed(1, purged_at=NOW), "call-1"),))
    assert saved(Draft(content="said", request="call-2"), there)[1].added is Added.NEW


@pytest.mark.parametrize("purged_at", [None, NOW])
def test_a_retry_is_told_before_a_duplicate_even_if_it_was_purged(purged_at: Any) -> None:
    known = observed(2, purged_at=purged_at)
    there = facts(same=(same(observed(1), "call-1"), same(known, "call-2")))
    draft = Draft(content="said", request="call-2", replaces=(OTHER,))
    assert saved(draft, there) == ((), Saved(known, Added.RETRY))


def test_no_request_is_no_retry_and_an_empty_one_is() -> None:
    there = facts(same=(same(observed(1, purged_at=NOW)), same(observed(2, purged_at=NOW), "")))
    assert saved(Draft(content="said"), there)[1].added is Added.NEW
    assert saved(Draft(content="said", request=""), there)[1] == Saved(observed(2, purged_at=NOW), Added.RETRY)


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


def test_live_ones_are_replaced_once_each_in_one_entry() -> None:
    draft = Draft(content="said", replaces=(OLD, OTHER, OLD))
    there = facts(statuses={OLD: Status(purged=False), OTHER: Status(purged=False)})
    plan, outcome = saved(draft, there)
    status = SetStatus(ids=(OLD, OTHER), at=NOW, purged=True, replaced_by=NEW)
    assert plan == (insert(draft), status, edit(added=(NEW,), purged=(OLD, OTHER)))
    assert outcome.observation.replaced_by is None


def test_a_duplicate_replaces_others_and_not_itself() -> None:
    known = observed(1)
    there = facts(same=(same(known),), statuses={known.id: Status(purged=False), OTHER: Status(purged=False)})
    plan, outcome = saved(Draft(content="said", replaces=(OTHER, known.id)), there)
    status = SetStatus(ids=(OTHER,), at=NOW, purged=True, replaced_by=known.id)
    assert (plan, outcome) == ((status, edit(added=(), purged=(OTHER,))), Saved(known, Added.DUPLICATE))


def test_other_keywords_replace_the_memory_that_says_the_same() -> None:
    known = observed(1)
    there = facts(same=(same(known),), statuses={known.id: Status(purged=False)})
    draft = Draft(content="said", keywords="words", replaces=(known.id,))
    plan, outcome = saved(draft, there)
    status = SetStatus(ids=(known.id,), at=NOW, purged=True, replaced_by=NEW)
    assert plan == (insert(draft), status, edit(added=(NEW,), purged=(known.id,)))
    assert outcome == Saved(insert(draft).observation, Added.NEW)
    assert saved(evolve(draft, replaces=()), there) == ((), Saved(known, Added.DUPLICATE))


def test_the_same_replacement_again_changes_nothing() -> None:
    known = observed(1)
    there = facts(same=(same(known),), statuses={OTHER: Status(purged=True, replaced_by=known.id)})
    assert saved(Draft(content="said", replaces=(OTHER,)), there) == ((), Saved(known, Added.DUPLICATE))


@cases
def test_what_cannot_be_replaced_is_an_error(there: dict[UUID, Status]) -> None:
    with pytest.raises(NotReplaceableError):
        saved(Draft(content="said", replaces=(OLD, OTHER)), facts(statuses={OLD: Status(purged=False), **there}))


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
