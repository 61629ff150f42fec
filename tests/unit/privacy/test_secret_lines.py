"""Secrets in lines of code, configuration and conversation, on each way in, and lines without any."""

import json
import posixpath
import random
from collections.abc import Callable

import pytest

from lamella.domain.privacy.redaction import Redacted, redact
from tests.unit.privacy.lines.corpora import CALLS, DOCUMENTED, DOCUMENTED_ORDINARY, NAMED, ORDINARY, STATED, TYPED
from tests.unit.privacy.secret_corpus import is_left
from tests.unit.privacy.test_command_secrets import LEAST_CAUGHT, values, with_value

DRAWN = {"drawn with signs", "drawn", "letters"}
WAYS: dict[str, Callable[[str], str]] = {
    "text": lambda line: redact(line).text,
    "memory": lambda line: redact(f"Notes of today.\n\n{line}\n\nIt works now.").text,
    "path": lambda line: posixpath.normpath(redact(line).text),
    "edit": lambda line: redact(f"@@ -1,2 +1,2 @@\n context\n+{line}\n other").text,
    "call in a transcript": lambda line: redact(f"Bash {json.dumps({'command': line}, ensure_ascii=False)}").text,
}
"""What becomes of a line on its way into memory."""
OTHER_WAYS = [pytest.param(way, marks=pytest.mark.no_cover) for way in WAYS if way != "text"]


def lines(each: list[str]) -> list[str]:
    return [line.replace("\\n", "\n") for line in each]


@pytest.mark.parametrize("corpus", [CALLS, NAMED, STATED, TYPED], ids=["calls", "named", "stated", "typed"])
def test_nearly_every_drawn_secret_is_taken_out(corpus: list[str]) -> None:
    left = [
        (line, value)
        for line in lines(corpus)
        for kind, value in values(random.Random(line))  # noqa: S311 - made-up values
        if kind in DRAWN and is_left(value, redact(with_value(line, value)).text)
    ]
    assert len(left) <= len(corpus) * len(DRAWN) * (1 - LEAST_CAUGHT), left


def test_a_function_that_takes_a_password_may_be_given_a_word() -> None:
    left = [
        line
        for line in CALLS
        for _, value in values(random.Random(line))  # noqa: S311 - made-up values
        if is_left(value, redact(with_value(line, value)).text)
    ]
    assert len(left) <= len(CALLS) * 7 * (1 - LEAST_CAUGHT), left


@pytest.mark.parametrize("way", ["text", *OTHER_WAYS])
def test_nearly_every_secret_in_documented_forms_is_redacted_on_each_way_in(way: str) -> None:
    left = [(line, secret) for line, secret in DOCUMENTED if is_left(secret, WAYS[way](line))]
    assert (len(DOCUMENTED) >= 200, len(left) <= len(DOCUMENTED) * (1 - LEAST_CAUGHT)) == (True, True), left


def test_a_line_without_a_secret_stays() -> None:
    told = lines([*ORDINARY, *DOCUMENTED_ORDINARY])
    assert [redact(line) for line in told] == [Redacted(line, 0) for line in told]


@pytest.mark.no_cover
@pytest.mark.parametrize("way", ["memory", "edit", "call in a transcript"])
def test_lines_without_a_secret_stay_on_each_way_in(way: str) -> None:
    touched = [line for line in DOCUMENTED_ORDINARY if "[redacted]" in WAYS[way](line) or "***" in WAYS[way](line)]
    assert [line for line in touched if "***" not in line] == []


def test_of_two_forms_that_overlap_one_secret_is_taken_out() -> None:
    assert redact("login creds:ada/b7c8d9e0f1") == Redacted("login creds:[redacted]", 1)
