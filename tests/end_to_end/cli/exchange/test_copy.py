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
from tests.end_to_end.support.command_line import CommandLine, Done
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


def repository(folder: Path) -> Path:
    """Make a repository with a commit and a remote."""
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("a = 1\n")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (
        ("init", "--quiet"),
        ("remote", "add", "origin", "https://example.org/ada/app.git"),
        ("add", "."),
        (*who, "commit", "--quiet", "-m", "Add a"),
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def url() -> str:
    """A tenant of the server that has nothing yet."""
    return postgres.location(f"copy-{uuid4().hex}")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A machine on which something was saved, replaced, purged, erased, learned and talked about."""
    folder = tmp_path_factory.mktemp("filled")
    line = CommandLine(folder / "data", repository(folder / "app"))
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
    """The same machine with a copy of its data and its home."""
    for name in ("data", "home"):
        shutil.copytree(filled.data.with_name(name), tmp_path / name)
    return evolve(filled, data=tmp_path / "data")


def on(line: CommandLine, storage: str) -> CommandLine:
    """The same machine, with another storage."""
    return evolve(line, settings={"LAMELLA_STORAGE": storage})


def replies(line: CommandLine) -> list[str]:
    """What is recalled of everything."""
    return [line.run(*asked).out for asked in ASKED]


def table(done: Done) -> dict[str, tuple[str, ...]]:
    """The rows of a table, without digests."""
    rows = re.findall(r"^([a-z][a-z ]+?) +([\d,]+) +([\d,]+)  (equal|differs)", done.out, re.MULTILINE)
    return {kind: tuple(row) for kind, *row in rows}


def test_a_copy_there_and_back_answers_as_at_the_start(here: CommandLine, url: str, tmp_path: Path) -> None:
    before, there, back = replies(here), on(here, url), f"sqlite://{tmp_path / 'back'}"
    done = here.run("copy", "--from", "sqlite:", "--to", url, "--conversations")
    assert table(done) == {
        "projects": ("1", "1", "equal"),
        "memories": ("5", "5", "equal"),
        "code changes": ("2", "2", "equal"),
        "purged": ("2", "2", "equal"),
        "erased": ("1", "1", "equal"),
        "log entries": ("3", "3", "equal"),
        "messages": ("5", "5", "equal"),
    }, done
    assert (done.code, done.err) == (0, "")
    assert replies(there) == before
    assert replies(here) == before
    assert there.run("copy", "--from", url, "--to", back, "--conversations").code == 0
    assert replies(on(here, back)) == before
    assert (
        on(here, back).run("project", "list").out.split("\t")[0] == here.run("project", "list").out.split("\t")[0]
    )
    again = here.run("copy", "--from", url, "--to", "sqlite:", "--conversations")
    assert (
        again.code,
        again.out.startswith(
            "Copied 0 new memories and 0 new messages of 1 project and what holds everywhere from"
        ),
    ) == (
        0,
        True,
    )
    assert replies(here) == before


def test_the_source_is_only_read(here: CommandLine, url: str) -> None:
    files = {path: held for path, held in here.files.items() if path.name != "machine-id"}
    here.run("copy", "--from", "sqlite:", "--to", url)
    assert {path: held for path, held in here.files.items() if path.name != "machine-id"} == files


def test_what_was_done_at_the_source_since_follows_and_what_the_target_has_stays(
    here: CommandLine, url: str
) -> None:
    doomed, changed = here.saved("About pears"), here.saved("About apples")
    there = on(here, url)
    here.run("copy", "--from", "sqlite:", "--to", url)
    there.run("save", "Of the team")
    there.run("purge", changed)
    here.run("purge", doomed)
    here.run("save", "About quinces")
    done = here.run("copy", "--from", "sqlite:", "--to", url)
    assert done.code == 0, done
    assert "Purged or replaced at the source since, purged at the target too: 1." in done.out
    assert f"Changed at the target later, and left so: 1 ({changed})." in done.out
    assert "Messages that stay where they are: 5. To copy them: --conversations" in done.out
    found = there.run("recall").out
    shown = [text in found for text in ("Of the team", "quinces", "pears", "apples", "four attempts")]
    assert shown == [True, True, False, False, True]


def test_what_was_erased_stays_erased_and_what_still_is_there_is_named(here: CommandLine, url: str) -> None:
    gone = here.saved("About figs")
    there = on(here, url)
    here.run("copy", "--from", "sqlite:", "--to", url)
    here.run("erase", gone, "--yes")
    done = here.run("copy", "--from", "sqlite:", "--to", url)
    assert (done.code, table(done)["erased"]) == (1, ("2", "1", "differs"))
    assert f"Erased at the source, and still at the target: 1 ({gone})." in done.out
    assert done.err.startswith("Not everything is the same.")
    there.run("erase", gone, "--yes")
    assert here.run("copy", "--from", "sqlite:", "--to", url).code == 0
    # A conversation that was erased is not read again from its transcript.
    here.run("erase", "--session", "session-one", "--yes")
    here.run("copy", "--from", "sqlite:", "--to", url)
    asked = there.run("import", "claude-code", env={"LAMELLA_SHARE_CONVERSATIONS": "on"})
    assert asked.out == "Imported 0 messages from 1 transcript.\n"


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


def test_on_a_terminal_progress_is_shown(here: CommandLine, url: str) -> None:
    screen = here.on_terminal("copy", "--from", "sqlite:", "--to", url).out
    assert ("Copying" in screen, "5/5" in screen, "equal" in screen) == (True, True, True), screen


def test_a_copy_of_a_data_directory_goes_to_another_one(here: CommandLine, tmp_path: Path) -> None:
    there = tmp_path / "there"
    assert here.run("copy", "--from", "sqlite:", "--to", f"sqlite://{there}", "--conversations").code == 0
    moved = evolve(here, data=there)
    assert replies(moved) == replies(here)
    for path in (there, *there.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0
    shutil.rmtree(here.data)
    assert "four attempts" in moved.run("recall", "retries").out


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
