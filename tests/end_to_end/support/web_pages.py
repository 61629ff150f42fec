"""A running `lamella web`, with requests over a raw socket, as no browser would send them."""

import html
import re
import signal
import socket
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

from attrs import define, frozen

from tests.end_to_end.support.command_line import LAMELLA, CommandLine
from tests.end_to_end.support.forked import Command, Process, stop
from tests.waiting import HANG_SECONDS

_URL = re.compile(rb"http://127\.0\.0\.1:(\d+)/enter\?token=(\S+)")

BOUNDARY = b"lamella-boundary"
REQUESTS = tomllib.loads(Path(__file__).with_name("requests.toml").read_text("utf-8"))
"""Requests that tests make, and what they are answered, by what they are about."""


def part(**values: str) -> bytes:
    """Return the part of a form with a field."""
    ((name, value),) = values.items()
    return f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()


def file_part(content: bytes, name: str) -> bytes:
    """Return the part of a form with a file."""
    disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    return f"{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n".encode() + content


@frozen
class Answer:
    """Response: status, headers by lower-case name, and content."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def body(self) -> str:
        """The content as text."""
        return self.content.decode()

    @property
    def text(self) -> str:
        """Text of the page without tags."""
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", self.body)).split())

    def links(self, begin: str = "/memory") -> list[str]:
        """Return the distinct links of the page with a prefix."""
        return list(
            dict.fromkeys(html.unescape(each) for each in re.findall(rf'href="({begin}\?[^"]*)"', self.body))
        )


@define
class WebPages:
    """Client of a server.

    Attributes:
        process: The server.
        port: Its port.
        token: The one-time token of the printed URL.
        cookie: Cookie of the admitted browser; empty before `enter`.
    """

    process: Process
    port: int
    token: str
    cookie: str = ""

    @property
    def host(self) -> str:
        """Correct value of the header `Host`."""
        return f"127.0.0.1:{self.port}"

    def raw(self, request: bytes, method: str = "GET") -> Answer:
        """Send bytes as a request with this method, and read the response."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_SECONDS) as connection:
            connection.sendall(request)
            answer = HTTPResponse(connection, method=method)
            answer.begin()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, headers, answer.read())

    def ask(
        self,
        target: str,
        *,
        method: str = "GET",
        form: Mapping[str, object] | bytes | None = None,
        **headers: str | None,
    ) -> Answer:
        """Send a request as the admitted browser. A header set to `None` is omitted."""
        body = form if isinstance(form, bytes) else urlencode(form or {}, doseq=True).encode()
        sent: dict[str, str | None] = {"host": self.host, "cookie": self.cookie or None, "connection": "close"}
        if form is not None:
            sent |= {"content-type": "application/x-www-form-urlencoded", "content-length": str(len(body))}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.raw(self.head(method, target, sent) + body, method)

    @staticmethod
    def head(method: str, target: str, headers: Mapping[str, str | None]) -> bytes:
        """Return the head of a request, without headers set to `None`."""
        lines = (f"{name}: {value}" for name, value in headers.items() if value is not None)
        return "\r\n".join((f"{method} {target} HTTP/1.1", *lines, "", "")).encode()

    def enter(self) -> "WebPages":
        """Use the token, as a browser does by opening the URL."""
        answer = self.ask(f"/enter?token={self.token}")
        assert (answer.status, answer.headers["location"]) == (303, "/"), answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self

    def form_token(self) -> str:
        """Return the form token from a page that has one."""
        found = re.search(r'name="form_token" value="([^"]+)"', self.ask("/backups").body)
        assert found is not None
        return found[1]

    def send(self, target: str, **fields: object) -> Answer:
        """Send a form with its token."""
        return self.ask(target, method="POST", form={"form_token": self.form_token(), **fields})

    def upload(self, target: str, content: bytes, name: str = "export", **headers: str | None) -> Answer:
        """Send a form with its token and a file, as a browser does."""
        return self.post_parts(target, [part(form_token=self.form_token()), file_part(content, name)], **headers)

    def post_parts(self, target: str, parts: Sequence[bytes], **headers: str | None) -> Answer:
        """Send the parts of a form with a file."""
        body = (
            b"".join(b"--" + BOUNDARY + b"\r\n" + each + b"\r\n" for each in parts) + b"--" + BOUNDARY + b"--\r\n"
        )
        kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        return self.ask(target, method="POST", form=body, **{"content_type": kind, **headers})

    def end(self) -> tuple[int, bytes]:
        """End the server as Ctrl-C does. Return its exit code and stderr."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(), self.process.stderr.read()


@contextmanager
def web_pages(
    data: Path,
    directory: Path,
    *options: str,
    limits: Mapping[str, float] | None = None,
    browser: Path | None = None,
) -> Iterator[WebPages]:
    """Run `lamella web` in `directory`, and end it afterwards.

    Args:
        data: The data directory.
        directory: Working directory of the command.
        *options: Options of the command.
        limits: Time limits, as of `Command`.
        browser: Program to open the URL with; None for none.
    """
    options = (*options, *(() if browser else ("--no-open",)))
    settings = CommandLine(data, directory, {"LAMELLA_EMBEDDER": "none", "TZ": "UTC"}).environment
    settings |= {"BROWSER": str(browser)} if browser else {}
    process = Command((LAMELLA, "web", *options), directory, settings, limits=limits or {}).open()
    try:
        line = process.stdout.readline()
        found = _URL.search(line)
        assert found is not None, (line, process.stderr.read())
        yield WebPages(process, int(found[1]), found[2].decode())
    finally:
        assert stop(process) in (0, -signal.SIGKILL)
        process.close()


def id_of(site: WebPages, title: str, target: str = "/search?purged=with") -> str:
    """Return the id of the memory with a title in a list."""
    found = re.search(
        rf'href="/memory\?id=([0-9a-f-]+)">{re.escape(title)}<', html.unescape(site.ask(target).body)
    )
    assert found is not None, title
    return found[1]


def titles(answer: Answer) -> list[str]:
    """Return the titles in a list of results."""
    return re.findall(
        r'<h2 class="found"><a [^>]*>(.*?)</a>', answer.body.replace("<mark>", "").replace("</mark>", "")
    )
