"""An answer: all results of a question, before disclosure."""

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
    """All results of a question.

    Attributes:
        hits: Hits, best first.
        messages: Messages of past conversations, best first. They follow the hits.
        asked: The search in the user's words; empty for the most recent.
        purged: Purged hits, left out of the others.
        missing: Unknown ids.
        ambiguous: Prefixes of several ids, each with its candidates.
        notices: Limitations of the search, in a few words each.
        nothing_saved: True for an empty question to a project without memories, even purged ones.
        focused: True if the other hits are the neighbours of the first one.
        replacements: Replacements of purged hits, by the id in `replaced_by`.
        words: Words of the question, if it asks for an explanation.
        links: Links of a single hit, if looked up.
        files: Changed files of hits, by the id of the observation and their path.
        branches: Remarks on hits from branches not checked out, by the id of the observation.
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
