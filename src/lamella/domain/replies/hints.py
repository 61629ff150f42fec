"""Hints in replies about the next step."""

from attrs import frozen


@frozen(kw_only=True)
class Hints:
    """Wording of hints for one interface, such as MCP tools or the shell. An empty text means no hint.

    Attributes:
        save: Sentence on saving a memory.
        purged: Reply to a request without filters if all memories are purged.
        restore: Call or command to restore a memory, with `{id}` for its id.
        full: Instruction for reading a memory in full.
        next: Instruction for getting the next page, with `{cursor}` for its cursor.
        tokens: True for agents: a reply states its size in tokens. False for people: a reply leaves out its size,
            and has `1 result` or `2 results` in place of `2 result(s)`.
    """

    save: str = ""
    purged: str = ""
    restore: str = ""
    full: str = "use id for full view"
    next: str = "next: {cursor} (pass as cursor)"
    tokens: bool = True


NO_HINTS = Hints()
"""Default hints: for agents, but without the names of calls or commands."""
