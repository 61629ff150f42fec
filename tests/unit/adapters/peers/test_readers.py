"""Memories of each program come as they are."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from lamella.domain.call import USER
from lamella.domain.errors import PeerUnreadableError
from lamella.domain.memories.kind import Kind
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Record, Skipped
from lamella_adapters.peers.codex import CodexMemory
from lamella_adapters.peers.files import BROKEN, LINK
from lamella_adapters.peers.front_matter import divided, heading
from lamella_adapters.peers.rules import Rules
from lamella_adapters.peers.values import BLANK
from tests.unit.adapters.peers import databases, folders
from tests.unit.adapters.peers.making import AT, ORCHARD, written
from tests.unit.adapters.peers.programs import EXPORTS, PROGRAMS, Program, memories, read
from tests.unit.support.tables import cases

THEN = datetime.fromtimestamp(AT, UTC)


def found(make: object, home: Path) -> list[Record]:
    """Return the records that are read of the store that a program made."""
    (program,) = (each for each in PROGRAMS + EXPORTS if each.make is make)
    return read(program.opened(program.make(home)))


def memory(key: str, content: str, **more: Any) -> ForeignMemory:
    """A decision about the orchard, or memory that differs."""
    decision: dict[str, Any] = {"project": "orchard", "source": "decision", "created_at": THEN}
    return ForeignMemory(key=key, content=content, **decision | more)


@pytest.mark.parametrize("make", [databases.claude_mem, databases.claude_mem_export])
def test_observations_and_summaries_of_claude_mem(make: object, home: Path) -> None:
    pears = "Machines bruise them\n\nWe tried the shaker in May.\n\n- Ladders stand in the shed"
    about: dict[str, Any] = {"title": "Pears are picked by hand", "session": "c-1", "paths": ("src/pears.py",)}
    title, apples = "How are pears picked?", "苹果在九月收获"
    summary = f"Request: {title}\n\nLearned: By hand\n\nNext steps: Buy ladders"
    assert found(make, home) == [
        memory("observation/1", pears, **about),
        memory("observation/2", "An old row"),
        BLANK,
        memory("observation/4", apples, project="orchard/rows", title=apples, session="c-1"),
        memory("summary/1", summary, title=title, source="summary", kind=Kind.SUMMARY, session="c-1"),
        ForeignPrompt(key="prompt/1", project="orchard", session="c-1", text=title, at=THEN),
        BLANK,
    ]


def test_memories_of_laminark_without_what_hooks_captured(home: Path) -> None:
    about: dict[str, Any] = {"directory": ORCHARD, "title": "Pears", "session": "c-1"}
    saved = memory("a1", "Pears are picked by hand.", **about)
    assert found(databases.laminark, home) == [
        saved,
        Skipped("captured by hooks"),
        evolve(saved, key="a3", project="f" * 16, directory=None, source="finding", actor=USER),
        evolve(saved, key="a4", deleted=True),
    ]


def pears(**changes: Any) -> ForeignMemory:
    """The first memory of engram, or one that differs."""
    about: dict[str, Any] = {"directory": ORCHARD, "title": "Pears", "session": "s-1"}
    return evolve(memory("s-1/1", "Picked by hand.", **about), **changes)


ENGRAM = [
    pears(),
    pears(key="s-1/2", project=None, directory=None, content="早上喝茶"),
    pears(key="s-1/3", project="mill", directory=None, source="session_summary", kind=Kind.SUMMARY),
    pears(key="s-1/4", deleted=True),
]


def test_memories_of_engram_in_its_file_and_in_its_export(home: Path) -> None:
    asked = ForeignPrompt(key="s-1/1", project="orchard", directory=ORCHARD, session="s-1", text="Why?", at=THEN)
    assert found(databases.engram_export, home) == [*ENGRAM, asked]
    cut = pears(key="s-1/5", content="梨子手工采\ufffd... [truncated]")
    assert found(databases.engram, home) == [*ENGRAM, cut, asked]


def test_chunks_of_engram_give_the_last_version_of_each_memory(home: Path) -> None:
    plums: dict[str, Any] = {"title": "Plums", "source": "discovery", "created_at": None}
    assert found(databases.engram_chunks, home) == [
        *ENGRAM,
        pears(key="obs-8", content="First thought.", deleted=True, **plums),
        pears(key="obs-9", content="Second thought.", **plums),
    ]


@pytest.mark.parametrize("make", [databases.mcp_memory_service, databases.mcp_memory_export])
def test_memories_of_mcp_memory_service_with_their_tags(make: object, home: Path) -> None:
    first: dict[str, Any] = {
        "key": "h1",
        "content": "Pears are picked by hand.\n\nTags: fruit, harvest",
        "source": "decision",
        "created_at": datetime.fromtimestamp(AT + 0.25, UTC),
    }
    assert found(make, home) == [
        ForeignMemory(**first),
        ForeignMemory(**first | {"key": "h2", "content": "苹果", "source": ""}),
        ForeignMemory(**first | {"key": "h3", "deleted": True}),
        ForeignMemory(**first | {"key": "h4", "deleted": True}),
    ]


def test_the_history_of_mem0_is_replayed(home: Path) -> None:
    pears = ForeignMemory(key="m1", content="Pears are picked by hand.", created_at=THEN)
    assert found(databases.mem0, home) == [
        pears,
        evolve(pears, key="m2", content="Plums are sweet.", deleted=True),
        BLANK,
    ]
    assert found(databases.mem0_export, home) == [
        evolve(pears, project="orchard", source="harvest", session="c-1"),
        ForeignMemory(key="m2", content="苹果"),
    ]


def test_entities_of_server_memory_with_their_relations(home: Path) -> None:
    pear = "Picked by hand.\nGreen\nstored in shed"
    assert found(folders.server_memory, home) == [
        ForeignMemory(key="pear", title="pear", named=True, content=pear, source="fruit", created_at=THEN),
        BLANK,
        ForeignMemory(
            key="Two\nlines", title="Two\nlines", named=True, content="苹果", source="odd", created_at=THEN
        ),
        BROKEN,
        BROKEN,
        Skipped("related to no known entity"),
    ]


def test_notes_of_basic_memory_with_their_titles_and_tags(home: Path) -> None:
    folders.basic_memory(home)
    (program,) = (each for each in PROGRAMS if each.name == "basic-memory")
    note: dict[str, Any] = {"project": "garden", "actor": USER, "created_at": THEN}
    broken = "---\ntitle: [never closed\n---\nText."
    assert read(program.opened(None)) == [
        LINK,
        ForeignMemory(key="garden/broken.md", title="broken", content=broken, **note),
        BLANK,
        ForeignMemory(key="garden/plain.md", title="苹果", content="# 苹果\n\nNo front matter here.", **note),
        ForeignMemory(
            key="garden/fruit/Pears- by hand.md",
            title="Pears: by hand",
            content="- [fact] Ladders #shed\n\nTags: fruit, harvest",
            source="guide",
            **note,
        ),
    ]


def test_memory_files_of_claude_code(home: Path) -> None:
    memory = folders.claude_code_memory(home)
    there: dict[str, Any] = {"project": "orchard", "directory": ORCHARD, "created_at": THEN}
    slug = "-srv-lovelace-orchard"
    program = Program("claude-code-memory", folders.claude_code_memory)
    assert read(program.opened(None)) == [
        Skipped("index of other memories"),
        ForeignMemory(
            key=f"{slug}/older.md", title="Older", content="## Older\n\nA file without front matter.", **there
        ),
        ForeignMemory(
            key=f"{slug}/pears.md",
            title="pears by hand",
            keywords="pears",
            content="By hand.",
            source="project",
            **there,
        ),
        ForeignMemory(
            key=f"{slug}/tea.md", title="tea at noon", keywords="tea", content="中午喝茶。", source="user", **there
        ),
    ]
    (memory.parent / "s.jsonl").unlink()
    written(memory / "MEMORY.md", "- [Pears](pears.md) — by hand\n\nLadders stand in the shed.\n")
    unplaced = memories(program.opened(None))
    assert unplaced[0].content == "Ladders stand in the shed."
    assert {(each.project, each.directory) for each in unplaced} == {(slug, None)}
    assert program.opened(None).name_of("/srv/lovelace/orchard") == slug


def test_the_settings_of_claude_code_may_name_a_folder(home: Path) -> None:
    written(home / "own/tea.md", "Tea at noon.")
    written(home / ".claude/settings.json", '{"autoMemoryDirectory": "~/own"}')
    program = Program("claude-code-memory", folders.claude_code_memory)
    assert [each.content for each in memories(program.opened(None))] == ["Tea at noon."]


def test_blocks_of_the_handbook_of_codex(home: Path) -> None:
    block: dict[str, Any] = {"source": "memory", "created_at": THEN}
    there: dict[str, Any] = {"project": "orchard", "directory": ORCHARD, **block}
    group = f"# Task Group: 苹果\n\napplies_to: cwd={ORCHARD}; reuse_rule=safe\n\n```sh\n# no heading\n```"
    assert read(CodexMemory(folders.codex_memory(home))) == [
        ForeignMemory(
            key="picking pears/1", title="picking pears", content="- Pears are picked by hand.", **there
        ),
        ForeignMemory(key="苹果/1", title="苹果", content=group, **there),
        ForeignMemory(key="Preferences/1", title="Preferences", content="# Preferences\n\nTea at noon.", **block),
    ]


def test_notes_that_codex_has_not_joined_to_the_handbook_yet(home: Path) -> None:
    notes = home / ".codex/memories/extensions/ad_hoc/notes"
    written(notes / "2026-05-28T20-00-00-tea-at-noon.md", "Tea is at noon.\n")
    written(notes / "plain.md", "# Pears\n\nBy hand.")
    (notes / "link.md").symlink_to(notes / "plain.md")
    of: dict[str, Any] = {"source": "memory", "created_at": THEN}
    tea = ForeignMemory(
        key="notes/2026-05-28T20-00-00-tea-at-noon.md", title="tea at noon", content="Tea is at noon.", **of
    )
    pears = ForeignMemory(key="notes/plain.md", title="Pears", content="# Pears\n\nBy hand.", **of)
    (notes / "blank.md").write_bytes(b"")
    assert read(CodexMemory(None)) == [LINK, tea, BLANK, pears]
    with pytest.raises(PeerUnreadableError, match="No memories of codex-memory found"):
        CodexMemory(notes).stores()
    folders.codex_memory(home)
    assert [each.place.name for each in CodexMemory(None).stores()] == ["MEMORY.md", "notes"]


def test_a_block_of_the_handbook_may_be_about_a_folder_of_windows(home: Path) -> None:
    handbook = written(home / "MEMORY.md", "# Task Group: Tea\n\napplies_to: cwd=\\\\?\\C:\\src\\orchard; reuse\n")
    (block,) = memories(CodexMemory(handbook))
    assert (block.directory, block.project) == ("C:\\src\\orchard", "orchard")


def test_front_matter_and_headings_are_read_in_one_pass() -> None:
    """A file of megabytes would take days if a long space were gone through again for each of its characters."""
    space = " " * 5_000_000
    assert divided(f"---{space}\na: 1\n---{space}x\n...{space}\ntext") == (
        {},
        f"---{space}\na: 1\n---{space}x\n...{space}\ntext",
    )
    assert heading(f"#{space}\n#{space}One{space}two{space}##{space}\n") == f"One{space}two"


@cases
def test_front_matter_is_what_stands_between_fences(text: str, fields: dict[str, str], rest: str) -> None:
    assert divided(text) == (fields, rest)


@cases
def test_a_heading_has_one_to_six_marks_and_a_space(text: str, title: str) -> None:
    assert heading(text) == title


def test_each_rule_comes_once_with_its_heading(home: Path) -> None:
    read = [
        (each.title, each.content, each.directory, each.source) if isinstance(each, ForeignMemory) else each
        for each in found(folders.rules, home)
    ]
    of_rules = (str(home), "rule")
    saw = "Always: Sharpen the saw:\n  - before noon\n\n  with oil."
    ladders = "Always: 梯子 go back.\n\n```sh\n# no heading\n\nmake oil\n```"
    assert read == [
        ("Orchard: Pears are picked by hand.", "Pears are picked by hand.", *of_rules),
        ("Tools: Always: Sharpen the saw:", saw, *of_rules),
        ("Tools: Always: 梯子 go back.", ladders, *of_rules),
        ("Orchard: No shakers.", "No shakers.", *of_rules),
        LINK,
        ("Tea: At noon.", "At noon.", *of_rules),
        ("Tea: In the shade.", "In the shade.", *of_rules),
    ]


def test_lines_between_rules_are_no_rules(home: Path) -> None:
    said = (
        "---\ndescription: Oil\nglobs: *.oil, *.vinegar\n---\nWarm it.\n\nPress\n=====\nCold.\n\n---\n\n"
        "- No `<!-- x`.\n* * *\n- Wait.\n___\n\n<!-- - Never.\n"
    )
    read = [(each.title, each.content) for each in memories(Rules(written(home / "oil.mdc", said)))]
    assert read == [
        ("Oil: Warm it.", "Warm it."),
        ("Press: Cold.", "Cold."),
        ("Press: No `<!-- x`.", "No `<!-- x`."),
        ("Press: Wait.", "Wait."),
    ]


def test_rules_of_a_file_outside_of_repositories_name_no_folder(home: Path) -> None:
    (rule,) = memories(Rules(written(home / "mine/CLAUDE.md", "Be brief.")))
    assert (rule.title, rule.content, rule.directory) == ("", "Be brief.", None)
