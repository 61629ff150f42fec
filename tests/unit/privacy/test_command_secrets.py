"""Secrets on command lines, and command lines without any. All values are made up."""

import random
import re
import string
from collections import Counter
from collections.abc import Iterator

import pytest

from lamella.domain.privacy.redaction import Redacted, redact
from tests.unit.privacy.lines.corpora import (
    APART,
    APART_IN_FILES,
    COMMANDS,
    COMMANDS_IN_FILES,
    ORDINARY_COMMANDS,
    UNSEEN,
    UNSEEN_PROGRAMS,
)
from tests.unit.privacy.secret_corpus import ALNUM, SPECIAL, drawn, is_left
from tests.unit.support.tables import cases

LEAST_CAUGHT = 0.95
VALUE = "x7Kq" + "2mP9" + "vB4t" + "R8wz"
_PLACE = re.compile("(?<![A-Z_])SECRET(?![A-Z_])")
WORDS = ("letmein", "harvestmoon", "buttercup", "orchardgate", "marmalade")


def with_value(line: str, value: str) -> str:
    return _PLACE.sub(lambda _: value, line)


def values(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield a password of each kind that people choose, or that is drawn for them."""
    yield "drawn with signs", drawn(chance, chance.randint(12, 20), f"{ALNUM}{SPECIAL}")
    yield "drawn", drawn(chance, chance.randint(8, 16))
    yield "word and number", f"{chance.choice(WORDS)}{chance.randint(10, 9999)}{chance.choice(['', '!'])}"
    yield "eight letters", drawn(chance, 8, string.ascii_lowercase)
    yield "letters", drawn(chance, chance.randint(9, 20), string.ascii_letters)
    yield "word", chance.choice(WORDS)
    yield "digits", drawn(chance, 8, string.digits)


@pytest.mark.no_cover
@pytest.mark.parametrize("lines", [COMMANDS, COMMANDS_IN_FILES, APART, APART_IN_FILES, UNSEEN, UNSEEN_PROGRAMS])
def test_nearly_every_secret_of_a_known_program_is_taken_out(lines: tuple[str, ...] | list[str]) -> None:
    left: Counter[str] = Counter()
    for line in lines:
        for kind, value in values(random.Random(line)):  # noqa: S311 - made-up values
            left[kind] += is_left(value, redact(with_value(line, value)).text, 6)
    assert {kind: count for kind, count in left.items() if count > len(lines) * (1 - LEAST_CAUGHT)} == {}


def test_the_lines_are_many_and_of_many_programs() -> None:
    lines = [*COMMANDS, *APART]
    programs = {line.split()[0] for line in lines}
    assert (len(lines) >= 150, len(programs) >= 40, len(APART) >= len(lines) / 2) == (True, True, True)


def test_nothing_else_of_a_command_is_taken_out() -> None:
    told = [with_value(line, VALUE) for line in (*COMMANDS, *COMMANDS_IN_FILES)]
    assert [redact(line).text for line in told] == [line.replace(VALUE, "[redacted]") for line in told]


def test_a_command_without_a_secret_stays() -> None:
    assert [redact(line) for line in ORDINARY_COMMANDS] == [Redacted(line, 0) for line in ORDINARY_COMMANDS]


def test_ordinary_commands_in_one_text_stay() -> None:

    for text in ("\n".join(ORDINARY_COMMANDS), "\n+".join(ORDINARY_COMMANDS), str(ORDINARY_COMMANDS)):
        assert redact(text) == Redacted(text, 0)


@cases
def test_a_secret_is_taken_out_to_its_end(told: str, kept: str) -> None:
    assert redact(told) == Redacted(kept, 1)
