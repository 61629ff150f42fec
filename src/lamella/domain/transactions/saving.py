"""Saving a draft: retries, duplicates and replacements."""

# ruff: noqa: PLC0415 - most drafts replace nothing

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.search.corrections import beginning, corrected
from lamella.domain.transactions.look import Facts, Look, Same
from lamella.domain.transactions.plan import Insert, Plan, SetStatus


class Added(StrEnum):
    """Outcome of adding a draft."""

    NEW = "new"
    DUPLICATE = "already saved"
    """A live observation has the same fingerprint."""
    RETRY = "retry"
    """The same call has already saved the draft."""


@frozen(repr=False)
class Saved:
    """Result of adding a draft.

    Attributes:
        observation: New observation; for a duplicate or retry, the existing observation.
        added: Outcome: new, duplicate or retry.
        corrected: Id of an older memory that the new memory seems to correct, but doesn't replace.
    """

    observation: Observation
    added: Added
    corrected: UUID | None = None


def look_for_save(draft: Draft) -> Look:
    """List the facts that `decide_save` needs."""
    similar = beginning(draft.content) if draft.kind is Kind.NOTE and not draft.replaces else ()
    return Look(
        ids=draft.replaces,
        fingerprint=draft.fingerprint,
        session=draft.session,
        neighbours=draft.occurred_at is None,
        similar=similar,
    )


def decide_save(
    draft: Draft, facts: Facts, *, id: UUID, entry: UUID, now: datetime, revived: Collection[UUID] = ()
) -> tuple[Plan, Saved]:
    """Decide on a draft; see `ObservationStorage.add`.

    Args:
        draft: The draft.
        facts: Answers to `look_for_save`.
        id: Id of a new observation.
        entry: Id of an entry of the audit trail, if the draft replaces observations.
        now: Current time.
        revived: Ids of replaced observations that were purged before. The entry leaves these ids out, so that an
            undo leaves the observations purged.

    Raises:
        NotReplaceableError: An observation of `draft.replaces` is missing, or was purged for another reason.
    """
    known = _known(draft, facts.same) if facts.same else None
    if known is not None and known.added is Added.RETRY:
        return (), known
    heir = id if known is None else known.observation.id
    replaced = _replaced(draft.replaces, heir, facts) if draft.replaces else ()
    replacing: Plan = ()
    if replaced:
        from lamella.domain.audit.entry import Action, AuditEntry, Signature
        from lamella.domain.transactions.auditing import audited

        by = Signature(at=now, actor=draft.actor, author=draft.author, session=draft.session)
        purged = tuple(each for each in replaced if each not in revived)
        added, restored = ((id,), ()) if known is None else ((), (heir,) if purged else ())
        edit = AuditEntry(id=entry, action=Action.EDIT, by=by, added=added, purged=purged, restored=restored)
        purge = SetStatus(ids=replaced, at=now, purged=True, replaced_by=heir)
        replacing = (purge, *audited(edit, facts))
    if known is not None:
        return replacing, known
    observation = draft.observed(
        id=id,
        project=facts.project,
        sequence=facts.sequence + 1,
        now=now,
        occurred_at=draft.occurred_at or max(now, facts.latest or now),
    )
    if replaced:
        observation = evolve(observation, origin=facts.origin(replaced))
    insert = Insert(observation=observation, fingerprint=draft.fingerprint, request=draft.request)
    return (insert, *replacing), Saved(observation, Added.NEW, corrected(draft.content, facts.similar))


def decide_restoring_save(
    draft: Draft, facts: Facts, *, id: UUID, entry: UUID, now: datetime
) -> tuple[Plan, Saved]:
    """Decide as `decide_save` does, but also replace purged observations that have no replacement yet."""
    here = {id: facts.statuses[id] for id in draft.replaces if id in facts.statuses}
    purged = tuple(id for id, status in here.items() if status.purged and status.replaced_by is None)
    live = {**facts.statuses, **{id: evolve(here[id], purged=False) for id in purged}}
    plan, saved = decide_save(draft, evolve(facts, statuses=live), id=id, entry=entry, now=now, revived=purged)
    return (SetStatus(ids=purged, at=now, purged=False), *plan) if purged and plan else plan, saved


def unsaved(draft: Draft, known: Observation) -> tuple[str, ...]:
    """Return the fields (`keywords`, `metadata`) that differ between a draft and `known`, its stored duplicate.

    Fields that the draft doesn't set are left out.
    """
    return tuple(
        each for each in ("keywords", "metadata") if getattr(draft, each) not in ("", {}, getattr(known, each))
    )


def _known(draft: Draft, same: Sequence[Same]) -> Saved | None:
    """Return the observation saved by the same call, or else the first live observation with the same text."""
    # Without a request id, a save can't be recognised as a retry.
    retried = (each for each in same if draft.request is not None and each.request == draft.request)
    live = (each for each in same if not each.observation.purged and not _corrects(draft, each.observation))
    for found, added in ((retried, Added.RETRY), (live, Added.DUPLICATE)):
        for each in found:
            return Saved(each.observation, added)
    return None


def _corrects(draft: Draft, known: Observation) -> bool:
    """Return True if a draft replaces an observation with the same text, to change its keywords or metadata."""
    same = known.keywords == draft.keywords and known.metadata == draft.metadata
    return known.id in draft.replaces and not same


def _replaced(ids: Sequence[UUID], heir: UUID, facts: Facts) -> tuple[UUID, ...]:
    """Return the live observations that `heir` replaces."""
    from lamella.domain.memories.errors import NotReplaceableError

    replaced = []
    for id in dict.fromkeys(ids):
        status = facts.statuses.get(id)
        if status is None and id != heir:
            raise NotReplaceableError(id=str(id), reason="not found")
        if status is not None and status.purged and status.replaced_by != heir:
            raise NotReplaceableError(id=str(id), reason="already purged")
        if status is not None and not status.purged and id != heir:
            replaced.append(id)
    return tuple(replaced)
