"""Answer: all results of a question, before they are printed."""

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
        asked: The question as asked by the user; empty for a list of recent memories.
        purged: Purged hits, which `hits` doesn't include.
        missing: Unknown ids.
        ambiguous: Ambiguous prefixes, each with its candidates.
        notices: Short notices about limits of the search.
        nothing_saved: True if a request for recent memories found no memories, not even purged memories.
        focused: True if the first hit was requested by its id, and the other hits are its neighbours in time.
        replacements: Replacements of purged hits, keyed by the id in `replaced_by`.
        words: Words of the question, if an explanation was requested.
        links: Links of a single hit, if looked up.
        files: States of hits' changed files, keyed by the id of the observation, then by path.
        branches: Remarks on hits saved on a branch that isn't checked out, keyed by the id of the observation.
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
