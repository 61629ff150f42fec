"""Taking over memories of other programs on the command line."""

from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.unit.adapters.peers import databases, folders
from tests.unit.adapters.peers.making import database, written
from tests.waiting import until


@pytest.fixture
def home(lamella: CommandLine) -> Path:
    """Return the home directory of the command line."""
    return Path(lamella.environment["HOME"])


def test_someone_comes_from_claude_mem(lamella: CommandLine, home: Path) -> None:
    path = databases.claude_mem(home)
    before = path.read_bytes()
    told = [
        " memories from ~/.claude-mem/claude-mem.db.",
        "  orchard: 3 notes, 1 summary",
        "Prompts of conversations: 1.",
        "Skipped: 2 without text.",
    ]
    dry = lamella.run("import", "claude-mem", "--dry-run")
    assert (dry.code, dry.out.splitlines()) == (0, [f"Would import 4{told[0]}", *told[1:]])
    assert not lamella.data.exists()
    done = lamella.run("import", "claude-mem")
    assert (done.code, done.out.splitlines()) == (0, [f"Imported 4{told[0]}", *told[1:]])
    again = lamella.run("import", "claude-mem")
    assert again.out.splitlines() == [f"Imported 0{told[0]}", "Here already: 4 memories.", told[3]]
    recalled = lamella.run("recall", "pears").out
    assert "Pears are picked by hand" in recalled
    assert "2026-05-28" in recalled
    assert path.read_bytes() == before
    assert lamella.run("doctor").code == 0


def test_a_project_that_is_not_known_is_asked_for(lamella: CommandLine, home: Path, tmp_path: Path) -> None:
    path = databases.mem0_export(home)
    (tmp_path / "mill").mkdir()
    mill = CommandLine(lamella.data, tmp_path / "mill")
    asked = mill.run("import", "mem0", str(path))
    assert (asked.code, asked.out.splitlines()) == (
        1,
        [
            "Imported 0 memories from ~/mem0.json.",
            "Not imported, because their project isn't known here: 2 memories.",
            "  orchard: 1",
            "  of no project: 1",
            f"For one of them, say where its folder is: lamella import mem0 {path} --project orchard=FOLDER",
            f"For all of them, name a project or folder: lamella import mem0 {path} --project PROJECT",
        ],
    )
    given = mill.run("import", "mem0", str(path), "--project", "orchard=../orchard", "--project", "everywhere")
    assert (given.code, given.out.splitlines()[1:]) == (0, ["  everywhere: 1 note", "  orchard: 1 note"])
    assert "Pears are picked by hand." in lamella.run("recall", "pears").out
    twice = mill.run("import", "mem0", str(path), "--project", "mill", "--project", "everywhere")
    assert (twice.code, "--project without NAME= can be given once." in twice.err) == (2, True)
    unknown = mill.run("import", "mem0", str(path), "--project", "nobody")
    assert (unknown.code, "No project is known as 'nobody'" in unknown.err) == (1, True)


def test_what_was_deleted_there_comes_as_purged(lamella: CommandLine, home: Path) -> None:
    databases.mcp_memory_service(home)
    skipped = lamella.run("import", "mcp-memory-service", "--project", ".")
    assert skipped.out.splitlines()[1:] == ["  orchard: 2 notes", "Skipped: 2 deleted there."]
    done = lamella.run("import", "mcp-memory-service", "--project", ".", "--deleted")
    assert done.out.splitlines()[1:] == [
        "  orchard: 2 notes",
        "Here already: 2 memories.",
        "Deleted there, so purged here: 2.",
    ]


def test_what_is_broken_is_told_and_the_rest_comes_with_the_next_import(lamella: CommandLine, home: Path) -> None:
    whole = '{"results": [{"id": "1", "memory": "Tea at noon."}, {"id": "2", "memory": "Coffee at nine."}]}'
    path = written(home / "mem0.json", whole[:60])
    broken = lamella.run("import", "mem0", str(path), "--project", ".")
    assert broken.code == 0
    assert broken.err.startswith("~/mem0.json cannot be read: it is no JSON, or breaks off, after 1 records")
    assert broken.out.splitlines()[1:] == ["  orchard: 1 note"]
    written(path, whole)
    assert lamella.run("import", "mem0", str(path), "--project", ".").out.splitlines()[1:] == [
        "  orchard: 1 note",
        "Here already: 1 memory.",
    ]
    written(path, "nothing")
    assert lamella.run("import", "mem0", str(path), "--project", ".").code == 1


@pytest.mark.parametrize(
    ("program", "make", "told"),
    [
        ("laminark", databases.laminark, "  orchard (its folder is gone: /srv/lovelace/orchard): 1 note"),
        ("engram", databases.engram, "  orchard (its folder is gone: /srv/lovelace/orchard): 2 notes"),
        ("server-memory", folders.server_memory, "  of no project: 2"),
        ("basic-memory", folders.basic_memory, "  garden: 3"),
        (
            "claude-code-memory",
            folders.claude_code_memory,
            "  orchard (its folder is gone: /srv/lovelace/orchard): 3",
        ),
        ("codex-memory", folders.codex_memory, "  orchard (its folder is gone: /srv/lovelace/orchard): 2 notes"),
        ("mem0", databases.mem0, "  of no project: 1"),
    ],
)
def test_each_program_has_a_command(
    lamella: CommandLine, home: Path, program: str, make: object, told: str
) -> None:
    missing = lamella.run("import", program)
    assert (missing.code, missing.err.startswith(f"No memories of {program} found. Looked for: ")) == (1, True)
    assert callable(make)
    make(home)
    assert told in lamella.run("import", program, "--dry-run").out
    assert program in lamella.run("import", "--help").out


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
@pytest.mark.parametrize("program", ["claude-mem", "engram", "mem0", "claude-code", "file"])
def test_a_file_whose_reading_fails_is_named(lamella: CommandLine, program: str) -> None:
    done = lamella.run("import", program, "/proc/self/mem")
    assert (done.code, done.out) == (1, "")
    assert "mem cannot be read: Input/output error. Check that " in done.err


def test_on_a_terminal_the_outcome_stays_on_the_screen(lamella: CommandLine, home: Path) -> None:
    databases.claude_mem(home)
    done = lamella.on_terminal("import", "claude-mem")
    assert (done.code, "  orchard: 3 notes, 1 summary" in done.out) == (0, True)


def test_an_import_that_was_killed_is_finished_by_the_next(lamella: CommandLine, home: Path) -> None:
    row = databases.mcp_memory_rows()[0]
    rows = [row | {"content_hash": str(n), "content": f"Row {n} of pears."} for n in range(3_000)]
    path = database(home / "sqlite_vec.db", {"memories": rows})
    arguments = ("import", "mcp-memory-service", str(path), "--project", ".")
    with lamella.started(*arguments) as process:
        until(lambda: sum(each.stat().st_size for each in (lamella.data / "projects").glob("*.db*")) > 500_000)
        process.kill()
    assert lamella.run("doctor").code == 0
    done = lamella.run(*arguments).out.splitlines()
    new = int(done[0].removeprefix("Imported ").partition(" ")[0].replace(",", ""))
    known = [
        int(line.removeprefix("Here already: ").split()[0].replace(",", ""))
        for line in done
        if line.startswith("Here")
    ]
    assert new + sum(known) == 3_000
    assert sum(known) % 500 == 0
    assert lamella.run(*arguments).out.splitlines()[1:] == ["Here already: 3,000 memories."]
