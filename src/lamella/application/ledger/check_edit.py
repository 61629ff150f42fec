"""Check, before an edit is made, if it reintroduces removed code."""

from datetime import datetime, tzinfo

from attrs import define, field, frozen
from attrs.validators import optional

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.ledger.file_change import Removal
from lamella.domain.ledger.reintroduction import Likeness, NewCode, Turn
from lamella.domain.privacy.redaction import redact
from lamella.domain.replies.edit_warning import warning
from lamella.domain.validation import as_text, aware, is_text
from lamella.ports.working_tree import WorkingTree


@frozen(kw_only=True)
class EditRequest:
    """An edit that is about to be made.

    Attributes:
        path: File to be edited.
        before: Text of the whole file, or of the part that is replaced.
        after: Text in its place.
        asked: Time of the user's last prompt in the session, if known.
    """

    path: str = field(converter=as_text, validator=is_text)
    before: str = field(converter=as_text, validator=is_text)
    after: str = field(converter=as_text, validator=is_text)
    asked: datetime | None = field(default=None, validator=optional(aware))


@frozen(kw_only=True)
class WalkBack:
    """The removal that an edit would undo, with its short id."""

    removal: Removal
    likeness: Likeness
    short_id: str

    def told(self, zone: tzinfo) -> str:
        """Return the warning, with dates in `zone`."""
        return warning(
            self.likeness,
            path=self.removal.path,
            day=f"{self.removal.at.astimezone(zone):%Y-%m-%d}",
            title=self.removal.title,
            id=self.short_id,
        )


@define
class CheckEdit:
    """Warn once in a session that an edit reintroduces what a change removed from the file."""

    projects: ProjectResolver
    working_tree: WorkingTree

    def __call__(self, call: Call, request: EditRequest) -> WalkBack | None:
        """Return the removal that the edit undoes; None if there is none or the session knows it.

        What stands in the file now or was moved is nothing to walk back into, nor what the
        session has just removed itself, since it was asked: that may be a move. Writes only where there is
        something to tell.

        Raises:
            PathOutsideProjectError: the file is not the project's.
            UnknownProjectError: there is no such project.
            CapabilityUnsupportedError: the storage keeps no ledger.
            StorageError: storage cannot be used.
        """
        here = self.projects.find(call)
        path = self.working_tree.relative(here.root, request.path)
        # As it would be stored, or a line that holds a secret would not be known again.
        before, after = redact(request.before).text, redact(request.after).text
        code, ledger = NewCode.of(before, after), here.ledger()
        if not code.fingerprints:
            return None
        removals = ledger.removals(path, code.fingerprints)
        session = call.session or ""
        turn = Turn(session, request.asked)
        found = code.unlike(before).reintroduction(removals, turn) if removals else None
        if found is None or not ledger.tell(session, found[0]):
            return None
        (short_id,) = here.observations.short_ids([found[0].observation])
        return WalkBack(removal=found[0], likeness=found[1], short_id=short_id)

    def told(self, call: Call, request: EditRequest) -> str | None:
        """Return the warning in words, with dates in the time zone of `call`."""
        found = self(call, request)
        return None if found is None else found.told(call.zone)
