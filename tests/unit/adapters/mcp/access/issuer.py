"""An identity provider with keys of its own, whose tokens can be wrong in any way."""

import base64
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any

import jwt
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella_adapters.mcp.http.access.authenticator import Challenges
from lamella_adapters.mcp.http.access.oauth_tokens import OAuthTokens
from lamella_adapters.mcp.http.access.settings import OAuthSettings, metadata_url
from lamella_adapters.mcp.http.access.signing_keys import SigningKeys
from tests.unit.support.serving import Answer, serving

ISSUER = "https://id.example.com"
AUDIENCE = "https://memory.example.com/mcp"
HOUR = 3600


@cache
def rsa_key(name: str = "first", bits: int = 2048) -> rsa.RSAPrivateKey:
    """Return a key, the same for a name in one run."""
    del name
    return rsa.generate_private_key(65_537, bits)


@cache
def ec_key(curve: type[ec.EllipticCurve] = ec.SECP256R1) -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(curve())


@cache
def ed_key() -> ed25519.Ed25519PrivateKey:
    return ed25519.Ed25519PrivateKey.generate()


def published(key: Any, **more: object) -> dict[str, Any]:
    """Return the public half of a key as a JSON web key."""
    kinds: Mapping[type, Any] = {
        rsa.RSAPrivateKey: RSAAlgorithm,
        ec.EllipticCurvePrivateKey: ECAlgorithm,
        ed25519.Ed25519PrivateKey: OKPAlgorithm,
    }
    algorithm = next(each for kind, each in kinds.items() if isinstance(key, kind))
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), **more}


@define
class Issuer:
    """An identity provider."""

    keys: list[dict[str, Any]] = field(
        factory=lambda: [published(rsa_key(), kid="one", alg="RS256", use="sig"), published(ec_key(), kid="two")]
    )
    fetched: int = 0

    def fetch(self) -> Sequence[Mapping[str, Any]]:
        self.fetched += 1
        return self.keys

    def verifier(self, *, tenant: str = DEFAULT_TENANT, **settings: Any) -> OAuthTokens:
        """Return a server that trusts this provider, with a storage of this tenant."""
        trusted = OAuthSettings(issuer=ISSUER, audience=AUDIENCE, **settings)
        return OAuthTokens(trusted, SigningKeys(self.fetch), Challenges(metadata_url(trusted)), tenant)


def claims(**changes: Any) -> dict[str, Any]:
    """Return the claims of a valid token. A claim set to None is removed."""
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ada",
        "exp": int(time.time()) + HOUR,
        "iat": int(time.time()),
        "scope": "memory:read memory:write",
    }
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def signed(
    payload: Mapping[str, Any],
    *,
    key: Any = None,
    algorithm: str = "RS256",
    headers: Mapping[str, Any] | None = None,
) -> str:
    """Return a token."""
    return jwt.encode(
        dict(payload), rsa_key() if key is None else key, algorithm, headers={"kid": "one", **(headers or {})}
    )


def part(value: object) -> str:
    """Return part of an unsigned token."""
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def answering(content: object, status: int = 200, **headers: str) -> Answer:
    """Return a handler that responds with JSON or with raw bytes."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


@contextmanager
def website(answers: dict[str, Answer]) -> Iterator[str]:
    """Serve responses by path on this machine, and yield the address. Responses can change meanwhile."""
    with serving(lambda request: answers.get(request.path, answering({}, 404))(request)) as address:
        yield address
