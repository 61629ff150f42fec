"""Keys are fetched from where the provider says, within bounds, whatever it answers."""

import gzip
import json
import socket
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from lamella_adapters.mcp.http.access import signing_keys as module
from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError
from tests.unit.adapters.mcp.access.issuer import answering, website
from tests.unit.support.serving import Answer
from tests.unit.support.tables import cases

OAUTH, OPENID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
KEYS = {"keys": [{"kid": "one"}, "no key", {"kid": "two"}]}


def unreachable(issuer: str) -> str:
    with pytest.raises(ProviderUnreachableError) as raised:
        module.Provider(issuer).keys()
    return raised.value.reason


@cases
def test_metadata_is_found_where_providers_have_it(path: str, where: str) -> None:
    answers: dict[str, Answer] = {}
    with website(answers) as address:
        answers[where] = answering({"issuer": f"{address}{path}", "jwks_uri": f"{address}/keys"})
        answers["/keys"] = answering(KEYS)
        assert module.Provider(f"{address}{path}").keys() == [{"kid": "one"}, {"kid": "two"}]


@cases
def test_an_answer_that_is_none_is_no_key(metadata: dict[str, Any], keys: object, said: str) -> None:
    answers: dict[str, Answer] = {}
    with website(answers) as address:
        answers[OPENID] = answering({"issuer": address, "jwks_uri": f"{address}/keys", **metadata})
        answers["/keys"] = answering(keys)
        assert said in unreachable(address)


def test_a_redirect_leads_nowhere() -> None:
    answers: dict[str, Answer] = {}
    with website(answers) as address:
        answers[OPENID] = answering({"issuer": address, "jwks_uri": f"{address}/keys"})
        answers["/keys"] = answering(b"", 302, Location=f"{address}/elsewhere")
        answers["/elsewhere"] = answering(KEYS)
        assert "answers with status 302" in unreachable(address)


def test_what_is_compressed_is_not_unpacked() -> None:
    answers: dict[str, Answer] = {}
    with website(answers) as address:
        metadata = json.dumps({"issuer": address, "jwks_uri": f"{address}/keys"}).encode()
        answers[OPENID] = answering(gzip.compress(metadata), Content_Encoding="gzip")
        answers["/keys"] = answering(KEYS)
        assert "something other than JSON" in unreachable(address)


def test_a_provider_that_is_away_is_unreachable_and_says_no_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert unreachable(f"http://127.0.0.1:{port}") == "The identity provider can't be reached."


def test_a_provider_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", 0.2)

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            for _ in range(200):
                request.wfile.write(b" ")
                request.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

    with website({OAUTH: drip, OPENID: drip}) as address:
        assert unreachable(address) in {
            "The identity provider sends an answer that is too long or too slow.",
            "The identity provider can't be reached.",
        }
