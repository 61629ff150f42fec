"""Memories of each program come as they are."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import fields

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import BLANK, ForeignMemory, Record, Skipped
from lamella_adapters.peers.basic_memory import BasicMemory
from lamella_adapters.peers.codex import CodexMemory
from lamella_adapters.peers.files import LINK
from lamella_adapters.peers.front_matter import divided, heading
from lamella_adapters.peers.rules import Rules
from tests.unit.adapters.peers import folders
from tests.unit.adapters.peers.making import AT, written
from tests.unit.adapters.peers.programs import EXPORTS, PROGRAMS, Program, memories, read
from tests.unit.support.tables import cases

TEXT = Path(__file__).with_name("records.txt").read_text("utf-8")
RECORDS = {
    each.partition("\n")[0]: each.split("\n")[1:] for each in TEXT.rstrip().removeprefix("## ").split("\n## ")
}
"""The records of each store, by the program and what makes it."""
THEN = datetime.fromtimestamp(AT, UTC)


def line(record: Record, home: Path) -> str:
    """Return what a record says, without defaults."""
    given = ((each, getattr(record, each.name)) for each in fields(type(record)))
    told = (
        f"{each.name}={value if isinstance(value, datetime) else repr(value)}"
        for each, value in given
        if value != each.default
    )
    return f"{type(record).__name__}: {' '.join(told)}".replace(str(home), "HOME")


@pytest.mark.parametrize("program", PROGRAMS + EXPORTS, ids=lambda each: f"{each.name} {each.make.__name__}")
def test_records_are_read_as_what_they_are(program: Program, home: Path) -> None:
    path = program.make(home)
    # The configuration of basic-memory names its folder.
    found = read(program.opened(path if program.name != "basic-memory" else None))
    told = [line(each, home) for each in found]
    assert told == RECORDS[f"{program.name} {program.make.__name__}"]


def test_memory_files_of_claude_code_may_be_anywhere(home: Path) -> None:
    memory, slug = folders.claude_code_memory(home), "-srv-lovelace-orchard"
    program = Program("claude-code-memory", folders.claude_code_memory)
    (memory.parent / "s.jsonl").unlink()
    links = "- [Pears](pears.md) — by hand\n- [Tea](tea.md)\n- [Oil](oil.md) — cold\n"
    links += f"- [Long]({'x' * 300}.md): no file\n"
    written(memory / "MEMORY.md", f"{links}\nLadders stand in the shed.\n")
    unplaced = memories(program.opened(None))
    assert unplaced[0].content == f"{links[links.index('- [Oil') :]}\nLadders stand in the shed."
    assert {(each.project, each.directory) for each in unplaced} == {(slug, None)}
    assert program.opened(None).name_of("/srv/lovelace/orchard") == slug


def test_the_settings_of_claude_code_may_name_a_folder(home: Path) -> None:
    written(home / "own/tea.md", "Tea at noon.")
    written(home / ".claude/settings.json", '{"autoMemoryDirectory": "~/own"}')
    program = Program("claude-code-memory", folders.claude_code_memory)
    assert [each.content for each in memories(program.opened(None))] == ["Tea at noon."]


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


@cases
def test_no_rule_is_lost(home: Path, text: str, rules: list[tuple[str, str]]) -> None:
    read = memories(Rules(written(home / "CLAUDE.md", text)))
    assert [((each.title or "").partition(": ")[0], each.content) for each in read] == rules


def test_imported_files_are_read_once_inside_of_the_project_only(home: Path) -> None:
    project, outside = home / "orchard", written(home / "outside.md", "Not ours.")
    text = (
        "Pick by hand; see @docs/a.md.\n\n@docs/a.md @docs/my\\ b.md\n\nAsk @ann, not x@docs/code.md.\n\n"
        "```\n@docs/code.md\n```\nUse `@docs/code.md`.\n\n<!-- @docs/code.md -->\n@../outside.md\n@~x/no.md"
    )
    written(project / ".git/HEAD", "")
    main = written(project / "CLAUDE.md", text)
    written(project / "docs/a.md", "Rule of a.\n\n- @../CLAUDE.md\n- @c0.md")
    written(project / "docs/my b.md", "Rule of b.")
    written(project / "docs/code.md", "No rule.")
    for n in range(6):
        written(project / f"docs/c{n}.md", f"Rule of c{n}.\n\n@c{n + 1}.md")
    deep, to_import = project / "docs/c4.md", "(to import it: lamella import rules"
    for peer in (Rules(project), Rules(main)):
        found = read(peer)
        rules = [each.content for each in found if isinstance(each, ForeignMemory)]
        assert rules == [
            "Pick by hand; see @docs/a.md.",
            "Ask @ann, not x@docs/code.md.\n\n```\n@docs/code.md\n```\nUse `@docs/code.md`.",
            *("Rule of a.", "Rule of b."),
            *(f"Rule of c{n}." for n in range(4)),
        ]
        assert [each.reason for each in found if isinstance(each, Skipped)] == [
            f"imported from outside of the project: ~/outside.md {to_import} {outside})",
            "imported by ~/orchard/CLAUDE.md, but missing: ~/orchard/~x/no.md",
            f"imported through more than 5 files: ~/orchard/docs/c4.md {to_import} {deep})",
        ]


def test_rules_of_a_file_outside_of_repositories_name_no_folder(home: Path) -> None:
    (rule,) = memories(Rules(written(home / "mine/CLAUDE.md", "Be brief.")))
    assert (rule.title, rule.content, rule.directory) == ("", "Be brief.", None)


def test_one_note_is_the_same_memory_as_in_its_project(home: Path) -> None:
    folder = folders.basic_memory(home)
    notes = {each.title: each for each in memories(BasicMemory(None))}
    assert memories(BasicMemory(folder / "fruit/Pears- by hand.md")) == [notes["Pears: by hand"]]
    (home / ".basic-memory/config.json").unlink()
    (alone,) = memories(BasicMemory(folder / "fruit/Pears- by hand.md"))
    assert (alone.key, alone.project) == ("fruit/Pears- by hand.md", "fruit")
