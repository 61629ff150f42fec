"""Check before an edit whether it reintroduces removed code."""

from datetime import datetime
from functools import partial

from attrs import define, field, frozen
from attrs.validators import optional

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.ledger.file_change import Removal
from lamella.domain.ledger.reintroduction import Turn, reintroduced
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.replies.edit_warning import warning
from lamella.domain.text.printing import as_text
from lamella.domain.validation import aware, is_text
from lamella.ports.working_tree import WorkingTree


@frozen(kw_only=True)
class EditRequest:
    """Planned edit.

    Attributes:
        path: File to edit.
        before: Text of the whole file, or of the replaced part.
        after: New text.
        asked: Time of the user's last prompt in the session, if known.
    """

    path: str = field(converter=as_text, validator=is_text)
    before: str = field(converter=as_text, validator=is_text)
    after: str = field(converter=as_text, validator=is_text)
    asked: datetime | None = field(default=None, validator=optional(aware))


@define
class CheckEdit:
    """Warn about edits that reintroduce removed code, once for each session and removal."""

    projects: ProjectResolver
    working_tree: WorkingTree

    def __call__(self, call: Call, request: EditRequest) -> str | None:
        """Return the warning, or None without a reason to warn. Its dates are in the time zone of `call`.

        Code that is still in the file causes no warning. A session isn't warned either if it may be moving the
        code. This is the case if the session itself removed the code after the user's last prompt, or adds it in a
        different place. A session is warned only once about each removal. Nothing is written without a warning.

        If an edit removed the code, and the session of that edit has saved decisions about the file, the warning
        names the latest of these decisions instead of the edit.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: The storage keeps no ledger.
            StorageError: The storage failed.
        """
        here = self.projects.find(call)
        path = self.working_tree.relative(here.root, request.path)
        ledger, session = here.ledger(), call.session or ""
        turn = Turn(session, request.asked)

        def hunks(removal: Removal) -> str:
            (observation,) = here.observations.get_all([removal.observation]).values()
            return "\n".join(each.hunks for each in observation.changes if each.path == removal.path)

        found = reintroduced(request.before, request.after, partial(ledger.removals, path), turn, hunks)
        if found is None or not ledger.tell(session, found[0]):
            return None
        removal, likeness = found
        day = f"{removal.at.astimezone(call.zone):%Y-%m-%d}"
        id, title = removal.short_id, removal.title
        if removal.kind is Kind.CHANGE and removal.session:
            # A decision saved before the edit has no removed lines, so the search for removals doesn't find it.
            about = Filters(session=removal.session, path=removal.path, kind=Kind.NOTE, source=DECISION)
            for hit in here.search.find(RecallQuery(filters=about, limit=1)):
                id, title = hit.short_id, hit.observation.title
        return warning(likeness, path=removal.path, day=day, title=title, where=f"recall with id {id}")
