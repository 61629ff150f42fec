"""Settings of OAuth: which identity provider is trusted, and for what."""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from attrs import field, frozen

from lamella.domain.validation import InvalidValueError, instance_of, is_text, not_blank

if TYPE_CHECKING:
    from attrs import Attribute

_NAMES = {name: f"LAMELLA_OAUTH_{name.upper()}" for name in ("issuer", "audience", "tenant_claim", "author_claim")}
"""Environment variables of the settings."""

_LOCAL = ("localhost",)


def is_trustworthy(url: str) -> bool:
    """Return True if what comes from a URL can't be changed on its way: by https, or from this machine."""
    parts = _parts(url)
    return parts is not None and (parts.scheme == "https" or (parts.scheme == "http" and _is_local(parts)))


def _parts(url: str) -> SplitResult | None:
    """Return the parts of a plain URL; None for one with a user, a query, a fragment, or hidden characters."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "\\<>{}|^`')
    return parts if plain and parts.hostname and "@" not in parts.netloc and not set(url) & set("?#") else None


def _is_local(parts: SplitResult) -> bool:
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname in _LOCAL


def _is_url(_instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    is_text(_instance, attribute, value)
    if not is_trustworthy(value):
        raise InvalidValueError(
            name=_NAMES[attribute.name],
            given=repr(value[:100]),
            allowed="an https URL without query and fragment; http for this machine only",
        )


@frozen(kw_only=True)
class OAuthSettings:
    """The identity provider of a server.

    Attributes:
        issuer: URL of the provider, exactly as its tokens name it.
        audience: URL of this server as clients know it, such as `https://memory.example.com/mcp`. Tokens for
            anything else are refused.
        tenant_claim: Claim that names the tenant, without which a token is refused; None if all are of the
            storage's.
        author_claim: Claim that names who saves. A token without it is refused: a subject may be that of another.
    """

    issuer: str = field(validator=_is_url)
    audience: str = field(validator=_is_url)
    tenant_claim: str | None = field(default=None, validator=instance_of(str | None))
    author_claim: str = field(default="sub", validator=[is_text, not_blank])


def oauth_from(
    environment: Mapping[str, str], *, url: str | None = None, **options: str | None
) -> OAuthSettings | None:
    """Return the settings of OAuth; None if nobody asks for it.

    `LAMELLA_OAUTH_ISSUER`: the identity provider.
    `LAMELLA_OAUTH_AUDIENCE`: the address of this server, by default `url`.
    `LAMELLA_OAUTH_TENANT_CLAIM`: the claim that names the tenant.
    `LAMELLA_OAUTH_AUTHOR_CLAIM`: the claim that names who saves, by default `sub`.
    A blank variable counts as not set.

    Args:
        environment: Variables of the process.
        url: URL of the endpoint as clients know it.
        **options: The same by the names of `OAuthSettings`, as options of a command give them; None if not given.

    Raises:
        InvalidValueError: A URL can't be trusted, or one is missing.
    """
    read = {name: environment.get(variable, "").strip() for name, variable in _NAMES.items()}
    given = {name: value for name, value in options.items() if value is not None}
    chosen = {name: value for name, value in {**read, **given}.items() if value}
    if not chosen:
        return None
    known = {**({"audience": url} if url else {}), **chosen}
    for name in ("issuer", "audience"):
        if name not in known:
            raise InvalidValueError(name=_NAMES[name], given="missing", allowed="set, as OAuth is asked for")
    return OAuthSettings(**known)
