"""How a server finds out to which session of the client it belongs."""

import os
from pathlib import Path
from uuid import uuid4

from attrs import define, field

from lamella.ports.sessions import SessionIdentity
from lamella_adapters.hooks.session.processes import ancestors
from lamella_adapters.hooks.session_records import folder_of, read_record, record_naming


def _given(value: str | None) -> str | None:
    return (value or "").strip() or None


@define(eq=False)
class RecordedSessions(SessionIdentity):
    """Session of a server that was started by Claude Code, or by another client with hooks.

    Attributes:
        explicit: The session set by the user (`LAMELLA_SESSION`).
        startup_id: The client's session at the start of this process (`CLAUDE_CODE_SESSION_ID`).
        data_directory: The folder with the hooks' records of sessions.
    """

    explicit: str | None = field(converter=_given)
    startup_id: str | None = field(converter=_given)
    data_directory: Path
    # List the ancestors once, while all of them run. Their start times distinguish them from later processes with
    # the same ids.
    _ancestors: tuple[tuple[int, str], ...] = field(init=False, factory=ancestors)
    _own: str = field(init=False, factory=lambda: f"session-{uuid4()}")

    def current(self) -> str:
        """Return the id of the current session. It changes when a hook records a new session."""
        return self.explicit or self._recorded() or self.startup_id or self._own

    def _recorded(self) -> str | None:
        records = folder_of(os.fspath(self.data_directory))
        if not os.path.isdir(records):  # noqa: PTH112 - faster than pathlib; runs at each save
            return None  # without the folder, no hook has recorded a session yet
        for pid, begun in self._ancestors:
            record = read_record(f"{records}/{pid}.json")
            if record and record[0] == begun:
                return record[2]
        # No ancestor has a record, for example if the client runs outside of the server's container.
        record = record_naming(os.fspath(self.data_directory), self.startup_id) if self.startup_id else None
        return record[2] if record else None
