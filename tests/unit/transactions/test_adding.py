"""Decisions about messages, and names and titles of sessions."""

from typing import Any

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import (
    MAX_ENDS,
    MAX_WAITING_TITLES,  # noqa: F401 - for the table
    Batch,
    MessageDraft,
    Role,
)
from lamella.domain.transactions.adding import (
    ConversationFacts,
    ConversationLook,
    decide_batch,
    look_for_batch,
    settle_titles,
)
from lamella.domain.transactions.conversation_writes import (
    AddMessages,
    DropTitles,
    KeepEnds,
    KeepTitles,  # noqa: F401 - for the table
    NameSession,
    SetPosition,
)
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Write
from tests.unit.support.tables import cases
from tests.unit.transactions.tiny import START, facts


def said(key: str, *, session: str = "s") -> MessageDraft:
    """Return a message of a session."""
    return MessageDraft(key=key, session=session, role=Role.HUMAN, text=key, at=START)


def batch(*drafts: MessageDraft, **fields: Any) -> Batch:
    """Return the next part of a transcript."""
    return Batch(source="t", position="9", drafts=drafts, **fields)


def there(**fields: Any) -> Facts:
    """Return the facts of a project with three messages."""
    return facts(conversations=ConversationFacts(**{"last": 3, **fields}))


def decided(added: Batch, found: Facts) -> tuple[Write, ...]:
    """Return the writes of a batch without its position, which comes last."""
    plan, _ = decide_batch(added, found)
    assert plan[-1] == SetPosition(source="t", position="9", origin="p")
    return plan[:-1]


def titled(session: str, title: str) -> NameSession:
    """Return the write that gives a session a title."""
    return NameSession(session=session, name=title, titled=True)


def test_a_batch_looks_for_all_that_it_names() -> None:
    added = batch(said("r1/0"), names={"a": "Name"}, ends={"r2": "b"}, titles={"r3": "Title"})
    asked = ConversationLook(drafts=added.drafts, sessions=("a", "b"), records=("r3",))
    assert look_for_batch(added) == Look(keys=("r1/0",), conversations=asked)


def test_known_keys_are_passed_over_and_others_numbered_without_gaps() -> None:
    first, again, known, other = said("k1"), said("k1", session="fork"), said("k2"), said("k3")
    plan, new = decide_batch(batch(first, again, known, other), evolve(there(), keys=frozenset({"k2"})))
    assert plan[0] == AddMessages(first=4, drafts=(first, other), origin="p")
    assert (new, len(plan)) == (2, 2)
    assert decide_batch(batch(known), evolve(there(), keys=frozenset({"k2"})))[1] == 0


@cases
def test_names_and_titles_are_given_to_sessions(added: Batch, found: Facts, writes: tuple[Write, ...]) -> None:
    assert decided(added, found) == writes


def test_an_erased_session_is_named_only_with_new_messages() -> None:
    added = batch(names={"s": "Name"}, titles={"r1": "Title"}, ends={"r1": "s"})
    silent = there(silent=frozenset({"s"}))
    assert decided(added, silent) == (KeepEnds(ends={"r1": "s"}, most=MAX_ENDS, origin="p"),)
    message, *named = decided(evolve(added, drafts=(said("k1"),)), silent)
    assert isinstance(message, AddMessages)
    assert named[0] == NameSession(session="s", name="Name", titled=False)


def test_a_title_names_the_session_of_its_record() -> None:
    titles = {record: f"Title {record}" for record in ("stored", "added", "ended", "ends", "both")}
    added = batch(said("added/0", session="b"), titles=titles, ends={"ends": "d", "both": "e"})
    found = there(said={"stored": "a", "both": "f"}, ended={"ended": "c", "both": "g"})
    sessions = {"stored": "a", "added": "b", "ended": "c", "ends": "d", "both": "f"}
    assert decided(added, found)[2:] == tuple(titled(sessions[record], title) for record, title in titles.items())


def test_titles_meet_their_records_in_a_merge() -> None:
    found = ConversationFacts(waiting={"r1": "Title", "r2": "Waits"}, said={"r1": "a"})
    ends = KeepEnds(ends={}, most=MAX_ENDS, origin="")
    assert settle_titles(found) == (titled("a", "Title"), DropTitles(("r1",)), ends)


RECORDS = st.sampled_from(("r1", "r2", "r3"))
BATCHES = st.lists(
    st.builds(
        batch,
        st.builds(said, RECORDS.map("{}/0".format), session=st.just("s")),
        titles=st.dictionaries(RECORDS, st.sampled_from(("One", "Two")), max_size=2),
    ),
    max_size=6,
)


@given(BATCHES)
def test_any_batch_that_is_added_again_adds_nothing(batches: list[Batch]) -> None:
    keys: set[str] = set()
    for added in batches:
        for again in (False, True):
            plan, new = decide_batch(added, facts(keys=frozenset(keys)))
            numbered = [each for each in plan if isinstance(each, AddMessages)]
            assert sum(len(each.drafts) for each in numbered) == new
            assert not (again and new)
            keys.update(draft.key for draft in added.drafts)
