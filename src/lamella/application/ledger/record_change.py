"""Record captured edits."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, evolve, field

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.describe import described
from lamella.domain.ledger.hunks import bounded, counted
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.kind import ACCOUNT
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.memories.titles import generated_title
from lamella.domain.privacy.private_files import is_private
from lamella.ports.spool import EditCaptured
from lamella.ports.storage.ledger import Capture, Recorded
from lamella.ports.system import IdSource
from lamella.ports.working_tree import WorkingTree


@define
class RecordOutcome:
    """The result for captured edits.

    Attributes:
        recorded: Numbers of recorded edits, keyed by the kind of recording, such as new, or merged into an older
            edit.
        skipped: Skipped edits, each with the reason.
    """

    recorded: Counter[Recorded] = field(factory=Counter)
    skipped: list[tuple[EditCaptured, str]] = field(factory=list)


@define
class RecordChanges:
    """Save captured edits as observations. Edits of the same file for the same prompt become one observation."""

    projects: ProjectResolver
    working_tree: WorkingTree
    ids: IdSource

    def __call__(self, call: Call, edits: Sequence[EditCaptured]) -> RecordOutcome:
        """Record the edits in one transaction.

        If the storage fails, no edit is recorded, and the call can be repeated.

        Files made for secrets, ignored by git, or outside of the project are skipped.

        Args:
            call: Context of the call. The project of the call gets the edits, whatever their directories.
            edits: Edits in chronological order, already redacted. An edit whose `name` is already recorded is
                ignored.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: The storage keeps no ledger.
            StorageError: The storage failed, and nothing was recorded.
        """
        outcome = RecordOutcome()
        root, author = self.projects.root(call), self.projects.author(call)
        captures = [
            self._capture(edit, change, author, call.client, self.working_tree.checkout(root, edit.at))
            for edit, change in self._changes(edits, root, outcome)
        ]
        if captures:
            outcome.recorded.update(self.projects.find_or_create(call).ledger().record(captures))
        return outcome

    def _changes(
        self, edits: Sequence[EditCaptured], root: Path, outcome: RecordOutcome
    ) -> Iterator[tuple[EditCaptured, CodeChange]]:
        """Yield the edits to record, each with its change."""
        inside = []
        for each in edits:
            try:
                path = self._relative(root, each, each.path)
                former = None if each.former is None else self._relative(root, each, each.former)
            except PathOutsideProjectError:
                outcome.skipped.append((each, "outside the project"))
                continue
            inside.append((each, path, former))
        ignored = self.working_tree.ignored(root, [path for _, path, _ in inside])
        for each, path, former in inside:
            additions, deletions = counted(each.hunks)
            if is_private(path) or (former is not None and is_private(former)):
                outcome.skipped.append((each, "a file for secrets"))
            elif path in ignored:
                outcome.skipped.append((each, "ignored by git"))
            elif additions == deletions == 0 and former is None:
                outcome.skipped.append((each, "nothing changed"))
            else:
                yield (
                    each,
                    CodeChange(
                        path=path, former=former, additions=additions, deletions=deletions, hunks=each.hunks
                    ),
                )

    def _relative(self, root: Path, edit: EditCaptured, path: str) -> str:
        return self.working_tree.relative(root, str(edit.directory / path))

    def _capture(
        self, edit: EditCaptured, change: CodeChange, author: str | None, client: str | None, checkout: Checkout
    ) -> Capture:
        reason = edit.reason.strip()
        draft = Draft(
            content=described([change], reason),
            title=generated_title(reason) if reason else f"{ACCOUNT}{change.path}",
            source=edit.source,
            kind=Kind.CHANGE,
            author=author,
            session=edit.session,
            changes=(evolve(change, hunks=bounded(change.hunks)),),
            branch=checkout.branch,
            head=checkout.head,
            client=client,
            request=edit.name,
        )
        return Capture(id=self.ids.new(), draft=draft, at=edit.at, asked=edit.asked)
