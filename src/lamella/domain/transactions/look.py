"""Looks: the questions of a decision to a storage, and the facts that answer them."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from attrs import field, frozen

from lamella.domain.conversations.message import Message, MessageDraft
from lamella.domain.conversations.summary import Summary
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.text.printing import stored_key, well_formed

SIMILAR = 8
"""Maximum number of notes to compare with a new one."""


@frozen(kw_only=True)
class Warned:
    """Warning in a session about removed lines returning to a file.

    Attributes:
        observation: Id of the observation with the removal.
        session: Warned session.
        path: Path of the file.
    """

    observation: UUID
    session: str = field(converter=stored_key)
    path: str = field(converter=well_formed)


@frozen(kw_only=True)
class Unaged:
    """Captured edits with lines to drop.

    Attributes:
        before: Exclusive upper bound for the time of their occurrence.
        limit: Maximum number of edits.
    """

    before: datetime
    limit: int


@frozen(kw_only=True)
class ConversationLook:
    """Questions about the conversations of a project.

    Attributes:
        drafts: Messages that may be new. A storage may derive their index data before it locks the project.
        sessions: Sessions that may get a name.
        records: Records that may get a title.
    """

    drafts: tuple[MessageDraft, ...] = ()
    sessions: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


@frozen(kw_only=True)
class Erasing:
    """Data to erase permanently. A storage that keeps copies erases these too.

    Attributes:
        ids: Ids of observations, existing or not.
        session: Session of conversations.
    """

    ids: tuple[UUID, ...] = ()
    session: str | None = None


@frozen(kw_only=True)
class Look:
    """Questions of a decision. A storage answers all of them in one round trip.

    Attributes:
        ids: Ids of observations to get the status of.
        fingerprint: Fingerprint of a draft.
        session: Session of the draft.
        prefixes: Prefixes of ids, each up to 32 hexadecimal digits in lower case, without hyphens.
        each: Maximum number of observations for each prefix, the first in order of id.
        neighbours: True if the plan may purge or restore the observations of `ids` and `prefixes`, or insert the
            draft. A storage may then prefetch their neighbours, because their contexts change.
        incoming: Observations the plan may insert. A storage may derive their index data before it locks the
            project, as this is slow.
        observations: Ids of observations to get whole.
        marks: Marks of possibly erased memories, sessions or keys, as in `lamella.domain.text.marks`.
        requests: Requests of captures.
        paths: Files to get the latest change of.
        warned: Warning to look up.
        unaged: Captured edits due for ageing.
        keys: Keys of messages.
        conversations: Questions about names and titles of conversations.
        sources: Sources of conversations to get the positions of.
        messages_of: Session to get the messages of.
        session_names: True for the names and titles given to sessions by sources.
        erasing: Data to erase.
        off: True to get the time of switching memory off in the project.
        model: True to get the model of the stored vectors.
        unembedded: Maximum number of observations without a vector to get; see `Facts.unembedded`.
        numbers: Numbers of messages to get whole. Unknown numbers are allowed.
        summaries: Session and level of cached summaries to get.
        similar: Words; see `Facts.similar`.
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
    unaged: Unaged | None = None
    keys: tuple[str, ...] = ()
    conversations: ConversationLook | None = None
    sources: tuple[str, ...] = ()
    messages_of: str | None = None
    session_names: bool = False
    erasing: Erasing | None = None
    off: bool = False
    model: bool = False
    unembedded: int = 0
    numbers: tuple[int, ...] = ()
    summaries: tuple[str, int] | None = None
    similar: tuple[str, ...] = ()


@frozen
class Status:
    """Status of an observation.

    Attributes:
        purged: True if it is purged.
        replaced_by: Id of its replacement, while it is purged because of that.
    """

    purged: bool
    replaced_by: UUID | None = None


@frozen
class Same:
    """Observation with the fingerprint of a draft.

    Attributes:
        observation: The observation.
        request: Request id of the call that saved it, if any.
    """

    observation: Observation
    request: str | None


@frozen(kw_only=True)
class ConversationFacts:
    """State of the conversations of a project, restricted to a `ConversationLook`.

    It covers the records of the look and all waiting ones, and the sessions of the look, its drafts and these
    records.

    Attributes:
        last: Highest number ever given to a message of the project; 0 without one.
        silent: Erased sessions without messages since.
        names: True for each session with a title, False for each with a name.
        waiting: Titles waiting for their records, oldest first.
        said: Sessions by record, for records with a stored message.
        ended: Sessions by record, for last records of conversations without words.
        gone: Erased records.
    """

    last: int = 0
    silent: frozenset[str] = frozenset()
    names: Mapping[str, bool] = field(factory=dict)
    waiting: Mapping[str, str] = field(factory=dict)
    said: Mapping[str, str] = field(factory=dict)
    ended: Mapping[str, str] = field(factory=dict)
    gone: frozenset[str] = frozenset()


@frozen(kw_only=True)
class Facts:
    """State of a project, restricted to a `Look`.

    Attributes:
        project: Id of the project that has the rows, after merges.
        sequence: Highest sequence number ever used in the project; 0 for none.
        latest: Latest `occurred_at` of its observations, purged ones included; None if it has none.
        logged: Time of the latest entry of its audit trail; None without entries or audit trail.
        statuses: Status of each existing observation of `Look.ids`.
        starting: Hits for each of `Look.prefixes`, purged ones included, in order of id, with `Match.ID`.
        same: Observations with `Look.fingerprint`, purged ones included, in order of sequence.
        observations: Existing observations of `Look.observations`, by id.
        erased: Subset of `Look.marks` that were erased.
        recorded: Subset of `Look.requests` that were recorded, even if the observation was erased since.
        changed: Latest live observation by time, then sequence, with a change of each of `Look.paths`, by path.
        warned: True if `Look.warned` was given before.
        unaged: Captured edits due for ageing, as in `Look.unaged`, oldest first.
        keys: Subset of `Look.keys` known from stored or erased messages.
        conversations: Answers to `Look.conversations`.
        positions: Positions up to which `Look.sources` were read, without unread sources.
        messages: Keys of the messages of `Look.messages_of`, by number and in its order.
        ends: Records at which that session ended.
        session_names: Names and titles of sessions, by session and in its order.
        off_since: Time since which memory is off, if `Look.off` asks for it; None if it is on.
        model: Adopted model, if `Look.model` asks for it; None if none was adopted yet.
        unembedded: Live observations without a vector: notes first, then the newest.
        said: Existing messages of `Look.numbers`, by number.
        summaries: Cached summaries of `Look.summaries`, by the fingerprint of their messages.
        similar: Contents of live notes with the first word of `Look.similar` and another one, by id. A storage
            returns at most the latest `SIMILAR`.
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
    conversations: ConversationFacts = ConversationFacts()
    positions: Mapping[str, str] = field(factory=dict)
    messages: Mapping[int, str] = field(factory=dict)
    ends: tuple[str, ...] = ()
    session_names: Mapping[str, str] = field(factory=dict)
    off_since: datetime | None = None
    model: EmbeddingModel | None = None
    unembedded: tuple[Observation, ...] = ()
    said: tuple[Message, ...] = ()
    summaries: Mapping[str, Summary] = field(factory=dict)
    similar: Mapping[UUID, str] = field(factory=dict)
