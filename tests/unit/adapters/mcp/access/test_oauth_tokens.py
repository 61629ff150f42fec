"""OAuth access tokens that are right, and all ways to forge one."""

import hashlib
import hmac
import time  # noqa: F401 - for the table
from contextlib import nullcontext
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: F401 - for the table
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lamella.domain.access.grant import Grant, Scope
from lamella_adapters.mcp.http.access.authenticator import RefusedError
from tests.unit.adapters.mcp.access.issuer import (
    AUDIENCE,  # noqa: F401 - for the table
    HOUR,  # noqa: F401 - for the table
    ISSUER,  # noqa: F401 - for the table
    Issuer,
    claims,
    ec_key,
    ed_key,  # noqa: F401 - for the table
    part,
    published,
    rsa_key,
    signed,
)
from tests.unit.support.tables import cases

METADATA = 'resource_metadata="https://memory.example.com/.well-known/oauth-protected-resource/mcp"'


def refused(token: str, issuer: Issuer | None = None, **settings: Any) -> RefusedError:
    with pytest.raises(RefusedError) as raised:
        (issuer or Issuer()).verifier(**settings)(token)
    assert METADATA in raised.value.challenge
    assert token not in f"{raised.value} {raised.value.challenge}"
    return raised.value


def test_a_token_gives_what_its_claims_say() -> None:
    assert Issuer().verifier()(signed(claims())) == Grant(
        tenant="default", scopes=Scope.WRITE.held, project=None, author="ada", name="subject ada"
    )


@cases
def test_signatures_of_key_pairs_are_accepted(algorithm: str, key: Any) -> None:
    issuer = Issuer([published(key, kid="one")])
    assert issuer.verifier()(signed(claims(), key=key, algorithm=algorithm)).author == "ada"


@cases
def test_types_of_access_tokens_and_one_of_several_audiences_are_accepted(
    claimed: dict[str, Any], headers: dict[str, Any]
) -> None:
    assert Issuer().verifier()(signed(claims(**claimed), headers=headers)).author == "ada"


@cases
def test_a_token_for_another_time_place_or_purpose_is_refused(changes: dict[str, Any], reason: str) -> None:
    error = refused(signed(claims(**changes)))
    assert (error.status, error.reason) == (401, reason)
    assert f'error="invalid_token", error_description="{reason}"' in error.challenge


HEADER, PAYLOAD, SIGNATURE = signed(claims()).split(".")
STRANGER = rsa_key("stranger")
PUBLIC = rsa_key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def unsigned(algorithm: Any) -> str:
    return f"{part({'alg': algorithm, 'kid': 'one', 'typ': 'JWT'})}.{PAYLOAD}."


def hashed(algorithm: str, key: bytes) -> str:
    """Sign with a public key as if it were a secret, which the library itself refuses to do."""
    signing = f"{part({'alg': algorithm, 'kid': 'one', 'typ': 'JWT'})}.{part(claims(scope='memory:admin'))}"
    made = hmac.new(key, signing.encode(), getattr(hashlib, f"sha{algorithm[2:]}")).digest()
    return f"{signing}.{part(made)}"


@cases
def test_a_forged_token_is_refused(token: str) -> None:
    error = refused(token)
    assert (error.status, error.reason) == (401, "The access token is not valid.")


def test_a_key_that_is_a_secret_checks_no_signature() -> None:
    issuer = Issuer([{"kty": "oct", "kid": "one", "k": part(b"s" * 64)}])
    assert refused(jwt.encode(claims(), b"s" * 64, "HS256", headers={"kid": "one"}), issuer).status == 401


@cases
def test_a_key_for_something_else_checks_no_signature(more: dict[str, Any], bits: int) -> None:
    key = rsa_key("weak", bits)
    issuer = Issuer([published(key, **{"kid": "one", **more})])
    with pytest.warns(jwt.InsecureKeyLengthWarning) if bits < 2048 else nullcontext():
        token = signed(claims(), key=key)
    assert refused(token, issuer).status == 401


def test_a_token_without_the_id_of_a_key_needs_a_provider_with_one() -> None:
    token = jwt.encode(claims(), rsa_key(), "RS256")
    only = published(rsa_key())
    assert Issuer([only, published(ec_key())]).verifier()(token).author == "ada"
    assert refused(token, Issuer([only, published(rsa_key("second"))])).status == 401


@cases
def test_scopes_are_read_as_providers_write_them(given: dict[str, Any], held: frozenset[Scope]) -> None:
    assert Issuer().verifier()(signed(claims(**given))).scopes == held


@pytest.mark.parametrize("scope", ["", "openid", "memory", "memory:*", "MEMORY:READ", {"memory:read": 1}, 7])
def test_a_token_without_our_scopes_is_for_something_else(scope: Any) -> None:
    error = refused(signed(claims(scope=scope)))
    assert error.status == 403
    assert 'error="insufficient_scope"' in error.challenge
    assert 'scope="memory:read"' in error.challenge


def test_a_tenant_comes_from_the_claim_that_is_set_and_is_never_guessed() -> None:
    verifier = Issuer().verifier(tenant_claim="org", author_claim="email")
    grant = verifier(signed(claims(org="acme", email="ada@example.com")))
    assert (grant.tenant, grant.author, grant.name) == ("acme", "ada@example.com", "subject ada")
    for email in (None, "", " ", ["x"], 7):
        error = refused(signed(claims(org="acme", email=email)), tenant_claim="org", author_claim="email")
        assert (error.status, "names no user" in error.reason) == (401, True)
    wrong: tuple[Any, ...] = (None, "", " ", 7, ["acme"], "a\0b", "x" * 501, True, {})
    for org in wrong:
        error = refused(signed(claims(org=org)), tenant_claim="org")
        assert (error.status, "names no tenant" in error.reason) == (401, True)


def test_without_a_claim_the_tenant_is_that_of_the_storage_whatever_a_token_says() -> None:
    verifier = Issuer().verifier(tenant="ours")
    assert verifier(signed(claims(tenant="acme", org="acme"))).tenant == "ours"


def test_a_subject_cannot_deceive_who_reads_a_log() -> None:
    grant = Issuer().verifier()(signed(claims(sub="ada\nsubject root \u202e")))
    assert grant.name == "subject ada subject root \\u{202E}"
    assert len(Issuer().verifier()(signed(claims(sub="x" * 5000))).name) < 600
