"""Faults in what becomes of captured changes."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import Draft, Observation
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.storage.observations import ObservationStorage, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.contracts import CodeLedgerContract
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant, Mutants, without
from lamella_contracts.mutants.fault import naming_clauses
from lamella_contracts.mutants.threads import Meeting, racing

MUTANTS = Mutants()


class Recording(InMemoryLedger):
    """Records other captures than it is given."""

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        return super().record(tuple(map(self.told, captures)))

    def told(self, capture: Capture) -> Capture:
        return capture


@MUTANTS.add(
    "former names are dropped",
    trips={
        "a_capture_becomes_an_observation",
        "a_file_that_is_called_as_before_has_one_history",
        "a_merge_moves_the_ledger",
        "purged_changes_are_in_no_answer",
        "renames_are_followed",
    },
)
class DropsFormer(Recording):
    def told(self, capture: Capture) -> Capture:
        changes = tuple(evolve(each, former=None) for each in capture.draft.changes)
        return evolve(capture, draft=evolve(capture.draft, changes=changes))


@MUTANTS.add(
    "requests are forgotten",
    trips={
        "long_requests_are_told_apart",
        "a_known_capture_is_passed_over",
        "a_merge_moves_the_ledger",
        "an_edit_makes_what_was_found_before_its_own",
        "an_edit_joins_the_change_before_it",
        "an_erased_capture_stays_known",
        "racing_drains_double_nothing",
    },
)
class ForgetsRequests(Recording):
    def told(self, capture: Capture) -> Capture:
        return evolve(capture, draft=evolve(capture.draft, request=None))


@MUTANTS.add(
    "a capture is always the last",
    trips={"a_late_capture_has_its_neighbours_in_time", "a_capture_takes_its_place_in_time"},
)
class AlwaysLast(Recording):
    """As `add` does it: never before what is there."""

    def told(self, capture: Capture) -> Capture:
        return evolve(capture, at=max([capture.at, *(each.occurred_at for each in self.observations.in_order())]))


@MUTANTS.add(
    "captures that are alike are one",
    trips={
        "long_requests_are_told_apart",
        "a_capture_without_a_request_is_always_new",
        "other_edits_stay_apart",
        "purged_changes_are_in_no_answer",
        "racing_drains_double_nothing",
    },
)
class TakesAlikeForTheSame(InMemoryLedger):
    def _record(self, capture: Capture) -> Recorded:
        alike = {row.fingerprint for row in self.observations.rows.values()}
        return Recorded.KNOWN if capture.draft.fingerprint in alike else super()._record(capture)


@MUTANTS.add(
    "edits never join",
    trips={
        "an_edit_joins_the_change_before_it",
        "an_edit_makes_what_was_found_before_its_own",
        "edits_for_another_request_stay_apart",
        "edits_that_joined_follow_one_another",
    },
)
class NeverJoins(InMemoryLedger):
    def _latest(self, draft: Draft) -> Observation | None:
        del draft
        return None


@MUTANTS.add("edits of other sessions join", trips={"other_edits_stay_apart"})
class JoinsAnySession(InMemoryLedger):
    def _latest(self, draft: Draft) -> Observation | None:
        latest = super()._latest(draft)
        return None if latest is None or draft.session is None else evolve(latest, session=draft.session)


@MUTANTS.add("edits of other files join", trips={"an_edit_joins_the_change_before_it", "other_edits_stay_apart"})
class JoinsAnyFile(InMemoryLedger):
    def _latest(self, draft: Draft) -> Observation | None:
        latest = next(iter(self._live()), None)
        if latest is None or len(latest.changes) != 1:
            return None
        return evolve(latest, changes=(evolve(latest.changes[0], path=draft.changes[0].path),))


@MUTANTS.add(
    "edits join after a quarter of an hour",
    trips={
        "an_edit_makes_what_was_found_before_its_own",
        "edits_for_another_request_stay_apart",
        "edits_that_joined_follow_one_another",
        "other_edits_stay_apart",
    },
)
class JoinsWhateverIsOld(InMemoryLedger):
    def _latest(self, draft: Draft) -> Observation | None:
        latest = super()._latest(draft)
        return latest and evolve(latest, created_at=latest.created_at + timedelta(minutes=5))


@MUTANTS.add("edits for several requests join", trips={"edits_for_another_request_stay_apart"})
class JoinsWhateverWasAsked(Recording):
    def told(self, capture: Capture) -> Capture:
        return evolve(capture, asked=None)


@MUTANTS.add(
    "what was found is an edit",
    trips={"an_edit_makes_what_was_found_before_its_own", "nothing_else_ages"},
)
class TakesWhatWasFoundForEdits(Recording):
    def told(self, capture: Capture) -> Capture:
        return evolve(capture, draft=evolve(capture.draft, source=EDITED))


@MUTANTS.add("edits join past others", trips={"other_edits_stay_apart"})
class JoinsPastOthers(InMemoryLedger):
    """Joins the latest change of the session, even if the file was changed by others since."""

    def _latest(self, draft: Draft) -> Observation | None:
        paths = {change.path for change in draft.changes}
        mine = (each for each in self._live() if each.session == draft.session)
        return next((each for each in mine if paths & {change.path for change in each.changes}), None)


@MUTANTS.add("edits join what is purged", trips={"other_edits_stay_apart"})
class JoinsPurged(InMemoryLedger):
    def _latest(self, draft: Draft) -> Observation | None:
        paths = {change.path for change in draft.changes}
        every = (evolve(each, purged_at=None) for each in reversed(self.observations.in_order()))
        return next((each for each in every if paths & {change.path for change in each.changes}), None)


@MUTANTS.add(
    "nothing is known",
    trips={
        "long_requests_are_told_apart",
        "a_known_capture_is_passed_over",
        "a_merge_moves_the_ledger",
        "the_ledger_knows_what_was_taken_over",
    },
)
class KnowsNothing(InMemoryLedger):
    def known(self, requests: Collection[str]) -> frozenset[str]:
        del requests
        return frozenset()


@MUTANTS.add("erased captures are forgotten", trips={"an_erased_capture_stays_known"})
class ForgetsErased(BrokenStorage):
    """Forgets with an observation that it was captured."""

    def observations(self, project: str) -> ObservationStorage:
        class Erasing(InMemoryObservations):
            def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
                self.shelf.captured.clear()
                return super().erase(ids, by=by)

        self.registry.known(project)
        return Erasing(project, self.registry)


@MUTANTS.add("drains race", trips={"racing_drains_double_nothing"})
class MeetsBeforeRecording(BrokenStorage):
    def __init__(self, mutant: Mutant, folder: Path) -> None:
        super().__init__(mutant, folder)
        self.meeting = Meeting()

    def ledger(self, project: str) -> CodeLedger:
        return RacesAhead(self._scope(project), self.meeting)


@define(eq=False)
class RacesAhead(InMemoryLedger):
    """Asks which captures are known before anybody stores."""

    meeting: Meeting

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        if not racing():
            return super().record(captures)
        known = self.known([each.draft.request for each in captures if each.draft.request is not None])
        thread = self.meeting.wait()
        return super().record(
            [each if each.draft.request in known else another(each, thread) for each in captures]
        )


def another(capture: Capture, thread: int) -> Capture:
    """Return a capture that is unlike those of other threads, and so stored beside them."""
    draft = evolve(capture.draft, request=f"{capture.draft.request} {thread}")
    return evolve(capture, id=UUID(int=capture.id.int ^ thread), draft=draft)


MUTANTS += (
    Mutant(
        fault="what is not declared is not refused",
        refuses=True,
        storage=without(Capability.LEDGER),
        trips=naming_clauses(CodeLedgerContract),
    ),
)
