"""Options of the server, and checks that it is safe to start."""

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.errors import AdvisedError, InvalidValueError
from lamella_adapters.process.tables import sentences
from lamella_adapters.process.urls import ENDPOINT, is_local

_DEFAULT_PORTS = {"http": 80, "https": 443}


@frozen(kw_only=True)
class HttpOptions:
    """Options of the server.

    Attributes:
        address: IP address to listen on.
        port: Port to listen on; 0 for any free port.
        url: Public URL of the endpoint; None to derive it from address and port.
        certificate: PEM file with the certificate chain; None for no TLS.
        key: PEM file with the certificate's private key.
        behind_proxy: True if all requests come through a reverse proxy that terminates TLS.
        toolset: Comma-separated names of the toolsets.
        read_only: True to offer no caller tools that write.
        rate: Sustained requests per second of one caller. Bursts may have twice as many.
        workers: Number of processes that share the port.
        drain: Seconds after SIGTERM to keep handling requests while `/readyz` already fails.
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
        """True if only this machine can connect, and no proxy forwards requests from other machines.

        A public URL on a loopback address means that a proxy forwards requests, even without `behind_proxy`.
        """
        named = self.url is None or is_local(urlsplit(self.url).hostname or "")
        return _is_loopback(self.address) and named and not self.behind_proxy

    def require_safe(self, *, recognises: bool) -> None:
        """Check that a server open to other machines has authentication, TLS and a known URL.

        Args:
            recognises: True if callers are authenticated by tokens.

        Raises:
            InvalidValueError: The address isn't an IP address, or the URL isn't valid for an endpoint.
            AdvisedError: The server would be open to anybody, or its traffic would be unencrypted.
        """
        if (self.certificate is None) != (self.key is None):
            raise AdvisedError(**sentences(__file__, "halved"))
        parts = urlsplit(self.url or f"http://localhost{ENDPOINT}")
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path != ENDPOINT:
            raise InvalidValueError(name="--url", given=repr(self.url), allowed=f"https://HOST[:PORT]{ENDPOINT}")
        if self.only_here:
            return
        if not recognises:
            raise AdvisedError(**sentences(__file__, "open", place=self.url or self.address))
        if self.certificate is None and not self.behind_proxy:
            raise AdvisedError(**sentences(__file__, "plain"))
        if self.url is None:
            raise AdvisedError(**sentences(__file__, "nameless", endpoint=ENDPOINT))

    def own_url(self, port: int) -> str:
        """Return the URL of the endpoint, for the port that the server listens on."""
        if self.url is not None:
            return self.url
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self._scheme}://{host}:{port}{ENDPOINT}"

    def hosts(self, port: int) -> frozenset[str]:
        """Return the accepted values of the header `Host`, in lower case."""
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
        """Return the accepted values of the header `Origin`."""
        schemes = {self._scheme} if self.url is None else {urlsplit(self.url).scheme, self._scheme}
        return frozenset(f"{scheme}://{host}" for scheme in schemes for host in self.hosts(port))

    @property
    def _scheme(self) -> str:
        return "http" if self.certificate is None else "https"


def _is_loopback(address: str) -> bool:
    """Return True for a loopback address or `localhost`.

    Raises:
        InvalidValueError: `address` is neither an IP address nor `localhost`.
    """
    if not is_local(address):
        try:
            ipaddress.ip_address(address)
        except ValueError:
            raise InvalidValueError(name="--address", given=repr(address), allowed="an IP address") from None
    return is_local(address)
