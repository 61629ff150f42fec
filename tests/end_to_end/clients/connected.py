"""A new user's machine on which lamella is connected to a client."""

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
from attrs import field, frozen

from tests.end_to_end.clients.agents import INSTRUCTED, Agent
from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.scripted_messages import Calls, Reacts, ScriptedMessages, Seen, Step
from tests.end_to_end.support import unhurried
from tests.end_to_end.support.processes import wait_for_processes_of


@frozen
class Connected:
    """A user of `desk` who works with `agent` in `place`, a repository with `main.c`."""

    desk: Desk
    agent: Agent
    place: Path = field(init=False)

    @place.default
    def _new_project(self) -> Path:
        return self.desk.repository("project")

    def __attrs_post_init__(self) -> None:
        self.agent.prepare(self.desk.home)
        self.desk.shell(self.place, "setup", self.agent.name, "--yes")
        if self.agent not in INSTRUCTED:
            unhurried.hooks(self.desk.home, self.desk.folder / "hook.py")

    def calls(self, tool: str, **arguments: Any) -> Calls:
        """Return a step in which the model calls a tool of lamella's server."""
        return Calls(self.agent.server_tool.format(tool), arguments)

    def session(self, *script: Step | Reacts, prompt: str) -> list[Seen]:
        """Run one session and its background work. Return what the model saw."""
        with ScriptedMessages(list(script)) as api:
            done = self.desk.clients.run(
                *self.agent.command(prompt, api.url),
                home=self.desk.home,
                folder=self.place,
                more=self.agent.environment(api.url),
            )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        wait_for_processes_of(self.desk.folder)
        return api.seen

    def lamella(self, *arguments: str) -> str:
        """Run `lamella` in the repository and return what it prints."""
        return self.desk.shell(self.place, *arguments)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Query the file of the only project directly."""
        (file,) = (self.desk.home / ".local" / "share" / "lamella" / "projects").glob("*.db")
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            return list(connection.execute(query))
