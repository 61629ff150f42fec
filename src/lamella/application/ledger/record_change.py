"""Record edits that were captured while they were made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from attrs import define, evolve, field, frozen
from attrs.validators import optional

from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.describe import described
from lamella.domain.ledger.hunks import bounded, counted
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.memories.titles import generated_title
from lamella.domain.privacy.private_files import is_private
from lamella.domain.validation import aware
from lamella.ports.storage.ledger import Capture, Recorded
from lamella.ports.system import IdSource
from lamella.ports.working_tree import WorkingTree


@frozen(kw_only=True)
class CapturedEdit:
    """One edit of a file, as it was captured at `at` in a session.

    `path`, and `former` where the file was renamed, are relative to the project's root or absolute within it.
    `hunks` is a unified diff without file headers. `reason` is what the session was about, and `asked` when the
    user last asked for something in it. `request` names the capture for ever: recording it again changes nothing.
    `source` is `EDITED` or `FOUND`, of `lamella.domain.memories.kind`.
    """

    path: str
    hunks: str
    at: datetime = field(validator=aware)
    request: str
    session: str | None = None
    reason: str = ""
    asked: datetime | None = field(default=None, validator=optional(aware))
    former: str | None = None
    source: str = EDITED


@define
class RecordOutcome:
    """The result for captured edits: how they were recorded, and the number of secrets redacted.

    `skipped` says of each of the others, by its request, why it was passed over.
    """

    recorded: Counter[Recorded] = field(factory=Counter)
    skipped: dict[str, str] = field(factory=dict)
    redacted: int = 0


@define
class RecordChanges:
    """Make observations of captured edits. Several edits of a file for one prompt become one."""

    projects: ProjectResolver
    working_tree: WorkingTree
    ids: IdSource

    def __call__(self, call: Call, changes: Sequence[CapturedEdit]) -> RecordOutcome:
        """Record all edits or, if storage fails, none; then they may be given again.

        Files that are made to hold secrets, that git ignores or that lie outside the project are passed over.
        Secrets, and what is marked as private, are taken out before anything is written.

        Raises:
            UnknownProjectError: there is no such project.
            CapabilityUnsupportedError: the storage keeps no ledger.
            StorageError: nothing was recorded.
        """
        outcome, cleaner = RecordOutcome(), Cleaner()
        captures = list(self._captures(changes, self.projects.find(call).root, outcome, cleaner))
        outcome.redacted = cleaner.secrets
        if captures:
            outcome.recorded.update(self.projects.find_or_create(call).ledger().record(captures))
        return outcome

    def _captures(
        self, changes: Sequence[CapturedEdit], root: Path, outcome: RecordOutcome, cleaner: Cleaner
    ) -> Iterator[Capture]:
        inside = []
        for each in changes:
            try:
                path = self.working_tree.relative(root, each.path)
                former = None if each.former is None else self.working_tree.relative(root, each.former)
            except PathOutsideProjectError:
                outcome.skipped[each.request] = "outside the project"
                continue
            inside.append((each, path, former))
        ignored = self.working_tree.ignored(root, [path for _, path, _ in inside])
        for each, path, former in inside:
            additions, deletions = counted(each.hunks)
            if is_private(path) or (former is not None and is_private(former)):
                outcome.skipped[each.request] = "a file for secrets"
            elif path in ignored:
                outcome.skipped[each.request] = "ignored by git"
            elif additions == deletions == 0 and former is None:
                outcome.skipped[each.request] = "nothing changed"
            else:
                change = CodeChange(
                    path=path, former=former, additions=additions, deletions=deletions, hunks=each.hunks
                )
                yield self._capture(each, cleaner.change(change), cleaner.text(each.reason).strip())

    def _capture(self, captured: CapturedEdit, change: CodeChange, reason: str) -> Capture:
        draft = Draft(
            content=described([change], reason),
            title=generated_title(reason) if reason else f"Changed {change.path}",
            source=captured.source,
            kind=Kind.CHANGE,
            session=captured.session,
            changes=(evolve(change, hunks=bounded(change.hunks)),),
            request=captured.request,
        )
        return Capture(id=self.ids.new(), draft=draft, at=captured.at, asked=captured.asked)
