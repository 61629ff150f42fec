"""Edits made by people in the files of an export, and their effects in storage."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.audit.signature import Signature
from lamella.domain.call import Call
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.edits import Edit, edit_of
from lamella.domain.exchange.shared_file import UnfitFileError
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import Draft, Observation
from lamella.ports.storage.observations import Added, ImportResult, ObservationStorage, StatusChange
from lamella.ports.system import Clock

_CHANGED = "its memory was changed here at the same time; import again"


@define
class EditedFiles:
    """Possibly edited files of an export.

    Attributes:
        by: Signature of the import.
        dry_run: True to count only.
        left: Files left alone, by name with the reason.
        edited: Number of replaced memories.
        replaced: Ids of purged memories with a live replacement.
    """

    clock: Clock
    call: Call
    by: Signature
    dry_run: bool = field(kw_only=True)
    left: dict[str, str] = field(factory=dict)
    edited: int = 0
    replaced: set[UUID] = field(factory=set)
    _files: dict[UUID, str] = field(factory=dict)

    def replace_edited(self, observations: ObservationStorage, arrivals: Sequence[Arrival]) -> None:
        """Replace memories with edited files. Unusable edits are left alone, and reported."""
        here = observations.get_all([each.observation.id for each in arrivals])
        for arrival in arrivals:
            id = arrival.observation.id
            other = self._files.setdefault(id, arrival.place)
            if id not in here:
                continue
            versions = _versions(observations, here[id])
            if here[id].purged and not versions[-1].purged:
                self.replaced.add(id)
            try:
                edit = edit_of(arrival.observation, versions)
                if edit is not None:
                    self.edited += self._replace(observations, edit, other=other if other != arrival.place else "")
            except UnfitFileError as error:
                self.left[arrival.place] = error.reason

    def _replace(self, observations: ObservationStorage, edit: Edit, *, other: str) -> bool:
        """Replace a memory. Return True, or False if the new one already exists.

        Args:
            observations: The memories of the project.
            edit: The edit.
            other: Another file of the memory; empty without one.

        Raises:
            UnfitFileError: The edit can't be used.
        """
        if other:
            raise UnfitFileError(f"{other} is a file of the same memory; delete one of them")
        known = observations.known([edit.id]).get(edit.id)
        if known is ImportResult.ERASED:
            raise UnfitFileError("its memory was erased here")
        if self.dry_run:
            return True
        if known is not None:
            # The edited version exists, but isn't in effect: its edit was undone, or both versions were restored.
            by = evolve(self.by, at=self.clock.now())
            done = observations.swap(purge=[edit.former.id], restore=[edit.id], replaced_by=edit.id, by=by)
            if StatusChange.LEFT in done.values():
                raise UnfitFileError(_CHANGED)
            return True
        draft = Draft(
            content=edit.said.content,
            title=edit.said.title,
            keywords=edit.said.keywords,
            source=edit.said.source,
            kind=edit.former.kind,
            actor=self.call.actor,
            author=self.call.author,
            changes=edit.former.changes,
            replaces=(edit.former.id,),
        )
        try:
            saved = observations.add(draft, id=edit.id, now=self.clock.now())
        except NotReplaceableError:
            raise UnfitFileError(_CHANGED) from None
        return saved.added is Added.NEW


def _versions(observations: ObservationStorage, first: Observation) -> Sequence[Observation]:
    """Return a memory and its replacements, up to the latest."""
    versions = {first.id: first}
    heir = first.replaced_by
    while heir is not None and heir not in versions:
        found = observations.get_all([heir]).get(heir)
        if found is None:
            break
        versions[heir] = found
        heir = found.replaced_by
    return list(versions.values())
