"""Tests of `bench.quality.prompts`, which measures the memories that a hook shows for prompts."""

import random
from datetime import UTC, datetime, timedelta

from bench.quality.collection import Collection, Memory, Question
from bench.quality.prompts import CHAT, KNOWN, LOGS, UNKNOWN, Judged, about_facts, around, chat, judged, logs
from lamella_adapters.hooks.context.prompt import relevant

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)
NAMES = ("retry_payment", "open_ledger", "draw_border", "parse_header", "close_session", "merge_rows")


def collection() -> Collection:
    """Return a collection about names of functions. Each name occurs in a memory and in a question."""
    memories = [
        Memory(
            key=name,
            text=f"The function {name} does what it is called for, number {number}.",
            project="p",
            session="s",
            created_at=NOON + timedelta(minutes=number),
        )
        for number, name in enumerate(NAMES)
    ]
    questions = [Question(text=f"What of {name}?", project="p", relevant=frozenset([name])) for name in NAMES]
    return Collection(name="names", memories=memories, questions=questions)


def test_prompts_are_asked_with_half_of_the_memories_saved() -> None:
    cases = list(judged(collection()))
    kinds = [each.kind for each in cases]
    assert kinds.count(KNOWN) + kinds.count(UNKNOWN) == len(NAMES)
    assert 0 < kinds.count(KNOWN) < len(NAMES)
    assert (kinds.count(CHAT), kinds.count(LOGS)) == (len(chat()), 100)
    for each in cases:
        named = [right for related, right in each.found if related.names]
        assert named == ([True] if each.kind == KNOWN else [])


def told(each: Judged) -> list[str]:
    """Return the keys of the memories shown for a prompt."""
    return [related.memory.key for related in relevant([related for related, _ in each.found])]


def test_the_same_prompts_are_asked_at_every_run() -> None:
    first, second = (
        [*logs(3, rng), around("Why?", rng)]
        for rng in (random.Random(1), random.Random(1))  # noqa: S311 - a sample
    )
    assert first == second
    assert "Why?" in first[-1]


def test_a_prompt_for_each_fact_is_asked_before_and_after_edits() -> None:
    sets = dict(about_facts())
    assert [(name, len(cases)) for name, cases in sets.items()] == [
        ("prompts about facts, 0 edits", 144),
        ("reworded questions about facts, 0 edits", 96),
        ("prompts about facts, 144 edits", 144),
        ("reworded questions about facts, 144 edits", 96),
        ("prompts about facts, 240 newer notes", 144),
        ("reworded questions about facts, 240 newer notes", 96),
    ]
    before, after = (sets[f"prompts about facts, {edits} edits"] for edits in (0, 144))
    assert [told(each) for each in before] == [told(each) for each in after]
    assert sum(each.kind == KNOWN and any(right for _, right in each.found) for each in before) > 60
