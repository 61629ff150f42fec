"""Authentication and authorization of requests."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.errors import AdvisedError
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.access.authenticator import Authenticator, Everything, RefusedError
from lamella_adapters.mcp.http.answers import RefusedRequestError, problem
from lamella_adapters.mcp.http.gate import Noted


async def recognised(request: Request, access: Access, needed: Scope = Scope.READ) -> Grant:
    """Authenticate the caller of a request, and check for a scope.

    Raises:
        RefusedRequestError: The token is missing or invalid, it lacks the scope, or too many invalid tokens came
            from the caller's address.
    """
    given = request.headers.getlist("authorization")
    if len(given) > 1:
        raise RefusedRequestError("headers", problem(400, "Send the header Authorization only once."))
    noted: Noted = request.state.noted
    grant = access.refusals.known(given[0]) if given else None
    if grant is None:
        grant = await _looked_up(access, noted.owner, given[0] if given else None)
    noted.caller, noted.tenant = grant.name, grant.tenant
    if needed not in grant.scopes:
        raise refused("scope", access.challenges.insufficient(needed))
    return grant


async def _looked_up(access: Access, owner: str | None, given: str | None) -> Grant:
    """Look up and cache the grant for the value of an `Authorization` header.

    Raises:
        RefusedRequestError: See `recognised`.
    """
    if given and (wait := access.refusals.wait(owner, given)):
        slower = f"Too many refused tokens from this address. Try again in {wait} s."
        raise RefusedRequestError("credentials", problem(429, slower, retry_after=str(wait)))
    try:
        grant = await _granted(access.authenticator, given)
    except RefusedError as error:
        if given:
            access.refusals.refuse(owner, given)
        raise refused("credentials", error) from error
    except AdvisedError as error:
        # Let the caller retry: the storage or the identity provider may soon be available again.
        raise RefusedRequestError("unreachable", problem(503, str(error), retry_after="1")) from error
    if given:
        access.refusals.accept(given, grant)
    return grant


async def _granted(authenticator: Authenticator, authorization: str | None) -> Grant:
    if isinstance(authenticator, Everything):  # `Everything` never blocks, so it needs no thread
        return authenticator.grant(authorization)
    return await run_in_threadpool(authenticator.grant, authorization)


def refused(reason: str, error: RefusedError) -> RefusedRequestError:
    """Turn an authentication error into a response with the header `WWW-Authenticate`."""
    return RefusedRequestError(
        reason, problem(error.status, str(error), www_authenticate=error.challenge, connection="close")
    )
