"""Versions of memories, stored by repeated imports from another program."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.edited_files import versions_of
from lamella.application.exchange.export import pages_of
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.exchange.foreign import described_id, has_same_description, is_version, undivided, untagged
from lamella.domain.exchange.shared_file import edited_id
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.transactions.status import StatusThere
from lamella.ports.storage.observations import ObservationStorage


@define
class Versions:
    """Memories that the current import brings into a project, and their versions from earlier imports.

    Attributes:
        observations: The memories of the project.
        peer: Name of the program.
        corrected: Number of changes that weren't imported, because a person has corrected the memory here.
    """

    observations: ObservationStorage
    peer: str
    corrected: int = 0
    _parts: defaultdict[str, list[UUID]] = field(factory=lambda: defaultdict(list))
    """Ids of the parts of each present memory, keyed by its key in the program. An undivided memory has one id."""
    _titles: defaultdict[tuple[str, str | None], set[str]] = field(factory=lambda: defaultdict(set))
    _texts: defaultdict[str, list[tuple[str, Observation]]] = field(factory=lambda: defaultdict(list))
    """Present memories with their keys, keyed by text. `_titles` maps title and session to keys."""
    _known: set[UUID] = field(factory=set)
    """Ids of present memories that were live before this import."""

    def described(self, said: Sequence[Observation]) -> list[Observation]:
        """Return memories. If only the description of a stored memory has changed, give the memory a new id.

        The description consists of title, source, keywords and paths.
        """
        here = self.observations.get_all([each.id for each in said])
        return [self._described(each, here.get(each.id)) for each in said]

    def _described(self, said: Observation, here: Observation | None) -> Observation:
        if here is None or said.purged or has_same_description(said, here):
            return said
        new, latest = evolve(said, id=described_id(said)), versions_of(self.observations, here)[-1]
        self.corrected += latest.author != self.peer
        return new if latest.author == self.peer and (latest.id == new.id or not latest.purged) else said

    def note(self, key: str, said: Observation, *, known: bool) -> None:
        """Record a present memory, or a part of it, under its key in the program.

        `known` is true if it was live before this import.
        """
        self._parts[key].append(said.id)
        self._titles[undivided(said.title), said.session].add(key)
        self._texts[untagged(said.content)].append((key, said))
        self._known.update([said.id] * known)

    def replace(self, *, entry: AuditEntry) -> tuple[int, int]:
        """Purge versions stored by earlier imports that are outdated now.

        A present version is restored if an outdated version had replaced it, or if an undo of its import had
        purged it. If a person has purged the present version, it stays purged, and nothing is replaced.

        Args:
            entry: Audit entry of the import.

        Returns:
            The number of purged versions, and the number of restored versions.
        """
        pages = pages_of(self.observations)
        every = {each.observation.id: each.observation for page in pages for each in page}
        every = {id: each for id, each in every.items() if each.author == self.peer}
        noted = {id: every.get(id) for ids in self._parts.values() for id in ids}
        pairs = [(id, every[each.replaced_by]) for id, each in every.items() if each.replaced_by in every]
        edits = {heir.id for id, heir in pairs if heir.id == edited_id(id, heir)}
        kept = {*noted, *edits}
        gone = {id: each for id, each in noted.items() if each and each.purged}
        back = {id for id, each in gone.items() if each.replaced_by in every and each.replaced_by not in kept}
        outdated: dict[UUID, UUID] = {}
        for old in (each for id, each in every.items() if id not in kept and not each.purged):
            parts = self._parts.get(self._key(old), [])
            # An undo purges a version and restores the outdated one at the same time.
            back |= {id for id in parts if id in gone and gone[id].purged_at == old.updated_at}
            if heir := next((id for id in parts if id not in gone or id in back), None):
                outdated[old.id] = heir
        changed = [
            *(StatusThere(id=id, at=entry.by.at, replaced_by=heir) for id, heir in outdated.items()),
            *(StatusThere(id=id, at=entry.by.at, purged=False) for id in back),
        ]
        if changed:
            self.observations.follow(changed, entry=entry)
        return len(outdated), len(back)

    def _key(self, old: Observation) -> str:
        """Return the key of the present memory that `old` is a version of, or an empty text."""
        # Compare sessions, too. If keys are numbers, a memory of another machine may have the same number.
        same = self._texts.get(untagged(old.content), ())
        titled = self._titles.get((undivided(old.title), old.session), ())
        keys = (key for key in (*(key for key, _ in same), *titled) if is_version(self.peer, key, old))
        return next(keys, "") or next((key for key, said in same if self._is_renamed(old, said)), "")

    def _is_renamed(self, old: Observation, said: Observation) -> bool:
        """Return True if `said` is probably `old` with another key, and not a memory of another store.

        Both have the same text, but different keys in the program. Some programs' keys contain the title, so
        renaming a memory changes its key. Return True if the titles are equal, or if the title of `old` was
        generated from the text. Otherwise, return True if `said` is new, and this import has met memories that
        earlier imports have stored: the store was then imported before, so it isn't another store.
        """
        title = undivided(old.title)
        if undivided(said.title) == title or title.endswith(generated_title(old.content)):
            return True
        return bool(self._known) and said.id not in self._known
