"""The context of one call of a use case."""

from datetime import UTC, datetime, tzinfo
from pathlib import Path

from attrs import field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from lamella.domain.audit.signature import Signature
from lamella.domain.projects.project import Location
from lamella.domain.text.printing import cut, one_line, well_formed
from lamella.domain.validation import instance_of

AGENT = "agent"
"""Actor of what an agent saves."""

USER = "user"
"""Actor of what a person saves by hand."""

_CLIENTS = (
    "claude-code",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "gemini",
    "goose",
    "junie",
    "kilo",
    "opencode",
    "qwen",
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


@frozen(kw_only=True)
class Call:
    """The context of one call: where it comes from, and on whose behalf.

    A driver makes one for each call, so that one process can serve any number of projects and sessions at once.

    Attributes:
        directory: Working directory of the caller. It decides the project, unless one is named.
        project: Project that the call names by its id, an alias or its name. It has to exist.
        default_project: Project of a call that names none, by its id, an alias or its name. The first save under
            an unknown name creates it. None stands for the project that `directory` belongs to.
        session: Id of the conversation that the call is part of; None outside of any.
        actor: Kind of the one who saves, such as `AGENT` or `USER`.
        author: Name of the person or program that saves, if it is known.
        client: Name of the program that calls, if it is known.
        request: The client's id of the call. A retry has the same one.
        zone: Time zone of the dates in replies.
        location: Location of `directory`, if the caller has looked it up already.
        even_off: True to read and write although memory is switched off in the project.
        distant: True if the caller is on another machine, whose user and files are not those of this one.
        confined: True if the call may be about no project but `default_project`.
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

    def signature(self, now: datetime) -> Signature:
        """Return the signature of what this call changes at `now`."""
        return Signature(at=now, actor=self.actor, author=self.author, session=self.session)
