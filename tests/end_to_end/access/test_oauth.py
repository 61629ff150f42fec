"""OAuth with a real identity provider, and with the SDK's own client in front of the server."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from attrs import define, field
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from lamella.application.access.tokens import GrantOf
from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http.access.access import access_to
from lamella_adapters.mcp.http.access.settings import OAuthSettings
from lamella_adapters.process.system import SystemClock
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.access.provider import CALLBACK, Client, Person, node_packages, provider
from tests.end_to_end.access.site import listening, serving


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("provider")
    with provider(node_packages(), home, {"org": "acme", "email": "ada@example.com"}) as started:
        yield started


@contextmanager
def server(issuer: str, folder: Path, **settings: Any) -> Iterator[str]:
    """Serve behind an identity provider, and yield the address."""
    storage = SqliteStorage(folder)
    with listening() as (there, url):
        oauth = OAuthSettings(issuer=issuer, audience=url, **settings)
        with serving(there, access_to(GrantOf(storage, SystemClock()), storage.tenant, oauth)):
            yield url
    storage.close()


@define
class Kept:
    """A client's stored data; see `TokenStorage` of the SDK."""

    tokens: list[OAuthToken] = field(factory=list)
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens[-1] if self.tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens.append(tokens)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def sdk_client(url: str, person: Person, kept: Kept) -> OAuthClientProvider:
    """Return the SDK's client, which knows only the address of the server."""

    async def came_back() -> AuthorizationCodeResult:
        said = person.came_back
        return AuthorizationCodeResult(code=said["code"], state=said["state"], iss=said.get("iss"))

    metadata = OAuthClientMetadata.model_validate({"redirect_uris": [CALLBACK], "client_name": "An editor"})
    return OAuthClientProvider(url, metadata, kept, redirect_handler=person.sign_in, callback_handler=came_back)


async def asked(url: str, auth: OAuthClientProvider, *needs: Scope) -> list[httpx2.Response]:
    async with httpx2.AsyncClient(auth=auth) as client:
        return [await client.post(url, json={"needs": each}) for each in needs]


def called(url: str, token: str | None, needs: Scope = Scope.READ) -> httpx2.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx2.post(url, json={"needs": needs}, headers=headers)


def test_a_client_that_knows_the_address_alone_gets_in(issuer: str, tmp_path: Path) -> None:
    person, kept = Person("ada"), Kept()
    with server(issuer, tmp_path, tenant_claim="org", author_claim="email") as url:
        first, second = asyncio.run(asked(url, sdk_client(url, person, kept), Scope.READ, Scope.WRITE))
        for answer in (first, second):
            assert answer.status_code == 200, answer.text
            assert answer.json() == {
                "tenant": "acme",
                "author": "ada@example.com",
                "name": "subject ada",
                "scopes": ["memory:read", "memory:write"],
            }
        # It registered itself, and its user was asked once for the scopes that the server names.
        assert kept.client is not None
        assert kept.client.client_name == "An editor"
        assert len(kept.tokens) == 1
        assert len(person.pages) == 2
        assert "memory:write" in person.pages[1]
        assert "memory:admin" not in person.pages[1]
        # Another server of the same provider refuses this token.
        with server(issuer, tmp_path / "other") as other:
            refused = called(other, kept.tokens[0].access_token)
            assert (refused.status_code, refused.json()["error"]) == (
                401,
                "The access token is for another server.",
            )


def test_a_client_that_lacks_a_scope_asks_its_user_for_it(issuer: str, tmp_path: Path) -> None:
    # One that registers itself may never ask this provider for more than it asked for then.
    scopes = " ".join(("openid", "offline_access", *Scope.ADMIN.requested))
    registered = Client.registered(issuer, scope=scopes, token_endpoint_auth_method="client_secret_post")  # noqa: S106 - a name
    kept = Kept(client=OAuthClientInformationFull.model_validate({**registered.issued, "issuer": issuer}))
    person = Person("bob")
    with server(issuer, tmp_path) as url:
        read, admin = asyncio.run(asked(url, sdk_client(url, person, kept), Scope.READ, Scope.ADMIN))
        assert (read.status_code, admin.status_code) == (200, 200)
        assert "memory:admin" in admin.json()["scopes"]
        assert admin.json()["tenant"] == "default"
        assert ["memory:admin" in (each.scope or "").split() for each in kept.tokens] == [False, True]
        refused = called(url, kept.tokens[0].access_token, Scope.ADMIN)
        assert refused.status_code == 403
        assert 'error="insufficient_scope"' in refused.headers["WWW-Authenticate"]


def test_programs_of_the_provider_get_what_they_were_given_and_no_more(issuer: str, tmp_path: Path) -> None:
    program = Client.registered(
        issuer, grant_types=["client_credentials"], redirect_uris=[], response_types=[], scope="memory:read openid"
    )
    with server(issuer, tmp_path) as url:
        reading = program.token(resource=url, scope="memory:read")["access_token"]
        answer = called(url, reading)
        assert answer.status_code == 200, answer.text
        assert answer.json()["scopes"] == ["memory:read"]
        assert answer.json()["author"] == program.issued["client_id"]
        assert called(url, reading, Scope.WRITE).status_code == 403
        elsewhere = program.token(resource="https://other.example.com/mcp", scope="memory:read")["access_token"]
        without_scope = program.token(resource=url)["access_token"]
        opaque = program.token()["access_token"]
        statuses = [called(url, token).status_code for token in (elsewhere, without_scope, opaque, None)]
        assert statuses == [401, 403, 401, 401]
