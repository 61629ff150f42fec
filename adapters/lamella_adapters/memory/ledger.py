"""The ledger of one project, computed from its changes at each call."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from attrs import define, evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.file_change import FileChange, Place, Removal, entry, removals
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.ledger.merge_edits import joined
from lamella.domain.ledger.reintroduction import names_over_time
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.text.keys import stored_key
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row


@define(eq=False)
class InMemoryLedger(CodeLedger):
    """Lines added to and removed from the files of one project."""

    observations: InMemoryObservations

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """See `CodeLedger.record`."""
        with self.observations.lock:
            return tuple(map(self._record, captures))

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        with self.observations.lock:
            captured = self.observations.shelf.captured
            return frozenset(request for request in requests if stored_key(request) in captured)

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        with self.observations.lock:
            return tuple(dict.fromkeys(name for name, _ in self._names(path)))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.observations.lock:
            return tuple(each for each, _ in self._changes(path, folders=True))[:limit]

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.observations.lock:
            return removals(self._changes(path), frozenset(fingerprints))

    def age(self, before: datetime, *, limit: int) -> bool:
        """See `CodeLedger.age`."""
        with self.observations.lock:
            old = [each for each in self.observations.in_order() if each.occurred_at < before]
            found = [(each, whole) for each in old if (whole := aged(each)) is not None][:limit]
            for former, whole in found:
                row = self.observations.shelf.rows[former.id]
                row.lines, row.observation = line_fingerprints(former.changes), whole
                self.observations.shelf.vectors.pop(former.id, None)
            return len(found) == limit

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        with self.observations.lock:
            shelf, told = self.observations.shelf, (stored_key(session), removal.path)
            if removal.observation not in shelf.rows or told in shelf.told.get(removal.observation, ()):
                return False
            shelf.told.setdefault(removal.observation, set()).add(told)
            return True

    def _record(self, capture: Capture) -> Recorded:
        project, shelf = self.observations.storage.home(self.observations.project)
        draft = capture.draft
        if draft.request is not None:
            if draft.request in shelf.captured:
                return Recorded.KNOWN
            shelf.captured[draft.request] = project
        older = self._latest(draft)
        whole = None if older is None else joined(older, draft, capture.at, capture.asked)
        if whole is not None:
            shelf.rows[whole.id].observation = whole
            shelf.vectors.pop(whole.id, None)
            return Recorded.JOINED
        observation = draft.observed(id=capture.id, project=project, sequence=0, now=capture.at)
        shelf.place(Row(observation, draft.fingerprint, draft.request), project)
        return Recorded.NEW

    def _latest(self, draft: Draft) -> Observation | None:
        paths = {change.path for change in draft.changes}
        about = (each for each in self._live() if paths & {change.path for change in each.changes})
        return next(about, None)

    def _live(self) -> list[Observation]:
        """Return the live observations, newest first."""
        return [each for each in reversed(self.observations.in_order()) if not each.purged]

    def _names(self, path: str) -> tuple[tuple[str, Place | None], ...]:
        def rename(name: str, before: Place | None) -> tuple[str, Place] | None:
            for each in self._live():
                for change in each.changes:
                    renamed = change.path == name and change.former not in (None, name)
                    if renamed and (before is None or _place(each) < before):
                        return change.former or "", _place(each)
            return None

        return names_over_time(well_formed(path), rename)

    def _changes(self, path: str, *, folders: bool = False) -> Iterator[tuple[FileChange, LineFingerprints]]:
        """Yield every change of a file with the fingerprints of its lines, newest first.

        Args:
            path: The file.
            folders: `path` may be a folder: also those of the files in it.
        """
        names, live, folder = self._names(path), self._live(), "" if path == "." else f"{well_formed(path)}/"
        short_ids = self.observations.short_ids(each.id for each in live)
        for each in live:
            known = self.observations.shelf.rows[each.id].lines or line_fingerprints(each.changes)
            for change, lines in reversed(list(zip(each.changes, known, strict=True))):
                inside = folders and change.path.startswith(folder)
                if inside or any(
                    change.path == name and (end is None or _place(each) < end) for name, end in names
                ):
                    yield entry(each, evolve(change, hunks="", version=None), short_ids[each.id]), lines


def _place(observation: Observation) -> Place:
    return Place(observation.occurred_at, observation.sequence)
