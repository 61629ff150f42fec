"""The session of a server that Claude Code started."""

import os
from pathlib import Path
from uuid import uuid4

from attrs import define, field

from lamella.ports.sessions import SessionIdentity
from lamella_adapters.claude_code.session.processes import ancestors
from lamella_adapters.claude_code.session.record_file import (
    folder_of,
    read_record,
    record_naming,
)


def _given(value: str | None) -> str | None:
    return (value or "").strip() or None


@define(eq=False)
class ClaudeCodeSessions(SessionIdentity):
    """Knows the session from what the user set, what hooks wrote down, or what the server was started with.

    `explicit` is the session that the user named (`LAMELLA_SESSION`), `startup_id` the one that the client named
    when it started this process (`CLAUDE_CODE_SESSION_ID`), and `data_directory` the folder in which hooks keep
    records.
    """

    explicit: str | None = field(converter=_given)
    startup_id: str | None = field(converter=_given)
    data_directory: Path
    _records: str = field(init=False)
    """The folder in which hooks keep them; there is none where there are no hooks."""
    # Walked once, while all of them are alive: a record of a process that merely has the id of one doesn't match.
    _ancestors: tuple[tuple[int, str], ...] = field(init=False, factory=ancestors)
    _own: str = field(init=False, factory=lambda: f"session-{uuid4()}")

    def __attrs_post_init__(self) -> None:
        self._records = folder_of(os.fspath(self.data_directory))

    def current(self) -> str:
        """The id of the present session, read anew at each call: a hook may have recorded another."""
        return self.explicit or self._recorded() or self.startup_id or self._own

    def hooked(self) -> bool:
        """Return True if hooks have ever left a record: they have a folder of their own."""
        return os.path.isdir(self._records)  # noqa: PTH112 - asked at each save

    def _recorded(self) -> str | None:
        if not self.hooked():
            return None
        for pid, begun in self._ancestors:
            record = read_record(f"{self._records}/{pid}.json")
            if record and record[0] == begun:
                return record[2]
        # No ancestor is known, as when the client runs outside of the server's container.
        record = record_naming(os.fspath(self.data_directory), self.startup_id) if self.startup_id else None
        return record[2] if record else None
