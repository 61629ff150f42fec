import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.payload import MAX_BYTES, as_json, object_in, parsed, read_line, text_in
from tests.unit.support.tables import cases

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


@contextmanager
def pipe_with(content: bytes, *, held_open: bool = False) -> Iterator[int]:
    """Return a pipe with some data, whose writer may keep it open."""
    reading, writing = os.pipe()

    def write() -> None:
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(writing, rest) :]
        except BrokenPipeError:
            pass
        if not held_open:
            os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield reading
    finally:
        os.close(reading)
        writer.join()
        if held_open:
            os.close(writing)


@given(OBJECTS, st.booleans())
def test_whatever_object_the_client_writes_is_read(value: dict[str, object], ascii_only: bool) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert parsed(line) == value
    assert parsed(b" " + line + b" \r") == value


@cases
def test_what_is_no_object_is_none(line: bytes) -> None:
    assert parsed(line) is None


@given(st.binary())
def test_garbage_never_raises(line: bytes) -> None:
    assert parsed(line) is None or json.loads(line) == parsed(line)


@given(
    st.dictionaries(
        st.text(st.characters()),
        st.text(st.characters()) | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_what_is_written_is_one_line_of_json_that_any_encoding_can_carry(value: dict[str, object]) -> None:
    written = as_json({"outer": value})
    assert written.isascii()
    assert "\n" not in written

    def carried(text: object) -> object:
        if not isinstance(text, str):
            return text
        return "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in text)

    expected = {key: carried(each) for key, each in value.items() if carried(key) == key}
    found = json.loads(written)["outer"]
    assert {key: each for key, each in found.items() if key in expected} == expected


def test_what_is_missing_or_of_another_kind_reads_as_nothing() -> None:
    value = {"text": "a", "number": 1, "object": {"b": 2}}
    assert [text_in(value, key) for key in ("text", "number", "object", "none")] == ["a", "", "", ""]
    assert [object_in(value, key) for key in ("text", "number", "object", "none")] == [{}, {}, {"b": 2}, {}]


@pytest.mark.parametrize("line", [b"", b"{}", b"x" * 3_000_000], ids=["empty", "short", "long"])
def test_a_line_ends_with_its_end_or_with_the_input(line: bytes) -> None:
    with pipe_with(line) as reading:
        assert read_line(reading) == line
    with pipe_with(line + b"\nand more", held_open=True) as reading:
        assert read_line(reading) == line


@pytest.mark.parametrize("excess", [0, 1])
def test_a_line_has_a_longest_length(excess: int) -> None:
    line = b"x" * (MAX_BYTES + excess)
    with pipe_with(line + b"\n") as reading:
        assert read_line(reading) == (None if excess else line)
    with pipe_with(line) as reading:
        assert read_line(reading) == (None if excess else line)
