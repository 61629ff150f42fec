"""Queries for memories, and their hits."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from attrs import Attribute, evolve, field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.metadata import Metadata, stored_metadata, texts_by_name
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import as_key, as_text, as_texts
from lamella.domain.text.words import Word, is_list, query_words
from lamella.domain.validation import InvalidValueError, at_least, aware, instance_of, is_text, list_of_texts

MAX_QUERY_CHARACTERS = 4_000
"""The longest query: a stack trace fits into it. A character is a code point."""

MAX_SHORT_QUERY_CHARACTERS = 500
"""The longest query of the toolsets except `unified`, and the longest part of a title."""

MAX_LIMIT = 50
"""The most results, or ids, of one call."""

DEFAULT_LIMIT = 10
"""Results of a call without a limit."""

DEFAULT_CHANGES = 50
"""Changes of a file, latest first, in a call without a limit."""


class Mode(StrEnum):
    """Retrievers of a search."""

    AUTO = "auto"
    """Words, fused with meaning if an embedder is configured."""
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@frozen
class ByText:
    """Ranked search for words."""

    text: str = field(converter=as_text, validator=is_text)
    mode: Mode = field(default=Mode.AUTO, validator=instance_of(Mode))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Words of the text; empty if it has only stop words."""
        return query_words(self.text)

    @property
    def is_list(self) -> bool:
        """True if the text is a list of keywords, not a sentence."""
        return is_list(self.text)


@frozen
class ByTitle:
    """Titles with `part` in them, regardless of case, newest first."""

    part: str = field(converter=as_text, validator=is_text)


@frozen
class Recent:
    """The most recent, newest first. Commits learned from history answer only for a path."""


@frozen
class ById:
    """The observation with this id or prefix of an id."""

    id: str = field(converter=as_text, validator=is_text)


@frozen
class ByIds:
    """These, purged or not, in this order, each once."""

    ids: tuple[str, ...] = field(converter=as_texts, validator=list_of_texts)


Search = ByText | ByTitle | Recent
"""The selectors answered by storage."""

Selector = Search | ById | ByIds
"""The ways to choose the memories of an answer."""


@frozen(kw_only=True)
class Filters:
    """Conditions on candidates, applied before ranking and limiting, so that pages stay full.

    A driver sets all but `former`. `completed` derives `former` and turns days into a time, for storage to read.

    Attributes:
        days_back: Days before the present.
        session: Id of a session.
        path: File or folder: as given by the user in drivers, relative to the root in storage.
        since: Earliest time of an observation or message.
        until: Exclusive upper bound for the time of an observation or message.
        former: Former names of the file, searched too.
        ids: The only passing observations.
        kind: The only passing kind of observations.
        source: The only passing source of observations.
        author: The only passing author of observations.
        branch: The only passing branch of observations.
        only_purged: True to exclude live observations. Purged ones take part only if the query includes them.
        replaced_by: Id of the replacement of all passing observations.
        metadata: Required entries in an observation's metadata.
    """

    days_back: int | None = field(default=None, validator=optional(at_least(1)))
    session: str | None = field(default=None, converter=if_given(as_key), validator=optional(is_text))
    path: str | None = field(default=None, converter=if_given(as_text), validator=optional(is_text))
    since: datetime | None = field(default=None, validator=optional(aware))
    until: datetime | None = field(default=None, validator=optional(aware))
    former: tuple[str, ...] = field(default=(), converter=as_texts, validator=list_of_texts)
    ids: frozenset[UUID] | None = field(
        default=None, validator=optional(instance_of(frozenset, "a frozenset of UUIDs"))
    )
    kind: Kind | None = field(default=None, validator=optional(instance_of(Kind)))
    source: str | None = field(default=None, converter=if_given(as_text), validator=optional(is_text))
    author: str | None = field(default=None, converter=if_given(as_text), validator=optional(is_text))
    branch: str | None = field(default=None, converter=if_given(as_text), validator=optional(is_text))
    only_purged: bool = field(default=False, validator=instance_of(bool))
    replaced_by: UUID | None = field(default=None, validator=optional(instance_of(UUID)))
    metadata: Metadata = field(factory=dict, hash=False, converter=stored_metadata, validator=texts_by_name)

    @property
    def memories_only(self) -> bool:
        """True if no message can pass: it has no file, kind, source, author, branch or metadata."""
        fields = (self.path, self.kind, self.source, self.author, self.branch, self.replaced_by)
        return self.only_purged or bool(self.metadata) or any(each is not None for each in fields)

    def completed(self, now: datetime, names: Sequence[str] = ()) -> "Filters":
        """Return the filters for storage.

        Args:
            now: The present.
            names: Path relative to the root, followed by the former names of its file.
        """
        changes: dict[str, Any] = {"path": names[0], "former": tuple(names[1:])} if names else {}
        if self.days_back is not None:
            most = (now - datetime.min.replace(tzinfo=UTC)).days
            since = now - timedelta(days=min(self.days_back, most))
            changes |= {"days_back": None, "since": max(since, self.since or since)}
        return evolve(self, **changes) if changes else self


