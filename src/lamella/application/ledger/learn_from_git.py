"""Learn changes made before lamella was used, from the history of version control."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate, islice
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.moved import moved_here
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.exchange.file_names import is_memory_file
from lamella.domain.ledger import describe, hunks
from lamella.domain.ledger.commits import commit_named, commit_request, short_commit
from lamella.domain.memories.kind import LEARNED, PARTS_APART
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.privacy.private_files import is_private
from lamella.ports.history import CodeHistory, Commit
from lamella.ports.shared_folder import SharedFolders
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.system import Clock, IdSource
from lamella.ports.working_tree import WorkingTree

DEFAULT_COMMITS = 500
"""Default number of latest commits to learn from."""

DEFAULT_MEGABYTES = 64
"""Default number of MB of patches that a run reads before it stops. The next run continues."""

_COMMIT_CHARACTERS = 1_000_000
"""Maximum total length of a commit's hunks."""

_NAMED = re.compile(r"\([0-9a-f]{7}\)$|^Commit [0-9a-f]{7}$")
"""Pattern of titles that contain the commit's short id."""

_MOST_CHANGES = 1_000_000
"""A limit larger than the number of file changes in any project."""

_BATCH = 25
"""Number of commits to store at a time. If the process is killed, at most one batch is lost."""


@define
class Learned:
    """Progress and result of learning from history.

    Attributes:
        commits: Number of commits.
        done: Number of commits processed, now or earlier.
        new: Number of commits learned now.
        size: Bytes of patches read.
        skipped: Numbers of skipped files, keyed by reason.
        redacted: Number of redacted secrets.
        stopped: True if the size limit was reached before the end.
    """

    commits: int = 0
    done: int = 0
    new: int = 0
    size: int = 0
    skipped: Counter[str] = field(factory=Counter)
    redacted: int = 0
    stopped: bool = False


@define
class LearnHistory:
    """Save each commit as an observation with the commit's time. A repeated run adds only new commits."""

    projects: ProjectResolver
    working_tree: WorkingTree
    history: CodeHistory
    shared_folder: SharedFolders
    ids: IdSource
    clock: Clock

    def __call__(
        self, call: Call, *, limit: int = DEFAULT_COMMITS, megabytes: int = DEFAULT_MEGABYTES
    ) -> Iterator[Learned]:
        """Learn from commits, oldest first. Yield the updated account after each batch.

        Files made for secrets, now ignored by git, or written by `lamella share` are skipped. Text is redacted
        before anything is written. An interrupted run resumes. Erased commits are not learned again. Observations
        that were saved by an earlier version of lamella lack the commit's id. They are replaced by observations
        with the id.

        Args:
            call: Context of the call.
            limit: Maximum number of commits. The latest commits are learned.
            megabytes: Number of MB of patches to read before the run stops.

        Raises:
            HistoryUnreadableError: The history is missing, or can't be read.
            CapabilityUnsupportedError: The storage keeps no ledger.
            StorageError: The storage failed.
        """
        root = self.projects.find(call).root
        ids = self.history.commits(root, limit=limit)
        account, cleaner = Learned(commits=len(ids)), Cleaner()
        yield account
        if not ids:
            return
        here = self.projects.find_or_create(call)
        ledger = here.ledger()
        former = _Former.of(ledger, ids)
        known = ledger.known([commit_request(id) for id in ids])
        left = [id for id in ids if commit_request(id) not in known and former.may_lack(id)]
        account.done = len(ids) - len(left)
        # Times never decrease, although the clocks of the authors may differ.
        commits = accumulate(self.history.read(root, left), lambda old, new: evolve(new, at=max(old.at, new.at)))
        while batch := list(islice(commits, _BATCH)):
            captures = list(self._captures(batch, here, account, cleaner, former))
            account.new += ledger.record(captures).count(Recorded.NEW)
            if former.replaced:
                here.observations.purge(former.replaced, by=self.projects.signature(call))
            account.done += len(batch)
            account.size += sum(commit.size for commit in batch)
            account.redacted = cleaner.secrets
            account.stopped = account.size > megabytes * 1024 * 1024 and account.done < len(ids)
            yield account
            if account.stopped:
                return

    def unasked(self, call: Call) -> Iterator[Learned]:
        """Learn without a request by the user, with the defaults of `__call__`.

        Nothing is learned if a project that has probably moved here has these commits already. Otherwise, a merge
        of both projects would store the commits twice.
        """
        if moved_here(self.projects, call) is None:
            yield from self(call)

    def _captures(
        self, commits: list[Commit], here: ProjectContext, account: Learned, cleaner: Cleaner, former: "_Former"
    ) -> Iterator[Capture]:
        root, ours = here.root, self.shared_folder.within(here.id, here.root)
        paths = {change.path for commit in commits for change in commit.changes}
        ignored = self.working_tree.ignored(root, sorted(paths))
        for commit in commits:
            changes = []
            for change in commit.changes:
                if is_private(change.path) or is_private(change.former or ""):
                    account.skipped["a file for secrets"] += 1
                elif change.path in ignored:
                    account.skipped["ignored by git"] += 1
                elif change.path.startswith(ours) or is_memory_file(change.path):
                    account.skipped["a shared memory"] += 1
                else:
                    changes.append(change)
            message = cleaner.text(commit.message).strip()
            if changes and former.gives_way(commit, message):
                clean = cleaner.changes(changes, each=hunks.MAX_HUNK_CHARACTERS, together=_COMMIT_CHARACTERS)
                made_on = self.working_tree.checkout(root, commit.at)
                # If HEAD wasn't this commit at that time, the commit wasn't made in this checkout.
                branch = made_on.branch if made_on.head == commit.id else None
                draft = _draft(commit, clean, message, branch)
                yield Capture(id=self.ids.new(), draft=draft, at=commit.at)


