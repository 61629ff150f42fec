"""Taking over past conversations on the command line, listing them, and moving them with their project."""

import json
import re
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import SECRET, conversation, record, with_transcripts, write
from tests.unit.adapters.transcripts import samples


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    """See `with_transcripts`."""
    return with_transcripts(tmp_path)


def test_an_import_takes_over_this_project_once(lamella: CommandLine) -> None:
    first = lamella.run("import", "claude-code", "--dry-run")
    assert (first.code, first.out.split("\n")[0]) == (0, "Would import 5 message(s) from 1 transcript(s).")
    assert not lamella.data.exists()
    done = lamella.run("import", "claude-code")
    assert done.out.split("\n")[:2] == [
        "Imported 5 message(s) from 1 transcript(s).",
        "Redacted: 1 secret(s).",
    ]
    assert lamella.run("import", "claude-code").out == "Imported 0 message(s) from 1 transcript(s).\n"
    held = b"".join(path.read_bytes() for path in lamella.data.rglob("*") if path.is_file())
    assert (SECRET.encode() in held, b"don't tell" in held, b"three attempts" in held) == (False, False, True)


def test_what_was_said_since_is_imported_from_where_it_was(lamella: CommandLine) -> None:
    lamella.run("import", "claude-code")
    path = Path(lamella.environment["HOME"]) / ".claude/projects/-project/one.jsonl"
    said = record("user", 9, "And then?", session="session-one", folder=lamella.directory)
    whole = json.dumps(said)
    with path.open("a", encoding="utf-8") as transcript:
        transcript.write(whole[:40])
    assert lamella.run("import", "claude-code").out == (
        "Imported 0 message(s) from 1 transcript(s).\nStill being written: 1. Import again for the rest.\n"
    )
    with path.open("a", encoding="utf-8") as transcript:
        transcript.write(whole[40:] + "\n")
    assert lamella.run("import", "claude-code").out == "Imported 1 message(s) from 1 transcript(s).\n"


def test_a_transcript_from_elsewhere_is_imported_by_its_path(lamella: CommandLine) -> None:
    path = Path(lamella.environment["HOME"]) / ".claude/projects/-other/two.jsonl"
    assert lamella.run("import", "claude-code", str(path)).out.startswith("Imported 5 message(s) from 1 ")
    folder = lamella.run("import", "claude-code", str(path.parents[1]))
    # What was read already gives nothing new.
    assert folder.out.startswith("Imported 5 message(s) from 2 transcript(s).")


def test_where_there_are_no_transcripts_it_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    line = CommandLine(tmp_path / "data", folder)
    done = line.run("import", "claude-code", str(folder))
    looked = line.run("import", "claude-code")
    assert (looked.code, looked.out) == (0, done.out)
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        "No transcripts found. Give the file or folder they are in, or run this where they were recorded.\n"
    )
    missing = line.run("import", "claude-code", str(tmp_path / "nowhere"))
    assert (missing.code, "nowhere" in missing.err) == (2, True)


def test_what_is_not_imported_is_told(lamella: CommandLine) -> None:
    transcripts = Path(lamella.environment["HOME"]) / ".claude/projects/-project"
    nowhere = [{**each, "cwd": ""} for each in conversation("session-three", lamella.directory)]
    write(transcripts / "three.jsonl", nowhere)
    (transcripts / "link.jsonl").symlink_to(transcripts / "one.jsonl")
    done = lamella.run("import", "claude-code")
    assert (done.code, done.out.splitlines()[0], done.out.splitlines()[-1]) == (
        0,
        "Imported 5 message(s) from 1 transcript(s).",
        "Passed over: 2 transcript(s) that don't say where they were recorded. To import one, give its path.",
    )
    unreadable = "link.jsonl cannot be read: it is a symbolic link, and those are not followed."
    folder = lamella.run("import", "claude-code", str(transcripts))
    assert (folder.code, folder.err) == (
        0,
        f"{unreadable} Check that it is there and that you may read it, then try again.\n",
    )
    assert folder.out.startswith("Imported 5 message(s) from 2 transcript(s).\n")
    only = transcripts / "only"
    only.mkdir()
    (only / "link.jsonl").symlink_to(transcripts / "one.jsonl")
    done = lamella.run("import", "claude-code", str(only))
    assert (done.code, done.out, done.err) == (1, "", folder.err)


