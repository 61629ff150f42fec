"""Advice of replies on what to do next."""

from attrs import frozen


@frozen(kw_only=True)
class Hints:
    """The driver's own words for what a reply advises. An empty one advises nothing.

    Attributes:
        save: Sentence that says how to save a memory.
        restore: Call or command that restores a memory, with `{id}` for its id.
    """

    save: str = ""
    restore: str = ""


NO_HINTS = Hints()
"""Hints that advise nothing."""
