"""Clients other than Claude Code: how each is kept offline, called, and what it calls tools; see `agents.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.end_to_end.clients.scripted_messages import Calls
from tests.waiting import HANG_SECONDS


@frozen(kw_only=True)
class Agent:
    """A client under test.

    Attributes:
        name: Its name for `lamella setup`.
        server_tool: Its name of a tool of the server, with `{}` for the name that the server says.
        files: Files in its home that keep it off the network, as an existing user may have; `/` ends a folder.
        readable: True if lamella can read its conversations.
        ends: True if it tells of the end of a session, and gives the hook all the time that it is asked for.
        searches: True if its model has to search for tools.
    """

    name: str
    server_tool: str
    files: Mapping[str, str]
    _command: Sequence[str]
    _environment: Mapping[str, str]
    _edit: tuple[str, Any]
    _read: tuple[str, Any]
    readable: bool = False
    ends: bool = False
    searches: bool = False

    def prepare(self, home: Path) -> None:
        """Write its files."""
        for name, text in self.files.items():
            file = home / name
            (file if name.endswith("/") else file.parent).mkdir(parents=True)
            if text:
                file.write_text(text, encoding="utf-8")

    def command(self, prompt: str, api: str) -> list[str]:
        """Return the command of a non-interactive session. `api` is the address of the model."""
        words = [prompt.split() if each == "<words>" else [each] for each in self._command]
        return [_filled(each, prompt=prompt, api=api) for some in words for each in some]

    def environment(self, api: str) -> dict[str, str]:
        """Return additional environment variables for it."""
        return {name: _filled(each, api=api) for name, each in self._environment.items()}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        """Return the tool call that replaces a text in a file."""
        lines = {"-old": _marked("-", old), "+new": _marked("+", new), "old": old, "new": new}
        return Calls(self._edit[0], _filled(self._edit[1], path=str(file), name=file.name, **lines))

    def reads(self, file: Path) -> Calls:
        """Return the tool call that reads a file, which some clients require before an edit."""
        return Calls(self._read[0], _filled(self._read[1], path=str(file), name=file.name))


def _marked(mark: str, text: str) -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def _filled(value: Any, **given: str) -> Any:
    """Return a value of the table with texts in place of `<names>`."""
    if isinstance(value, dict):
        return {name: _filled(each, **given) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, **given) for each in value]
    for name, text in {"s": str(HANG_SECONDS), "ms": str(int(HANG_SECONDS * 1000)), **given}.items():
        value = value.replace(f"<{name}>", text)
    return value


_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FURTHER, OTHERS, INSTRUCTED = (
    tuple(Agent(name=name, **told) for name, told in _TOLD[installation].items())
    for installation in ("more", "others", "instructed")
)
"""Clients of the installations `node/more` and `node/others`, and one whose instructions stand for hooks."""
