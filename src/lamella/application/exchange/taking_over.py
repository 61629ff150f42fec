"""Store portions of an export."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import uuid4, uuid5

from attrs import define, field

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.call import Call
from lamella.domain.conversations.message import Batch, MessageDraft
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.projects.project import Project
from lamella.ports.storage.observations import Added, ObservationStorage, TakenOver
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Clock

MOST_AHEAD = timedelta(days=1)
"""Most by which the clock of another machine may be ahead. Later saves would get the time of the latest memory."""

_SOURCE = "lamella export"
"""The source of messages that come from an export."""


def import_entry(call: Call, now: datetime) -> Entry:
    """Return the entry of an import in audit trails, which storage fills with the memories that it adds."""
    return Entry(id=uuid4(), action=Action.IMPORT, by=call.signature(now))


@define
class ImportAccount:
    """The account of an import.

    Attributes:
        new: Numbers of new memories, by the name of the project that they go to and their kind.
        known: Number of memories that were here already.
        purged: Number of those that are purged here.
        erased: Number of memories that were left out because they were erased here.
        edited: Number of memories whose text was edited, and that replace the former ones.
        left: Number of edited texts that were not taken over, as what they replace was purged here.
        messages: Number of new messages.
        known_messages: Number of messages that were here already.
        redacted: Number of secrets that were redacted.
        projects: Number of projects.
        off: Numbers of records that were passed over, by the name of their project, in which memory is off.
    """

    new: "Counter[tuple[str, Kind]]" = field(factory=Counter)
    known: int = 0
    purged: int = 0
    erased: int = 0
    edited: int = 0
    left: int = 0
    messages: int = 0
    known_messages: int = 0
    redacted: int = 0
    projects: int = 0
    off: "Counter[str]" = field(factory=Counter)

    @property
    def memories(self) -> int:
        """Number of new memories."""
        return self.new.total()


@define
class Portion:
    """Records of one project that are stored at a time."""

    project: Project
    arrivals: list[Arrival] = field(factory=list)
    entries: list[Entry] = field(factory=list)
    drafts: list[MessageDraft] = field(factory=list)
    names: dict[str, str] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.arrivals) + len(self.entries) + len(self.drafts) + len(self.names)


@define
class TakingOver:
    """Storing of portions, for `ImportRecords`.

    Attributes:
        known: Ids of the projects that are there.
        entry: Entry of the import in audit trails.
        edits: See `ImportRecords`.
        dry_run: See `ImportRecords`.
    """

    storage: Storage
    clock: Clock
    call: Call
    known: set[str]
    entry: Entry
    edits: bool = field(kw_only=True)
    dry_run: bool = field(kw_only=True)
    account: ImportAccount = field(factory=ImportAccount)

    def store(self, portion: Portion) -> None:
        """Store a portion, or count what is new of it.

        Raises:
            StorageError: It could not be stored. A part of it may have been.
        """
        project = portion.project
        here = project.id in self.known
        if portion.arrivals:
            found = self._memories(project.id, portion.arrivals) if here else ()
            outcomes = found or [TakenOver.NEW] * len(portion.arrivals)
            for arrival, outcome in zip(portion.arrivals, outcomes, strict=True):
                if outcome is TakenOver.NEW:
                    self.account.new[project.name, arrival.observation.kind] += 1
                elif outcome is TakenOver.ERASED:
                    self.account.erased += 1
                else:
                    self.account.known += 1
                    self.account.purged += outcome is TakenOver.PURGED
        if portion.entries and not self.dry_run and Capability.AUDIT in self.storage.capabilities:
            self.storage.audit(project.id).add(portion.entries)
        if (portion.drafts or portion.names) and Capability.CONVERSATIONS in self.storage.capabilities:
            new = self._messages(project.id, portion) if here else len(portion.drafts)
            self.account.messages += new
            self.account.known_messages += len(portion.drafts) - new

    def _memories(self, project: str, arrivals: Sequence[Arrival]) -> Sequence[TakenOver]:
        observations = self.storage.observations(project)
        learned = self._learned(project, arrivals)
        others = [each for each in arrivals if each.request not in learned]
        if self.dry_run:
            kept = observations.known([each.observation.id for each in others])
            taken = [kept.get(each.observation.id, TakenOver.NEW) for each in others]
        else:
            taken = list(observations.take_over(others, entry=self.entry))
        if self.edits:
            pairs = zip(others, taken, strict=True)
            known = [each.observation for each, outcome in pairs if outcome in (TakenOver.KNOWN, TakenOver.PURGED)]
            former = observations.get_all([each.id for each in known])
            for observation in known:
                if _is_edited(observation, former[observation.id]):
                    self._edit(observations, observation, former[observation.id])
        outcomes = iter(taken)
        return [TakenOver.KNOWN if each.request in learned else next(outcomes) for each in arrivals]

    def _learned(self, project: str, arrivals: Sequence[Arrival]) -> frozenset[str]:
        """Return the requests of commits that were learned here too, under other ids."""
        requests = [each.request for each in arrivals if each.observation.learned and each.request is not None]
        if not requests or Capability.LEDGER not in self.storage.capabilities:
            return frozenset()
        return self.storage.ledger(project).known(requests)

    def _edit(self, observations: ObservationStorage, edited: Observation, former: Observation) -> None:
        if self.dry_run:
            self.account.edited += not former.purged
            return
        content, title = edited.content.strip(), edited.title
        if title == former.title == generated_title(former.content):
            title = generated_title(content)
        draft = Draft(
            content=content,
            title=title,
            source=edited.source,
            kind=former.kind,
            actor=self.call.actor,
            author=self.call.author,
            changes=former.changes,
            replaces=(former.id,),
        )
        # Importing the same file again makes the same id.
        id = uuid5(former.id, f"{draft.title}\n{draft.content}")
        try:
            saved = observations.add(draft, id=id, now=self.clock.now())
        except NotReplaceableError:
            self.account.left += 1
        else:
            self.account.edited += saved.added is Added.NEW

    def _messages(self, project: str, portion: Portion) -> int:
        conversations = self.storage.conversations(project)
        if self.dry_run:
            return len(portion.drafts) - len(conversations.known([each.key for each in portion.drafts]))
        known = conversations.names() if portion.names else {}
        names = {session: name for session, name in portion.names.items() if session not in known}
        batch = Batch(source=_SOURCE, position="", drafts=tuple(portion.drafts), names=names)
        return conversations.add(batch)


def _is_edited(arrived: Observation, kept: Observation) -> bool:
    """Return True if a person has edited the text of a memory. Captured changes are joined, and not edited."""
    if kept.kind is Kind.CHANGE or arrived.purged:
        return False
    return (arrived.title, arrived.content.strip()) != (kept.title, kept.content.strip())
