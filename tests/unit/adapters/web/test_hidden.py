"""Fields of forms show hidden characters as escapes, and are stored with them."""

from lamella_adapters.web.guards.hidden import as_stored
from tests.unit.support.tables import cases


@cases
def test_what_was_not_edited_is_stored_as_it_was(shown: str, typed: str, stored: str) -> None:
    assert as_stored(typed, shown) == stored


def test_a_text_that_is_too_long_to_be_saved_is_not_compared() -> None:
    assert as_stored("\\u{200F}" + "x" * 20_000, "\u200f") == "\\u{200F}" + "x" * 20_000
    assert as_stored("\\u{200F}x", "\u200f" + "x" * 20_000) == "\\u{200F}x"
