from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Filters
from lamella.domain.text.printing import MAX_KEY_CHARACTERS, stored_key
from tests.unit.support.stand_ins import DAWN

LONG = "\U0001f680" * MAX_KEY_CHARACTERS
any_key = st.text(st.characters(exclude_categories=()), max_size=3).map(lambda end: LONG + end)


def test_a_short_key_is_stored_as_it_is() -> None:
    assert [stored_key(each) for each in ("", "s1", LONG)] == ["", "s1", LONG]


def test_a_key_without_what_cannot_be_stored_is_as_long() -> None:
    assert stored_key("a\0b\ud800") == "a\ufffdb\ufffd"


def test_a_long_key_is_its_beginning_and_a_digest() -> None:
    stored = stored_key(f"{LONG}a")
    assert len(stored) == MAX_KEY_CHARACTERS
    beginning, _, digest = stored.partition("~")
    assert LONG.startswith(beginning)
    assert len(digest) == 32


@given(any_key, any_key)
def test_keys_that_differ_differ_when_they_are_stored(one: str, other: str) -> None:
    same = one.encode(errors="replace") == other.encode(errors="replace")
    assert (stored_key(one) == stored_key(other)) == same or "\0" in one + other


@given(any_key)
def test_a_stored_key_is_stored_as_it_is(key: str) -> None:
    assert stored_key(stored_key(key)) == stored_key(key)


def test_values_hold_stored_keys() -> None:
    key = f"{LONG}a"
    draft = Draft(content="said", session=key, request=key)
    message = MessageDraft(key=key, session=key, role=Role.HUMAN, text="said", at=DAWN)
    batch = Batch(source=key, position="", names={key: "Name"}, titles={key: "Title"}, ends={key: key})
    held = (draft.session, draft.request, message.key, message.session, batch.source, *batch.names, *batch.titles)
    assert {*held, *batch.ends, *batch.ends.values(), Filters(session=key).session} == {stored_key(key)}
