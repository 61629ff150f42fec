"""Find changes made in a working tree by shell commands or people."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path

from attrs import define, evolve, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.ledger.hunks import EDITS_APART, bounded
from lamella.domain.ledger.merge_edits import JOINING, TICK
from lamella.domain.ledger.unreported import discarded, lost_again, restored, unreported
from lamella.domain.memories.kind import EDITED, FOUND, LEARNED
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.privacy.private_files import is_private
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.history import CodeHistory, Latest
from lamella.ports.shared_folder import SharedFolders
from lamella.ports.spool import CommandCaptured, EditCaptured
from lamella.ports.storage.storage import Capability
from lamella.ports.working_tree import WorkingTree

LONGEST_COMMAND = timedelta(minutes=10)
"""Maximum time from a change of a file to the end of the command that made it."""

LONGEST_BREAK = timedelta(days=1)
"""Maximum time from a change of a file by a person to the next prompt."""

_CHECKOUT = timedelta(seconds=10)
"""If a file was touched at most this long after its working tree was created, git has checked it out."""

_PASSED_OVER = "too many, changed at once by commands"
"""Reason for skipping files and commits, printed after their number."""

_GIT = re.compile(r"(?<![\w.-])git(?![\w.-])")
"""Pattern of the word git. A command without this word makes no commits."""

_COMMITS = 100
"""Maximum number of commits to read. If there are more, a program has probably made them."""

_RECENT = 50
"""Number of recent changes whose files are checked for restored lines."""

_NOTEBOOK = ".ipynb"
"""Suffix of notebooks. They are JSON, but an edit reports the lines of a cell, so lines can't be compared."""

_HISTORY = 20
"""Maximum number of observations to compare for one file."""

_WHOLE = 250_000
"""Maximum length in characters of a file that is checked for discarded lines."""

_SETTLED = timedelta(seconds=5)
"""A commit may contain edits dated up to this much later: commits have whole seconds, and hooks take up to 3 s."""

_TELLING = 1_000
"""Maximum number of recent observations to search for the paths of skipped files."""


@frozen
class UnreportedChanges:
    """Changes not reported by a hook.

    Attributes:
        changes: The changes, as edits.
        more: Number of unread files.
        commits: Number of unread commits.
    """

    changes: tuple[EditCaptured, ...]
    more: int
    commits: int

    @property
    def passed_over(self) -> str:
        """Return a phrase about unread files and commits, or an empty text."""
        counts = ((self.more, "file"), (self.commits, "commit"))
        many = " and ".join(f"{count:,} {what}{'s'[: count > 1]}" for count, what in counts if count)
        return f"{many} {_PASSED_OVER}" if many else ""