def test_sessions_are_listed_by_what_erase_takes(lamella: CommandLine) -> None:
    empty = lamella.run("sessions")
    assert (empty.code, empty.out, empty.err) == (
        0,
        "",
        "No conversations yet. Import them with: lamella import claude-code\n",
    )
    projects = Path(lamella.environment["HOME"]) / ".claude/projects"
    lamella.run("import", "claude-code", str(projects))
    zone = {"TZ": "UTC"}
    listed = [line.split("\t") for line in lamella.run("sessions", env=zone).out.splitlines()]
    assert listed == [
        [f"session-{number}", "Fixing the upload", "2026-07-08 09:10", "2026-07-08 09:10", "5"]
        for number in ("one", "two")
    ]
    assert lamella.run("erase", "--session", listed[1][0], "--yes").code == 0
    assert [line.split("\t")[0] for line in lamella.run("sessions").out.splitlines()] == ["session-one"]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", lamella.on_terminal("sessions").out)
    assert re.fullmatch(r"session-one  2026-07-08 \d\d:10 to \d\d:10  5 messages\n  Fixing the upload\n", shown)


def test_a_conversation_is_read_as_it_was_said(lamella: CommandLine) -> None:
    lamella.run("import", "claude-code")
    zone = {"TZ": "UTC"}
    said = lamella.run("sessions", "Fixing", env=zone).out.split("\n\n")
    assert said[0] == "session-one  2026-07-08 09:10 to 09:10  5 messages\n  Fixing the upload"
    assert [each.splitlines()[0] for each in said[1:3]] == [
        "User  09:10  message 1",
        "Assistant  09:10  message 5",
    ]
    assert said[1].splitlines()[1].startswith("  Why does the upload retry give up?")
    assert said[3] == "3 thoughts, calls of tools and their results are left out; --all prints them.\n"
    assert (
        "\nToolResult  09:10  message 4\n  ATTEMPTS = 3\n" in lamella.run("sessions", "Fix", "--all", env=zone).out
    )
    assert lamella.run("sessions", "--message", "5").out.startswith("── recalled from: Fixing the upload ──\n")
    assert "No conversation is known as 'nobody'" in lamella.run("sessions", "nobody").err
    assert lamella.run("sessions", "Fixing", "--message", "5").code == 2


def test_a_summary_names_a_conversation(lamella: CommandLine) -> None:
    transcripts = Path(lamella.environment["HOME"]) / ".claude/projects/-project"
    said = conversation("session-one", lamella.directory)[:-1]
    write(transcripts / "one.jsonl", said)
    named = {"type": "summary", "summary": "The upload, mended", "leafUuid": said[-1]["uuid"]}
    new = record("user", 9, "What is new?", session="session-new", folder=lamella.directory)
    write(transcripts / "new.jsonl", [named, new])
    told = "Summaries that name a conversation: 1."
    assert told in lamella.run("import", "claude-code", "--dry-run").out
    assert told in lamella.run("import", "claude-code").out
    assert lamella.run("import", "claude-code").out == "Imported 0 message(s) from 2 transcript(s).\n"
    listed = [line.split("\t")[:2] for line in lamella.run("sessions").out.splitlines()]
    assert sorted(listed) == [["session-new", "What is new?"], ["session-one", "The upload, mended"]]


def test_a_merge_says_how_many_messages_it_moved(lamella: CommandLine, tmp_path: Path) -> None:
    lamella.run("import", "claude-code")
    other = CommandLine(lamella.data, tmp_path / "other")
    other.directory.mkdir()
    other.saved("Something.")
    assert other.run("project", "merge", "project", "other").out == (
        "Moved 0 memories and 5 messages from project into other.\n"
    )
    assert other.run("project", "split", "project").out == "Moved 0 memories and 5 messages back to project.\n"


def test_an_erased_conversation_comes_back_neither_from_a_copy_nor_from_a_fork(
    lamella: CommandLine, tmp_path: Path
) -> None:
    transcripts = Path(lamella.environment["HOME"]) / ".claude/projects/-project"
    said = conversation("session-one", lamella.directory)[:-1]
    title = {"type": "custom-title", "customTitle": "Quick wins", "sessionId": "session-one"}
    earlier = {"type": "summary", "summary": "Earlier wins", "leafUuid": said[-1]["uuid"]}
    write(transcripts / "earlier.jsonl", [earlier])
    assert lamella.run("import", "claude-code", str(transcripts / "earlier.jsonl")).code == 0
    write(transcripts / "one.jsonl", said)
    lamella.run("import", "claude-code")
    assert "Earlier wins" in lamella.run("sessions").out
    write(transcripts / "one.jsonl", [*said, title])
    lamella.run("import", "claude-code")
    assert lamella.run("erase", "--session", "session-one", "--yes").code == 0
    forked = [{**each, "sessionId": "session-fork"} for each in said]
    since = record("user", 9, "What is new?", session="session-fork", folder=lamella.directory)
    write(transcripts / "one.jsonl", [*said[1:], title])
    summary = {"type": "summary", "summary": "Quick wins", "leafUuid": said[-1]["uuid"]}
    write(transcripts / "copy.jsonl", [summary, title, *said])
    write(transcripts / "fork.jsonl", [*forked, since])
    dry = lamella.run("import", "claude-code", "--dry-run")
    assert dry.out.splitlines()[0] == "Would import 1 message(s) from 4 transcript(s)."
    done = lamella.run("import", "claude-code")
    assert done.out.splitlines()[0] == "Imported 1 message(s) from 4 transcript(s)."

    other = CommandLine(lamella.data, tmp_path / "other")
    other.directory.mkdir()
    other.saved("Something.")
    assert other.run("project", "merge", "project", "other").code == 0
    write(transcripts / "again.jsonl", [title, *said[2:]])
    assert other.run("import", "claude-code", str(transcripts)).out.startswith("Imported 0 message(s) ")

    assert [line.split("\t")[:2] for line in other.run("sessions").out.splitlines()] == [
        ["session-fork", "What is new?"]
    ]
    held = b"".join(path.read_bytes() for path in lamella.data.rglob("*") if path.is_file())
    words = (b"upload", b"ATTEMPTS", b"three attempts", b"Quick wins", b"Earlier wins")
    assert [word for word in words if word in held] == []
    assert lamella.run("doctor").code == 0


