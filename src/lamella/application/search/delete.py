"""Purge or erase the memories that match filters."""

from attrs import define

from lamella.application.memories.purge_restore_erase import EraseMemories, PurgeMemories, StatusChangeOutcome
from lamella.application.search.search import SearchMemories
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.query import NO_FILTERS, Filters, RecallQuery
from lamella.domain.text.printing import counted
from lamella.domain.validation import MOST


@define
class DeleteMemories:
    """Purge or erase all memories that match filters. If they are too many, change none of them."""

    search: SearchMemories
    purge: PurgeMemories
    erase: EraseMemories

    def __call__(
        self, call: Call, filters: Filters, *, most: int, dry_run: bool, for_good: bool
    ) -> StatusChangeOutcome:
        """Purge or erase memories of the project. Global memories and commits learned from history stay.

        Args:
            call: Context of the call.
            filters: Filters with at least one condition.
            most: Maximum number of memories to change.
            dry_run: True to only report all matching memories, even if more than `most` match.
            for_good: True to erase live and purged memories; False to purge live memories.

        Raises:
            InvalidValueError: No condition is given, or more than `most` memories match. Nothing was changed.
            PathOutsideProjectError: The path of the filters is outside the project.
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage can't erase.
            UnknownProjectError: The project doesn't exist.
        """
        if filters == NO_FILTERS:
            raise InvalidValueError(name="filters", given="none", allowed="at least one condition")
        here = self.search.projects.find(call)
        limit = MOST if dry_run else min(most + 1, MOST)
        query = RecallQuery(filters=self.search.completed(here, filters), include_purged=for_good, limit=limit)
        found = tuple(hit.observation for hit in here.search.find(query))
        if dry_run:
            refused = f"{counted(len(found), 'memory')} match, more than most={most}" if len(found) > most else ""
            return StatusChangeOutcome(changed=found, refused=refused)
        if len(found) > most:
            raise InvalidValueError(
                name="most", given=f"{most}: more memories match, so none was changed", allowed="larger"
            )
        return (self.erase if for_good else self.purge)(call, [str(each.id) for each in found])