@define
class FindUnreported:
    """Find changes of tracked files that no captured edit reports."""

    projects: ProjectResolver
    working_tree: WorkingTree
    history: CodeHistory
    shared_folder: SharedFolders

    def __call__(self, call: Call, commands: Sequence[CommandCaptured]) -> UnreportedChanges | None:
        """Return unreported changes made during commands, or by hand.

        These changes are found: uncommitted lines, lines committed during a command naming `git`, deleted and
        renamed files, restored lines (as by `git checkout`), removed lines, and lines that were added and
        discarded before a commit.

        The cause of a change is the first command that ended after the file was touched. If the file was touched
        before that command began, somebody else has changed it, so the change gets no reason. Files touched after
        the last command are left to a later call. If an earlier call skipped files because they were too many,
        they are skipped again.

        Args:
            call: Context of the call.
            commands: The commands, at least one, in chronological order.

        Returns:
            The changes, redacted; None if version control doesn't respond.

        Raises:
            CapabilityUnsupportedError: The storage keeps no ledger.
            StorageError: The storage can't be read.
        """
        here = self.projects.find(call)
        longest = LONGEST_COMMAND if all(each.command for each in commands) else LONGEST_BREAK
        began, ended = commands[0].at - longest, commands[-1].at + TICK
        began = self._after_too_much(here, began)
        differing = self.working_tree.uncommitted(here.root, since=began, until=ended)
        if differing is None:
            return None
        changes: dict[str, list[CodeChange]] = {}
        latest = self._commits(here.root, commands, began)
        # Ignore shared files, which lamella writes itself.
        ours = self.shared_folder.within(here.project.id if here.project else "", here.root)
        for change in (*differing.changes, *(change for each in latest.commits for change in each.changes)):
            if not change.path.startswith(ours):
                changes.setdefault(change.path, []).append(change)
        committed = cache(partial(self.history.committed, here.root))
        others = {*differing.more, *(path for each in latest.commits for path in each.more)} - changes.keys()
        latest_changes = RecallQuery(filters=Filters(path="."), limit=_RECENT)
        recent = [path for path in _changed(here, latest_changes) if path not in changes]
        checked_out = max(began, self.working_tree.made(here.root) + _CHECKOUT)
        starts = dict.fromkeys(changes, began) | dict.fromkeys(recent, checked_out)
        edits = (
            self._edit(here, path, changes.get(path, ()), commands, since=since, committed=committed)
            for path, since in starts.items()
        )
        found = tuple(edit for edit in edits if edit is not None)
        more = self._nobody_tells(here, others, began, ended)
        return UnreportedChanges(found, more=more, commits=latest.more)

    def _edit(
        self,
        here: ProjectContext,
        path: str,
        changes: Sequence[CodeChange],
        commands: Sequence[CommandCaptured],
        *,
        since: datetime,
        committed: Callable[[], datetime | None],
    ) -> EditCaptured | None:
        """Return the unreported change of a file; None if it wasn't touched from `since` to the last command."""
        touched = self.working_tree.touched(here.root, path)
        if is_private(path) or not since <= touched <= commands[-1].at + TICK:
            return None
        cause = next((each for each in commands if each.at + TICK >= touched), commands[-1])
        by_hand, ran = not cause.command, cause.began <= touched
        outside = self._outside(here, path, changes, committed if ran or by_hand else None)
        if outside is None:
            return None
        return EditCaptured(
            name=f"{cause.name} {path}",
            at=cause.at,
            directory=here.root,
            session=cause.session,
            reason=_why(cause) if ran and not by_hand else "",
            asked=cause.asked,
            path=outside.path,
            former=outside.former,
            hunks=outside.hunks,
            source=FOUND,
        )

    def _after_too_much(self, here: ProjectContext, since: datetime) -> datetime:
        """Return `since` or the time right after the last log entry about skipped files, whichever is later."""
        entries = here.activity().since(since) if here.keeps(Capability.ACTIVITY) else ()
        return max((each.at + TICK for each in entries if each.about.endswith(_PASSED_OVER)), default=since)

    def _commits(self, root: Path, commands: Sequence[CommandCaptured], since: datetime) -> Latest:
        """Return the commits made after `since` during commands naming `git`."""
        saying = [each for each in commands if _GIT.search(each.command)]
        during = [(max(each.began, since), each.at + TICK) for each in saying if each.at >= since]
        return self.history.latest(root, during=during, limit=_COMMITS) if during else Latest()

    def _nobody_tells(self, here: ProjectContext, paths: Iterable[str], began: datetime, ended: datetime) -> int:
        """Count the files in `paths` that were touched in the time span, but are in no observation."""
        touched = [path for path in paths if began <= self.working_tree.touched(here.root, path) <= ended]
        if not touched:
            return 0
        query = RecallQuery(filters=Filters(path=".", since=began - JOINING), limit=_TELLING)
        changed = set(_changed(here, query))
        return sum(_clean(path) not in changed and not is_private(path) for path in touched)

    def _outside(
        self,
        here: ProjectContext,
        path: str,
        changes: Sequence[CodeChange],
        committed: Callable[[], datetime | None] | None,
    ) -> CodeChange | None:
        """Return the unreported part of a file's changes, redacted; None if all is reported.

        Args:
            here: The project.
            path: The file.
            changes: Changes of the file, latest first.
            committed: Returns the time of the last commit, if known. If None, discarded lines aren't looked for.
        """
        stored = _clean(path)
        observed = _reported(here, stored)
        formers = _new_formers(changes, observed)
        before = (each for former in formers for each in _reported(here, former))
        reported = [each.change.hunks for each in (*observed, *before)]
        pieces = _unreported_pieces(() if reported and path.endswith(_NOTEBOOK) else changes, reported)
        text = self.working_tree.text(here.root, path)
        pieces.append(_clean(restored(text, [*pieces[::-1], *reported])))
        pieces.append(lost_again(text, [*pieces[::-1], *reported]))
        if committed is not None and not path.endswith(_NOTEBOOK):
            pieces.append(_discarded(text, pieces[::-1], observed, committed))
        if not any(pieces) and not formers:
            return None
        hunks = EDITS_APART.join(filter(None, pieces))
        return CodeChange(path=stored, former=formers[-1] if formers else None, hunks=hunks)


