"""The latest change that can be undone, and errors about changes that can't be undone."""

from collections.abc import Collection, Iterable
from uuid import UUID

from attrs import evolve

from lamella.application.audit.trail import Trail, in_effect
from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.audit.errors import LOG, SEE, NotUndoableError
from lamella.domain.audit.undoing import Decision
from lamella.domain.transactions.catalogue import Catalogue


def latest(trails: Iterable[Trail]) -> tuple[Trail, AuditEntry]:
    """Return the latest change in effect among several trails.

    Raises:
        NotUndoableError: No change is in effect, or the latest change can't be undone.
    """
    changes = in_effect(trails)
    for trail, entry, decision in changes:
        if decision.back:
            return trail, entry
        refusal = refusal_of(trail, entry, decision, which=f"The latest change, entry {trail.name(entry)},")
        raise _or_before(refusal, changes)
    raise NotUndoableError(
        reason="There is nothing to undo.",
        advice="To see what was changed, or to hide a memory that you have just saved",
        commands=(*LOG, "lamella purge ID"),
    )


def refuse_erases(trails: Iterable[Trail], kept: Collection[UUID]) -> None:
    """Check that no change in effect is an erase, except the changes in `kept`.

    Leave out changes that the undo of a later merge moves away. Stop at a split, because its undo moves other
    changes here.

    Raises:
        NotUndoableError: A change is an erase.
    """
    changes, later, away = in_effect(trails, kept), False, set[str | None]()
    for trail, entry, decision in changes:
        if entry.origin in away:
            continue
        if entry.action is Action.ERASE:
            refusal = refusal_of(trail, entry, decision)
            if not later:
                raise _or_before(refusal, changes)
            command = f"lamella undo --after {trail.name(entry)}"
            raise evolve(refusal, advice="To undo only the changes after it", commands=(command,))
        if entry.action is Action.SPLIT:
            return
        if entry.old is not None:
            away |= {entry.old, *Catalogue.of(trail.storage.registry.all()).leading_to(entry.old)}
        later = True


def _or_before(
    refusal: NotUndoableError, changes: Iterable[tuple[Trail, AuditEntry, Decision]]
) -> NotUndoableError:
    """Return an error that advises to undo the first change of `changes` that can be undone, if there is one."""
    before = next((trail.name(each) for trail, each, possible in changes if possible.back), None)
    return refusal if before is None else _instead(refusal.reason, "To undo the change before it", before)


def refusal_of(trail: Trail, entry: AuditEntry, decision: Decision, *, which: str = "") -> NotUndoableError:
    """Return the error for an entry that can't be undone, not even in part."""
    which = which or f"Entry {trail.name(entry)}"
    if entry.action is Action.ERASE:
        return NotUndoableError(reason=f"{which} cannot be undone: erased memories are gone for good.")
    bringing = trail.history.brought_by(entry)
    if bringing is not None:
        purges = entry.action is Action.PURGE
        return NotUndoableError(
            reason=f"{which} cannot be undone: it was imported by entry {trail.name(bringing)}.",
            advice="To restore the memories that it purged" if purges else SEE,
            commands=("lamella restore ID",) if purges else LOG,
        )
    undone = trail.undoes(entry)
    if undone is not None:
        undoing = next(each for each in trail.history.entries.values() if each.number == undone)
        possible = bool(trail.decide(undoing).back)
        since = "" if possible else ", and its memories have changed since"
        name = trail.name(undoing)
        return _instead(
            f"{which} was undone by entry {name}{since}.", "To take that back", name if possible else None
        )
    if decision.lost:
        return NotUndoableError(
            reason=f"{which} cannot be undone: some memories of this edit were erased.",
            advice="To choose the memories to keep",
            commands=("lamella restore ID", "lamella purge ID"),
        )
    if decision.blocker is not None:
        name, first = trail.name(decision.blocker), _first_to_undo(trail, decision.blocker)
        first_name = None if first is None else trail.name(first)
        reason = f"{which} cannot be undone: its result was changed by entry {name}."
        return _instead(reason, f"To undo entry {first_name} first", first_name)
    purged = decision.already and not decision.changed and entry.old is None
    how = "are purged already" if purged else "have changed since"
    return NotUndoableError(reason=f"{which} cannot be undone: its memories {how}.")


def _instead(reason: str, advice: str, name: str | None) -> NotUndoableError:
    """Return the error for `reason`. If `name` is given, the error advises to undo the entry of that name."""
    if name is None:
        return NotUndoableError(reason=reason)
    return NotUndoableError(reason=reason, advice=advice, commands=(f"lamella undo {name}",), instead=name)


def _first_to_undo(trail: Trail, blocker: AuditEntry) -> AuditEntry | None:
    """Follow the entries that block an undo, from `blocker` on.

    Return the first entry that can be undone, or None.
    """
    whole = trail.whole() if trail.history.only else trail
    entry: AuditEntry | None = blocker
    seen = set[UUID]()
    while entry is not None and entry.id not in seen:
        seen.add(entry.id)
        decision = whole.decide(entry)
        if decision.back:
            return entry
        entry = decision.blocker
    return None
