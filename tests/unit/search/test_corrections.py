"""A memory comes before the older one that it seems to correct, and names it when it is saved."""

from datetime import timedelta
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.domain.search.corrections import beginning, corrected, corrects, newer_first
from tests.unit.search.ranking.test_ranking import hit, numbers
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases

OLD, NEW = "The build server runs on port 8080.", "The build server runs on port 9090 now."


def note(
    number: int,
    text: str,
    *,
    days: float = 0,
    session: str | None = None,
    score: float = 1.0,
    kind: Kind = Kind.NOTE,
    purged: bool = False,
) -> Hit:
    made = hit(number, session=session, kind=kind, purged=purged)
    return evolve(
        made,
        score=score,
        observation=evolve(made.observation, content=text, occurred_at=DAWN + timedelta(days=days)),
    )


@cases
def test_the_newer_of_two_that_say_nearly_the_same_comes_first(hits: tuple[Hit, ...], order: list[int]) -> None:
    assert numbers(newer_first(hits)) == order


def test_only_the_hits_of_a_page_are_compared() -> None:
    others = [note(number, f"Coffee is in kitchen {number}.") for number in range(2, 51)]
    newer = note(51, NEW, days=2)
    assert numbers(newer_first((note(1, OLD), *others[1:], newer)))[:2] == [51, 1]
    assert numbers(newer_first((note(1, OLD), *others, newer)))[-1] == 51


def test_a_correction_that_can_be_explained_has_the_score_of_what_it_corrects() -> None:
    older, newer = (evolve(note(1, OLD), features={"words": 1.0}), note(2, NEW, days=2, score=0.9))
    first, second = newer_first((older, evolve(newer, features={"words": 0.9})))
    assert (first.features, second) == ({"words": 0.9, "correction": pytest.approx(0.1)}, older)


@cases
def test_a_correction_changes_one_part(older: str, newer: str) -> None:
    assert corrects(newer, older)


@cases
def test_others_stand_beside_each_other(older: str, newer: str) -> None:
    assert not corrects(newer, older)


def test_the_one_that_is_corrected_is_found() -> None:
    one, other = UUID(int=1), UUID(int=2)
    assert corrected(NEW, {one: OLD, other: "The build server has 4 cores."}) == one
    assert corrected(NEW, {one: OLD, other: "The build server runs on port 7070."}) is None
    assert corrected(NEW, {}) is None


def test_a_note_is_looked_up_by_its_first_words() -> None:
    assert beginning("The build server build runs on port 8080.") == ("build", "server")
    assert beginning("The server, the SERVER") == ()


def test_of_a_long_note_each_word_is_compared_once() -> None:
    words = [f"word{number}" for number in range(150)]
    changed = [*words[:50], "another", *words[51:]]
    assert corrects(" ".join(changed), " ".join(words))
    assert not corrects("zebra " * 1_600 + "crosses", "zebra " * 1_600 + "waits")