def test_on_a_terminal_the_outcome_stays_on_the_screen(lamella: CommandLine) -> None:
    done = lamella.on_terminal("import", "claude-code")
    assert done.code == 0
    assert "Imported 5 message(s) from 1 transcript(s)." in done.out


def test_conversations_of_every_directory_go_to_their_own_projects(lamella: CommandLine, tmp_path: Path) -> None:
    dry = lamella.run("import", "claude-code", "--all", "--dry-run")
    assert dry.out.splitlines()[:3] == [
        "Would import 10 message(s) from 2 transcript(s).",
        "By project: 5 other, 5 project.",
        "By role: 2 assistant, 2 human, 2 thought, 2 tool, 2 tool_result.",
    ]
    done = lamella.run("import", "claude-code", "--all")
    assert done.out.splitlines()[:2] == [
        "Imported 10 message(s) from 2 transcript(s).",
        "By project: 5 other, 5 project.",
    ]
    other = CommandLine(lamella.data, tmp_path / "other")
    other.directory.mkdir()
    listed = {line.directory.name: line.run("sessions").out.partition("\t")[0] for line in (lamella, other)}
    assert listed == {"project": "session-one", "other": "session-two"}
    assert lamella.run("import", "claude-code", "--all", "--project", "other").code == 2


@pytest.mark.parametrize(
    ("client", "place"),
    [
        ("codex", ".codex/sessions/2026/03/02"),
        ("gemini", ".gemini/tmp/kiln/chats"),
        ("copilot", ".copilot/session-state"),
        ("opencode", ".local/share/opencode"),
        ("cursor", ".cursor/projects/{slug}"),
    ],
)
def test_conversations_with_other_clients_are_found_where_these_keep_them(
    lamella: CommandLine, client: str, place: str
) -> None:
    home, project = Path(lamella.environment["HOME"]), lamella.directory
    slug = re.sub("[^A-Za-z0-9]+", "-", str(project)).strip("-")
    folder = home / place.format(slug=slug)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(samples, "HOME", str(project))
        folder.mkdir(parents=True)
        getattr(samples, client)(folder, samples.SESSION, ["Why does the kiln cool too fast?", SECRET])
    (home / ".gemini").mkdir(exist_ok=True)
    (home / ".gemini/projects.json").write_text(json.dumps({"projects": {str(project): "kiln"}}), "utf-8")
    unset = dict.fromkeys(("CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME", "XDG_DATA_HOME"), "")
    done = lamella.run("import", client, env=unset)
    assert done.out.splitlines()[:2] == [
        "Imported 2 message(s) from 1 transcript(s).",
        "Redacted: 1 secret(s).",
    ]
    assert lamella.run("import", client, env=unset).out == "Imported 0 message(s) from 1 transcript(s).\n"
    assert lamella.run("sessions").out.split("\t")[:2] == [samples.SESSION, "Why does the kiln cool too fast?"]


@pytest.mark.parametrize("client", ["chatgpt", "claude-ai"])
def test_an_export_goes_into_the_project_that_is_named(lamella: CommandLine, tmp_path: Path, client: str) -> None:
    lamella.saved("Something.")
    export, elsewhere = tmp_path / "export", CommandLine(lamella.data, tmp_path / "elsewhere")
    elsewhere.directory.mkdir()
    getattr(samples, client.replace("-", "_"))(
        export, samples.SESSION, ["Why does it cool?", "The damper is open."]
    )
    done = elsewhere.run("import", client, str(export), "--project", "project")
    assert done.out == "Imported 2 message(s) from 1 transcript(s).\n"
    assert lamella.run("sessions").out.startswith(samples.SESSION)
    assert elsewhere.run("import", client).code == 2
