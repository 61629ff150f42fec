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

from lamella.domain import validation
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.limits import DEFAULT_LIMIT
from lamella.domain.memories.observation import Metadata, Observation, stored_metadata, texts_by_name
from lamella.domain.text.printing import as_key, as_text, as_texts
from lamella.domain.text.words import Word, is_list, query_words


class Mode(StrEnum):
    """Retrieval mode of a search."""

    AUTO = "auto"
    """Search by words, and by meaning if an embedder is configured."""
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@frozen
class ByText:
    """Selector: ranked search for a text."""

    text: str = field(converter=as_text, validator=validation.is_text)
    mode: Mode = field(default=Mode.AUTO, validator=validation.instance_of(Mode))

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
    """Selector: memories with `part` in their titles, ignoring case, newest first."""

    part: str = field(converter=as_text, validator=validation.is_text)


@frozen
class Recent:
    """Selector: recent memories, newest first. Learned commits are included only with a path filter."""


def _as_id(given: str | UUID) -> str:
    return as_text(validation.as_id(given))


def _as_ids(given: Sequence[str | UUID]) -> tuple[str, ...]:
    return as_texts(validation.as_ids(given))


@frozen
class ById:
    """Selector: the memory with this id, or prefix of an id."""

    id: str = field(converter=_as_id, validator=validation.is_text)


@frozen
class ByIds:
    """Selector: the memories with these ids, in this order, without duplicates. Purged memories are included."""

    ids: tuple[str, ...] = field(converter=_as_ids, validator=validation.list_of_texts)


Search = ByText | ByTitle | Recent
"""Selectors supported by storages."""

Selector = Search | ById | ByIds
"""All selectors."""


@frozen(kw_only=True)
class Filters:
    """Conditions on candidates, applied before ranking and limiting, so that pages stay full.

    Drivers set all fields except `former`. Before a query, `completed` fills in `former`, and converts `days_back`
    to `since`.

    Attributes:
        days_back: Maximum age in days. Any positive number: `completed` limits it.
        session: Id of a session.
        path: File or folder. Drivers pass the path as typed by the user; storages get the path relative to the
            root.
        since: Earliest time of an observation or message (inclusive).
        until: Latest time of an observation or message (exclusive).
        former: Former names of the file, or of the folder and its files. Observations with a former name match,
            too.
        ids: Match only observations with these ids.
        kind: Match only this kind.
        source: Match only this source.
        author: Match only this author.
        branch: Match only this branch.
        only_purged: True to exclude live observations. The query must also include purged observations.
        replaced_by: Match only observations that were replaced by the observation with this id.
        metadata: Required entries in an observation's metadata.
    """

    days_back: int | None = field(default=None, validator=optional(validation.at_least(1, most=float("inf"))))
    session: str | None = field(default=None, converter=if_given(as_key), validator=optional(validation.is_text))
    path: str | None = field(default=None, converter=if_given(as_text), validator=optional(validation.is_text))
    since: datetime | None = field(default=None, validator=optional(validation.aware))
    until: datetime | None = field(default=None, validator=optional(validation.aware))
    former: tuple[str, ...] = field(default=(), converter=as_texts, validator=validation.list_of_texts)
    ids: frozenset[UUID] | None = field(
        default=None, validator=optional(validation.instance_of(frozenset, "a frozenset of UUIDs"))
    )
    kind: Kind | None = field(default=None, validator=optional(validation.instance_of(Kind)))
    source: str | None = field(default=None, converter=if_given(as_text), validator=optional(validation.is_text))
    author: str | None = field(default=None, converter=if_given(as_text), validator=optional(validation.is_text))
    branch: str | None = field(default=None, converter=if_given(as_text), validator=optional(validation.is_text))
    only_purged: bool = field(default=False, validator=validation.instance_of(bool))
    replaced_by: UUID | None = field(default=None, validator=optional(validation.instance_of(UUID)))
    metadata: Metadata = field(factory=dict, hash=False, converter=stored_metadata, validator=texts_by_name)

    @property
    def memories_only(self) -> bool:
        """True if no message can match. Messages have no file, kind, source, author, branch or metadata."""
        fields = (self.path, self.kind, self.source, self.author, self.branch, self.replaced_by)
        return self.only_purged or bool(self.metadata) or any(each is not None for each in fields)

    def completed(self, now: datetime, names: Sequence[str] = ()) -> "Filters":
        """Return the filters in the form that storages need, with `since` in place of `days_back`.

        Args:
            now: Current time.
            names: The file or folder of `path`: its path relative to the root, followed by its former names. Empty
                to leave `path` and `former` unchanged.
        """
        changes: dict[str, Any] = {"path": names[0], "former": tuple(names[1:])} if names else {}
        if self.days_back is not None:
            most = (now - datetime.min.replace(tzinfo=UTC)).days
            since = now - timedelta(days=min(self.days_back, most))
            changes |= {"days_back": None, "since": max(since, self.since or since)}
        return evolve(self, **changes) if changes else self


