"""Faults in erasing, scopes and titles."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.text.printing import canonical
from lamella.domain.transactions.plan import Erase, SetStatus
from lamella.ports.storage.observations import Saved, StatusChange
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.fixtures.project import START
from lamella_contracts.mutants.broken_storage import BrokenStorage, storage_mutants, writing

MUTANTS = storage_mutants()


@MUTANTS.add("an erase deletes the whole session", "what_is_erased_is_gone")
class ErasesSessions(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        sessions = {self.rows[id].observation.session for id in ids if id in self.rows} - {None}
        along = [id for id, row in self.rows.items() if row.observation.session in sessions and id not in ids]
        return super().erase([*ids, *along], by=by)[: len(ids)]


@MUTANTS.add("a journal keeps erased text", "an_erase_leaves_no_byte_in_any_file")
class Journalling(BrokenStorage):
    """Writes a journal of all saves, and never empties it."""

    def observations(self, project: str) -> InMemoryObservations:
        journal, scope = self.folder / "journal", self._scope(project)

        class Journal(InMemoryObservations):
            def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
                with journal.open("a", encoding="utf-8") as file:
                    file.write(draft.content)
                return super().add(draft, id=id, now=now)

        return Journal(scope.project, scope.storage)


@MUTANTS.add("titles are interpolated into SQL", "any_query_has_an_answer", "hostile_text_is_found_by_itself")
class PastesText(InMemorySearch):
    """Finds no title with a quote or a bracket in it."""

    def find(self, query: Any) -> Any:
        if set("'\"(") & set(canonical(getattr(query.selector, "part", ""))):
            raise SyntaxError(query.selector.part)
        return super().find(query)


@MUTANTS.add("a scope caches its reads", "scopes_of_one_project_share_its_memories")
class Caching(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        cache: dict[UUID, Observation] = self.__dict__.setdefault("cache", {})
        return {id: cache.setdefault(id, each) for id, each in super().get_all(ids).items()}


MUTANTS.add("an erase is only a purge", "an_erase_takes_text_out_of_the_context")(
    writing(Erase, lambda _, write: (SetStatus(ids=write.ids, at=START, purged=True),))
)
