"""Secrets of every family, on every way into memory, and then every byte that was written."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from lamella_adapters.claude_code.hooks.link import link
from tests.unit.secret_corpus import TOKENS, is_left
from tests.unit.secret_texts import STRUCTURED

from .command_line import CommandLine
from .drain_kills import repository
from .hooked import Machine

AT_ONCE = 40
"""Secrets in one text, so that few processes carry them all."""


def told() -> Iterator[tuple[str, str]]:
    """A secret of each family: a line in which it stands, and what may not be left of it."""
    chance = random.Random("everywhere")  # noqa: S311 - made-up values
    for draw in TOKENS.values():
        secret = draw(chance)
        yield f"It is called with {secret} now.", secret
    for make in STRUCTURED.values():
        yield make(chance)


SECRETS = list(told())
TEXTS = ["\n".join(text for text, _ in SECRETS[at : at + AT_ONCE]) for at in range(0, len(SECRETS), AT_ONCE)]


def left_in(folder: Path) -> list[str]:
    """The secrets of which something stands in some file, plain or as JSON."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    written = "\n".join(path.read_bytes().decode("latin-1") for path in files)
    return [
        secret
        for _, secret in SECRETS
        if any(is_left(form, written) for form in (secret, json.dumps(secret)[1:-1]))
    ]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    link(str(machine.linked))
    return machine


def heard(machine: Machine, directory: Path, text: str, number: int) -> None:
    """Has the hooks hear a text on each of their ways, and the transcript hold it."""
    transcript = directory.parent / f"{number}.jsonl"
    record = {
        "type": "user",
        "uuid": f"u{number}",
        "sessionId": "s",
        "cwd": str(directory),
        "timestamp": "2026-07-01T09:10:11.000Z",
        "message": {"role": "user", "content": text},
    }
    transcript.write_text(json.dumps(record) + "\n", encoding="utf-8")
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
    events += [("Stop", {}), ("PreCompact", {})]
    for event, more in events:
        machine.tell(event, json.dumps({**about, "hook_event_name": event, **more}).encode() + b"\n")


def test_no_byte_of_any_is_written_on_any_way_into_memory(machine: Machine) -> None:
    directory = repository(machine.folder / "orchard")
    for number, text in enumerate(TEXTS):
        heard(machine, directory, text, number)
    assert len(machine.spooled()) == 5 * len(TEXTS)
    assert left_in(machine.data) == []

    lamella = CommandLine(machine.data, directory)
    for text in TEXTS:
        assert lamella.run("save", text[:10_000]).code == 0
    assert machine.spooled() == []
    assert left_in(machine.data) == []
    assert "[redacted]" in lamella.run("recall", "called", "--limit", "3", "--detail", "full").out
