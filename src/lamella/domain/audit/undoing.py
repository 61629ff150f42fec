"""Decide on the effects of an undo, given the states of memories before and after each audit entry."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.domain.audit.entry import Action, AuditEntry


@frozen
class Kept:
    """A memory as the subject of a review, which can confirm the memory no matter if it is live or purged."""

    memory: UUID


Subject = UUID | str | Kept
"""Subject of an entry: the id of a memory, the id of a project (in a merge or split), or a memory in a review."""


@frozen
class State:
    """State of a memory, project or review. States are equal only if the same change has led to them.

    Attributes:
        since: Id of the entry that led to the state; None for the original state.
        away: True for a purged memory, for a merged project, and for a memory not confirmed in a review.
        replaced_by: Id of the replacement of a memory, if any.
    """

    since: UUID | None
    away: bool
    replaced_by: UUID | None = None


@frozen
class Decision:
    """Effects of an undo.

    Attributes:
        back: States to restore, keyed by subject; empty if nothing can be undone.
        changed: Subjects left alone because a later entry has changed them.
        already: Subjects that the undo would purge or merge, but that already are, although no entry says so.
        gone: Subjects no longer in the project.
        erased: Number of erased memories of the entry.
        blocked: True if `back` is empty because a replacement would stay live, a version of an edited memory is in
            another project, or a project would be merged into itself.
        lost: True if `back` is empty because a version of an edited memory was erased. Undoing the edit would then
            leave no version live, or might leave two.
        blocker: Latest of the entries that have changed a subject since the undone entry.
    """

    back: Mapping[Subject, State]
    changed: tuple[Subject, ...]
    already: tuple[Subject, ...]
    gone: tuple[Subject, ...]
    erased: int
    blocked: bool
    lost: bool
    blocker: AuditEntry | None

    @property
    def purge(self) -> tuple[UUID, ...]:
        """Memories to purge. In the undo of a review: memories to mark as not confirmed."""
        return self._memories(away=True)

    @property
    def restore(self) -> tuple[UUID, ...]:
        """Memories to restore. In the undo of a review: memories to mark as confirmed again."""
        return self._memories(away=False)

    @property
    def heirs(self) -> Mapping[UUID, UUID]:
        """Ids of replacements, keyed by the ids of the memories to purge."""
        pairs = ((id, state.replaced_by) for id, state in self.back.items() if isinstance(id, UUID))
        return {id: heir for id, heir in pairs if heir is not None}

    def without(self, memories: Collection[Subject]) -> "Decision":
        """Return a copy of the decision that leaves some memories alone."""
        back = {each: state for each, state in self.back.items() if each not in memories}
        return evolve(self, back=back, changed=(*self.changed, *memories))

    def _memories(self, *, away: bool) -> tuple[UUID, ...]:
        subjects = (each for each, state in self.back.items() if state.away == away)
        ids = (each.memory if isinstance(each, Kept) else each for each in subjects)
        return tuple(id for id in ids if isinstance(id, UUID))


@define
class History:
    """States of memories and projects, computed by replaying an audit trail or its newest part.

    An undo restores the states before the undone entry. The entry and its undo then cancel out. A change can be
    undone if its effect is the present state, even if there were other changes and undos in between.

    Attributes:
        entries: Entries, keyed by id, oldest first.
        only: Subjects to replay; None for all. A selection saves time after imports of a hundred thousand
            memories.
    """

    entries: Mapping[UUID, AuditEntry]
    only: Collection[Subject] | None = field(init=False, default=None)
    _found: dict[UUID, dict[Subject, State]] = field(init=False, factory=dict)
    _left: dict[UUID, dict[Subject, State]] = field(init=False, factory=dict)
    _now: dict[Subject, State] = field(init=False, factory=dict)
    _latest: dict[Subject, AuditEntry] = field(init=False, factory=dict)
    _imports: Mapping[UUID, AuditEntry] = field(init=False, factory=dict)
    """For each entry that came with an import, the entry of the import itself."""
    _roots: dict[UUID, tuple[UUID, bool]] = field(init=False, factory=dict)
    """For each entry, the id of the change that it makes or undoes, and True if it makes the change.

    The undo of an undo makes the change again.
    """
    _in_effect: dict[UUID, datetime] = field(init=False, factory=dict)
    """Changes in effect, each with the time when it took effect, in the order of these times.

    If the undo of a change is undone, the change takes effect at the time of the second undo.
    """

    @classmethod
    def of(cls, entries: Iterable[AuditEntry], target: AuditEntry | None = None) -> "History":
        """Replay `entries` (newest first, no gaps). With `target`, replay only subjects needed to undo it."""
        history = cls({each.id: each for each in reversed(list(entries))})
        history._imports = _imports(list(history.entries.values()))
        if target is not None:
            torn = {id for id, each in history.entries.items() if _is_torn(each)}
            history.only = {
                subject
                for each in history.entries.values()
                if each is target or not torn.isdisjoint((each.id, each.by.undoes))
                for subject in _made(each)
            }
        for each in history.entries.values():
            history.replay(each)
        return history

    def replay(self, entry: AuditEntry) -> None:
        """Add the effects of an entry, which needn't be stored yet."""
        found = self._found[entry.id] = {}
        left = self._left[entry.id] = {}
        if entry.id in self._imports:
            # An imported entry describes changes in another storage. Here, only the import changed memories.
            self._roots[entry.id] = entry.id, True
            return
        undone = self._found.get(entry.by.undoes, {}) if entry.by.undoes else {}
        for subject, made in _made(entry, self.only).items():
            found[subject] = self._before(entry, subject, made)
            brought_back = undone.get(subject, made)
            left[subject] = brought_back if brought_back.away == made.away else made
            self._latest[subject] = entry
        self._now.update(left)
        root, makes = entry.id, True
        if entry.by.undoes in self._roots:
            root, made_it = self._roots[entry.by.undoes]
            makes = not made_it
        self._roots[entry.id] = root, makes
        if makes and self.entries[root].by.undoes is None:
            self._in_effect.pop(root, None)
            self._in_effect[root] = entry.by.at

    def _before(self, entry: AuditEntry, subject: Subject, made: State) -> State:
        """Return the state of a subject before an entry: live before a purge, purged before a restore."""
        now = self._now.get(subject)
        if now is None or subject in entry.added:
            return State(None, away=not made.away)
        if now.away == made.away:
            # The entry didn't change this subject: an import also lists memories that were already purged.
            now = State(now.since, away=not now.away)
            if now.since is not None:
                self._left[now.since][subject] = now
        return now

    def changes(self) -> Iterator[tuple[datetime, AuditEntry]]:
        """Yield each change in effect and the time when it took effect, latest first. Leave out undos."""
        for id, at in reversed(self._in_effect.items()):
            yield at, self.entries[id]

    def subjects(self, entry: AuditEntry) -> Collection[Subject]:
        """Return the subjects of an entry that haven't been erased."""
        return self._left[entry.id].keys()

    def holds(self, entry: AuditEntry) -> bool:
        """Return True if at least one subject of an entry is still in the state to which the entry led."""
        return any(self._now[each] == state for each, state in self._left.get(entry.id, {}).items())

    def brought_by(self, entry: AuditEntry) -> AuditEntry | None:
        """Return the entry of the import that added `entry` to this storage; None if `entry` wasn't imported."""
        return self._imports.get(entry.id)

    def decide(self, entry: AuditEntry, away: Mapping[Subject, bool]) -> Decision:
        """Return the effects of undoing an entry.

        Memories that later entries have changed are left alone. For an edit, either the replaced memory is
        restored and its replacement is purged, or both are left alone.

        Args:
            entry: An entry of this history.
            away: Subjects of the entry that are in the project, each with its present `State.away`: True for
                purged memories, merged projects and unconfirmed memories.
        """
        found, left = self._found[entry.id], self._left[entry.id]
        there = [each for each in left if each in away]
        since = [each for each in there if self._now[each] not in (left[each], found[each])]
        held = [each for each in there if self._now[each] == left[each]]
        back = {each: found[each] for each in held if away[each] == left[each].away != found[each].away}
        unlike = [each for each in held if each not in back]
        replacing = [each for each, state in left.items() if not state.away and self._now[each] != found[each]]
        edits = entry.action is Action.EDIT
        blocked = edits and (len(there) < len(left) or any(each not in back for each in replacing))
        lost = edits and entry.erased > 0 and (not entry.purged or (not replacing and self._is_followed(entry)))
        return Decision(
            back={} if blocked or lost else back,
            changed=(*since, *(each for each in unlike if not found[each].away)),
            already=tuple(each for each in unlike if found[each].away),
            gone=tuple(each for each in left if each not in away),
            erased=entry.erased,
            blocked=blocked,
            lost=lost,
            blocker=max((self._latest[each] for each in since), key=_age, default=None),
        )

    def _is_followed(self, entry: AuditEntry) -> bool:
        """Return True if a later version of an edited memory may be live: an undo would make two versions live.

        The trail has no ids of erased versions, so any edit with an erased version may be of this memory. Return
        True if a memory is live because such an edit followed `entry`, or because an older such edit was undone.
        """
        order = list(self.entries)
        root = order.index(self._roots[entry.id][0])
        later = (self.entries[id] for id in order[order.index(entry.id) + 1 :])
        earlier = {id for id in order[:root] if _is_torn(self.entries[id])}
        return any(
            self._now[each] == state and not state.away
            for edit in later
            if _is_torn(edit) or edit.by.undoes in earlier
            for each, state in self._left[edit.id].items()
        )