def days(first: date | None, last: date | None, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """Return the begin of the first day and the end of the last one, as `since` and `until` of filters.

    Args:
        first: First day; None for no bound.
        last: Last day; None for no bound.
        zone: Time zone of both.
    """
    return _midnight(first, zone), _midnight(last and last + timedelta(days=1), zone)


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), zone).astimezone(UTC)


NO_FILTERS = Filters()
"""Filters without conditions."""


def complete(_instance: object, _attribute: "Attribute[Filters]", value: Filters) -> None:
    """Refuse filters with `days_back`: storage would ignore it."""
    if value.days_back is not None:
        raise InvalidValueError(name="filters", given="with `days_back`", allowed="completed")


@frozen(kw_only=True)
class RecallQuery:
    """One question to storage.

    Attributes:
        selector: Choice of observations.
        filters: Completed filters.
        limit: Most observations: the best.
        include_purged: True if purged observations take part.
    """

    selector: Search = field(factory=Recent)
    filters: Filters = field(factory=Filters, validator=complete)
    limit: int = field(default=DEFAULT_LIMIT, validator=at_least(1))
    include_purged: bool = False


class Match(StrEnum):
    """Reason for a hit."""

    WORDS = "words"
    MEANING = "meaning"
    TITLE = "title"
    ID = "id"
    RECENT = "recent"
    NEIGHBOUR = "neighbour"


class Span(NamedTuple):
    """Place of a word of the query in a text.

    Attributes:
        start: First character.
        end: Character after the last one.
        word: Number of the word in the query, from 0.
    """

    start: int
    end: int
    word: int


@frozen
class Home:
    """Project of a hit: its id and its name."""

    id: str
    name: str


@frozen(kw_only=True)
class Hit:
    """An observation of an answer.

    Attributes:
        observation: The observation.
        short_id: Its short id: the first eight digits of its id, or as many as make it unique in the project.
        match: Reason why it matched.
        score: Higher is better, and scores of words are positive; None if nothing was ranked.
        strength: How much of the question it holds, from 0 to 1, in a project of any size; None
            if no question was asked.
        spans: Places of the words in its content, in order of `start`.
        held: Information that the observation holds by each word of the question; without words that it lacks.
        features: Points of its score by feature, if an explanation was asked for.
        likeness: How alike question and observation are, from 0 to 1, if that was asked for and compared.
        folded: Further edits of the same request that it stands for in a reply, best first.
        everywhere: True if it holds in every project and was found beside the project that was asked for.
        project: Project that it was found in, if all were asked for and it doesn't hold everywhere.
    """

    observation: Observation
    short_id: str
    match: Match
    score: float | None = None
    strength: float | None = None
    spans: Sequence[Span] = ()
    held: Mapping[str, float] = field(factory=dict)
    features: Mapping[str, float] | None = None
    likeness: float | None = None
    folded: "tuple[Hit, ...]" = ()
    everywhere: bool = False
    project: Home | None = None
