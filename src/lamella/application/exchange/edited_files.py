"""Find edits that people made in the files of an export, and apply them to the storage."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.memories.save import MAX_TEXT_CHARACTERS
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.call import Call
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.edits import Edit, edit_of
from lamella.domain.exchange.foreign import part_id, parts_of
from lamella.domain.exchange.shared_file import UnfitFileError, says_the_same
from lamella.domain.ledger.ageing import ages
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.transactions.importing import ImportResult
from lamella.domain.transactions.status import StatusThere
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.search import ObservationSearch

_lasting = attrgetter(
    "kind", "actor", "author", "session", "metadata", "branch", "head", "created_at", "occurred_at"
)


@define
class EditedFiles:
    """Files of an export that people may have edited.

    Attributes:
        entry: Audit entry of the import.
        left: Reasons for skipped files, by name of the file.
        conflicts: Messages about edited files whose memory was also corrected in storage, by name of the file.
        edited: Ids of memories that edited files have replaced. These are the ids in the files.
        replaced: Ids of memories that are purged, because live memories have replaced them.
        differing: Ids of memories whose files have other values that no import stores, such as another author.
    """

    call: Call
    entry: AuditEntry
    left: dict[str, str] = field(factory=dict)
    conflicts: dict[str, str] = field(factory=dict)
    edited: set[UUID] = field(factory=set)
    replaced: set[UUID] = field(factory=set)
    differing: set[UUID] = field(factory=set)
    _files: dict[UUID, str] = field(factory=dict)
    _edits: dict[UUID, tuple[ObservationStorage, Edit, str]] = field(factory=dict)
    """Edits found, keyed by the memory's id in the file.

    Each value has the memories of the project, the edit, and the name of the file.
    """

    def divided(
        self, observations: ObservationStorage, arrivals: Sequence[Arrival]
    ) -> Iterator[Sequence[Arrival]]:
        """Divide long memories into parts, as the storage has them. Yield the parts of each memory.

        A memory isn't divided if it is short, or if its file was edited. If the edited text is too long for one
        memory, `find` skips the file.
        """
        for arrival in arrivals:
            parts = parts_of(arrival, MAX_TEXT_CHARACTERS)
            same = self._files.setdefault(arrival.observation.id, arrival.place) == arrival.place
            yield parts if len(parts) == 1 or (same and _have_same_texts(observations, parts)) else (arrival,)

    def find(
        self, observations: ObservationStorage, search: ObservationSearch | None, arrivals: Sequence[Arrival]
    ) -> None:
        """Find the edited files among `arrivals`. Skip files with unusable edits, and add them to `left`."""
        here = observations.get_all([each.observation.id for each in arrivals])
        for arrival in arrivals:
            id = arrival.observation.id
            other = self._files.setdefault(id, arrival.place)
            if id not in here:
                continue
            versions = versions_of(observations, here[id])
            if here[id].purged and not versions[-1].purged:
                self.replaced.add(id)
            try:
                edit = edit_of(arrival.observation, versions)
            except UnfitFileError as error:
                self.left[arrival.place] = error.reason
                continue
            if _differs(arrival.observation, versions if edit is None else (*versions, edit.said)):
                self.differing.add(id)
            if edit is not None and other != arrival.place:
                self.left[arrival.place] = f"{other} has the same memory; delete one of them"
            elif edit is not None and (reason := _parted(observations, arrival) or _joined(search, versions)):
                self.left[arrival.place] = reason
            elif edit is not None:
                self._edits[id] = observations, edit, arrival.place
            elif other != arrival.place and id in self._edits:
                del self._edits[id]
                self.left[other] = f"{arrival.place} has the same memory; delete one of them"

    def replace(self) -> None:
        """Replace the memories of edited files by new versions with the files' texts."""
        for id, (observations, edit, place) in self._edits.items():
            if observations.known([edit.id]).get(edit.id) is ImportResult.ERASED:
                self.left[place] = "its memory was erased here"
                continue
            entry = self.entry.within(edit.former.project)
            if not replace(observations, self._new(edit), edit.former.id, entry):
                self.left[place] = "its memory was changed here at the same time; import again"
                continue
            self.edited.add(id)
            if edit.corrected:
                former = edit.former.id.hex[:SHORT_ID_CHARACTERS]
                self.conflicts[place] = (
                    f"its memory was corrected here, too, as {former}. The text of the file replaces that"
                    f" correction. To keep both: lamella restore {former}"
                )

    def _new(self, edit: Edit) -> Observation:
        draft = Draft(
            content=edit.said.content,
            title=edit.said.title,
            keywords=edit.said.keywords,
            source=edit.said.source,
            kind=edit.former.kind,
            actor=self.call.actor,
            author=self.call.author,
            changes=edit.former.changes,
        )
        return draft.observed(id=edit.id, project=edit.former.project, sequence=0, now=self.entry.by.at)


