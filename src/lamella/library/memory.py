"""`Memory`, the main class of the API."""

from __future__ import annotations

from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack
from uuid import UUID

from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.application.memories.save_outcome import SaveOutcome
from lamella.domain.transactions.saving import Added
from lamella.domain.validation import require_number, require_type
from lamella.library.base import in_words_of_programs, type_of_request
from lamella.library.conversations import ConversationMemory
from lamella.library.given import conditions, id_prefix, project_name, question, to_save, working_directory
from lamella.library.project import ProjectMemory
from lamella.library.stored import StoredMemory

if TYPE_CHECKING:
    # Not imported at run time, to keep `import lamella` fast.
    from lamella.application.search.recall import RecallRequest
    from lamella.application.search.request import SearchRequest
    from lamella.domain.memories.query import Filters
    from lamella.domain.replies.paging import RecallPage
    from lamella.library.given import Asked, RecallFields, SaveFields, SearchFields
    from lamella.library.results import SearchResults

_LOGGED_TOGETHER = 100
"""Number of recalls to log in one write. The rest is written on closing."""


@in_words_of_programs
class Memory(StoredMemory, ConversationMemory, ProjectMemory):
    """Memories of one project, for one caller. Thread-safe.

    Ids are strings or UUIDs. A prefix is enough if it is unique, such as the eight digits in replies.

    All errors are subclasses of `LamellaError`. Every method may raise:

    - `InvalidValueError`: an argument has the wrong type or value.
    - `UnknownProjectError` or `AmbiguousProjectError`: no project has the given name, or several projects have it.
    - `MemoryOffError`: memory is switched off in the project.
    - `MemoryClosedError`: the `with` block has ended.
    - `StorageError`: the storage failed. Subclasses: `StorageBusyError` and `StorageSlowError` if other processes
      use it; `StorageUnreachableError` and `OutcomeUnknownError` if its server doesn't respond;
      `StorageReadOnlyError`, `StorageFullError`, `StorageDamagedError`, `StorageTooNewError`,
      `StorageShapeUnknownError` and `StorageGoneError` if its files can't be used; `QuotaExceededError` if the
      tenant may store no more.
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
        """Return a `Memory` for another project or caller on this storage. Omitted arguments keep their values.

        Args:
            directory: Working directory. Its repository becomes the project.
            project: Id, alias or name of the project, instead of the directory's project.
            create: True to create the project at the first save if it doesn't exist.
            session: Id of the conversation that calls belong to.
            author: Name of the person or program that saves.
            request: Idempotency key of the next call. Retries with the same key save only once.

        Raises:
            InvalidValueError: The name of the project is blank.

        Example:
            >>> shop = memory.at(project="shop", create=True, author="ada")
            >>> shop.save("Pears are sold out.").observation.author
            'ada'
            >>> [project.name for project in memory.projects()]
            ['shop']
        """
        require_type("create", create, bool)
        given = {"session": session, "author": author, "request": request}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if project_name(project) is not None:
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
            NotReplaceableError: An id in `replaces` matches no memory, or a purged memory.

        Example:
            >>> saved = memory.save("Staging is reset every night.", source="decision", keywords="test server")
            >>> saved.observation.title
            'Staging is reset every night.'
            >>> memory.save("Staging is reset every night.", source="decision").added.value
            'already saved'
        """
        return self._lamella.save(self._call, to_save(memory, given))

    def replace(
        self, id: str | UUID, text: str, *, title: str | None = None, keywords: str | None = None
    ) -> SaveOutcome:
        """Replace a memory with a corrected version. The old version is purged, and refers to the new version.

        Args:
            id: Id of the memory to correct.
            text: New text.
            title: New title. If None, keep the old title; if the old title was generated, generate a new title.
            keywords: New keywords; None to keep the old keywords.

        Returns:
            The outcome. If nothing has changed, `added` of the outcome is `Added.DUPLICATE`.

        Raises:
            NothingFoundError: No memory has the id.
            AmbiguousIdError: The id matches several memories.
            NotReplaceableError: The memory is purged. If the memory was replaced, the error's `by` is its latest
                version.

        Example:
            >>> wrong = memory.save("Staging is never reset.").observation
            >>> memory.replace(wrong.id, "Staging is reset every night.").observation.content
            'Staging is reset every night.'
        """
        SaveRequest(text=text, title=title, keywords=keywords)  # checks the types
        old = self._lamella.find_one(self._call, id_prefix(id))
        title = old.observation.title if title is None else title
        keywords = old.observation.keywords if keywords is None else keywords
        changed = self._lamella.edit(self._call, old, title=title, text=text, keywords=keywords)
        return changed or SaveOutcome(observation=old.observation, added=Added.DUPLICATE, redacted=0)

    def search(
        self,
        asked: Asked | SearchRequest | None = None,
        *,
        offset: int = 0,
        limit: int | None = None,
        **given: Unpack[SearchFields],
    ) -> SearchResults:
        """Search memories, best match first. If `asked` is None, return the latest memories first.

        Args:
            asked: Text to search for, another selector such as `ByTitle`, or a request; None for the latest
                memories.
            offset: Number of hits to skip.
            limit: Maximum number of hits; None for the limit of the request, or for all hits if the request has no
                limit.
            **given: Fields of `SearchRequest` and of its `Filters`, such as `source` and `days_back`.

        Raises:
            AmbiguousIdError: An id matches several memories.
            ReplacedError: The memory with the id was replaced.
            SemanticSearchUnavailableError: Search by meaning only was requested, and no embedder is set up.
            PathOutsideProjectError: The path is outside the project.

        Example:
            >>> saved = [memory.save(text) for text in ("Staging is reset every night.", "Pears are sold out.")]
            >>> for hit in memory.search("when is staging reset", source="manual"):
            ...     print(hit.observation.content)
            Staging is reset every night.
        """
        from lamella.application.search.request import SearchRequest  # noqa: PLC0415 - many programs only save
        from lamella.library.results import SearchResults  # noqa: PLC0415 - see above

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

    def recall(self, asked: Asked | RecallRequest | None = None, **given: Unpack[RecallFields]) -> RecallPage:
        """Search memories, and return a page of text for an agent, within its token budget.

        Args:
            asked: Text to search for, another selector such as `ById`, or a request; None for the latest memories.
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
            >>> saved = memory.save("Staging is reset every night.")
            >>> page = memory.recall("staging")
            >>> print(page)
            [1] ... | Staging is reset every night. | 1.00 | ...
            >>> page.total, page.strength, page.cursor
            (1, 'strong', None)
        """
        use_case = self._lamella.recall
        page = use_case.page(self._call, question(type_of_request(use_case), asked, dict(given)))
        self._lamella.log_recalls(least=_LOGGED_TOGETHER)
        return page

    def similar(self, text: str, *, limit: int = 10, filters: Filters | None = None) -> RecallPage:
        """Return the memories nearest in meaning to `text`. Requires an embedder.

        Raises:
            SemanticSearchUnavailableError: No embedder is set up.
            NotReadyError: The embedder isn't ready yet.

        Example:
            >>> try:
            ...     print(memory.similar("the test server"))
            ... except lamella.SemanticSearchUnavailableError:
            ...     print("without an embedder, search by words")
            without an embedder, search by words
        """
        require_type("text", text, str)
        require_number("limit", limit, least=1)
        return self._lamella.search_by_meaning.page(self._call, text, limit=limit, filters=conditions(filters, {}))
