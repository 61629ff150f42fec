"""`lamella serve --http`."""

import os
from typing import TYPE_CHECKING, Any

from lamella.container import Lamella
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.output import echo
from lamella_adapters.cli.runtime import needing
from lamella_adapters.process.settings import settings_from
from lamella_adapters.process.start import toolset_from

if TYPE_CHECKING:
    from lamella_adapters.mcp.http.access.access import Access

_EXTRA = ("prometheus_client", "jwt", "cryptography")


def serve_http(toolset: str | None, **options: Any) -> None:
    """Serve Streamable HTTP until a signal comes.

    Args:
        toolset: Names of the toolsets; None for the toolsets in `LAMELLA_TOOLSET`.
        **options: Fields of `HttpOptions`, and fields of `OAuthSettings` with the prefix `oauth_`.

    Raises:
        AdvisedError: The extra `http` is not installed, or the server would be unsafe.
        LamellaError: The settings are invalid, or the storage can't be opened.
    """
    # ruff: noqa: PLC0415 - the modules need the extra `http`
    with needing("http", *_EXTRA, reason="Serving over HTTP needs more packages.", advice="Install them with"):
        from lamella_adapters.mcp.http.access.access import access_to, open_access
        from lamella_adapters.mcp.http.access.settings import oauth_from
        from lamella_adapters.mcp.http.options import HttpOptions
        from lamella_adapters.mcp.http.serve import serve

        of_oauth = [each for each in options if each.startswith("oauth_")]
        named = {each.removeprefix("oauth_"): options.pop(each) for each in of_oauth}
        chosen = HttpOptions(toolset=toolset or toolset_from(os.environ), **options)
        oauth = oauth_from(os.environ, url=chosen.url, **named)

        def let_in(lamella: Lamella) -> "Access":
            recognises = oauth is not None or has_tokens(lamella)
            chosen.require_safe(recognises=recognises)
            tenant = lamella.storage.tenant
            return access_to(lamella.grant_of, tenant, oauth) if recognises else open_access(tenant)

        def announce(url: str, place: str) -> None:
            echo(f"lamella is at {url} and listens at {place}")

        serve(settings_from(os.environ), chosen, let_in, announce=announce)


def has_tokens(lamella: Lamella) -> bool:
    """Return True if any access token of lamella was ever created. Otherwise, no caller can have a token."""
    storage = lamella.storage
    return Capability.ACCESS_TOKENS in storage.capabilities and storage.access_tokens.exist()
