"""Secrets of every family, on every way into memory, and then every byte that was written."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from lamella.domain.privacy.redaction import redact
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.hooks.drain_kills import repository
from tests.end_to_end.hooks.machine import Machine
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import record, write
from tests.unit.privacy.lines.corpora import CALLS, NAMED, STATED
from tests.unit.privacy.secret_corpus import TOKENS, drawn
from tests.unit.privacy.secret_texts import STRUCTURED
from tests.unit.privacy.test_command_secrets import with_value

LEAST = 8
"""So many characters of a secret in a row are a part of it; none is shorter."""


def told() -> Iterator[tuple[str, str]]:
    """Yield secrets of each family: a line with the secret, and the part that must not remain."""
    chance = random.Random("on every way")  # noqa: S311 - made-up values
    for draw in TOKENS.values():
        secret = draw(chance)
        yield f"It is called with {secret} now.", secret
    for make in STRUCTURED.values():
        yield make(chance)


def told_in_lines() -> Iterator[tuple[str, str]]:
    """Yield the same for lines of code, configuration and conversation."""
    chance = random.Random("in lines")  # noqa: S311 - made-up values
    for line in (*CALLS, *NAMED, *STATED):
        secret = drawn(chance, 16)
        text = with_value(line, secret)
        # A few are known to stay (`tests/unit/privacy/test_secret_lines.py`).
        if secret not in redact(text).text:
            yield text, secret


SECRETS = list(told())
IN_LINES = list(told_in_lines())
# As many in a text as it has room for, so that few processes carry them all.
TEXTS = [
    "\n".join(text for text, _ in secrets[at : at + most])
    for secrets, most in ((SECRETS, 40), (IN_LINES, 110))
    for at in range(0, len(secrets), most)
]


OURS = "access_token"
"""The name of a table, and the public beginning of a format."""


def left_in(folder: Path) -> list[str]:
    """Return the secrets of which a part remains in a file, plain or as JSON."""
    written = "\n".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())
    found = set().union(*PARTS.values()).intersection(parts_of(written)).difference(parts_of(OURS))
    return [secret for secret, those in PARTS.items() if those & found] if found else []


def parts_of(text: str) -> Iterator[str]:
    return (text[at : at + LEAST] for at in range(len(text) - LEAST + 1))


def heard(machine: Machine, directory: Path, text: str, number: int) -> None:
    """Pass a text to the hooks in every way, and write it into the transcript."""
    transcript = directory.parent / f"{number}.jsonl"
    write(transcript, [record("user", number, text, session="s", folder=directory)])
    about = {"session_id": "s", "cwd": str(directory), "transcript_path": str(transcript)}
    lines = [f"+{line}" for line in text.split("\n")]
    patch = {"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": len(lines), "lines": lines}
    tools: list[tuple[str, dict[str, object], dict[str, object]]] = [
        ("Edit", {"file_path": str(directory / f"{number}.py")}, {"structuredPatch": [patch]}),
        ("Write", {"file_path": str(directory / f"new{number}.py")}, {"type": "create", "content": text}),
        ("Bash", {"command": f"deploy <<END\n{text}\nEND"}, {"stdout": text}),
    ]
    events: list[tuple[str, dict[str, object]]] = [("UserPromptSubmit", {"prompt": text})]
    events += [
        ("PostToolUse", {"tool_name": tool, "tool_input": given, "tool_response": answer})
        for tool, given, answer in tools
    ]
    events += [("Stop", {}), ("SessionStart", {"source": "compact"})]
    for event, more in events:
        machine.tell(event, json.dumps({**about, "hook_event_name": event, **more}).encode() + b"\n")


def test_no_byte_of_any_is_written_on_any_way_into_memory(machine: Machine) -> None:
    directory = repository(machine.folder / "orchard")
    for number, text in enumerate(TEXTS):
        heard(machine, directory, text, number)
    assert len(machine.spooled()) == 6 * len(TEXTS)
    assert left_in(machine.data) == []

    lamella = CommandLine(machine.data, directory)
    for text in TEXTS:
        assert lamella.run("save", text[:10_000]).code == 0
    assert machine.spooled() == []
    assert left_in(machine.data) == []
    assert "[redacted]" in lamella.run("recall", "called", "--limit", "3", "--detail", "full").out


LINE, HEAD, MESSAGE, TITLE = 300, 128 * 1024, 8_000, 200
COMMAND, REASON, CALL, RESULT_BEGINS, RESULT_ENDS = 200, 300, 500, 1_500, 500
"""Limits of texts on their way: the amount that is kept of each, in characters, or bytes of what git tells."""

PARTS = {secret: {*parts_of(secret), *parts_of(json.dumps(secret)[1:-1])} for _, secret in (*SECRETS, *IN_LINES)}
"""Parts of each secret, plain and as JSON."""

SOME = SECRETS[::21]
"""For what takes a process, or a large file, for each."""


def before(text: str, secret: str, cut: int) -> str:
    """Return `text` after filler words, such that the middle of the secret is at `cut`."""
    room = cut - text.index(secret) - len(secret) // 2
    return ("ab " * cut)[: max(0, room - 1)] + " " * (room > 0) + text


def astride(cut: int, secrets: list[tuple[str, str]]) -> list[str]:
    return [before(text, secret, cut) for text, secret in secrets]


def of_many_lines(text: str) -> str:
    """A file of which the first 128 KiB end in some line with the text, however each line is marked."""
    filling = "\u00e4\u00e4\u00e4\u00e4 " * 10 + "\n"
    return filling * ((HEAD - 6_000) // (len(filling.encode()) + 1)) + f"{text}\n" * (12_000 // len(text))


def write_all(directory: Path) -> list[str]:
    """Write files whose secrets are where git's diff is truncated, and return their names."""
    lines = astride(LINE - 1, SECRETS)
    files = {f"lines{at}.txt": "\n".join(lines[at : at + 10]) + "\n" for at in range(0, len(lines), 10)}
    files |= {f"large{at}.txt": of_many_lines(text) for at, (text, _) in enumerate(SOME) if "\n" not in text}
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf-8")
    return list(files)