def replace(observations: ObservationStorage, new: Observation, former: UUID, entry: AuditEntry) -> bool:
    """Store or restore the memory of an edited file, and purge its former version.

    Another memory with the same text is not changed, because its own file may be edited later.

    Args:
        observations: The memories of the project.
        new: The memory of the edited file.
        former: Id of the former version.
        entry: Audit entry of the import.

    Returns:
        False if the former version isn't live any more. Then nothing was changed.
    """
    here = observations.get_all([former]).get(former)
    if here is None or here.purged:
        return False
    at = entry.by.at
    observations.insert_new([Arrival(observation=evolve(new, origin=here.origin))], entry=entry)
    changes = StatusThere(id=new.id, at=at, purged=False), StatusThere(id=former, at=at, replaced_by=new.id)
    observations.follow(changes, entry=entry)
    return True


def _have_same_texts(observations: ObservationStorage, parts: Sequence[Arrival]) -> bool:
    """Return True if a file wasn't edited: the text of each part equals a stored version of the part.

    Also return True if the first part was never stored.
    """
    first = parts[0].observation.id
    here = observations.get_all([each.observation.id for each in parts])
    if first not in here:
        return not observations.known([first])
    said = (each.observation for each in parts if each.observation.id in here)
    return all(
        any(says_the_same(each, then) for then in versions_of(observations, here[each.id])) for each in said
    )


def _differs(said: Observation, versions: Sequence[Observation]) -> bool:
    """Return True if a memory in a file has values that no import stores, such as another author.

    A changed source is stored with a new version, so the file may have the source of any version. For a learned
    commit, another text counts, too. Captured edits don't count, because later captures may have changed them.
    """
    first = versions[0]
    commit = first.kind is Kind.CHANGE and not says_the_same(said, first)
    known = not commit and said.source in {each.source for each in versions} and _lasting(said) == _lasting(first)
    return not (known or ages(first))


def _parted(observations: ObservationStorage, arrival: Arrival) -> str:
    """Return the reason why an edit can't be stored, or an empty text.

    An edit can't be stored if its text is too long for one memory. It can't be stored either if the memory is the
    first part of a longer text, and further parts are live.
    """
    if len(parts_of(arrival, MAX_TEXT_CHARACTERS)) > 1:
        return f"its text is longer than {MAX_TEXT_CHARACTERS:,} characters; save a part of it as another memory"
    others = (versions_of(observations, each)[-1] for each in _parts_after(observations, arrival.observation.id))
    live = " ".join(each.id.hex[:SHORT_ID_CHARACTERS] for each in others if not each.purged)
    return live and f"its memory has other parts; to import it, first run: lamella purge {live}"


def _joined(search: ObservationSearch | None, versions: Sequence[Observation]) -> str:
    """Return the reason why an edit can't replace a version; empty if it can.

    A version can't be replaced if it has replaced memories other than the edited one, too.
    """
    known = {each.id for each in versions}
    for each in versions[1:]:
        former = RecallQuery(filters=Filters(replaced_by=each.id), include_purged=True, limit=MAX_LIMIT)
        if search is not None and any(hit.observation.id not in known for hit in search.find(former)):
            latest = versions[-1].id.hex[:SHORT_ID_CHARACTERS]
            return f"its memory was replaced together with others; to edit the replacement: lamella edit {latest}"
    return ""


def _parts_after(observations: ObservationStorage, first: UUID) -> Iterator[Observation]:
    """Yield the stored parts of a long memory, except the first part."""
    number = 2
    while observations.known([id := part_id(first, number)]):
        yield from observations.get_all([id]).values()
        number += 1


def versions_of(observations: ObservationStorage, first: Observation) -> Sequence[Observation]:
    """Return a memory and its replacements, oldest first."""
    versions = {first.id: first}
    heir = first.replaced_by
    while heir is not None and heir not in versions:
        found = observations.get_all([heir]).get(heir)
        if found is None:
            break
        versions[heir] = found
        heir = found.replaced_by
    return list(versions.values())
