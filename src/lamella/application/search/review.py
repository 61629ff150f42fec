"""Review memories: list contradictory, repeated, outdated or unused notes, and record which notes are right."""

from collections.abc import Mapping, Sequence
from functools import partial
from threading import Timer
from uuid import UUID, uuid4

from attrs import define, evolve, field

from lamella.application.embeddings.query_vector import Meaning
from lamella.application.memories.purge_restore_erase import Changes, StatusChangeOutcome, change_each
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.audit.entry import Signature, entry_name
from lamella.domain.call import Call
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Filters, Hit
from lamella.domain.replies.budget import PAGE_TOKENS, TokenBudget
from lamella.domain.replies.review import printed
from lamella.domain.search.worklist import RECORDED_BEFORE, UNUSED_FOR, Compared, Task, compare, old, worklist
from lamella.domain.transactions.reviewing import LOOK, kept, mark
from lamella.domain.transactions.status import decide_keep_given, look_for_given
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock
from lamella.ports.tokenizer import Tokenizer

NOTES = 1_000
"""Maximum number of latest notes to review."""

QUICK = 100
"""Maximum number of notes to compare immediately. This takes a few milliseconds."""

_KEPT = 8
"""Maximum number of projects with a cached comparison."""

_AFTER_SECONDS = 0.1
"""Delay in seconds before notes are compared in the background, so that the present reply isn't slowed down."""


@define
class ReviewMemories:
    """List the tasks of a review, and record which memories the user has confirmed."""

    projects: ProjectResolver
    search: SearchMemories
    tokenizer: Tokenizer
    clock: Clock
    meaning: Meaning
    _compared: Mapping[str, Compared] = field(init=False, factory=dict)
    """Latest comparison, keyed by project id. It is reused, because notes seldom change between two reviews."""
    _comparing: set[str] = field(init=False, factory=set)

    def __call__(self, call: Call, *, again: bool = False) -> tuple[Task, ...]:
        """Return the open tasks, the most certain first. See `so_far` for arguments and errors."""
        return self.so_far(call, again=again, wait=True)[0]

    def so_far(self, call: Call, *, again: bool = False, wait: bool = False) -> tuple[tuple[Task, ...], bool]:
        """Return the open tasks, the most certain first, and whether all notes were compared.

        Many notes are compared in the background. Until this comparison is done, similar notes are taken from the
        previous comparison.

        Args:
            call: Context of the call.
            again: True to list all tasks. False to leave out tasks whose memories were all confirmed in earlier
                reviews.
            wait: True to wait until all notes are compared.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        answer = self.search(call, SearchRequest(filters=Filters(kind=Kind.NOTE), limit=NOTES), commits=True)
        here, now = self.projects.find(call), self.clock.now()
        places = tuple(filter(None, (here, here.everywhere)))
        marks = set() if again else {each for place in places for each in kept(place.observations.look(LOOK))}
        settled = {hit.observation.id for hit in answer.hits if marks and mark(hit.observation.id) in marks}
        since, aged = now - UNUSED_FOR, old(answer.hits, now)
        logged = aged and here.keeps(Capability.ACTIVITY)
        used = here.activity().used(since, recorded=since - RECORDED_BEFORE) if logged else None
        unused = () if used is None else {id for id in aged if id.hex not in used}
        vectors = list[Mapping[UUID, Vector]]()
        for place in places:
            ids = [hit.observation.id for hit in answer.hits if hit.everywhere == (place is not here)]
            vectors.append(self.meaning.vectors(place, ids))
        latest = self._compared.get(here.id, Compared())
        finished = latest.of(answer.hits, vectors)
        if not finished and (wait or len(answer.hits) <= QUICK):
            latest, finished = self._compare(here.id, answer.hits, vectors), True
        elif not (finished or here.id in self._comparing):
            self._comparing.add(here.id)
            timer = Timer(_AFTER_SECONDS, self._compare, (here.id, answer.hits, vectors))
            timer.daemon = True  # a stopped server doesn't wait for the comparison
            timer.start()
        return worklist(answer.hits, answer.files, settled, latest, unused), finished

    def _compare(self, project: str, notes: Sequence[Hit], vectors: Sequence[Mapping[UUID, Vector]]) -> Compared:
        try:
            latest = compare(notes, vectors)
            others = [each for each in self._compared.items() if each[0] != project]
            self._compared = dict([*others, (project, latest)][-_KEPT:])
        finally:
            self._comparing.discard(project)
        return latest

    def reply(self, call: Call, advice: str, *, again: bool = False) -> str:
        """Return the tasks as text within a token budget, followed by `advice` on what to do.

        If `advice` contains `{after}`, the name of the latest audit entry is inserted there. With this name, a
        user can undo all later changes.
        """
        here = self.projects.find(call)
        places = {False: here, True: here.everywhere} if here.keeps(Capability.AUDIT) else {}
        latest = [
            (each.by.at, entry_name(each.number, everywhere=everywhere))
            for everywhere, place in places.items()
            for each in (place.audit().entries(limit=1) if place else ())
        ]
        # If there are no entries, the advice refers to entry 0, the creation of the project. A project that
        # doesn't exist yet has no entry 0. Then it refers to entry 0 of the global memories, which precedes all
        # changes.
        _, after = max(latest, default=(None, "0" if here.project else "e0"))
        advice = advice.replace("{after}", after)
        return printed(self(call, again=again), call.zone, TokenBudget(PAGE_TOKENS, self.tokenizer.count), advice)

    def keep(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Record that the user has confirmed memories as right.

        Args:
            call: Context of the call.
            ids: Full ids, or prefixes of at least four characters.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed, and nothing was remembered.
        """
        keep = partial(_keep, by=self.projects.signature(call))
        return change_each(self.projects.find(call), ids, keep, "not found")


def _keep(here: ProjectContext, given: Sequence[str], *, by: Signature) -> Changes:
    return here.transact(
        evolve(look_for_given(given), sources=LOOK.sources),
        partial(decide_keep_given, given, entry=uuid4(), by=by),
    )
