"""`Memory`, the main class of the API."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack
from uuid import UUID

from attrs import evolve, frozen

from lamella.application.search.request import SearchRequest
from lamella.domain.memories.query import NO_FILTERS, Filters
from lamella.domain.validation import as_ids, require_number, require_type
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
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.application.memories.get import FoundMemories
    from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
    from lamella.application.memories.save import SaveOutcome, SaveRequest
    from lamella.application.memories.timeline import TimelineRequest
    from lamella.application.search.recall import RecallRequest
    from lamella.domain.memories.observation import Observation
    from lamella.domain.memories.timeline import Surroundings
    from lamella.domain.replies.paging import RecallPage

_LOGGED_TOGETHER = 100
"""Number of recalls to log in one write. The rest is written on closing."""

Ids = Sequence[str | UUID]
"""Ids of memories, or prefixes of ids."""


@in_words_of_programs
@frozen
class Memory(ProjectMemory):
    """Memories of one project, for one caller. Thread-safe.

    Ids are strings or UUIDs. A prefix is enough if it is unique, such as the eight digits in replies.

    All errors are subclasses of `LamellaError`. Every method may raise:

    - `InvalidValueError`: an argument has the wrong type or value.
    - `UnknownProjectError` or `AmbiguousProjectError`: no project, or several, have the given name.
    - `MemoryOffError`: memory is switched off in the project.
    - `MemoryClosedError`: the `with` block has ended.
    - `StorageError`: the storage failed. Subclasses: `StorageBusyError` and `StorageSlowError` if others use it;
      `StorageUnreachableError` and `OutcomeUnknownError` if its server doesn't respond; `StorageReadOnlyError`,
      `StorageFullError`, `StorageDamagedError`, `StorageTooNewError`, `StorageShapeUnknownError` and
      `StorageGoneError` if its files can't be used; `QuotaExceededError` if the tenant may store no more.
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
        """Return a `Memory` for another project or caller on the same storage. Omitted arguments stay the same.

        Args:
            directory: Working directory. Its repository becomes the project.
            project: Project by id, alias or name, instead of a directory's.
            create: True to create the project at the first save if it doesn't exist.
            session: Id of the conversation that calls belong to.
            author: Name of the person or program that saves.
            request: Idempotency key of the next call. Retries with the same key save only once.
        """
        given = {"session": session, "author": author, "request": request}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if project is not None:
            changes |= {"project": None, "default_project": project} if create else {"project": project}
        if directory is not None:
            changes["directory"] = working_directory(directory)
        return Memory(self._opened, evolve(self._call, **changes))

    def save(self, memory: str | SaveRequest, **given: Unpack[SaveFields]) -> SaveOutcome:
        """Save a memory durably. Redact secrets first. Don't save a duplicate of an existing memory.

        Args:
            memory: Text of the memory, or a request.
            **given: Fields of `SaveRequest`, such as `title` and `paths`.

        Raises:
            PathOutsideProjectError: A path is outside the project.
            AmbiguousIdError: An id in `replaces` matches several memories.
            NotReplaceableError: An id in `replaces` matches no memory, or a purged one.

        Example:
            memory.save("Staging is reset every night.", title="Staging", paths=["deploy.sh"])
        """
        return self._lamella.save(self._call, to_save(memory, given))

    def replace(
        self, id: str | UUID, text: str, *, title: str | None = None, keywords: str | None = None
    ) -> SaveOutcome | None:
        """Replace a memory with a corrected one. The old version is purged, and refers to the new one.

        Args:
            id: Id of the memory to correct.
            text: New text.
            title: New title; None to keep the old one, or to generate one if the old one was generated.
            keywords: New keywords; None to keep the old ones.

        Returns:
            The outcome; None if nothing has changed.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            NotReplaceableError: The memory is purged.
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
        """Search memories, best match first. Without a question, return the latest first.

        Args:
            asked: Text to search for, another selector such as `ByTitle`, or a request.
            offset: Number of hits to skip.
            limit: Maximum number of hits; None for the limit of the request, or without one for all.
            **given: Fields of `SearchRequest` and of its `Filters`, such as `source` and `days_back`.

        Raises:
            AmbiguousIdError: An id matches several memories.
            ReplacedError: The memory with the id was replaced.
            SemanticSearchUnavailableError: Search by meaning only was requested, and no embedder is set up.
            PathOutsideProjectError: The path is outside the project.

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
        """Search memories, and return a page of text for an agent, within its token budget.

        Args:
            asked: Text to search for, another selector such as `ById`, or a request.
            **given: Fields of `RecallRequest` and of its `Filters`, such as `detail` and `days_back`.

        Raises:
            NothingFoundError: No memory matches.
            ObservationPurgedError: The memory with the id is purged.
            ReplacedError: The memory with the id was replaced.
            AmbiguousIdError: An id matches several memories.
            SemanticSearchUnavailableError: Search by meaning only was requested, and no embedder is set up.
            StaleCursorError: The results have changed since the cursor was created.
            PathOutsideProjectError: The path is outside the project.

        Example:
            print(memory.recall("when is staging reset"))
        """
        use_case = self._lamella.recall
        page = use_case.page(self._call, question(type_of_request(use_case), asked, dict(given)))
        self._lamella.log_recalls(least=_LOGGED_TOGETHER)
        return page

    def similar(self, text: str, *, limit: int = 10, filters: Filters = NO_FILTERS) -> RecallPage:
        """Return the memories nearest in meaning to `text`. Requires an embedder.

        Raises:
            SemanticSearchUnavailableError: No embedder is set up.
            NotReadyError: The embedder isn't ready yet.
        """
        require_type("text", text, str)
        require_number("limit", limit, least=1)
        require_type("filters", filters, Filters)
        return self._lamella.search_by_meaning.page(self._call, text, limit=limit, filters=filters)

    def get(self, ids: Ids) -> FoundMemories:
        """Return the live memories with the given ids, and the ids without one.

        Raises:
            AmbiguousIdError: An id matches several memories.
        """
        return self._lamella.get(self._call, as_ids(ids))

    def timeline(self, request: TimelineRequest) -> Surroundings:
        """Return the memories directly before and after an anchor: a time or a memory.

        Raises:
            ObservationNotFoundError: No live memory has the id.
            AmbiguousIdError: The id matches several memories.
        """
        return self._asked(self._lamella.timeline, request)

    def history(self, id: str | UUID) -> tuple[Observation, ...]:
        """Return all versions of a memory, the latest first. See `log` for their authors.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
        """
        return self._lamella.find_one.versions(self._call, str(id))

    def purge(self, ids: Ids) -> StatusChangeOutcome:
        """Hide memories from search until they are restored. Errors for single ids are in the outcome."""
        return self._lamella.purge(self._call, as_ids(ids))

    def restore(self, ids: Ids) -> StatusChangeOutcome:
        """Restore purged memories. Errors for single ids are in the outcome."""
        return self._lamella.restore(self._call, as_ids(ids))

    def erase(self, ids: Ids) -> StatusChangeOutcome:
        """Delete memories permanently.

        Raises:
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage can't erase.
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
        """Purge or erase all memories of the project that match filters. If more than `most` match, change none.

        Args:
            filters: Filters with at least one condition.
            most: Maximum number of memories to change.
            dry_run: True to only report the memories that would be changed.
            for_good: True to erase matching memories, including purged ones; False to purge.
            **given: Fields of `Filters`, such as `source` and `until`.

        Raises:
            PathOutsideProjectError: The path is outside the project.
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage can't erase.

        Example:
            memory.delete(source="trial", days_back=1, dry_run=True)
        """
        require_type("filters", filters, Filters)
        require_number("most", most, least=1)
        passing = conditions(filters, dict(given))
        return self._lamella.delete(self._call, passing, most=most, dry_run=dry_run, for_good=for_good)
