"""Memories arriving from another storage."""

from collections.abc import Mapping

from attrs import evolve, field, frozen
from attrs.converters import optional

from lamella.domain.ledger.ageing import aged, ages
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import stored_key


@frozen(kw_only=True)
class Arrival:
    """Observation with all data needed to move it to another storage.

    Attributes:
        observation: The observation, with its id, times and status. `sequence` is ignored, because the storage
            assigns the next number. `project` is the target project.
        request: Request id of the call or capture that saved the observation, if any.
        lines: For each change whose hunks were dropped with age, the fingerprints of its lines; empty for other
            changes.
        place: File or line of the memory, for reports; empty if unknown.
    """

    observation: Observation
    request: str | None = field(default=None, converter=optional(stored_key))
    lines: tuple[LineFingerprints, ...] = ()
    place: str = field(default="", eq=False)

    @property
    def fingerprints(self) -> tuple[LineFingerprints, ...]:
        """Fingerprints of each change: computed from its hunks, which is slow, or without hunks from `lines`."""
        changes = self.observation.changes
        computed = line_fingerprints(changes)
        return tuple(
            each if change.hunks else given
            for change, each, given in zip(changes, computed, self.lines or computed, strict=True)
        )

    def amended(self, here: Observation) -> Observation:
        """Return a copy of `here`, the stored captured edit, that has the text and changes of this arrival."""
        amended = ("title", "content", "source", "changes", "updated_at")
        return evolve(here, **{name: getattr(self.observation, name) for name in amended})


def amends(there: Observation, here: Observation) -> bool:
    """Return True if the captured edit `here` must get the text and changes of `there`, its arriving copy.

    The two edits must differ, and `there` must not be older. A storage drops the lines of old edits (see
    `ledger.ageing`), so the lines are compared only if both edits have lines.
    """
    if not ages(there) or there.updated_at < here.updated_at:
        return False
    return _said(aged(there) or there) != _said(aged(here) or here) or (
        _has_lines(there) and _has_lines(here) and there.changes != here.changes
    )


def _said(edit: Observation) -> tuple[object, ...]:
    return edit.title, edit.content, edit.source, edit.changes


def _has_lines(edit: Observation) -> bool:
    return any(change.hunks for change in edit.changes)


def dropped(observation: Observation, known: Mapping[int, LineFingerprints]) -> tuple[LineFingerprints, ...]:
    """Return the known fingerprints of those changes that have no hunks.

    Args:
        observation: Observation with the changes.
        known: Fingerprints of changes, keyed by the index of the change.

    Returns:
        An entry for each change. The entry has no fingerprints if the change has hunks. If `known` has no
        fingerprints of any change without hunks, the whole result is empty.
    """
    places = {place for place, change in enumerate(observation.changes) if not change.hunks}
    found = {place: lines for place, lines in known.items() if place in places and any(lines)}
    none = LineFingerprints()
    return tuple(found.get(place, none) for place in range(len(observation.changes))) if found else ()
