"""Advice of replies on what to do next."""

from attrs import frozen


@frozen(kw_only=True)
class Hints:
    """The driver's own words for what a reply advises. An empty one advises nothing.

    Attributes:
        save: Sentence that says how to save a memory.
        restore: Call or command that restores a memory, with `{id}` for its id.
        full: How to see one memory as a whole.
        next: How to go on where a page ends, with `{cursor}` for the place.
        tokens: True if the reader pays by tokens and is told the size of the reply.
    """

    save: str = ""
    restore: str = ""
    full: str = "use id for full view"
    next: str = "next: {cursor} (pass as cursor)"
    tokens: bool = True


NO_HINTS = Hints()
"""Hints for agents, without calls or commands."""
