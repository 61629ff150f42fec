"""A project with memories, and what hooks say in it."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

import pytest
from attrs import define, field

from lamella.application.memories.save import SaveRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.ports.spool import EditCaptured
from lamella.settings import Settings
from lamella_adapters.hooks.clients import claude_code
from lamella_adapters.hooks.context import answer as context
from lamella_adapters.process.system import SystemClock
from lamella_adapters.sqlite.hook_reads import open_project
from tests.unit.support import edits
from tests.waiting import HANG_SECONDS

AT = datetime(2024, 5, 6, tzinfo=UTC)
CODE = """\
    def paid(self, order, attempts=3):
        for attempt in range(attempts):
            answer = self.session.post(order.url, json=order.data)
            if answer.ok:
                return answer.json()["receipt"]
"""
FILE = "class Payments:\n    def close(self):\n        self.session.close()\n"
OLD = "        self.session.close()\n"


@define
class Place:
    """A project with memories. Its hooks give up at a lock, but have no time limit."""

    data: Path
    project: Path
    storage: str = "sqlite:"
    named: list[str] = field(factory=list)
    """Ids of the memories in the latest answer, as it names them beside the text."""
    notice: str = ""
    """Its line for the user."""

    @property
    def settings(self) -> Settings:
        return Settings(data_directory=self.data, storage=self.storage, embedder="none")

    @property
    def call(self) -> Call:
        return Call(directory=self.project, session="s", zone=SystemClock().zone())

    @property
    def database(self) -> Path:
        (path,) = (self.data / "projects").glob("*.db")
        return path

    def start(self, session: str = "a-1", source: str = "startup") -> str | None:
        return self._answer("SessionStart", self._said(session, source=source))

    def ask(self, prompt: str, session: str = "a-1") -> str | None:
        return self._answer("UserPromptSubmit", self._said(session, prompt=prompt))

    def edit(
        self,
        session: str = "a-1",
        tool: str = "Edit",
        cwd: Path | None = None,
        agent: str = "",
        **arguments: object,
    ) -> str | None:
        given = arguments or {"old_string": OLD, "new_string": OLD + CODE}
        asked = {"tool_name": tool, "tool_input": {"file_path": str(self.project / "src/pay.py"), **given}}
        said = {**self._said(session), **asked, **({"cwd": str(cwd)} if cwd else {}), "agent_id": agent}
        return self._answer("PreToolUse", said)

    def answers(self) -> list[str | None]:
        """Return one answer of each kind, each in its own session."""
        session = f"s-{uuid4()}"
        return [self.ask("What was that with retry_payment?", session), self.edit(session), self.start(session)]

    def _answer(self, event: str, said: Mapping[str, object]) -> str | None:
        longest = patch.object(context, "LONGEST", HANG_SECONDS)
        deadline = patch.object(open_project.Deadline.__init__, "__defaults__", (HANG_SECONDS,))
        with longest, deadline:
            happened = claude_code.event({"hook_event_name": event, **said}, "")
            text, self.named = context.answer(happened, str(self.data)) or (None, [])
            self.notice = happened.notice
            return text

    def _said(self, session: str, **more: str) -> dict[str, object]:
        return {"session_id": session, "cwd": str(self.project), **more}


def removed(code: str = CODE, *, path: str = "src/pay.py", reason: str = "Drop the retries.") -> EditCaptured:
    return edits.captured(edits.removed(code), path=path, at=AT, reason=reason)


def fill(lamella: Lamella, call: Call) -> None:
    lamella.save(
        call, SaveRequest(text="The provider bills each attempt, so retry_payment is gone.", source="decision")
    )
    lamella.save(call, SaveRequest(text="Parquet files are written in groups of rows.", title="Exports"))
    lamella.record_changes(call, [removed()])


def made_in(folder: Path, storage: str = "sqlite:") -> Place:
    """A project with a file, a decision, a note and the removal of some code."""
    made = Place(folder / "data", folder / "shop", storage)
    (made.project / "src").mkdir(parents=True)
    (made.project / "src/pay.py").write_text(FILE)
    with running(made.settings) as lamella:
        fill(lamella, made.call)
    return made


def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove lamella's settings from the environment."""
    for name in [name for name in os.environ if name.startswith(("LAMELLA_", "CLAUDE_"))]:
        monkeypatch.delenv(name)


def unmarked(text: str | None) -> str:
    """Return an answer without its random mark."""
    assert text is not None
    mark = text.partition('mark="')[2].partition('"')[0]
    assert len(mark) == 12
    assert text.endswith(f"</lamella-memory {mark}>")
    return text.replace(mark, "MARK")
