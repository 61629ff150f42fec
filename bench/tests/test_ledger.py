"""Tests of `bench.quality.ledger`: disguises of code, and the choice of edits."""

import random
from pathlib import Path

import pytest

from bench.quality.ledger import (
    UNDONE,
    VARIANTS,
    Function,
    functions,
    in_history,
    removal,
    renamed,
    unparsed,
    verdict,
    wrapped,
)
from lamella.domain.ledger.reintroduction import Likeness
from tests.end_to_end.git.git_repository import Repository

CODE = """\
    def fetched(self, url, attempts=3):
        # why not
        for attempt in range(attempts):
            answer = self.session.get(url, url=url)
            if answer: return [answer, url]
"""


def chance() -> random.Random:
    """Return a new generator with always the same numbers. Sharing it would make tests depend on order."""
    return random.Random(1)  # noqa: S311 - a sample


def test_functions_of_a_fair_length_are_found_none_inside_another() -> None:
    inner = "".join(f"        line{number}()\n" for number in range(8))
    source = f"@cached\ndef outer():\n    def inner():\n{inner}    return inner\n\ndef short():\n    pass\n"
    assert functions(source) == [Function(0, 12)]


def test_variables_are_renamed_and_nothing_else() -> None:
    found = renamed(CODE, chance())
    assert "def fetched(self, url_" in found
    assert ".session.get(url_" in found
    assert ", url=url_" in found
    assert "in range(attempts_" in found


def test_code_is_formatted_and_wrapped() -> None:
    assert unparsed(CODE, chance()).splitlines()[-2:] == [
        "            if answer:",
        "                return [answer, url]",
    ]
    assert wrapped("    answer = self.session.get(first, at(1, 2), other)", chance()).splitlines() == [
        "    answer = self.session.get(",
        "        first,",
        "        at(1, 2),",
        "        other,",
        "    )",
    ]
    assert wrapped("short(a, b)", chance()) == "short(a, b)"


@pytest.mark.parametrize("name", VARIANTS)
def test_every_disguise_is_code(name: str) -> None:
    assert VARIANTS[name](CODE, chance()).strip()


def test_an_edit_is_told_of_what_it_brings_back() -> None:
    removed = removal(CODE, "").removed
    assert verdict("", CODE, [removed]) is Likeness.EXACT
    assert verdict("", CODE, []) is None


def test_hunks_of_a_history_are_edits_and_are_undone(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "shop")
    repository.commit(a=CODE, b="first = weight_of(number=1)\n")
    repository.commit(a="nothing_of_it = left_over()\n", b="first = weight_of(number=2)\n")
    assert sorted(in_history(repository.root), key=str) == [
        (UNDONE, Likeness.EXACT),
        ("hunks of shop", None),
        ("hunks of shop", None),
    ]
