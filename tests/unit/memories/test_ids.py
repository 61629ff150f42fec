from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.ids import full_id, id_prefix, short_id, too_short
from tests.unit.support.tables import cases

ID = UUID("0123abcd-4567-4899-8abc-def012345678")


@cases
def test_an_id_is_given_whole_without_hyphens_or_by_its_beginning(given_id: str, digits: str | None) -> None:
    assert id_prefix(given_id) == digits


@given(st.text(st.characters(exclude_categories=())))
def test_looking_for_an_id_never_raises(text: str) -> None:
    assert id_prefix(text) in (None, text.strip().lower().replace("-", ""))


def test_a_short_id_has_eight_characters_or_as_many_as_make_it_unique() -> None:
    other = UUID("0123abcd-4568-4899-8abc-def012345678")
    assert [short_id(ID, []), short_id(ID, [ID, other]), short_id(other, [ID, other])] == [
        "0123abcd", "0123abcd4567", "0123abcd4568",
    ]  # fmt: skip


@cases
def test_a_full_id_has_32_digits_with_or_without_hyphens(given_id: str, id: UUID | None) -> None:
    assert full_id(given_id) == id


def test_a_prefix_that_is_too_short_is_said() -> None:
    assert [bool(too_short(each)) for each in ("", " ", "f", " 123 ", "1234", "12345678")] == [0, 0, 1, 1, 0, 0]
