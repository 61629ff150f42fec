"""Recording captured edits, ageing them, and remembering warnings."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from attrs import define, field, frozen
from attrs.validators import optional

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.merge_edits import joined
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.other_writes import Age, Amend, MarkWarned, RememberRequest
from lamella.domain.transactions.plan import Insert, Plan, Write
from lamella.domain.validation import aware


class Recorded(StrEnum):
    """Outcome of recording a capture."""

    NEW = "new"
    JOINED = "joined"
    """The capture was joined to an existing observation."""
    KNOWN = "known"
    """The capture was recorded before. Its observation may have been purged or erased since."""


@frozen(kw_only=True)
class Capture:
    """Captured change on its way to storage.

    Attributes:
        id: Id for a new observation.
        draft: Draft of the observation. `draft.request` is the permanent name of the capture.
        at: Time of the change.
        asked: Time of the last prompt before the change, in the same session, if known.
    """

    id: UUID
    draft: Draft
    at: datetime = field(validator=aware)
    asked: datetime | None = field(default=None, validator=optional(aware))

    @property
    def path(self) -> str | None:
        """Path of the only changed file; None for several files."""
        changes = self.draft.changes
        return changes[0].path if len(changes) == 1 else None


def look_for_captures(captures: Sequence[Capture]) -> Look:
    """List the facts that `decide_captures` needs."""
    return Look(
        requests=tuple(each.draft.request for each in captures if each.draft.request is not None),
        paths=tuple(dict.fromkeys(each.path for each in captures if each.path is not None)),
    )


def decide_captures(captures: Sequence[Capture], facts: Facts) -> tuple[Plan, tuple[Recorded, ...]]:
    """Decide on captures, one after the other; see `CodeLedger.record`."""
    recorder = _Recorder(facts, set(facts.recorded), dict(facts.changed))
    outcomes = tuple(map(recorder.record, captures))
    return tuple(recorder.plan), outcomes


@define
class _Recorder:
    """Builder of a plan for captures.

    Attributes:
        facts: State of the project before the plan.
        recorded: Recorded requests, including the requests of the plan.
        latest: Latest live observation that changed a file, keyed by path.
        plan: Writes of the plan, in order.
        new: Number of new observations in the plan.
    """

    facts: Facts
    recorded: set[str]
    latest: dict[str, Observation]
    plan: list[Write] = field(factory=list)
    new: int = 0

    def record(self, capture: Capture) -> Recorded:
        """Add the writes of a capture."""
        draft, request = capture.draft, capture.draft.request
        if request is not None:
            if request in self.recorded:
                return Recorded.KNOWN
            self.recorded.add(request)
            self.plan.append(RememberRequest(request=request, origin=self.facts.project))
        older = None if capture.path is None else self.latest.get(capture.path)
        whole = None if older is None else joined(older, draft, capture.at, capture.asked)
        if whole is not None:
            self._keep(whole, Amend(observation=whole))
            return Recorded.JOINED
        self.new += 1
        said = draft.observed(
            id=capture.id, project=self.facts.project, sequence=self.facts.sequence + self.new, now=capture.at
        )
        self._keep(said, Insert(observation=said, fingerprint=draft.fingerprint, request=request))
        return Recorded.NEW

    def _keep(self, said: Observation, write: Write) -> None:
        self.plan.append(write)
        for change in said.changes:
            older = self.latest.get(change.path)
            if older is None or (older.occurred_at, older.sequence) <= (said.occurred_at, said.sequence):
                self.latest[change.path] = said


def decide_ageing(facts: Facts) -> tuple[Plan, int]:
    """Plan to drop the lines of old captured edits. Return the plan, and the number of examined edits."""
    return tuple(Age(former=each, now=aged(each)) for each in facts.unaged), len(facts.unaged)


def decide_warning(look: Look, facts: Facts) -> tuple[Plan, bool]:
    """Plan to record a warning. Return the plan, and True if the warning is new and its observation exists."""
    if look.warned is None or facts.warned or look.warned.observation not in facts.statuses:
        return (), False
    return (MarkWarned(look.warned),), True
