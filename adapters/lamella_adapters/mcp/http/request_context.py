"""Caller, project and session of a request."""

from pathlib import Path

from attrs import evolve, frozen
from starlette.requests import Request

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location
from lamella_adapters.operations import CLIENT, EVERYWHERE, PROJECT, SESSION

_ROOT = Path("/")
_MAX_CHARACTERS = 200
"""Maximum length of these headers' values."""


@frozen(kw_only=True)
class RequestContext:
    """Context of an authenticated request.

    Attributes:
        grant: Rights of the caller.
        named: Project from the header; None without the header.
        session: Session from the header; None without the header.
        client: Client from the header; None without the header.
        alone: True if a header asks to leave out global memories.
    """

    grant: Grant
    named: str | None
    session: str | None
    client: str | None
    alone: bool = False

    @classmethod
    def of(cls, grant: Grant, request: Request) -> "RequestContext":
        """Read the headers of a request.

        Raises:
            InvalidValueError: A header is too long, or occurs twice.
        """
        named, session, client = (_header(request, name) for name in (PROJECT, SESSION, CLIENT))
        alone = _header(request, EVERYWHERE) == "off"
        return cls(grant=grant, named=named, session=session, client=client, alone=alone)

    @property
    def project(self) -> str | None:
        """Project of the token, or else of the header; None without either."""
        return self.grant.project or self.named

    @property
    def writes(self) -> bool:
        """True if the caller has the scope `memory:write`."""
        return Scope.WRITE in self.grant.scopes

    def call(self, request: str | None) -> Call:
        """Return the context of a call.

        Args:
            request: The id that the caller gave to the call.
        """
        confined = self.alone or self.grant.project is not None
        context = Call(
            directory=_ROOT,
            project=self.named if confined else None,
            session=self.session,
            author=self.grant.author,
            client=self.client,
            request=request,
            distant=True,
            confined=confined,
        )
        return context if self.project is None else about(context, self.project)


def about(context: Call, project: str) -> Call:
    """Return `context` with its project replaced by `project`, an id, alias or name."""
    return evolve(
        context, default_project=project, location=Location(key=key_of_name(project), name=project, root=_ROOT)
    )


def _header(request: Request, name: str) -> str | None:
    """Return the value of a header, decoded as UTF-8; None if it is missing or blank.

    Raises:
        InvalidValueError: The value is too long, or the header occurs twice.
    """
    values = request.headers.getlist(name)
    if len(values) > 1:
        raise InvalidValueError(name=name.title(), given=f"{len(values)} times", allowed="given once")
    value = "".join(values).encode("latin-1").decode(errors="replace").strip()
    if len(value) > _MAX_CHARACTERS:
        allowed = f"at most {_MAX_CHARACTERS} characters"
        raise InvalidValueError(name=name.title(), given=f"{len(value)} characters", allowed=allowed)
    return value or None
