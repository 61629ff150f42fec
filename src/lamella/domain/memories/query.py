"""Queries for memories, and their hits."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from attrs import field, frozen
from attrs.validators import ge

from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import well_formed

MAX_QUERY_CHARACTERS = 500
"""The longest query; a character is a code point."""

MAX_LIMIT = 50
"""The most results, or ids, of one call."""

DEFAULT_LIMIT = 10
"""Results of a call that says no limit."""


def _all_well_formed(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(well_formed, texts))


class Mode(StrEnum):
    """Retrievers that a search uses."""

    AUTO = "auto"
    """Words, fused with meaning where an embedder is configured."""
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@frozen
class ByText:
    """Ranked search for words."""

    text: str = field(converter=well_formed)
    mode: Mode = Mode.AUTO


@frozen
class ByTitle:
    """Titles that contain `part`, without regard to case, newest first."""

    part: str = field(converter=well_formed)


@frozen
class Recent:
    """The most recent, newest first."""


@frozen
class ById:
    """The one with this id, or whose id begins with it."""

    id: str = field(converter=well_formed)


@frozen
class ByIds:
    """These, purged or not, in this order, each once."""

    ids: tuple[str, ...] = field(converter=_all_well_formed)


Search = ByText | ByTitle | Recent
"""The selectors that storage itself answers."""

Selector = Search | ById | ByIds
"""The ways to choose the memories of an answer."""


@frozen(kw_only=True)
class Filters:
    """Narrow the candidates before ranking and limiting, so that a filter never makes a page come up short.

    `since` is compared with `occurred_at`. `path` is a file or folder, relative to the project's root. It is found
    under its `former` names too. Where `ids` are given, no others pass.
    """

    since: datetime | None = None
    session: str | None = None
    path: str | None = None
    former: tuple[str, ...] = ()
    ids: frozenset[UUID] | None = None


@frozen(kw_only=True)
class RecallQuery:
    """One question to storage: the best `limit` observations, purged ones too where `include_purged`."""

    selector: Search = field(factory=Recent)
    filters: Filters = field(factory=Filters)
    limit: int = field(default=DEFAULT_LIMIT, validator=ge(1))
    include_purged: bool = False


class Match(StrEnum):
    """Why a hit is in the answer."""

    ALL_WORDS = "all words"
    SOME_WORDS = "some words"
    IDENTIFIER = "identifier"
    MEANING = "meaning"
    TITLE = "title"
    ID = "id"
    RECENT = "recent"
    NEIGHBOUR = "neighbour"


@frozen
class Span:
    """Characters `start` to `end` of an observation's content that matched word number `word` of the query."""

    start: int
    end: int
    word: int


@frozen(kw_only=True)
class Hit:
    """An observation of an answer, with its score and the reason it matched.

    Higher scores are better, and those of words are positive; `score` is None where nothing was ranked. `spans`
    are in order of `start`.
    """

    observation: Observation
    match: Match
    score: float | None = None
    spans: Sequence[Span] = ()
