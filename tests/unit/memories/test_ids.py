from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.ids import full_id, id_prefix, short_id

ID = UUID("0123abcd-4567-4899-8abc-def012345678")


PREFIXES = {
    **dict.fromkeys((str(ID), ID.hex, ID.hex.upper(), f" {ID}\n"), ID.hex),
    "0123": "0123",
    "0123abcd-45": "0123abcd45",
    "0123abcd-": "0123abcd",
    "0123abc": "0123abc",
    **dict.fromkeys(("", "012", "01-2", "012g", "0123 abcd", f"{ID.hex}0", f"{ID}-", "-" * 40 + "abcd"), None),
    "\uff10\uff11\uff12\uff13": None,
}


@pytest.mark.parametrize(("given_id", "digits"), PREFIXES.items())
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


@pytest.mark.parametrize(
    ("given_id", "id"),
    [
        *((whole, ID) for whole in (str(ID), f" {str(ID).upper()} ", ID.hex)),
        *((part, None) for part in ("", "9bbde6e1", ID.hex[:31], f"{ID}0", "g" * 32)),
    ],
)
def test_a_full_id_has_32_digits_with_or_without_hyphens(given_id: str, id: UUID | None) -> None:
    assert full_id(given_id) == id
