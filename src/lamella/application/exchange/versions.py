"""Versions of memories, stored by repeated imports from another program."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.edited_files import versions_of
from lamella.application.exchange.export import pages_of
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.exchange import foreign
from lamella.domain.exchange.shared_file import edited_id
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import look_for_known
from lamella.domain.transactions.status import StatusThere
from lamella.ports.storage.observations import ObservationStorage


@define
class Versions:
    """Memories that the current import brings into a project, and their versions from earlier imports.

    Attributes:
        observations: The memories of the project.
        peer: Name of the program.
        corrected: Number of changes that weren't imported, because a person has corrected the memory here.
        purged: Number of changes that weren't imported, because a person has purged the memory here.
    """

    observations: ObservationStorage
    peer: str
    corrected: int = 0
    purged: int = 0
    _parts: defaultdict[str, list[UUID]] = field(factory=lambda: defaultdict(list))
    """Ids of the parts of each present memory, keyed by its key in the program. An undivided memory has one id."""
    _titles: defaultdict[tuple[str, str | None], set[str]] = field(factory=lambda: defaultdict(set))
    _texts: defaultdict[str, list[tuple[str, Observation]]] = field(factory=lambda: defaultdict(list))
    """Present memories with their keys, keyed by text. `_titles` maps title and session to keys."""
    _known: set[UUID] = field(factory=set)
    """Ids of present memories that were live before this import."""
    _earlier: defaultdict[object, list[Observation]] | None = None
    """Memories from earlier imports, keyed by `same_text`, and by title and session; None until needed."""

    def recognised(self, said: Sequence[Observation], keys: Mapping[UUID, str]) -> list[Observation]:
        """Return memories with the ids to import them under.

        The first of these rules that applies to a memory sets its id:

        - A memory with a stored id keeps the id. If its title, source, keywords or paths have changed, it gets a
          new id, and becomes a new version.
        - A memory with the same text or key as an erased memory gets the id that marks this text or key as erased,
          so that it stays erased.
        - A memory gets the id of an earlier version that was purged or corrected here, so that it stays purged or
          corrected. A version has the same text, or the same key, title and session.
        - Any other memory keeps its id.

        Args:
            said: Memories of the other program.
            keys: Keys of the memories in that program, keyed by id.
        """
        ids = [each.id for each in said]
        keyed = {each.id: foreign.keyed_id(self.peer, keys[each.id]) for each in said}
        look = look_for_known([*ids, *map(foreign.keyless_id, said), *keyed.values()])
        facts = self.observations.look(evolve(look, observations=tuple(ids)))
        here = facts.observations
        found = []
        for each in said:
            if each.id in here:
                found.append(self._described(each, here[each.id]))
            elif each.purged or memory_mark(each.id) in facts.erased:
                found.append(each)
            else:
                marked = (
                    id for id in (foreign.keyless_id(each), keyed[each.id]) if memory_mark(id) in facts.erased
                )
                erased = next(marked, None)
                found.append(evolve(each, id=erased) if erased else self._unchanged(each, keys[each.id]))
        return found

    def _unchanged(self, said: Observation, key: str) -> Observation:
        """Return a memory. If all of its earlier versions were purged or corrected here, it gets the id of one."""
        if self._earlier is None:
            self._earlier = defaultdict(list)
            for each in self._imported().values():
                self._earlier[foreign.same_text(each)].append(each)
                self._earlier[foreign.undivided(each.title), each.session, self.peer].append(each)
        same = self._earlier.get(foreign.same_text(said), [])
        titled = self._earlier.get((foreign.undivided(said.title), said.session, self.peer), [])
        older = [*(each for each in titled if foreign.is_version(self.peer, key, each)), *same]
        latest = [versions_of(self.observations, each)[-1] for each in older]
        if not older or any(each.author == self.peer and not each.purged for each in latest):
            return said
        if not same:
            corrected = any(not each.purged for each in latest)
            self.corrected += corrected
            self.purged += not corrected
        return evolve(said, id=older[-1].id)

    def _described(self, said: Observation, here: Observation) -> Observation:
        if said.purged or foreign.has_same_description(said, here):
            return said
        new, latest = evolve(said, id=foreign.described_id(said)), versions_of(self.observations, here)[-1]
        self.corrected += latest.author != self.peer
        return new if latest.author == self.peer and (latest.id == new.id or not latest.purged) else said

    def note(self, key: str, said: Observation, *, known: bool) -> None:
        """Record a present memory, or a part of it, under its key in the program.

        `known` is true if it was live before this import.
        """
        self._parts[key].append(said.id)
        self._titles[foreign.undivided(said.title), said.session].add(key)
        self._texts[foreign.untagged(said.content)].append((key, said))
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
        every = self._imported()
        noted = {id: every.get(id) for ids in self._parts.values() for id in ids}
        pairs = [(id, every[each.replaced_by]) for id, each in every.items() if each.replaced_by in every]
        edits = {heir.id for id, heir in pairs if heir.id == edited_id(id, heir)}
        kept = {*noted, *edits}
        gone = {id: each for id, each in noted.items() if each and each.purged}
        back = {id for id, each in gone.items() if each.replaced_by in every and each.replaced_by not in kept}
        outdated: dict[UUID, UUID] = {}
        for old in (each for id, each in every.items() if id not in kept and not each.purged):
            parts = self._parts.get(self._key(old), [])
            # If both times are equal, an undo has purged the present version and restored the outdated one.
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

    def _imported(self) -> dict[UUID, Observation]:
        every = (each.observation for page in pages_of(self.observations) for each in page)
        return {each.id: each for each in every if each.author == self.peer}

    def _key(self, old: Observation) -> str:
        """Return the key of the present memory that `old` is a version of, or an empty text."""
        # Compare sessions, too. If keys are numbers, a memory of another machine may have the same number.
        same = self._texts.get(foreign.untagged(old.content), ())
        titled = self._titles.get((foreign.undivided(old.title), old.session), ())
        keys = (key for key in (*(key for key, _ in same), *titled) if foreign.is_version(self.peer, key, old))
        return next(keys, "") or next((key for key, said in same if self._is_renamed(old, said)), "")

    def _is_renamed(self, old: Observation, said: Observation) -> bool:
        """Return True if `said` is probably `old` with another key, and not a memory of another store.

        Both have the same text, but different keys in the program. Some programs' keys contain the title, so
        renaming a memory changes its key. Return True if the titles are equal, or if the title of `old` was
        generated from the text. Otherwise, return True if `said` is new, and this import has met memories that
        earlier imports have stored: the store was then imported before, so it isn't another store.
        """
        title = foreign.undivided(old.title)
        if foreign.undivided(said.title) == title or title.endswith(generated_title(old.content)):
            return True
        return bool(self._known) and said.id not in self._known
