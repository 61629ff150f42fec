"""Entries of the audit trail, and the signatures of their changes."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from attrs import evolve, field, frozen
from attrs.converters import optional
from attrs.validators import ge

from lamella.domain.text.printing import stored_key, well_formed
from lamella.domain.validation import in_utc


@frozen(kw_only=True)
class Signature:
    """Time and author of a change, for its entry in the audit trail.

    Attributes:
        at: Time of the change.
        actor: Kind of author, such as `agent` or `user`.
        author: Name of the person or program, if known.
        session: Id of the session, if any.
        undoes: For an undo, the id of the undone entry.
    """

    at: datetime = field(converter=in_utc)
    actor: str = field(converter=well_formed)
    author: str | None = field(default=None, converter=optional(well_formed))
    session: str | None = field(default=None, converter=optional(stored_key))
    undoes: UUID | None = None


_MOST_DIGITS = 19
"""Names of entries with this number of digits or more are rejected, because storages have 64-bit numbers."""


class Action(StrEnum):
    """Kind of change."""

    PURGE = "purge"
    RESTORE = "restore"
    ERASE = "erase"
    EDIT = "edit"
    """Some memories replaced others."""
    IMPORT = "import"
    MERGE = "merge"
    SPLIT = "split"
    KEEP = "keep"
    """A review confirmed the memories in `restored`.

    The undo of a review withdrew the confirmation of the memories in `purged`. Neither a review nor its undo
    changes the statuses of memories.
    """


@frozen(kw_only=True)
class AuditEntry:
    """Record of a change of memories. It has ids, but no text of the memories.

    Attributes:
        id: Permanent id. It stays the same when the entry is moved or copied to another trail.
        number: Number of the entry in its trail; never reused.
        action: Kind of change.
        by: Time and author; for an undo, also the undone entry.
        added: Ids of added memories. `added`, `purged` and `restored` leave out erased memories.
        purged: Ids of purged memories.
        restored: Ids of restored memories. For an edit that isn't an undo, the id of the replacement if the
            replacement already was a live memory before the edit; such an edit restores nothing.
        count: Number of changed memories, including erased memories.
        old: Id of the merged or split-off project; None for other changes.
        new: Id of the project that `old` was merged into or split off from; None for other changes.
        origin: Id of the project that a split moves the entry to. A storage replaces None by the id of the project
            that gets the entry.
    """

    id: UUID
    number: int = 0
    action: Action
    by: Signature
    added: tuple[UUID, ...] = ()
    purged: tuple[UUID, ...] = ()
    restored: tuple[UUID, ...] = ()
    count: int = field(default=0, validator=ge(0))
    old: str | None = None
    new: str | None = None
    origin: str | None = field(default=None, eq=False)

    def within(self, project: str) -> "AuditEntry":
        """Return a copy of the entry for the trail of one project, with a new id.

        A change of several projects gets an entry in each of their trails. If the projects are merged later, the
        trails are merged too, so all these entries need different ids.
        """
        return evolve(self, id=uuid5(self.id, project))

    @property
    def memories(self) -> tuple[UUID, ...]:
        """Ids of all changed memories that haven't been erased."""
        return (*self.added, *self.purged, *self.restored)

    @property
    def erased(self) -> int:
        """Number of changed memories that have been erased."""
        return 0 if self.old else max(0, self.count - len(self.memories))


def entry_name(number: int, *, everywhere: bool) -> str:
    """Return the name of an entry for commands and pages: `3`, or `e3` in the trail of global memories."""
    return f"e{number}" if everywhere else str(number)


def named_entry(name: str) -> tuple[int, bool] | None:
    """Parse a name made by `entry_name`.

    Return the number, and True for global memories; None for any other text.
    """
    digits = name.removeprefix("e")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < _MOST_DIGITS):
        return None
    return int(digits), digits != name
