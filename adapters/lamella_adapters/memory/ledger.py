"""Ledger of one project. Each call computes it from the changes of the project."""

from collections.abc import Collection, Iterator

from attrs import define, evolve

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.file_change import FileChange, Removal, TimelinePosition, entry, removals
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.ledger.reintroduction import names_over_time
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import CodeLedger
from lamella_adapters.memory.observations import Beside


@define(eq=False)
class InMemoryLedger(Beside, CodeLedger):
    """Lines added to and removed from the files of one project."""

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

    def _live(self) -> list[Observation]:
        """Return the live observations, newest first."""
        return [each for each in reversed(self.observations.in_order()) if not each.purged]

    def _names(self, path: str) -> tuple[tuple[str, TimelinePosition | None], ...]:
        def rename(name: str, before: TimelinePosition | None) -> tuple[str, TimelinePosition] | None:
            for each in self._live():
                for change in each.changes:
                    renamed = change.path == name and change.former not in (None, name)
                    if renamed and (before is None or _place(each) < before):
                        return change.former or "", _place(each)
            return None

        return names_over_time(well_formed(path), rename)

    def _changes(self, path: str, *, folders: bool = False) -> Iterator[tuple[FileChange, LineFingerprints]]:
        """Yield every change of a file, with the fingerprints of its lines, newest first.

        Args:
            path: The file.
            folders: True to also yield the changes of the files in `path`, if `path` is a folder.
        """
        names, live, folder = self._names(path), self._live(), "" if path == "." else f"{well_formed(path)}/"
        short_ids = self.observations.short_ids(each.id for each in live)
        for each in live:
            known = self.observations.data.rows[each.id].lines or line_fingerprints(each.changes)
            for change, lines in reversed(list(zip(each.changes, known, strict=True))):
                inside = folders and change.path.startswith(folder)
                if inside or any(
                    change.path == name and (end is None or _place(each) < end) for name, end in names
                ):
                    yield entry(each, evolve(change, hunks="", version=None), short_ids[each.id]), lines


def _place(observation: Observation) -> TimelinePosition:
    return TimelinePosition(observation.occurred_at, observation.sequence)