def days(first: date | None, last: date | None, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """Return the start of the first day and the end of the last day, as `since` and `until` of filters.

    Args:
        first: First day; None for no bound.
        last: Last day; None for no bound.
        zone: Time zone of both days.
    """
    return _midnight(first, zone), _midnight(last and last + timedelta(days=1), zone)


def days_ago(count: int, now: datetime, zone: tzinfo) -> datetime:
    """Return the start of the day `count` days ago."""
    return datetime.combine(now.astimezone(zone).date() - timedelta(days=count), time(), zone).astimezone(UTC)


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), zone).astimezone(UTC)


NO_FILTERS = Filters()
"""Filters without conditions."""


def complete(_instance: object, _attribute: "Attribute[Filters]", value: Filters) -> None:
    """Validate that `completed` has converted `days_back` to `since`, because storages ignore `days_back`."""
    if value.days_back is not None:
        raise validation.InvalidValueError(name="filters", given="with `days_back`", allowed="completed")


@frozen(kw_only=True)
class RecallQuery:
    """Query to a storage.

    Attributes:
        selector: Selector of observations.
        filters: Result of `Filters.completed`.
        limit: Maximum number of hits.
        include_purged: True to include purged observations.

    Example:
        >>> query = RecallQuery(selector=ByText("staging"), filters=Filters(source="decision"), limit=5)
        >>> query.selector.text, query.filters.source, query.include_purged
        ('staging', 'decision', False)
        >>> RecallQuery(filters=Filters(days_back=7))  # not completed
        Traceback (most recent call last):
            ...
        lamella.domain.validation.InvalidValueError: ...
    """

    selector: Search = field(factory=Recent)
    filters: Filters = field(factory=Filters, validator=complete)
    limit: int = field(default=DEFAULT_LIMIT, validator=validation.at_least(1))
    include_purged: bool = False


class Match(StrEnum):
    """Kind of match of a hit."""

    WORDS = "words"
    MEANING = "meaning"
    TITLE = "title"
    ID = "id"
    RECENT = "recent"
    NEIGHBOUR = "neighbour"


class Span(NamedTuple):
    """Span of a query word in a text.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last character.
        word: Index of the word in the query.
    """

    start: int
    end: int
    word: int


@frozen
class Home:
    """Id and name of a hit's project."""

    id: str
    name: str


@frozen(kw_only=True)
class Hit:
    """Observation found by a query.

    Attributes:
        observation: The observation.
        short_id: Shortest prefix of the observation's id, of at least eight digits, that no other id in the
            project has.
        match: Kind of match.
        score: Score; higher is better. Scores of a search by words are positive. None if nothing was ranked.
        strength: Strength of the match, from 0 to 1, comparable between projects. None without a query text, as in
            a list of recent memories.
        spans: Spans of the query's words in the content of the observation, sorted by `start`.
        held: Weight of each matched word of the query. A rare word weighs more; see `search.strength.rarity`.
        features: Parts of the score, keyed by feature, if an explanation was requested.
        likeness: Similarity of query text and observation, from 0 to 1, if an explanation was requested and both
            have vectors.
        folded: Other edits for the same request, best first. A reply shows them on the line of this hit.
        everywhere: True for a global memory found by a search in another project.
        project: Project of the observation, in a search of all projects; None for a global memory.
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
