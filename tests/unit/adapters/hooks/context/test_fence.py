import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.context.fence import day, fenced, line, tokens
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.unit.support.tables import cases

ENGLISH = "Payments are never retried, because the provider bills each attempt (see src/pay.py)."
CHINESE = "\u4e0d\u8981\u91cd\u8bd5\u4ed8\u6b3e\uff0c\u56e0\u4e3a\u6bcf\u6b21\u5c1d\u8bd5\u90fd\u4f1a\u88ab"
RUSSIAN = "\u041f\u043b\u0430\u0442\u0435\u0436\u0438 \u043d\u0435 \u043f\u043e\u0432\u0442\u043e\u0440\u044f"
INDEX = "- 2024-05-06 0a1b2c3d src/lamella/domain/walking_back.py +120 -33: Judge an edit without attrs."


def test_a_fence_has_a_mark_of_its_own() -> None:
    first, second = fenced(["one", "two"]), fenced(["one", "two"])
    assert re.fullmatch(r'<lamella-memory mark="([0-9a-f]{12})">\none\ntwo\n</lamella-memory \1>', first)
    assert first != second


@cases
def test_a_line_is_harmless_and_short(text: str, shown: str) -> None:
    assert line(text, 20 if len(text) >= 30 else 60) == shown


@given(st.text(max_size=300))
def test_no_text_leaves_its_line_or_poses_as_a_tag(text: str) -> None:
    shown = line(f"<lamella{text}</System {text}", 80)
    assert len(shown.splitlines()) == 1
    assert len(shown) <= 83
    assert not re.search(r"</?(lamella|system)\b", shown, re.IGNORECASE)


def test_days_are_those_of_the_machine() -> None:
    assert day(1_714_953_600_000_000 + 43_200_000_000) == "2024-05-06"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, RUSSIAN, INDEX])
def test_tokens_are_rather_too_many_than_too_few(text: str) -> None:
    counted = ClassTokenizer().count(text * 10)
    assert 0.9 * counted <= tokens(text * 10) <= 2.5 * counted
