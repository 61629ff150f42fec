"""Sessions of hooks; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.adapters.hooks.capture.hook_session FILE ... writes what they print now.

    $ prompt "Mend it."               the user asks for something; prints the records that hooks write of it
    $ edit a.py -a +b cwd=/srv        an edit of a file; with fields of the event that are other than usual
    $ shell make duration_ms=3        a command; also `failed make`
    $ event Stop                      another event of Claude Code
    $ recorded codex/Stop             one that a client really gave
    $ set LAMELLA_AUTHOR Ada          from now on with this variable
    $ holds Ulrich                    whether that is anywhere in the data directory

Fields that most records have are left out: version, client, directory, session, transcript and times. The value of
an event's field is JSON or else text. `TOKEN` is a secret.
"""

import json
import os
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import define, field

from lamella_adapters.hooks.run import CLAUDE_CODE
from tests.end_to_end.support.sessions import Player, Step, write_anew
from tests.unit.adapters.hooks.capture import events
from tests.unit.adapters.hooks.clients.recorded import recorded
from tests.unit.support.tables import text


def nothing_set(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Return the data directory of a machine on which nothing is set, in a Claude Code that is this process."""
    for name in [each for each in os.environ if each.startswith(("CLAUDE", "LAMELLA"))]:
        patch.delenv(name)
    patch.setenv("LAMELLA_DATA_DIR", str(folder / "data"))
    patch.setenv("CLAUDE_PID", str(os.getpid()))
    says_nothing = ModuleType(events.CONTEXT)
    says_nothing.answer = lambda *_: None  # type: ignore[attr-defined]
    patch.setitem(sys.modules, events.CONTEXT, says_nothing)
    return folder / "data"


@define
class HookShell(Player):
    """A client that runs hooks."""

    data: Path
    variables: dict[str, str] = field(factory=dict)
    seen: set[Path] = field(factory=set)

    def answer(self, step: Step) -> list[str]:
        command, *words = map(text, shlex.split(step.typed.replace("TOKEN", events.TOKEN)))
        with pytest.MonkeyPatch.context() as patched:
            for name, value in self.variables.items():
                patched.setenv(name, value)
            lines: list[str] = getattr(self, f"_{command}")(*words)
        return [line.replace(events.TOKEN, "TOKEN") for line in lines]

    def _tell(self, given: dict[str, Any], *changes: str, client: str = CLAUDE_CODE) -> list[str]:
        said = events.told(given | dict(map(_field, changes)), client=client)
        written = sorted({*(self.data / "spool").glob("*")} - self.seen)
        self.seen |= {*written}
        return [*([said.decode()] if said else []), *map(_line, written)]

    def _prompt(self, words: str, *changes: str) -> list[str]:
        return self._tell(events.prompt(words), *changes)

    def _edit(self, path: str, *words: str) -> list[str]:
        lines = [each for each in words if each[0] in "+-"]
        return self._tell(events.edit(path, *lines), *(each for each in words if each not in lines))

    def _shell(self, command: str, *changes: str) -> list[str]:
        return self._tell(events.shell(command), *changes)

    def _failed(self, command: str) -> list[str]:
        return self._tell(events.shell(command, "PostToolUseFailure"))

    def _event(self, name: str, *changes: str) -> list[str]:
        return self._tell(events.event(name), *changes)

    def _recorded(self, name: str, *changes: str) -> list[str]:
        client = name.partition("/")[0] if "/" in name else CLAUDE_CODE
        return self._tell(recorded(name), *changes, client=client)

    def _set(self, name: str, value: str) -> list[str]:
        self.variables[name] = value
        return []

    def _holds(self, words: str) -> list[str]:
        return ["yes" if words.encode() in events.every_byte(self.data) else "no"]


def _field(change: str) -> tuple[str, Any]:
    name, _, value = change.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _line(file: Path) -> str:
    record = json.loads(file.read_text("utf-8"))
    usual = {**events.about(), "event": None, "at": record["at"], "asked": record.get("asked")}
    lacks = [f"without {name}" for name in usual if name not in (*record, "asked")]
    other = (f"{name}={json.dumps(value)}" for name, value in record.items() if usual.get(name) != value)
    return " ".join([*other, *lacks])


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        write_anew(sys.argv[1:], lambda folder: HookShell(nothing_set(folder, patch)))