def test_no_half_of_any_is_written_where_what_git_tells_is_cut(machine: Machine) -> None:
    directory = repository(machine.folder / "orchard")
    git = Repository(directory).git
    git("checkout", "tax.py")
    lamella = CommandLine(machine.data, directory)
    names = write_all(directory)
    for at in range(0, len(names), 20):
        paths = [part for name in names[at : at + 20] for part in ("--path", name)]
        assert lamella.run("save", "They are new.", *paths).code == 0
    git("add", ".")
    assert left_in(machine.data) == []

    about = {"session_id": "s", "cwd": str(directory), "hook_event_name": "PostToolUse", "tool_name": "Bash"}
    done = {**about, "tool_input": {"command": "make keys"}, "tool_response": {"stdout": ""}}
    machine.tell("PostToolUse", json.dumps(done).encode() + b"\n")
    assert lamella.run("drain").code == 0
    assert left_in(machine.data) == []

    git("commit", "-qm", "Add keys")
    for text, secret in SOME:
        said = f"{before(text, secret, TITLE)}\n\n{before(text, secret, MESSAGE)}\n\n"
        git("commit", "-q", "--allow-empty", "-m", said + before(text, secret, 2_000))
        (directory / "tax.py").write_text(f"rate = {len(said)} + {hash(said)}\n", encoding="utf-8")
        git("add", ".")
    assert lamella.run("ledger", "--backfill").code == 0
    assert left_in(machine.data) == []
    shown = lamella.run("ledger", "lines0.txt").out + lamella.run("recall", "Add keys").out
    assert "Add keys" in shown


def test_no_half_of_any_is_written_where_what_hooks_hear_is_cut(machine: Machine) -> None:
    directory = repository(machine.folder / "orchard")
    about: dict[str, object] = {"session_id": "s", "cwd": str(directory)}

    def told(event: str, **more: object) -> None:
        machine.tell(event, json.dumps({**about, "hook_event_name": event, **more}).encode() + b"\n")

    for text, secret in SOME:
        told("UserPromptSubmit", prompt=before(text, secret, REASON))
        command = {"command": before(text, secret, COMMAND)}
        told("PostToolUse", tool_name="Bash", tool_input=command, tool_response={})
    lines = [f"+{line}" for text in astride(LINE - 1, SECRETS) for line in text.split("\n")]
    patch = {"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": len(lines), "lines": lines}
    edit = {"file_path": str(directory / "a.txt")}
    told("PostToolUse", tool_name="Edit", tool_input=edit, tool_response={"structuredPatch": [patch]})
    told("PostToolUse", tool_name="Write", tool_input=edit, tool_response={"content": "\n".join(lines)})
    assert left_in(machine.data) == []
    assert CommandLine(machine.data, directory).run("drain").code == 0
    assert machine.spooled() == []
    assert left_in(machine.data) == []


def test_no_half_of_any_is_written_where_what_a_transcript_holds_is_cut(machine: Machine) -> None:
    directory = repository(machine.folder / "orchard")
    transcript = machine.folder / "t.jsonl"
    records = []
    for number, (text, secret) in enumerate(SECRETS):
        end = text + " ab" * ((RESULT_ENDS - len(text) + text.index(secret) + len(secret) // 2) // 3)
        result = f"{before(text, secret, RESULT_BEGINS)} {'ab ' * 500}{end}"
        command = {"command": before(text, secret, CALL - len('Bash {"command":"'))}
        parts: list[tuple[str, dict[str, object]]] = [
            ("user", {"type": "text", "text": before(text, secret, 160)}),
            ("assistant", {"type": "tool_use", "id": "t", "name": "Bash", "input": command}),
            ("user", {"type": "tool_result", "tool_use_id": "t", "content": f"Error: {result}"}),
        ]
        for part, (kind, block) in enumerate(parts):
            at = f"2026-07-01T09:{number // 60:02}:{number % 60:02}.{part}00Z"
            session = f"s{number // 40}"
            records.append(record(kind, 3 * number + part, [block], session=session, folder=directory, at=at))
    write(transcript, records)
    for each in range(len(SECRETS) // 40 + 1):
        about = {"session_id": f"s{each}", "cwd": str(directory), "transcript_path": str(transcript)}
        for event in ("SessionStart", "SessionEnd"):
            said = {**about, "hook_event_name": event, "source": "compact"}
            machine.tell(event, json.dumps(said).encode() + b"\n")
    lamella = CommandLine(machine.data, directory)
    assert lamella.run("drain").code == 0
    assert left_in(machine.data) == []
    assert "[redacted]" in lamella.run("sessions").out + lamella.run("recall", "called", "--detail", "full").out
