"""The header Authorization, and what callers are told who are refused."""

import asyncio
import re

import httpx2
import pytest
from starlette.applications import Starlette

from lamella.application.access.tokens import CreateToken, GrantOf, TokenRequest
from lamella.domain.access.grant import Scope
from lamella.domain.errors import InvalidValueError
from lamella_adapters.mcp.http.access.access import Access, access_to
from lamella_adapters.mcp.http.access.authenticator import (  # noqa: F401 - for the table
    MAX_CHARACTERS,
    BearerAuthenticator,
    Everything,
    RefusedError,
)
from lamella_adapters.mcp.http.access.settings import OAuthSettings, oauth_from
from lamella_adapters.memory import InMemoryStorage
from tests.unit.adapters.mcp.access.issuer import AUDIENCE, ISSUER, Issuer, claims, signed
from tests.unit.support.stand_ins import CountingIds, FixedClock
from tests.unit.support.tables import cases

OAUTH = OAuthSettings(issuer=ISSUER, audience=AUDIENCE)
CHALLENGE = re.compile(r'Bearer realm="lamella"(, [a-z_]+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*')
"""A scheme and parameters as quoted strings, in which nothing needs an escape."""


def access(oauth: OAuthSettings | None = None) -> tuple[Access, str]:
    """Return the access to a server, and the secret of a token."""
    storage, clock = InMemoryStorage(), FixedClock()
    secret = CreateToken(storage, clock, CountingIds())(TokenRequest(name="laptop")).secret
    return access_to(GrantOf(storage, clock), storage.tenant, oauth), secret


def refused(header: str | None, oauth: OAuthSettings | None = None) -> RefusedError:
    with pytest.raises(RefusedError) as raised:
        access(oauth)[0].authenticator.grant(header)
    assert CHALLENGE.fullmatch(raised.value.challenge)
    return raised.value


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER   "])
def test_a_token_lets_in_whatever_the_case_of_the_scheme(scheme: str) -> None:
    for oauth in (None, OAUTH):
        server, secret = access(oauth)
        assert server.authenticator.grant(f"{scheme}{secret}").name == "laptop 00000001"


@pytest.mark.parametrize("header", [None, ""])
def test_who_sends_no_token_learns_where_to_get_one(header: str | None) -> None:
    error = refused(header)
    assert (error.status, error.challenge) == (401, 'Bearer realm="lamella"')
    assert "lamella token create" in str(error)
    error = refused(header, OAUTH)
    assert error.challenge == (
        'Bearer realm="lamella", scope="memory:read memory:write", '
        'resource_metadata="https://memory.example.com/.well-known/oauth-protected-resource/mcp"'
    )


@cases
def test_a_header_of_any_other_form_is_refused_and_not_repeated(header: str) -> None:
    for oauth in (None, OAUTH):
        error = refused(header, oauth)
        assert (error.status, 'error="invalid_token"' in error.challenge) == (401, True)
        assert len(error.challenge) < 500


def test_tokens_of_both_kinds_work_side_by_side() -> None:
    server, secret = access(OAUTH)
    assert isinstance(server.authenticator, BearerAuthenticator)
    both = BearerAuthenticator(server.challenges, server.authenticator.of_token, Issuer().verifier())
    assert both.grant(f"Bearer {secret}").name == "laptop 00000001"
    assert both.grant(f"Bearer {signed(claims())}").name == "subject ada"
    with pytest.raises(RefusedError):
        both.grant(f"Bearer {secret[:-1]}")


def test_a_missing_scope_is_forbidden_and_named() -> None:
    server, _ = access(OAUTH)
    error = server.challenges.insufficient(Scope.WRITE)
    assert (error.status, CHALLENGE.fullmatch(error.challenge) is not None) == (403, True)
    assert 'error="insufficient_scope"' in error.challenge
    assert 'scope="memory:read memory:write"' in error.challenge


def test_without_any_set_up_everybody_may_do_everything() -> None:
    grant = Everything("ours").grant("Bearer whatever")
    assert (grant.tenant, grant.scopes, grant.project) == ("ours", Scope.ADMIN.held, None)


@cases
def test_metadata_is_served_at_both_places(audience: str, paths: list[str]) -> None:
    server, _ = access(OAuthSettings(issuer=ISSUER, audience=audience))

    async def asked(path: str) -> httpx2.Response:
        transport = httpx2.ASGITransport(app=Starlette(routes=list(server.routes)))
        async with httpx2.AsyncClient(transport=transport, base_url="http://evil.example.com") as client:
            return await client.get(f"/.well-known/oauth-protected-resource{path}")

    for path in paths:
        answer = asyncio.run(asked(path))
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.json() == {
            "resource": audience,
            "authorization_servers": [ISSUER],
            "scopes_supported": ["memory:read", "memory:write", "memory:admin"],
            "bearer_methods_supported": ["header"],
            "resource_name": "lamella",
        }
    assert asyncio.run(asked("/elsewhere")).status_code == 404
    assert access()[0].routes == ()


ENVIRONMENT = {
    "LAMELLA_OAUTH_ISSUER": ISSUER,
    "LAMELLA_OAUTH_AUDIENCE": AUDIENCE,
    "LAMELLA_OAUTH_TENANT_CLAIM": " org ",
    "LAMELLA_OAUTH_AUTHOR_CLAIM": "",
}


@cases
def test_settings_come_from_the_environment_and_options_win(
    environment: dict[str, str], given: dict[str, str | None], found: OAuthSettings | None
) -> None:
    assert oauth_from(environment, **given) == found


@cases
def test_a_setting_that_cannot_be_trusted_is_refused(given: dict[str, str], name: str) -> None:
    with pytest.raises(InvalidValueError) as raised:
        oauth_from({}, **given)
    assert raised.value.name == name


@pytest.mark.parametrize("host", ["localhost:9000", "127.0.0.1:9000", "[::1]:9000", "127.8.9.1"])
def test_on_this_machine_http_will_do(host: str) -> None:
    assert oauth_from({}, issuer=f"http://{host}", audience=f"http://{host}/mcp") is not None
