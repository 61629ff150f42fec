"""`Look`, a query for the data that a decision needs, and `Facts`, the storage's answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from attrs import field, frozen

if TYPE_CHECKING:
    # Not imported at run time: most transactions need few of these.
    from lamella.domain.conversations.message import Message
    from lamella.domain.conversations.summary import Summary
    from lamella.domain.embeddings.vector import EmbeddingModel, Vector
    from lamella.domain.memories.observation import Observation
    from lamella.domain.memories.query import Hit
    from lamella.domain.transactions.adding import ConversationFacts, ConversationLook
    from lamella.domain.transactions.other_writes import Warned

SIMILAR = 8
"""Maximum number of existing notes to compare with a new note."""


@frozen(kw_only=True, repr=False)
class Look:
    """Query for the data that a decision needs.

    A storage reads all of this data in one round trip, and returns the data as `Facts`.

    Attributes:
        ids: Ids of observations to get the status of.
        fingerprint: Fingerprint of a draft, to find observations with the same text.
        session: Session of the draft, to read the observations before it.
        prefixes: Prefixes of the ids of observations to find, each up to 32 hexadecimal digits in lower case,
            without hyphens.
        each: Maximum number of observations to return for each prefix, sorted by id.
        neighbours: True if the plan may insert the draft, or purge or restore the observations of `ids` and
            `prefixes`. Such a plan changes the indexed contexts of the observations that follow, so a storage may
            prefetch these observations.
        incoming: Observations that the plan may insert. Deriving their index data is slow, so a storage may do
            this before it locks the project.
        observations: Ids of observations to get whole.
        marks: Marks of possibly erased memories, sessions or keys, as in `lamella.domain.text.marks`.
        requests: Request ids of captures, to find out which were recorded.
        paths: Files whose latest change is needed.
        warned: Warning to look up, to give it only once.
        unaged: For captured edits with lines to drop: exclusive upper bound for their `occurred_at`, and the
            maximum number of edits.
        keys: Keys of messages, to find out which are stored.
        conversations: Questions about names and titles of conversations.
        sources: Ids of sources whose import positions are needed.
        messages_of: Id of the session whose messages are needed.
        session_names: True for the names and titles given to sessions by sources.
        erasing: True if the plan will erase the session `messages_of` or, without such a session, the observations
            `ids`. A storage that keeps copies of the data erases the copies, too.
        off: True to get the time when memory was switched off in the project.
        model: True to get the model of the stored vectors.
        unembedded: Maximum number of observations without a vector to get; see `Facts.unembedded`.
        vectors: Ids of observations to get the vectors of.
        numbers: Numbers of messages to get whole. Unknown numbers are allowed.
        summaries: Session and level of cached summaries to get.
        similar: First words of a new note, to find notes that begin similarly; see `Facts.similar`. The words
            consist of letters and digits.
    """

    ids: tuple[UUID, ...] = ()
    prefixes: tuple[str, ...] = ()
    each: int = 1
    fingerprint: bytes | None = None
    session: str | None = None
    neighbours: bool = False
    incoming: tuple[Observation, ...] = ()
    observations: tuple[UUID, ...] = ()
    marks: tuple[bytes, ...] = ()
    requests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    warned: Warned | None = None
    unaged: tuple[datetime, int] | None = None
    keys: tuple[str, ...] = ()
    conversations: ConversationLook | None = None
    sources: tuple[str, ...] = ()
    messages_of: str | None = None
    session_names: bool = False
    erasing: bool = False
    off: bool = False
    model: bool = False
    unembedded: int = 0
    vectors: tuple[UUID, ...] = ()
    numbers: tuple[int, ...] = ()
    summaries: tuple[str, int] | None = None
    similar: tuple[str, ...] = ()


@frozen(repr=False)
class Status:
    """Status of an observation: live or purged.

    Attributes:
        purged: True if the observation is purged.
        origin: See `Observation.origin`.
        replaced_by: Id of the replacement, if the observation was purged because of a replacement; else None.
    """

    purged: bool
    origin: str
    replaced_by: UUID | None = None

    @classmethod
    def of(cls, said: Observation) -> Status:
        """Return the status of an observation."""
        return cls(said.purged, said.origin, said.replaced_by)


@frozen(repr=False)
class Same:
    """Observation with the fingerprint of a draft.

    Attributes:
        observation: The observation.
        request: Request id of the call that saved the observation, if any.
    """

    observation: Observation
    request: str | None


@frozen(kw_only=True, repr=False)
class Facts:
    """Data of a project, as listed by a `Look`.

    A storage leaves the fields of undeclared capabilities empty:

    - `ERASE`: `erased`
    - `AUDIT`: `logged`
    - `LEDGER`: `recorded`, `changed`, `warned` and `unaged`
    - `CONVERSATIONS`: `keys`, `conversations`, `positions`, `messages`, `ends`, `session_names`, `said` and
      `summaries`
    - `VECTORS`: `model`, `unembedded` and `vectors`

    Attributes:
        project: Id of the project that has the rows, after merges.
        sequence: Highest sequence number ever used in the project; 0 before the first observation.
        latest: Latest `occurred_at` of the project's observations, including purged observations; None without
            observations.
        logged: Time of the latest entry of the audit trail; None without entries or audit trail.
        statuses: Status of each existing observation of `Look.ids`.
        starting: Hits for each of `Look.prefixes`, including purged observations, sorted by id, with `Match.ID`.
        same: Observations with `Look.fingerprint`, including purged observations, sorted by sequence.
        observations: Existing observations of `Look.observations`, keyed by id.
        erased: Marks of `Look.marks` that belong to erased data.
        recorded: Request ids of `Look.requests` that were recorded, even if the observation was erased since.
        changed: Latest live observation that changed a file of `Look.paths`, keyed by path. "Latest" is by time,
            then by sequence.
        warned: True if `Look.warned` was given before.
        unaged: Captured edits that `ledger.ageing.aged` can age, as in `Look.unaged`, oldest first.
        keys: Subset of `Look.keys` that belong to stored or erased messages.
        conversations: Answers to `Look.conversations`, if it asks questions.
        positions: Positions up to which `Look.sources` were read, without unread sources.
        messages: Keys of the messages of `Look.messages_of`, keyed and sorted by number.
        ends: Last records of the session `Look.messages_of` that have no message.
        session_names: Names and titles of sessions, keyed and sorted by session id.
        off_since: Time when memory was switched off, if `Look.off` asks for it; None if memory is on.
        model: Adopted model, if `Look.model` asks for it; None if none was adopted yet.
        unembedded: Live observations without a vector: notes first, then the newest.
        vectors: Vectors of existing observations of `Look.vectors`, including purged observations, keyed by id.
        said: Existing messages of `Look.numbers`, keyed by number.
        summaries: Cached summaries of `Look.summaries`, keyed by the fingerprint of the summarised messages.
        similar: Contents of live notes, keyed by id. A note must have the first word of `Look.similar`, and one of
            the other words. A storage returns at most the latest `SIMILAR` notes.
    """

    project: str
    sequence: int
    latest: datetime | None = None
    logged: datetime | None = None
    statuses: Mapping[UUID, Status] = field(factory=dict)
    starting: Mapping[str, tuple[Hit, ...]] = field(factory=dict)
    same: tuple[Same, ...] = ()
    observations: Mapping[UUID, Observation] = field(factory=dict)
    erased: frozenset[bytes] = frozenset()
    recorded: frozenset[str] = frozenset()
    changed: Mapping[str, Observation] = field(factory=dict)
    warned: bool = False
    unaged: tuple[Observation, ...] = ()
    keys: frozenset[str] = frozenset()
    conversations: ConversationFacts | None = None
    positions: Mapping[str, str] = field(factory=dict)
    messages: Mapping[int, str] = field(factory=dict)
    ends: tuple[str, ...] = ()
    session_names: Mapping[str, str] = field(factory=dict)
    off_since: datetime | None = None
    model: EmbeddingModel | None = None
    unembedded: tuple[Observation, ...] = ()
    vectors: Mapping[UUID, Vector] = field(factory=dict)
    said: tuple[Message, ...] = ()
    summaries: Mapping[str, Summary] = field(factory=dict)
    similar: Mapping[UUID, str] = field(factory=dict)

    def origin(self, ids: Iterable[UUID]) -> str:
        """Return the common origin of those observations of `statuses`, or `project` if their origins differ."""
        origins = {self.statuses[id].origin for id in ids if id in self.statuses}
        return origins.pop() if len(origins) == 1 else self.project
