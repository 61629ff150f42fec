"""An answer: all that a question brought up, before it is disclosed."""

from collections.abc import Mapping
from uuid import UUID

from attrs import field, frozen

from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.freshness import FileState
from lamella.domain.memories.links import Links
from lamella.domain.memories.query import Hit


@frozen(kw_only=True)
class Answer:
    """Everything that a question brought up.

    Attributes:
        hits: Hits, best first.
        messages: Messages of past conversations, best first. They follow the hits.
        asked: The search in the words of the asker; empty for the most recent.
        purged: Hits that were left out because they are purged.
        missing: Ids that no observation has.
        ambiguous: Beginnings of several ids, each with its candidates.
        notices: How the search was degraded, in a few words each.
        nothing_saved: True if nothing was asked for, and the project has no memories, purged ones included.
        focused: True if the other hits are the neighbours of the first one.
        replacements: What took the place of purged hits, by the id that their `replaced_by` has.
        words: Words of the question, if an explanation was asked for.
        links: Links of a single hit, if they were looked up.
        files: Files of hits that are not as they were, by the id of the observation and their path.
        branches: What is said of hits whose branch is not here, by the id of the observation.
    """

    hits: tuple[Hit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    asked: str = ""
    purged: tuple[Hit, ...] = ()
    missing: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, tuple[Candidate, ...]], ...] = ()
    notices: tuple[str, ...] = ()
    nothing_saved: bool = False
    focused: bool = False
    replacements: Mapping[UUID, Candidate] = field(factory=dict)
    words: tuple[str, ...] = ()
    links: Links = field(factory=Links)
    files: Mapping[UUID, Mapping[str, FileState]] = field(factory=dict)
    branches: Mapping[UUID, str] = field(factory=dict)
