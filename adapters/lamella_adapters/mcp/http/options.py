"""Options of the server: its address, the names under which it is reached, and refusals to start."""

import ipaddress
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.errors import AdvisedError, InvalidValueError

ENDPOINT = "/mcp"
"""Path of the protocol."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


@frozen(kw_only=True)
class HttpOptions:
    """Options of the server.

    Attributes:
        address: Address to listen at.
        port: Port to listen at; 0 for any that is free.
        url: URL of the endpoint as callers know it; None if that follows from address and port.
        certificate: File with the certificate chain, in PEM; None for no TLS.
        key: File with its key.
        behind_proxy: True if a proxy in front speaks TLS with callers, and is the only one that can connect.
        toolset: Names of the toolsets, with commas between them.
        read_only: True to let nobody change anything.
        rate: Requests a second that one caller may send for long; twice as many in one second.
        workers: Processes that share the port.
        drain: Seconds after SIGTERM during which requests are answered still while `/readyz` says no.
    """

    address: str = "127.0.0.1"
    port: int = 8765
    url: str | None = None
    certificate: Path | None = field(default=None, converter=optional(Path))
    key: Path | None = field(default=None, converter=optional(Path))
    behind_proxy: bool = False
    toolset: str
    read_only: bool = False
    rate: float = 100.0
    workers: int = 1
    drain: float = 5.0

    @property
    def only_here(self) -> bool:
        """True if nobody but this machine can connect, and no proxy brings callers from elsewhere.

        Who names an address that others use has a proxy in front, whether they say so or not.
        """
        named = self.url is None or _is_local(urlsplit(self.url).hostname or "")
        return _is_loopback(self.address) and named and not self.behind_proxy

    def require_safe(self, *, recognises: bool) -> None:
        """Refuse what would let anybody in, or show what callers send to others.

        Args:
            recognises: True if callers are recognised by tokens.

        Raises:
            InvalidValueError: The address is no IP address, or the URL is not that of an endpoint.
            AdvisedError: Anybody could get in, or read what is sent.
        """
        if (self.certificate is None) != (self.key is None):
            raise AdvisedError(
                reason="A certificate and its key belong together.", advice="Give both --certificate and --key."
            )
        parts = urlsplit(self.url or f"http://localhost{ENDPOINT}")
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path != ENDPOINT:
            raise InvalidValueError(name="--url", given=repr(self.url), allowed=f"https://HOST[:PORT]{ENDPOINT}")
        if self.only_here:
            return
        if not recognises:
            raise AdvisedError(
                reason=f"Anybody who can reach {self.url or self.address} could read all memories.",
                advice="Make a token first (lamella token create), or name an identity provider (--oauth-issuer).",
            )
        if self.certificate is None and not self.behind_proxy:
            raise AdvisedError(
                reason="Without TLS, tokens and memories could be read on their way.",
                advice="Give --certificate and --key, or --behind-proxy if a proxy in front speaks TLS.",
            )
        if self.url is None:
            raise AdvisedError(
                reason="Requests under a foreign name are refused, and the server does not know its own.",
                advice=f"Give the address that clients use: --url https://HOST{ENDPOINT}",
            )

    def own_url(self, port: int) -> str:
        """Return the URL of the endpoint, given the port that is listened at."""
        if self.url is not None:
            return self.url
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self._scheme}://{host}:{port}{ENDPOINT}"

    def hosts(self, port: int) -> frozenset[str]:
        """Return the values of the header `Host` that are the server's own, in lower case."""
        if self.url is not None:
            parts = urlsplit(self.url)
            host = parts.netloc.rpartition("@")[2].lower()
            default = _DEFAULT_PORTS[parts.scheme]
            same = {host, host.removesuffix(f":{default}"), host if parts.port else f"{host}:{default}"}
        else:
            same = set()
        if self.only_here:
            same |= {f"{name}:{port}" for name in (self.address, "127.0.0.1", "localhost", "[::1]")}
        return frozenset(same)

    def origins(self, port: int) -> frozenset[str]:
        """Return the values of the header `Origin` that are the server's own."""
        schemes = {self._scheme} if self.url is None else {urlsplit(self.url).scheme, self._scheme}
        return frozenset(f"{scheme}://{host}" for scheme in schemes for host in self.hosts(port))

    @property
    def _scheme(self) -> str:
        return "http" if self.certificate is None else "https"


def _is_loopback(address: str) -> bool:
    """Return True if an address is one of this machine only.

    Raises:
        InvalidValueError: It is no IP address.
    """
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        raise InvalidValueError(name="--address", given=repr(address), allowed="an IP address") from None


def _is_local(host: str) -> bool:
    """Return True if the host of a URL is this machine, whoever reads it."""
    with suppress(InvalidValueError):
        return _is_loopback(host)
    return False
