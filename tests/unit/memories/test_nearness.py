from typing import Any

from lamella.domain.hook_context import ROOT, ChangedFile, Index, MemoryExcerpt, Overview, Surroundings
from lamella.domain.memories.nearness import EVERYWHERE, HALVED_AFTER, NEAR, OTHER, PROJECT, news, ranked  # noqa: F401 - for the table
from tests.unit.support.tables import cases

NOON = 1_714_996_800_000_000
MAILER = Surroundings("packages/mailer", "mailer", others=frozenset({"web", "user-service"}))


def memory(
    key: str,
    *paths: str,
    decision: bool = False,
    age: int = 0,
    content: str = "",
    session: str = "",
    state: str = "",
) -> MemoryExcerpt:
    at = NOON - age * HALVED_AFTER
    return MemoryExcerpt(key, key, at, key, content, (), state, paths, session, decision)


def order(
    *notes: MemoryExcerpt,
    here: Surroundings = ROOT,
    edited: tuple[str, ...] = (),
    last: str = "",
    everywhere: tuple[MemoryExcerpt, ...] = (),
    elsewhere: frozenset[str] = frozenset(),
) -> list[tuple[str, str]]:
    changes = [ChangedFile("", "", NOON, "", path, None, None) for path in edited]
    summaries = [memory("summary", session=last)] if last else []
    found = Index(Overview("shop", 9, NOON), [], list(notes), summaries, changes, [], everywhere, elsewhere)
    return [(group, each.key) for group, each in ranked(found, here)]


BRANCH = Surroundings(branch=frozenset({"a.py"}))
PACKAGE = (memory("package", "a.py", decision=True), memory("whole", decision=True, age=1))
"""Decisions about a file, and about the whole project."""
THEIRS = tuple(
    memory(key, decision=True, content=content, session=session, age=age)
    for age, (key, content, session) in enumerate(
        [
            ("both", "The Web sleeps.", "s"),
            ("named", "User_service sleeps.", ""),
            ("worked", "Cobwebs.", "s"),
            ("two", "Not web, but user service.", ""),
            ("whole", "All sleep.", "t"),
        ]
    )
)
"""Decisions of other packages by name or session, then decisions of the whole project."""
BEFORE = (memory("new"), memory("edited", "a.py", age=9), memory("saved", age=2, session="last"))


@cases
def test_memories_are_ranked_by_how_near_they_are(
    notes: list[MemoryExcerpt], more: dict[str, Any], ranking: list[str]
) -> None:
    assert [f"{group}: {key}" for group, key in order(*notes, **more)] == ranking


@cases
def test_memories_of_a_group_take_turns(notes: list[MemoryExcerpt], more: dict[str, Any], ranking: str) -> None:
    assert " ".join(key for _, key in order(*notes, **more)) == ranking


def test_a_memory_that_was_found_twice_has_one_line() -> None:
    note = memory("one")
    found = Index(Overview("shop", 1, NOON), [], [note], [], [], [note])
    assert ranked(found, ROOT) == [(OTHER, note)]


def test_news_are_what_others_did_since_and_nobody_has_shown() -> None:
    since = NOON - HALVED_AFTER
    memories = [
        memory("new", session="other"),
        memory("own", session="mine"),
        memory("shown"),
        memory("old", age=1),
    ]
    changes = [ChangedFile(each.key, "", each.occurred_at, "", "a.py", 1, 0, each.session) for each in memories]
    overview = Overview("shop", 9, NOON)
    found = Index(overview, memories, memories, memories, changes, memories, tuple(memories))
    new = memories[:1]
    assert news(found, shown={"shown"}, since=since, session="mine") == Index(
        overview, new, new, new, changes[:1], new, tuple(new)
    )
