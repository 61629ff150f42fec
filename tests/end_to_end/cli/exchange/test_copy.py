"""Everything of a data directory in PostgreSQL, and back."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from attrs import evolve

from tests import postgres
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import conversation, write

ASKED = (
    ("recall", "retries"),
    ("recall", "retries", "--detail", "full"),
    ("recall", "upload", "--messages"),
    ("recall", "--include-purged"),
    ("ledger", "a.py"),
)
"""Commands whose replies are compared."""

KILLS = 5


@pytest.fixture
def url() -> str:
    """Return the URL of an empty tenant of the server."""
    return postgres.location(f"copy-{uuid4().hex}")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a machine with saved, replaced, purged and erased memories, learned commits and a conversation."""
    folder = tmp_path_factory.mktemp("filled")
    project = Repository.made(folder / "app")
    project.git("remote", "add", "origin", "https://example.org/ada/app.git")
    project.commit(a="a = 1\n")
    line = CommandLine(folder / "data", project.root)
    old = line.saved("Retries: three attempts")
    line.run("save", "Retries: four attempts", "--path", "a.py", "--replaces", old)
    line.run("ledger", "--backfill")
    line.run("purge", line.saved("Never mind"))
    line.run("erase", line.saved("Plinkett"), "--yes")
    line.run("save", "Answer briefly", "--everywhere")
    transcript = Path(line.environment["HOME"]) / ".claude/projects/-app/one.jsonl"
    write(transcript, conversation("session-one", line.directory))
    line.run("import", "claude-code")
    return line


@pytest.fixture
def here(filled: CommandLine, tmp_path: Path) -> CommandLine:
    """Return the same machine with a copy of its data and its home."""
    for name in ("data", "home"):
        shutil.copytree(filled.data.with_name(name), tmp_path / name)
    return evolve(filled, data=tmp_path / "data")


def on(line: CommandLine, storage: str) -> CommandLine:
    """Return the same machine with another storage."""
    return evolve(line, settings={"LAMELLA_STORAGE": storage})


def replies(line: CommandLine) -> list[str]:
    """Return the results of a recall of everything."""
    return [line.run(*asked).out for asked in ASKED]


def test_a_copy_there_and_back_answers_as_at_the_start(here: CommandLine, url: str, tmp_path: Path) -> None:
    before, there, back = replies(here), on(here, url), f"sqlite://{tmp_path / 'back'}"
    done = here.run("copy", "--from", "sqlite:", "--to", url, "--conversations")
    assert re.findall(r"  (equal|differs)\b", done.out) == ["equal"] * 7, done
    assert (done.code, done.err) == (0, "")
    assert replies(there) == before
    assert replies(here) == before
    assert there.run("copy", "--from", url, "--to", back, "--conversations").code == 0
    assert replies(on(here, back)) == before
    ids = [each.run("project", "list").out.partition("\t")[0] for each in (on(here, back), here)]
    assert ids[0] == ids[1]
    again = here.run("copy", "--from", url, "--to", "sqlite:", "--conversations")
    assert (again.code, again.out.partition(" of ")[0]) == (0, "Copied 0 new memories and 0 new messages")
    assert replies(here) == before


def test_a_source_that_is_served_meanwhile_is_copied_by_the_next_copy(here: CommandLine, url: str) -> None:
    with here.started("serve", stdin=-1) as server:
        here.saved("Before")
        first = here.started("copy", "--from", "sqlite:", "--to", url)
        ids = [here.saved(f"Meanwhile {number}") for number in range(5)]
        first.communicate()
        done = here.run("copy", "--from", "sqlite:", "--to", url)
        server.communicate(b"")
    assert (first.returncode in (0, 1), done.code) == (True, 0)
    there = on(here, url).run("recall", "--limit", "50").out
    assert [id for id in ids if id[:8] not in there] == []


@pytest.mark.team
def test_a_copy_that_is_killed_between_any_two_messages_is_finished_by_the_next(tmp_path: Path) -> None:
    tenants = [postgres.location(f"kill-{uuid4().hex}") for _ in range(KILLS + 1)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.storage.kills.copies", tmp_path, *tenants],
        cwd=Path(__file__).parents[4],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout.count("and finished")) == (0, KILLS), done.stderr
