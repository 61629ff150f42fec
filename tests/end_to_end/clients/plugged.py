"""A new user's machine on which lamella's plugin is installed in Claude Code."""

import json
import re
import shutil
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import apsw
from attrs import field, frozen

from tests.end_to_end.clients.desk import Desk, Session, template
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.clients.scripted_messages import Calls, Reacts, Seen, Step
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support import unhurried
from tests.waiting import contents

TOOLS = "Bash,Edit,NotebookEdit,Read,Write,mcp__plugin_lamella_lamella__*"
SAVE, RECALL = "mcp__plugin_lamella_lamella__save_memory", "mcp__plugin_lamella_lamella__recall"

_CONTEXT = re.compile(
    r"<system-reminder>\n(\w+(?::\w+)?) hook additional context: (.*?)\n</system-reminder>", re.DOTALL
)


def copied(source: Path, folder: Path) -> Path:
    """Copy a marketplace into `folder`, raise the limits, and return the copy."""
    target = folder / "market place"
    for name in (".claude-plugin", "plugin"):
        shutil.copytree(source / name, target / name)
    unhurried.plugin(target / "plugin")
    return target


def install(desk: Desk, marketplace: Path, options: Sequence[str] = ()) -> None:
    """Have Claude Code install the plugin; `options` are `name=value` each."""
    configured = [word for each in options for word in ("--config", each)]
    desk.claude(desk.home, "plugin", "marketplace", "add", marketplace)
    said = desk.claude(desk.home, "plugin", "install", "lamella@lamella", *configured)
    assert "Successfully installed" in said, said
    assert "not applied" not in said, said


@cache
def _installed(clients: NodeClients, source: Path) -> Desk:
    """Install the plugin once per process, on a machine whose home the others copy."""
    desk = template(clients)
    install(desk, copied(source, desk.folder))
    return desk


@frozen
class Plugged:
    """A user of `desk` with the installed plugin, working in `place`, a repository with `main.c`."""

    desk: Desk
    source: Path
    """Folder of the plugin."""
    options: Sequence[str] = ()
    """Options that the user configured, `name=value` each."""
    marketplace: Path = field(init=False)
    """Marketplace it is installed from: a copy with raised limits, which a test may damage."""
    place: Path = field(init=False)

    @marketplace.default
    def _copy(self) -> Path:
        return copied(self.source, self.desk.folder)

    @place.default
    def _new_project(self) -> Path:
        return self.desk.repository("project")

    def __attrs_post_init__(self) -> None:
        if self.options:
            install(self.desk, self.marketplace, self.options)
        else:
            self.desk.copies(_installed(self.desk.clients, self.source))
        commands = self.desk.home / ".local" / "bin"
        commands.mkdir(parents=True)
        unhurried.command(commands / "lamella")

    @property
    def data(self) -> Path:
        """The data directory of lamella."""
        return self.desk.home / ".local" / "share" / "lamella"

    @property
    def spooled(self) -> list[dict[str, Any]]:
        """Return the pending captures."""
        found = contents(self.data / "spool", "*.json").values()
        return [json.loads(each) for each in found if each.endswith(b"\n")]

    def session(self, *script: Step | Reacts, prompt: str = "Go on.", options: Sequence[str] = ()) -> Session:
        """Run one session in the repository, in which no permission is needed."""
        allowed = ("--permission-mode", "acceptEdits", *options)
        return self.desk.session(self.place, *script, prompt=prompt, tools=TOOLS, options=allowed)

    def lamella(self, *arguments: str) -> str:
        """Run `lamella` in the repository and return what it prints."""
        return self.desk.shell(self.place, *arguments)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Query the file of the only project directly."""
        (file,) = (self.data / "projects").glob("*.db")
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            return list(connection.execute(query))

    def commits(self, name: str, content: str) -> None:
        """Add and commit a file as the user."""
        repository = Repository(self.place)
        repository.write(name, content)
        repository.commit()

    def reads(self, name: str) -> Calls:
        """Return a step in which the model reads a file, as required before an edit."""
        return Calls("Read", {"file_path": str(self.place / name)})

    def edits(self, name: str, old: str, new: str) -> Calls:
        """Return a step in which the model replaces a text in a file."""
        return Calls("Edit", {"file_path": str(self.place / name), "old_string": old, "new_string": new})

    def writes(self, name: str, content: str) -> Calls:
        """Return a step in which the model writes a whole file."""
        return Calls("Write", {"file_path": str(self.place / name), "content": content})

    def puts(self, name: str, cell: str, source: str) -> Calls:
        """Return a step in which the model replaces the content of a notebook cell."""
        return Calls(
            "NotebookEdit", {"notebook_path": str(self.place / name), "cell_id": cell, "new_source": source}
        )


def runs(command: str) -> Calls:
    """Return a step in which the model runs a command."""
    return Calls("Bash", {"command": command})


def contexts(seen: Seen) -> dict[str, str]:
    """Return the context that hooks gave the model before a step, by event (`PreToolUse:Edit`)."""
    return dict(_CONTEXT.findall(seen.told))
