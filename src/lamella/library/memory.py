"""The front door for programs: one object with the use cases, for one caller."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack
from uuid import UUID

from attrs import evolve, frozen

from lamella.application.search.request import SearchRequest
from lamella.domain.memories.given_ids import as_ids
from lamella.domain.memories.query import NO_FILTERS, Filters
from lamella.domain.validation import require_number, require_type
from lamella.library.folders import working_directory
from lamella.library.given import (
    LATEST,
    Asked,
    Conditions,
    RecallFields,
    SaveFields,
    SearchFields,
    conditions,
    question,
    to_save,
)
from lamella.library.project import ProjectMemory, type_of_request
from lamella.library.results import SearchResults
from lamella.library.wording import in_words_of_programs

if TYPE_CHECKING:
    # Most programs use few of them.
    from lamella.application.memories.get import FoundMemories
    from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
    from lamella.application.memories.save import SaveOutcome, SaveRequest
    from lamella.application.memories.timeline import TimelineRequest
    from lamella.application.search.recall import RecallRequest
    from lamella.domain.memories.observation import Observation
    from lamella.domain.memories.timeline import Surroundings
    from lamella.domain.replies.recall_page import RecallPage

_LOGGED_TOGETHER = 100
"""Recalls of a program that are logged by one write. The rest follows when memories are closed."""

Ids = Sequence[str | UUID]
"""Ids of memories."""


@in_words_of_programs
@frozen
class Memory(ProjectMemory):
    """The memories of one project, as one caller sees and changes them. May be used from several threads.

    Ids are texts or UUIDs, full or their beginnings, such as the eight digits that replies show.
    Every method raises a `LamellaError` where it refuses: `InvalidValueError` for a value of the wrong type or
    outside of what is allowed; `UnknownProjectError` or `AmbiguousProjectError` where the project that was named
    doesn't exist or could be several; `MemoryOffError` where memory is switched off in it; `StorageError` where
    storage fails; `MemoryClosedError` after the `with` block.

    Storage fails as a `StorageBusyError` or `StorageSlowError` where others use it, as a `StorageUnreachableError`
    or `OutcomeUnknownError` where its server doesn't answer, as a `StorageReadOnlyError`, `StorageFullError`,
    `StorageDamagedError`, `StorageTooNewError`, `StorageShapeUnknownError` or `StorageGoneError` where its
    files can't be used, and as a `QuotaExceededError` where the tenant may store no more.
    """

    def at(
        self,
        directory: str | PathLike[str] | None = None,
        *,
        project: str | None = None,
        create: bool = False,
        session: str | None = None,
        author: str | None = None,
        request: str | None = None,
    ) -> Memory:
        """Return the same storage for another caller; what isn't given stays as it is.

        Args:
            directory: Working directory, whose repository is the project.
            project: Project by its id, an alias or its name, instead of that of the directory.
            create: True if the first save creates the project; False if it has to exist.
            session: Id of the conversation that calls are part of.
            author: Name of the person or program that saves.
            request: Id of the next call, the same for its retries: a save is done once.
        """
        given = {"session": session, "author": author, "request": request}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if project is not None:
            changes |= {"project": None, "default_project": project} if create else {"project": project}
        if directory is not None:
            changes["directory"] = working_directory(directory)
        return Memory(self._opened, evolve(self._call, **changes))

    def save(self, memory: str | SaveRequest, **given: Unpack[SaveFields]) -> SaveOutcome:
        """Save a memory durably, after secrets are taken out. What is saved already is not saved again.

        Args:
            memory: Its text, or a request.
            **given: Fields of `SaveRequest`, such as `title` and `paths`.

        Raises:
            PathOutsideProjectError: One of the paths is not in the project.
            AmbiguousIdError: An id of `replaces` could mean several memories.
            NotReplaceableError: An id of `replaces` means no memory, or one that is purged.

        Example:
            memory.save("Staging is reset every night.", title="Staging", paths=["deploy.sh"])
        """
        return self._lamella.save(self._call, to_save(memory, given))

    def replace(
        self, id: str | UUID, text: str, *, title: str | None = None, keywords: str | None = None
    ) -> SaveOutcome | None:
        """Save a correction in the place of a memory, which stays, purged, and leads to it.

        Args:
            id: The memory to correct.
            text: New text.
            title: New title; None for the old one, or for a new one if that was made of the old text.
            keywords: New keywords; None for the old ones.

        Returns:
            None if nothing was saved, because it says the same.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: It could mean several.
            NotReplaceableError: It is purged.
        """
        old = self._lamella.find_one(self._call, str(id))
        title = old.observation.title if title is None else title
        keywords = old.observation.keywords if keywords is None else keywords
        return self._lamella.edit(self._call, old, title=title, text=text, keywords=keywords)

    def search(
        self,
        asked: Asked | SearchRequest = LATEST,
        *,
        offset: int = 0,
        limit: int | None = None,
        **given: Unpack[SearchFields],
    ) -> SearchResults:
        """Return memories, best first, or without a question the latest first. Iterating reads all of them.

        Args:
            asked: Words to search for, another selector such as `ByTitle`, or a request.
            offset: Number of hits to skip.
            limit: Most hits; None for that of the request, or for all.
            **given: Fields of `SearchRequest` and of its `Filters`, such as `source` and `days_back`.

        Raises:
            AmbiguousIdError: An id could mean several.
            ReplacedError: Another memory took the place of the one with the id.
            SemanticSearchUnavailableError: Search by meaning alone was asked for, and there is no embedder.
            PathOutsideProjectError: The path is not in the project.

        Example:
            for hit in memory.search("staging", source="decision"):
                print(hit.observation.content)
        """
        require_number("offset", offset, least=0)
        if limit is not None:
            require_number("limit", limit, least=1)
        elif isinstance(asked, SearchRequest):
            limit = asked.limit
        request = question(SearchRequest, asked, dict(given))
        end = None if limit is None else offset + limit
        request, answer = self._lamella.each.begin(self._call, request, end)
        return SearchResults(
            lambda: islice(self._lamella.each(self._call, request, answer), offset, end), answer, offset
        )

    def recall(self, asked: Asked | RecallRequest = LATEST, **given: Unpack[RecallFields]) -> RecallPage:
        """Return a page of hits as an agent reads it, within its token budget.

        Args:
            asked: Words to search for, another selector such as `ById`, or a request.
            **given: Fields of `RecallRequest` and of its `Filters`, such as `detail` and `days_back`.

        Raises:
            NothingFoundError: Something was asked for and isn't there.
            ObservationPurgedError: It was asked for by its id, and is purged.
            ReplacedError: Another memory took the place of the one with the id.
            AmbiguousIdError: An id could mean several.
            SemanticSearchUnavailableError: Search by meaning alone was asked for, and there is no embedder.
            StaleCursorError: The answer has changed since the cursor was made.
            PathOutsideProjectError: The path is not in the project.

        Example:
            print(memory.recall("when is staging reset"))
        """
        use_case = self._lamella.recall
        page = use_case.page(self._call, question(type_of_request(use_case), asked, dict(given)))
        self._lamella.log_recalls(least=_LOGGED_TOGETHER)
        return page

    def similar(self, text: str, *, limit: int = 10, filters: Filters = NO_FILTERS) -> RecallPage:
        """Return the memories nearest in meaning to `text`. Needs an embedder.

        Raises:
            SemanticSearchUnavailableError: There is no embedder.
            NotReadyError: There is one, and it can't answer now.
        """
        require_type("text", text, str)
        require_number("limit", limit, least=1)
        require_type("filters", filters, Filters)
        return self._lamella.search_by_meaning.page(self._call, text, limit=limit, filters=filters)

    def get(self, ids: Ids) -> FoundMemories:
        """Return live memories by their ids, and the ids that none has.

        Raises:
            AmbiguousIdError: An id could mean several.
        """
        return self._lamella.get(self._call, as_ids(ids))

    def timeline(self, request: TimelineRequest) -> Surroundings:
        """Return the memories nearest in time on either side of an anchor.

        Raises:
            ObservationNotFoundError: No live memory has the id.
            AmbiguousIdError: It could mean several.
        """
        return self._asked(self._lamella.timeline, request)

    def history(self, id: str | UUID) -> tuple[Observation, ...]:
        """Return a memory and those whose place it took, the latest version first. `log` says who changed it.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: It could mean several.
        """
        return self._lamella.find_one.versions(self._call, str(id))

    def purge(self, ids: Ids) -> StatusChangeOutcome:
        """Take memories out of search until they are restored. A failure never stops the others."""
        return self._lamella.purge(self._call, as_ids(ids))

    def restore(self, ids: Ids) -> StatusChangeOutcome:
        """Restore purged memories. A failure never stops the others."""
        return self._lamella.restore(self._call, as_ids(ids))

    def erase(self, ids: Ids) -> StatusChangeOutcome:
        """Delete memories for good.

        Raises:
            UnfinishedEraseError: The memories are gone, but bytes of them may remain.
            CapabilityUnsupportedError: The storage does not erase.
        """
        return self._lamella.erase(self._call, as_ids(ids))

    def delete(
        self,
        filters: Filters = NO_FILTERS,
        *,
        most: int = 100,
        dry_run: bool = False,
        for_good: bool = False,
        **given: Unpack[Conditions],
    ) -> StatusChangeOutcome:
        """Purge or erase the memories of the project that pass filters. If more than `most` do, none is changed.

        Args:
            filters: The conditions, at least one.
            most: Most memories.
            dry_run: True to change nothing, and return what would be changed.
            for_good: True to erase, also purged ones; False to purge.
            **given: Fields of `Filters`, such as `source` and `until`.

        Raises:
            PathOutsideProjectError: The path is not in the project.
            UnfinishedEraseError: The memories are gone, but bytes of them may remain.
            CapabilityUnsupportedError: The storage does not erase.

        Example:
            memory.delete(source="trial", days_back=1, dry_run=True)
        """
        require_type("filters", filters, Filters)
        require_number("most", most, least=1)
        passing = conditions(filters, dict(given))
        return self._lamella.delete(self._call, passing, most=most, dry_run=dry_run, for_good=for_good)
