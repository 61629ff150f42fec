"""A new user's machine: an empty home, lamella on it, and Claude Code that knows lamella."""

import atexit
import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import field, frozen

from tests.end_to_end.clients.node_clients import NodeClients, bare_environment
from tests.end_to_end.clients.scripted_messages import Reacts, ScriptedMessages, Seen, Step
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support import unhurried
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.processes import processes_of, wait_for_processes_of
from tests.waiting import HANG_SECONDS

_LONG = str(int(HANG_SECONDS * 1000))
SETTINGS = {
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # It shows the model the servers that are up after two seconds, and a busy machine may need more for any.
    "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": _LONG,
    "MCP_TIMEOUT": _LONG,
    "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": _LONG,
}
"""Settings that keep Claude Code off the network and patient on a busy machine."""


@frozen
class Session:
    """One run of Claude Code: its final output, and what the model saw before each step."""

    outcome: dict[str, Any]
    seen: list[Seen]

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.outcome["session_id"])

    @property
    def replies(self) -> list[str]:
        """Return the tools' replies to the model."""
        return self.seen[-1].replies


@frozen
class Desk:
    """A user's machine. Everything is in `folder`, which is empty at first."""

    folder: Path
    clients: NodeClients
    home: Path = field(init=False)
    lamella: Path = field(init=False)
    """The command."""

    @home.default
    def _new_home(self) -> Path:
        home = self.folder / "home"
        home.mkdir()
        return home

    @lamella.default
    def _linked(self) -> Path:
        commands = self.folder / "bin"
        commands.mkdir()
        return unhurried.command(commands / "lamella")

    def repository(self, name: str) -> Path:
        """A new git repository with one commit."""
        repository = Repository.made(self.folder / name)
        repository.write("main.c", "int main(void) { return 0; }\n")
        repository.commit()
        return repository.root

    def claude(self, place: Path, *arguments: str | Path, **more: str) -> str:
        """Run `claude` in `place` and return what it prints."""
        done = self.clients.run("claude", *arguments, home=self.home, folder=place, more={**SETTINGS, **more})
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def adds_server(self, *options: str) -> None:
        """Add lamella's server to Claude Code as a user would, or copy the resulting files."""
        self.copies(_with_server(self.clients, options))

    def copies(self, template: "Desk") -> None:
        """Copy the home of another desk, with the paths of this one in Claude Code's files."""
        shutil.copytree(template.home, self.home, dirs_exist_ok=True)
        for file in self.home.rglob("*.json"):
            text = file.read_text("utf-8")
            file.write_text(text.replace(str(template.folder), str(self.folder)), encoding="utf-8")

    def shell(self, place: Path, *arguments: str) -> str:
        """Run `lamella` in `place` as the user and return what it prints."""
        done = Command((self.lamella, *arguments), place, bare_environment(self.home)).run()
        assert (done.code, done.err) == (0, ""), done
        return done.out

    def session(
        self,
        place: Path,
        *script: Step | Reacts,
        prompt: str = "Go on.",
        tools: str = "mcp__lamella__*",
        options: Sequence[str] = (),
    ) -> Session:
        """Run one session in `place`, in which the user sends `prompt` and the model follows the script.

        The model may use `tools` without asking. `options` are further options of the command. Background work of
        the session is finished when this returns.
        """
        with ScriptedMessages(list(script)) as api:
            printed = self.claude(
                place,
                *("-p", prompt, "--output-format", "json", "--model", "claude-sonnet-4-5"),
                *("--allowedTools", tools, *options),
                ANTHROPIC_BASE_URL=api.url,
                ANTHROPIC_API_KEY="none",
            )
        wait_for_processes_of(self.folder)
        return Session(json.loads(printed), api.seen)

    def processes(self) -> list[str]:
        """Return the command lines of running processes of lamella and of Claude Code."""
        return processes_of(self.folder)


def template(clients: NodeClients) -> Desk:
    """Return a desk to copy, which lasts as long as this process."""
    folder = TemporaryDirectory(prefix="lamella-desk-")
    atexit.register(folder.cleanup)
    return Desk(Path(folder.name).resolve(), clients)


@cache
def _with_server(clients: NodeClients, options: tuple[str, ...]) -> Desk:
    desk = template(clients)
    desk.claude(desk.home, "mcp", "add", "--scope", "user", "lamella", "--", desk.lamella, "serve", *options)
    return desk
