"""Tests of the memories and questions in `bench/quality/data`, and of collections made from them."""

import random
import re
import string
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from attrs import evolve

from bench.quality.collection import Collection, Memory, Question
from bench.quality.collections.facts import LANGUAGES, everyday, facts, languages, with_keywords
from bench.quality.collections.records import read
from bench.quality.collections.traces import MOST_CHARACTERS, traces
from bench.quality.collections.traces import read as read_traces
from bench.quality.collections.typos import mistyped, typos
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS
from lamella.domain.text.words import STOP_WORDS

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def stems(text: str) -> set[str]:
    """Return the stems (Porter) of a text without stop words."""
    words = [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOP_WORDS]
    tokenizer = apsw.Connection("").fts5_tokenizer("porter", ["unicode61"])
    told = tokenizer(" ".join(words).encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return {str(token) for tokens in told for token in tokens}


def test_a_file_has_sessions_memories_questions_and_questions_without_an_answer(tmp_path: Path) -> None:
    text = "A comment.\n\n## 2026-01-02 03:04\nOne\nline.\n? First?\n\nTwo.\n? Second?\n\n"
    text += "## 2026-01-03 00:00\nThree.\n? Third?\n\n! Fourth?\n! Fifth?\n"
    (tmp_path / "x.txt").write_text(text, "utf-8")
    records = read(tmp_path / "x.txt")
    first = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    assert [(each.text, each.session, each.created_at) for each in records.memories] == [
        ("One\nline.", "x 2026-01-02 03:04", first),
        ("Two.", "x 2026-01-02 03:04", first + timedelta(minutes=7)),
        ("Three.", "x 2026-01-03 00:00", datetime(2026, 1, 3, tzinfo=UTC)),
    ]
    asked = [(each.text, *each.relevant) for each in records.questions]
    keys = (each.key for each in records.memories)
    assert asked == list(zip(["First?", "Second?", "Third?"], keys, strict=True))
    assert records.unrelated == ["Fourth?", "Fifth?"]


def test_a_third_of_the_questions_about_facts_share_no_word_with_their_fact() -> None:
    collection = facts()
    assert len(collection.questions) >= 66
    apart = [
        question.text
        for memory, question in zip(collection.memories, collection.questions, strict=True)
        if not stems(memory.text) & stems(question.text)
    ]
    assert len(apart) >= 24
    assert len(apart) >= len(collection.questions) / 3


def test_each_fact_has_keywords_that_can_be_saved_with_it() -> None:
    plain, collection = facts(), with_keywords(facts())
    assert [evolve(each, keywords="") for each in collection.memories] == list(plain.memories)
    assert all(0 < len(each.keywords) <= MAX_KEYWORDS_CHARACTERS for each in collection.memories)
    assert (collection.name, collection.questions) == ("facts, reworded, with keywords", plain.questions)


@pytest.mark.parametrize("collection", [facts(), *languages()], ids=lambda each: each.name)
def test_every_fact_is_said_and_asked_for_once(collection: Collection) -> None:
    texts = [memory.text for memory in collection.memories]
    texts += [question.text for question in collection.questions]
    assert all(texts)
    assert len(set(texts)) == len(texts) == 2 * len(collection.memories)


def test_every_language_has_two_dozen_memories_with_code_in_them() -> None:
    made = list(languages())
    assert [each.name for each in made] == list(LANGUAGES.values())
    for each in made:
        assert len(each.memories) >= 22
        assert sum("`" in memory.text or "_" in memory.text for memory in each.memories) >= 10
        assert len(each.unrelated) >= 6


def test_questions_of_everyday_life_are_about_no_fact() -> None:
    asked = {each.text for each in facts().questions}
    assert len(everyday()) >= 20
    assert not asked & set(everyday())


# Traces.


def test_there_are_twenty_long_traces() -> None:
    found = list(read_traces())
    assert len(found) == 20
    assert all(800 <= len(trace) <= MOST_CHARACTERS for _, trace in found)
    assert all("\n" not in said and len(said) < 300 for said, _ in found)


def test_traces_are_asked_among_the_memories_of_others() -> None:
    made = traces([facts()])
    assert len(made.memories) == len(facts().memories) + 20
    assert {each.project for each in made.memories} == {"traces"}
    assert [each.relevant for each in made.questions] == [{f"trace {number}"} for number in range(20)]


# Typos.


def test_a_typo_is_one_edit_behind_the_first_letter_and_no_word_of_the_project() -> None:
    dice = random.Random(1)  # noqa: S311 - a sample
    made = {mistyped("crane", frozenset({"crate"}), dice) for _ in range(3_000)}
    assert {"crne", "crnae", "crade", "crabne"} <= made
    assert not made & {"crane", "crate"}
    assert all(each[0] == "c" and len(each) in (4, 5, 6) for each in made)


def test_three_words_are_asked_with_a_typo_in_the_rarest_and_without() -> None:
    common = ["harbour", "vessel", "ticket", "season", "captain", "island", "weather"]
    memories = [
        Memory(
            key=str(number),
            text=f"{common[number % 7]} {common[(number + 1) % 7]} of unique{letter}{letter}",
            project="p",
            session="s",
            created_at=NOON,
        )
        for number, letter in enumerate(string.ascii_lowercase)
    ]
    memories += [evolve(each, key=f"other {each.key}", text="about the whole quay") for each in memories]
    whole = Collection(
        name="boats", memories=memories, questions=[Question(text="x", project="p", relevant=frozenset("0"))]
    )
    exact, wrong = typos(whole, 5)
    assert (exact.name, wrong.name) == ("three words: boats", "three words with a typo: boats")
    assert exact.memories is wrong.memories is memories
    assert [each.relevant for each in exact.questions] == [each.relevant for each in wrong.questions]
    assert len(exact.questions) == 5
    for right, mistake in zip(exact.questions, wrong.questions, strict=True):
        pairs = zip(right.text.split(), mistake.text.split(), strict=True)
        (rarest,) = [one for one, other in pairs if one != other]
        assert rarest.startswith("unique")
        assert len(right.text.split()) == 3
