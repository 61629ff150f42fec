"""The context of one call of a use case, such as a search."""

from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from lamella.domain.projects.project import Location
from lamella.domain.text.printing import cut, one_line, well_formed
from lamella.domain.validation import instance_of

if TYPE_CHECKING:
    from lamella.domain.audit.entry import Signature

AGENT = "agent"
"""Actor of memories saved by an agent."""

USER = "user"
"""Actor of memories saved by a person."""

_CLIENTS = (
    *("claude-code", "cline", "codex", "copilot", "cursor", "gemini"),
    *("goose", "junie", "kilo", "opencode", "qwen"),
)
_CLIENT_CHARACTERS = 60

_TEXT = optional(instance_of(str))


def client_name(given: str) -> str:
    """Normalise the name of a client, since hooks, MCP and transcripts name the same client differently.

    Example:
        >>> client_name("codex-mcp-client"), client_name("claude_code"), client_name("Visual Studio Code")
        ('codex', 'claude-code', 'Visual Studio Code')
    """
    name = given.lower().replace("_", "-")
    return next((each for each in _CLIENTS if each in name), cut(one_line(well_formed(given)), _CLIENT_CHARACTERS))


@frozen(kw_only=True, repr=False)
class Call:
    """The context of one call: its origin, and the user it acts for.

    A driver (such as the MCP server) makes a `Call` for each call, so that one process can serve any number of
    projects and sessions.

    Attributes:
        directory: Working directory of the caller. It decides the project if neither `project` nor
            `default_project` is set.
        project: Id, alias or name of an existing project, given by the caller.
        default_project: Id, alias or name of the project to use without a given `project`. The first save under an
            unknown name creates the project. None means the project of `directory`.
        session: Id of the conversation, if any.
        actor: Kind of author for saves, such as `AGENT` or `USER`.
        author: Name of the person or program, if known.
        client: Name of the calling program, if known.
        request: The client's id of the call. A retry has the same id.
        zone: Time zone for the dates in replies.
        location: Location of `directory`, if already looked up.
        even_off: True to read and write even if memory is switched off in the project.
        distant: True if the caller is on another machine, and so has other users and files than this process.
        confined: True if the call may use only `default_project`.
    """

    directory: Path = field(validator=instance_of(Path))
    project: str | None = field(default=None, validator=_TEXT)
    default_project: str | None = field(default=None, validator=_TEXT)
    session: str | None = field(default=None, validator=_TEXT)
    actor: str = field(default=AGENT, validator=instance_of(str))
    author: str | None = field(default=None, validator=_TEXT)
    client: str | None = field(default=None, converter=if_given(client_name))
    request: str | None = field(default=None, validator=_TEXT)
    zone: tzinfo = UTC
    location: Location | None = None
    even_off: bool = False
    distant: bool = False
    confined: bool = False

    def signature(self, now: datetime) -> "Signature":
        """Return the signature for changes by this call at `now`."""
        from lamella.domain.audit.entry import Signature  # noqa: PLC0415 - a save signs nothing

        return Signature(at=now, actor=self.actor, author=self.author, session=self.session)
