"""Elements of a large list, whichever way it is divided into pieces."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.transcripts import elements as module
from lamella_adapters.transcripts.elements import elements
from lamella_adapters.transcripts.files import Line

WORDS = st.text(st.sampled_from('a"\\[]{},: \né\ud83d'), max_size=8)
VALUES = st.recursive(
    st.none() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
LISTS = st.lists(st.dictionaries(WORDS, VALUES, max_size=3) | st.lists(VALUES, max_size=3), max_size=5)


def read(content: bytes, offset: int = 0) -> list[Line]:
    return list(elements(io.BytesIO(content), offset))


def parsed(lines: list[Line]) -> list[Any]:
    return [json.loads(line.content) for line in lines if line.content and not line.content.isspace()]


@given(LISTS, st.integers(1, 7), st.sampled_from([None, 1]), st.booleans(), st.data())
def test_every_element_is_read_whatever_is_in_it_and_from_each_position_on(
    values: list[Any], piece: int, indent: int | None, escaped: bool, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_PIECE_BYTES", piece)
        content = json.dumps(values, indent=indent, ensure_ascii=escaped).encode("utf-8", "replace") + b"\n"
        lines = read(content)
        every = json.loads(content)
        assert (parsed(lines), sum(line.length for line in lines)) == (every, len(content))
        count = data.draw(st.integers(1, len(values) + 1))
        offset = sum(line.length for line in lines[:count])
        assert parsed(read(content, offset)) == every[count:]


@given(LISTS, st.data())
def test_a_list_that_is_cut_ends_with_a_part_that_is_not_whole(values: list[Any], data: st.DataObject) -> None:
    content = json.dumps(values).encode()
    lines = read(content[: data.draw(st.integers(1, len(content) - 1))])
    assert parsed(lines[:-1]) == values[: len(lines) - 1]
    assert [line.whole for line in lines] == [True] * (len(lines) - 1) + [False]


@given(st.binary(max_size=60))
def test_no_bytes_raise(content: bytes) -> None:
    lines = read(b"[" + content)
    assert sum(line.length for line in lines) == len(content) + 1


def test_an_element_that_is_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PIECE_BYTES", 100)
    monkeypatch.setattr(module, "MAX_ELEMENT_BYTES", 1_000)
    content = json.dumps([{"text": "x" * 2_000}, {"text": "y"}]).encode()
    large, small, rest = read(content)
    assert (large.content, large.whole) == (None, True)
    assert json.loads(small.content or b"") == {"text": "y"}
    assert rest == Line(b"\n", 1, whole=True)


def test_a_list_may_begin_with_a_mark_of_its_encoding() -> None:
    assert parsed(read(b'\xef\xbb\xbf \r\n[ {"a": 1} ]')) == [{"a": 1}]
