"""Secrets told by the name they are given to, or by their place in an address. All values here are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.privacy.redaction import Redacted, redact
from tests.unit.support.tables import cases

VALUE = "x7Kq" + "2mP9" + "vB4t" + "R8wz"


@cases
def test_the_value_of_a_name_that_says_so_is_taken_out_and_nothing_else(text: str) -> None:
    assert redact(text.format(VALUE)) == Redacted(text.format("[redacted]"), 1)


@cases
def test_of_passwords_of_names_and_in_addresses_less_is_asked(told: str, kept: str) -> None:
    assert redact(told).text == kept


@pytest.mark.parametrize("text", ["PRIVATE_KEY={}", 'PRIVATE_KEY="{}', 'PRIVATE_KEY="{}"', "client-key-data: {}"])
def test_the_longest_value_is_taken_out_whole(text: str) -> None:
    assert redact(f"{text.format(VALUE * 1_000)}\nnext") == Redacted(f"{text.format('[redacted]')}\nnext", 1)


def test_a_name_inside_a_value_is_part_of_it() -> None:
    told = f"token=password={VALUE} secret={VALUE}"
    assert redact(told) == Redacted("token=[redacted] secret=[redacted]", 2)


PIECES = """
token password api_key = : " ' \\" \\n a1B2 x -- < > , ( } value name define( & ; / ! Bearer is \u0130
""".split()  # noqa: SIM905 - words in running lines can be read and mended


@given(st.lists(st.sampled_from([*PIECES, " ", "\n", " is "]), max_size=40))
def test_whatever_is_assigned_nothing_raises_or_grows_or_is_taken_out_uncounted(parts: list[str]) -> None:
    text = "".join(parts)
    once = redact(text)
    assert (len(once.text) <= len(text), (once.secrets == 0) == (once.text == text)) == (True, True)


@cases
def test_a_word_with_a_number_is_a_token_in_settings_unlike_plain_words_or_versions(value: str, kept: str) -> None:
    assert redact(f"DB_HOST=db\nAPI_TOKEN={value}\nPORT=80\n").text == f"DB_HOST=db\nAPI_TOKEN={kept}\nPORT=80\n"
