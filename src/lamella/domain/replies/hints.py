"""Advice in replies on the next step."""

from attrs import frozen


@frozen(kw_only=True)
class Hints:
    """The driver's wording for advice in replies. Empty means no advice.

    Attributes:
        save: Sentence on saving a memory.
        restore: Call or command to restore a memory, with `{id}` for its id.
        full: Instruction for reading a memory in full.
        next: Instruction for the next page, with `{cursor}` for the place.
        tokens: True if the reader pays by tokens. The reply states its size then.
    """

    save: str = ""
    restore: str = ""
    full: str = "use id for full view"
    next: str = "next: {cursor} (pass as cursor)"
    tokens: bool = True


NO_HINTS = Hints()
"""Hints for agents, without calls or commands."""
