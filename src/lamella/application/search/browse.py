"""List the latest memories, and complete arguments that a person has begun to type."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from attrs import define

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.search import TAGGED, latest
from lamella.domain.call import Call
from lamella.domain.memories.ids import id_prefix
from lamella.domain.memories.query import ByTitle, Hit, RecallQuery, Recent
from lamella.domain.memories.tags import tags_of
from lamella.domain.text.printing import printed_line
from lamella.ports.storage.storage import Capability

_TAG_MARK = "#"


class Completable(StrEnum):
    """Arguments with completion."""

    ID = "id"
    TITLE = "title"
    TAG = "tag"
    PATH = "path"
    QUERY = "query"
    """A tag if the typed text begins with `#`, otherwise a title."""


@define
class BrowseMemories:
    """Look up memories of the project and global memories without a question."""

    projects: ProjectResolver

    def latest(self, call: Call, *, limit: int) -> tuple[Hit, ...]:
        """Return the latest memories, newest first.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
        return self._found(self.projects.find(call), RecallQuery(limit=limit))

    def completed(self, call: Call, argument: Completable, begun: str, *, limit: int) -> tuple[str, ...]:
        """Return at most `limit` values of an argument, the best values first.

        Ids and tags start with `begun`; titles and paths contain it. Case is ignored.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
        here = self.projects.find(call)
        match argument:
            case Completable.ID:
                values: Iterable[str] = self._ids(here, begun.strip().lower(), limit)
            case Completable.PATH:
                values = self._paths(here, begun.strip().casefold())
            case Completable.QUERY if begun.startswith(_TAG_MARK):
                values = (_TAG_MARK + tag for tag in self._tags(here, begun))
            case Completable.TAG:
                values = self._tags(here, begun)
            case _:
                part = begun.strip()
                selector = ByTitle(part) if part else Recent()
                hits = self._found(here, RecallQuery(selector=selector, limit=limit))
                values = (printed_line(hit.observation.title) for hit in hits)
        return tuple(dict.fromkeys(values))[:limit]

    def _ids(self, here: ProjectContext, begun: str, limit: int) -> Iterable[str]:
        prefix = id_prefix(begun)
        # If the text is too short for a prefix search, search only the latest memories.
        hits = here.observations.starting_with([prefix], limit=limit)[prefix] if prefix else self._latest(here)
        live = (str(hit.observation.id) for hit in hits if not hit.observation.purged)
        return (id for id in live if prefix or id.startswith(begun))

    def _tags(self, here: ProjectContext, begun: str) -> Iterable[str]:
        """Return the tags that begin with `begun`, the most frequent first."""
        start = begun.strip().lstrip(_TAG_MARK).casefold()
        counts = Counter(tag for hit in self._latest(here) for tag in sorted(tags_of(hit.observation)))
        return (tag for tag, _ in counts.most_common() if tag.startswith(start))

    def _paths(self, here: ProjectContext, begun: str) -> Iterable[str]:
        """Return the files with `begun` in their paths, the latest changed first."""
        files = here.ledger().files(limit=TAGGED) if here.keeps(Capability.LEDGER) else ()
        return (file.path for file in files if begun in file.path.casefold())

    def _latest(self, here: ProjectContext) -> tuple[Hit, ...]:
        return self._found(here, RecallQuery(limit=TAGGED))

    def _found(self, here: ProjectContext, query: RecallQuery) -> tuple[Hit, ...]:
        return latest(tuple(filter(None, (here, here.everywhere))), query)
