"""Checks of URLs: whether they lead to this machine, and whether others can read or change the traffic."""

import ipaddress
from contextlib import suppress
from urllib.parse import urlsplit

from lamella.domain.errors import InvalidValueError

ENDPOINT = "/mcp"
"""Path of the MCP endpoint."""


def is_local(host: str) -> bool:
    """Return True for a loopback address or `localhost`, and False for any other text."""
    with suppress(ValueError):
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    return False


def is_trustworthy(url: str) -> bool:
    """Return True if nobody can tamper with responses from this URL: it uses https, or leads to this machine."""
    scheme, host = _address(url)
    return scheme == "https" or (scheme == "http" and is_local(host))


def endpoint_url(given: str) -> str:
    """Return the URL of a server's endpoint; `/mcp` is added to a bare host.

    Raises:
        InvalidValueError: `given` isn't a trustworthy URL of an endpoint.
    """
    url = given.rstrip("/")
    url += ENDPOINT * (url.count("/") == 2)  # noqa: PLR2004 - the two before the host
    if is_trustworthy(url) and url.endswith(ENDPOINT):
        return url
    allowed = "https://HOST[:PORT]/mcp, or http for this machine only"
    raise InvalidValueError(name="URL", given=repr(given[:100]), allowed=allowed)


def _address(url: str) -> tuple[str, str]:
    """Return scheme and host of a URL. If it has a user, query, fragment or unusual characters, both are empty."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "", ""
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "\\<>{}|^`?#')
    return (parts.scheme, parts.hostname) if plain and parts.hostname and "@" not in parts.netloc else ("", "")
