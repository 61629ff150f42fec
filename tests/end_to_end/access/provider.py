"""An identity provider in a process of its own, and a person with a browser who signs in at it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx2
from attrs import define, field, frozen

from tests.end_to_end.clients.node_clients import NodeClients, bare_environment, installed_beside
from tests.waiting import HANG_SECONDS

PACKAGES = Path(__file__).with_name("node")
CALLBACK = "http://127.0.0.1:1/callback"
"""Where a client waits for its user to come back; nobody has to listen."""


def node_packages() -> NodeClients:
    """Return the identity provider, installed once for all test runs."""
    return installed_beside(PACKAGES)


@contextmanager
def provider(packages: NodeClients, home: Path, claims: Mapping[str, str]) -> Iterator[str]:
    """Start an identity provider, and yield its issuer."""
    assert packages.more is not None
    node = shutil.which("node", path=packages.path)
    assert node is not None
    with (home / "provider.log").open("a") as log:
        process = subprocess.Popen(
            [node, PACKAGES / "provider.js", json.dumps(claims)],
            cwd=packages.more,
            env=bare_environment(home, PATH=packages.path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    with process:
        assert process.stdout is not None
        issuer = process.stdout.readline().strip()
        assert issuer, (home / "provider.log").read_text()
        try:
            yield issuer
        finally:
            process.kill()
            process.wait(HANG_SECONDS)


class _Form(HTMLParser):
    """The first form on a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = self.action or given["action"]
        elif tag == "input" and "name" in given:
            self.fields[given["name"]] = given.get("value", "")


@define
class Person:
    """A person who signs in with their name and consents to everything."""

    name: str
    pages: list[str] = field(factory=list)
    """What they were asked, in words."""
    came_back: dict[str, str] = field(factory=dict)
    """What the provider told the client through their browser."""
    cookies: httpx2.Cookies = field(factory=httpx2.Cookies)

    async def sign_in(self, url: str) -> None:
        """Follow redirects from a client's URL until the provider redirects back."""
        async with httpx2.AsyncClient(cookies=self.cookies) as browser:
            answer = await browser.get(url)
            while not url.startswith(CALLBACK):
                if answer.has_redirect_location:
                    url = urljoin(url, answer.headers["location"])
                    if not url.startswith(CALLBACK):
                        answer = await browser.get(url)
                    continue
                assert answer.status_code == 200, answer.text
                form = _Form(answer.text)
                self.pages.append(
                    " ".join(re.sub("<style.*?</style>|<[^>]+>", " ", answer.text, flags=re.DOTALL).split())
                )
                url = urljoin(url, form.action)
                answer = await browser.post(url, data={**form.fields, "login": self.name, "password": "x"})
            self.cookies = browser.cookies
        self.came_back = dict(parse_qsl(urlsplit(url).query))


@frozen
class Client:
    """A program registered at a provider, as any MCP client can be."""

    metadata: Mapping[str, Any]
    issued: Mapping[str, Any]

    @classmethod
    def registered(cls, issuer: str, **wanted: Any) -> "Client":
        metadata = httpx2.get(f"{issuer}/.well-known/oauth-authorization-server").json()
        asked = {"redirect_uris": [CALLBACK], **wanted}
        answer = httpx2.post(metadata["registration_endpoint"], json=asked)
        assert answer.status_code == 201, answer.text
        return cls(metadata, answer.json())

    def token(self, **parameters: str) -> dict[str, Any]:
        """Return a token for the program itself, without a user."""
        answer = httpx2.post(
            self.metadata["token_endpoint"],
            data={"grant_type": "client_credentials", **parameters},
            auth=(self.issued["client_id"], self.issued["client_secret"]),
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found