def _imports(entries: Sequence[AuditEntry]) -> Mapping[UUID, AuditEntry]:
    """Map the id of each imported entry to its import: a later entry that added memories of the imported entry.

    Args:
        entries: Entries, oldest first.
    """
    imports = [place for place, each in enumerate(entries) if each.action is Action.IMPORT]
    if not imports:
        return {}
    # Skip the latest import: no later import can have added it, and it may name a hundred thousand memories.
    others = [(place, each) for place, each in enumerate(entries) if place != imports[-1]]
    named = {id for _, each in others for id in each.memories}
    adding = {id: place for place in imports for id in entries[place].added if id in named}
    latest = {
        each.id: (place, max((adding.get(id, -1) for id in each.memories), default=-1)) for place, each in others
    }
    return {id: entries[adder] for id, (place, adder) in latest.items() if adder > place}


def undone_by(entries: Iterable[AuditEntry]) -> Mapping[UUID, int]:
    """Map the id of each undone entry to the number of the undo's entry. Leave out undos that were undone.

    Args:
        entries: Entries, newest first, without gaps.
    """
    undone: dict[UUID, int] = {}
    for each in entries:
        if each.by.undoes is not None and each.id not in undone:
            undone.setdefault(each.by.undoes, each.number)
    return undone


def _made(entry: AuditEntry, only: Collection[Subject] | None = None) -> Mapping[Subject, State]:
    """Return the states after an entry, treating an undo like other entries. Leave out subjects not in `only`."""
    edits = entry.action is Action.EDIT and entry.by.undoes is None
    heir = next(iter((*entry.added, *entry.restored)), None) if edits else None
    purged, live = State(entry.id, away=True, replaced_by=heir), State(entry.id, away=False)
    if entry.old is not None:
        moved = State(entry.id, away=entry.action is Action.MERGE)
        return {entry.old: moved} if only is None or entry.old in only else {}
    keeps = entry.action is Action.KEEP
    others = entry.added if edits else (*entry.added, *entry.restored)
    changes: Sequence[tuple[Sequence[UUID], State]] = ((entry.purged, purged), (others, live))
    return {
        subject: state
        for ids, state in changes
        for subject in (map(Kept, ids) if keeps else ids)
        if only is None or subject in only
    }


def _is_torn(entry: AuditEntry) -> bool:
    """Return True if an entry is an edit, and some of its memories were erased."""
    return entry.action is Action.EDIT and entry.erased > 0


def _age(entry: AuditEntry) -> tuple[datetime, int]:
    return entry.by.at, entry.number