def _new_formers(changes: Sequence[CodeChange], observed: Sequence[FileChange]) -> list[str]:
    """Return the unreported former names of a file, redacted."""
    names = {each.change.former for each in observed}
    formers = [_clean(each.former) for each in changes if each.former is not None]
    return [former for former in formers if former not in names]


def _unreported_pieces(changes: Sequence[CodeChange], reported: Sequence[str]) -> list[str]:
    """Return the unreported part of each change, oldest first. `changes` must be latest first."""
    newer: list[str] = []
    pieces: list[str] = []
    for change in changes:
        hunks = bounded(_clean(change.hunks))
        pieces.insert(0, unreported(hunks, reported, newer))
        newer.append(hunks)
    return pieces


def _discarded(
    text: str, newer: Sequence[str], observed: Sequence[FileChange], committed: Callable[[], datetime | None]
) -> str:
    """Return hunks of the lines that were added to a file since the last commit, and are missing now.

    Only edits made after the last commit are considered. The commit may contain the lines of earlier edits.

    Args:
        text: Content of the file.
        newer: Hunks found in this run, latest first.
        observed: Stored changes of the file, latest first.
        committed: Returns the time of the last commit, if known.
    """
    if len(text) > _WHOLE or not discarded(text, [*newer, *(each.change.hunks for each in observed)]):
        return ""
    if (moment := committed()) is None:
        return ""
    late = [each for each in observed if each.source in (EDITED, FOUND) and each.at > moment + _SETTLED]
    others = [each.change.hunks for each in observed if each.source != EDITED and each not in late]
    return discarded(f"{text}\n{_clean(text)}", [each.change.hunks for each in late], [*newer, *others])


def _why(cause: CommandCaptured) -> str:
    return "\n".join(filter(None, (cause.reason, cause.command and f"Command: {cause.command}")))


def _changed(here: ProjectContext, query: RecallQuery) -> Sequence[str]:
    """Return the paths of all files in the observations that a query finds, without duplicates."""
    return list(dict.fromkeys(each.path for hit in here.search.find(query) for each in hit.observation.changes))


def _clean(text: str) -> str:
    """Redact text from a working tree. Stored texts are redacted already."""
    return cleaned(text).text


def _reported(here: ProjectContext, path: str) -> Sequence[FileChange]:
    """Return a file's changes from its latest observations, latest first. `path` is the stored path.

    A change found after a command naming `git` may be part of a commit. It counts as learned from a commit.
    """
    entries = here.ledger().history(path, limit=_HISTORY)
    whole = here.observations.get_all({entry.observation for entry in entries})
    return [
        evolve(entry, change=change, source=LEARNED if entry.source == FOUND and says_git else entry.source)
        for entry in entries
        if entry.observation in whole  # otherwise, the observation was erased meanwhile
        for says_git in (_GIT.search(whole[entry.observation].content),)
        for change in whole[entry.observation].changes
        if change.path == entry.change.path
    ]