@define
class _Former:
    """Commits that were learned before. Observations from earlier versions of lamella lack the commit's id.

    Attributes:
        known: Request ids of the commits that this or an earlier version of lamella has learned.
        unnamed: Ids of live observations that lack a commit's id, keyed by title and time.
        replaced: Ids of observations to replace by new ones.
    """

    known: frozenset[str]
    unnamed: dict[tuple[str, datetime], UUID]
    replaced: list[UUID] = field(factory=list)

    @classmethod
    def of(cls, ledger: CodeLedger, ids: Sequence[str]) -> "_Former":
        """Look up which of the commits `ids` were learned before."""
        known = ledger.known([cls._request(id) for id in ids])
        entries = ledger.history(".", limit=_MOST_CHANGES) if known else ()
        unnamed = [each for each in entries if each.source == LEARNED and not _NAMED.search(each.title)]
        return cls(known, {(each.title, each.at): each.observation for each in unnamed})

    def may_lack(self, id: str) -> bool:
        """Return True if a commit must be read, because it is new or its observation may lack the commit's id."""
        return bool(self.unnamed) or self._request(id) not in self.known

    def gives_way(self, commit: Commit, message: str) -> bool:
        """Return True if a commit must be learned, because it is new or its observation lacks the commit's id.

        In the second case, add that observation to `replaced`.
        """
        title = message.partition("\n")[0].strip()[:MAX_TITLE_CHARACTERS] or f"Commit {commit.id[:8]}"
        found = self.unnamed.pop((title, commit.at), None)
        if found is not None:
            self.replaced.append(found)
        return found is not None or self._request(commit.id) not in self.known

    @staticmethod
    def _request(commit: str) -> str:
        return f"commit {commit}"


def _title(subject: str, id: str) -> str:
    """Return the title of the observation of a commit: its subject and its short id."""
    short = short_commit(id)
    room = MAX_TITLE_CHARACTERS - len(short) - len(" ()")
    return f"{subject.strip()[:room].strip()} ({short})" if subject.strip() else f"Commit {short}"


def _draft(commit: Commit, changes: tuple[CodeChange, ...], message: str, branch: str | None) -> Draft:
    subject, _, body = message.partition("\n")
    title = _title(subject, commit.id)
    # The title has the commit's short id. Add the full id, because then search finds the commit by either.
    end = commit_named(commit.id)
    said = PARTS_APART.join(filter(None, (title, body.strip())))
    return Draft(
        content=describe.described(changes, said, describe.MAX_CONTENT_CHARACTERS - len(end)) + end,
        title=title,
        source=LEARNED,
        actor=LEARNED,
        kind=Kind.CHANGE,
        changes=changes,
        branch=branch,
        head=commit.id,
        request=commit_request(commit.id),
    )
