"""Taking over past conversations on the command line, listing them, and moving them with their project."""

import json
import re
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import SECRET, conversation, record, with_transcripts, write
from tests.unit.adapters.transcripts import samples
from tests.unit.support.tables import cases


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    """See `with_transcripts`."""
    return with_transcripts(tmp_path)


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
    assert dry.out.splitlines()[0] == "Would import 1 message from 4 transcripts."
    done = lamella.run("import", "claude-code")
    assert done.out.splitlines()[0] == "Imported 1 message from 4 transcripts."

    other = CommandLine(lamella.data, tmp_path / "other")
    other.directory.mkdir()
    other.saved("Something.")
    assert other.run("project", "merge", "project", "other").code == 0
    write(transcripts / "again.jsonl", [title, *said[2:]])
    assert other.run("import", "claude-code", str(transcripts)).out.startswith("Imported 0 messages ")

    assert [line.split("\t")[:2] for line in other.run("sessions").out.splitlines()] == [
        ["session-fork", "What is new?"]
    ]
    held = b"".join(path.read_bytes() for path in lamella.data.rglob("*") if path.is_file())
    words = (b"upload", b"ATTEMPTS", b"three attempts", b"Quick wins", b"Earlier wins")
    assert [word for word in words if word in held] == []
    assert lamella.run("doctor").code == 0


@cases
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
    assert done.out.splitlines()[:2] == ["Imported 2 messages from 1 transcript.", "Redacted: 1 secret."]
    assert lamella.run("import", client, env=unset).out == "Imported 0 messages from 1 transcript.\n"
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
    assert done.out == "Imported 2 messages from 1 transcript.\n"
    assert lamella.run("sessions").out.startswith(samples.SESSION)
    assert elsewhere.run("import", client).code == 2
    (file,) = export.glob("*.json")
    file.write_text(file.read_text("utf-8").replace("The damper is open.", "It is shut."), "utf-8")
    done = lamella.run("import", client, str(export))
    assert done.out.splitlines()[1:] == [
        "Changed there since an earlier import, but not here: 1 message, in 1 Why does it cool?."
    ]
