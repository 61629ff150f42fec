from lamella.domain.hook_context import ROOT, ChangedFile, Index, MemoryExcerpt, Overview, Surroundings
from lamella.domain.memories.nearness import EVERYWHERE, HALVED_AFTER, NEAR, OTHER, PROJECT, news, ranked

NOON = 1_714_996_800_000_000
MAILER = Surroundings("packages/mailer", "mailer")


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
) -> list[tuple[str, str]]:
    changes = [ChangedFile("", "", NOON, "", path, None, None) for path in edited]
    summaries = [memory("summary", session=last)] if last else []
    found = Index(Overview("shop", 9, NOON), [], list(notes), summaries, changes, [], everywhere)
    return [(group, each.key) for group, each in ranked(found, here)]


def keys(*notes: MemoryExcerpt, here: Surroundings = ROOT, edited: tuple[str, ...] = (), last: str = "") -> str:
    return " ".join(key for _, key in order(*notes, here=here, edited=edited, last=last))


def test_nothing_is_ranked_where_there_is_nothing() -> None:
    assert order() == []


def test_memories_about_the_folder_come_before_those_that_only_name_it() -> None:
    notes = (
        memory("named", content="The Mailer sleeps."),
        memory("sibling", "packages/mailer2/a.py", content="Not the mailer's."),
        memory("inside", "packages/mailer/a.py", age=9),
        memory("itself", "packages/mailer", age=8),
        memory("nowhere", content="Other words."),
    )
    assert order(*notes, here=MAILER) == [
        (NEAR, "itself"),
        (NEAR, "inside"),
        (NEAR, "named"),
        (OTHER, "sibling"),
        (OTHER, "nowhere"),
    ]


def test_what_the_branch_has_changed_is_near_also_at_the_root() -> None:
    notes = (memory("new"), memory("changed", "b.py", "a.py", age=9))
    branch = Surroundings(branch=frozenset({"a.py"}))
    assert order(*notes, here=branch) == [(NEAR, "changed"), (OTHER, "new")]


def test_decisions_of_the_whole_project_take_turns_with_what_is_near() -> None:
    near = [memory(f"n{number}", "packages/mailer/a.py", age=number) for number in range(8)]
    whole = [memory(f"d{number}", decision=True, age=number) for number in range(3)]
    elsewhere = memory("e", "packages/web/a.js", decision=True)
    assert keys(*near, *whole, elsewhere, here=MAILER) == "n0 n1 n2 d0 n3 n4 n5 n6 d1 e n7 d2"


def test_at_the_root_all_decisions_are_the_projects() -> None:
    notes = (memory("note"), memory("old", "a.py", decision=True, age=2), memory("new", decision=True, age=1))
    assert order(*notes) == [(PROJECT, "new"), (PROJECT, "old"), (OTHER, "note")]


def test_at_the_root_decisions_without_files_come_before_newer_ones_about_a_file() -> None:
    notes = (memory("package", "a.py", decision=True), memory("whole", decision=True, age=1))
    assert keys(*notes) == "whole package"
    assert keys(*notes, edited=("a.py",)) == "package whole"


def test_what_holds_everywhere_keeps_its_order_and_takes_turns() -> None:
    decisions = [memory(f"d{number}", decision=True, age=number) for number in range(2)]
    everywhere = (memory("old", age=3), memory("new"))
    groups = order(*decisions, everywhere=everywhere)
    assert [key for _, key in groups] == ["d0", "old", "d1", "new"]
    assert [group for group, _ in groups][1] == EVERYWHERE


def test_edited_files_and_the_last_session_bring_older_memories_back() -> None:
    notes = (memory("new"), memory("edited", "a.py", age=9), memory("saved", age=2, session="last"))
    assert keys(*notes) == "new saved edited"
    assert keys(*notes, edited=("a.py",), last="last") == "edited new saved"


def test_a_memory_whose_files_have_changed_comes_last_in_its_group() -> None:
    notes = (memory("stale", "packages/mailer/a.py", state="gone"), memory("old", "packages/mailer/b.py", age=99))
    assert keys(*notes, memory("far"), here=MAILER) == "old stale far"


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
