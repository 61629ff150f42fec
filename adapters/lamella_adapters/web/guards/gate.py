"""The gate refuses all requests that don't come from the one admitted browser.

Any page in a browser can send requests to this machine, and an attacker's domain name can resolve to this machine.
So the order of the checks matters: first the host, then the origin of the request, then the cookie of the browser.
"""

import secrets
from urllib.parse import parse_qsl

from attrs import define, field
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

ENTRANCE = "/enter"
"""Path for exchanging the one-time token for the cookie."""

_METHODS = ("GET", "HEAD", "POST")
_OWN_SITES = frozenset({"same-origin", "none"})
"""Accepted values of `Sec-Fetch-Site`: our own pages, and the address bar."""

_ENTER = "Open the link that `lamella web` has printed. It works once; start `lamella web` again for another one."
_ENDED = f"Nothing was saved: the server of this page has ended. Go back, and copy what you have typed. {_ENTER}"


@define(eq=False)
class Gate:
    """ASGI application in front of the pages.

    Attributes:
        app: The pages.
        port: Port that the server listens on.
        token: One-time token of the printed URL; None after its use.
        cookie: Value of the cookie that the first browser with the token gets.
    """

    app: ASGIApp
    port: int
    token: str | None = field(factory=lambda: secrets.token_urlsafe(32))
    cookie: str = field(factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie_name(self) -> str:
        """Name of the cookie. It contains the port, because browsers send cookies to every port of a host."""
        return f"lamella-{self.port}"

    @property
    def url(self) -> str:
        """URL to print for the user."""
        return f"http://127.0.0.1:{self.port}{ENTRANCE}?token={self.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        answer = self._refusal(scope)
        await (answer or self.app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the error response for a request to refuse; None to accept it."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return _plain("This server answers to 127.0.0.1 and localhost only.", 421)
        sites = headers.getlist("sec-fetch-site")
        # Pages with `Referrer-Policy: no-referrer` post their forms with `Origin: null`. `Sec-Fetch-Site` then
        # shows whether the form is on a page of this server.
        own = {f"http://{hosts[0]}", *(["null"] if sites == ["same-origin"] else [])}
        if not own.issuperset(headers.getlist("origin")):
            return _plain("This request comes from another page.", 403)
        if not _OWN_SITES.issuperset(sites):
            return _plain("This request comes from another site. Type the address, or open the printed link.", 403)
        if scope["method"] not in _METHODS:
            return _plain("Only GET and POST are understood.", 405)
        if scope["path"] == ENTRANCE:
            return self._entered(scope, headers)
        sentence = _ENDED if scope["method"] == "POST" else _ENTER
        return None if self.knows(headers) else _plain(sentence, 403)

    def _entered(self, scope: Scope, headers: Headers) -> Response:
        """Set the cookie in exchange for the token, once. A browser that has the cookie needs no token."""
        if scope["method"] == "HEAD":  # a link checker's HEAD request must not use the token up
            return _plain(_ENTER, 403)
        if not self.knows(headers):
            given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")
            if self.token is None or not secrets.compare_digest(given.encode(), self.token.encode()):
                return _plain(_ENTER, 403)
            self.token = None
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self.cookie_name, self.cookie, path="/", httponly=True, samesite="strict")
        return answer

    def knows(self, headers: Headers) -> bool:
        """Return True if a request has the admitted browser's cookie."""
        cookies = cookie_parser("; ".join(headers.getlist("cookie")))
        return secrets.compare_digest(cookies.get(self.cookie_name, "").encode(), self.cookie.encode())


def _plain(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{sentence}\n", status_code=status)
