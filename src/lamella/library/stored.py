"""Methods of `Memory` for stored memories: read, hide, restore and delete them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack
from uuid import UUID

from lamella.domain.validation import as_ids, require_number, require_type
from lamella.library.base import CallerMemory, in_words_of_programs
from lamella.library.given import Conditions, conditions, id_prefix

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.application.memories.get import FoundMemories
    from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
    from lamella.application.memories.timeline import TimelineRequest
    from lamella.domain.memories.observation import Observation
    from lamella.domain.memories.query import Filters
    from lamella.domain.memories.timeline import Surroundings

Ids = Sequence[str | UUID]
"""Ids of memories, or prefixes of ids."""


@in_words_of_programs
class StoredMemory(CallerMemory):
    """Methods of `Memory` for stored memories."""

    def get(self, ids: Ids) -> FoundMemories:
        """Return the live memories with the given ids, and the ids without a memory.

        Raises:
            AmbiguousIdError: An id matches several memories.

        Example:
            >>> saved = memory.save("Staging is reset every night.").observation
            >>> found = memory.get([saved.id, "00000000"])
            >>> [each.content for each in found.observations], found.missing
            (['Staging is reset every night.'], ('00000000',))
        """
        return self._lamella.get(self._call, as_ids(ids))

    def timeline(self, request: TimelineRequest) -> Surroundings:
        """Return the memories directly before and after an anchor: a time or a memory.

        Raises:
            ObservationNotFoundError: No live memory has the id.
            AmbiguousIdError: The id matches several memories.

        Example:
            >>> first, second = (memory.save(text).observation for text in ("Deploy failed.", "Rolled back."))
            >>> around = memory.timeline(lamella.TimelineRequest(anchor=str(second.id), before=1))
            >>> [each.content for each in around.before]
            ['Deploy failed.']
        """
        return self._asked(self._lamella.timeline, request)

    def history(self, id: str | UUID) -> tuple[Observation, ...]:
        """Return all versions of a memory, the latest first. See `log` for their authors.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.

        Example:
            >>> old = memory.save("Staging is never reset.").observation
            >>> new = memory.replace(old.id, "Staging is reset every night.").observation
            >>> [each.content for each in memory.history(new.id)]
            ['Staging is reset every night.', 'Staging is never reset.']
        """
        return self._lamella.find_one.versions(self._call, id_prefix(id))

    def purge(self, ids: Ids) -> StatusChangeOutcome:
        """Hide memories from search until they are restored. Errors for single ids are in the outcome.

        Example:
            >>> saved = memory.save("Staging is never reset.").observation
            >>> [each.content for each in memory.purge([saved.id]).changed]
            ['Staging is never reset.']
            >>> list(memory.search("staging"))
            []
        """
        return self._lamella.purge(self._call, as_ids(ids))

    def restore(self, ids: Ids) -> StatusChangeOutcome:
        """Restore purged memories. Errors for single ids are in the outcome.

        Example:
            >>> saved = memory.save("Staging is reset every night.").observation
            >>> purged = memory.purge([saved.id])
            >>> len(memory.restore([saved.id]).changed)
            1
        """
        return self._lamella.restore(self._call, as_ids(ids))

    def erase(self, ids: Ids) -> StatusChangeOutcome:
        """Delete memories permanently.

        Raises:
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage can't erase.

        Example:
            >>> saved = memory.save("The key was ...").observation
            >>> len(memory.erase([saved.id]).changed)
            1
            >>> memory.restore([saved.id]).failures
            {'...': 'not found'}
        """
        return self._lamella.erase(self._call, as_ids(ids))

    def delete(
        self,
        filters: Filters | None = None,
        *,
        most: int = 100,
        dry_run: bool = False,
        for_good: bool = False,
        **given: Unpack[Conditions],
    ) -> StatusChangeOutcome:
        """Purge or erase all memories of the project that match filters.

        If more than `most` memories match, change none.

        Args:
            filters: Filters with at least one condition.
            most: Maximum number of memories to change.
            dry_run: True to only report the memories that would be changed.
            for_good: True to erase matching memories, including purged memories; False to purge.
            **given: Fields of `Filters`, such as `source` and `until`.

        Raises:
            PathOutsideProjectError: The path is outside the project.
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage can't erase.

        Example:
            >>> saved = memory.save("Trial run.", source="trial")
            >>> [each.content for each in memory.delete(source="trial", days_back=1, dry_run=True).changed]
            ['Trial run.']
        """
        require_number("most", most, least=1)
        require_type("dry_run", dry_run, bool)
        require_type("for_good", for_good, bool)
        passing = conditions(filters, dict(given))
        return self._lamella.delete(self._call, passing, most=most, dry_run=dry_run, for_good=for_good)
