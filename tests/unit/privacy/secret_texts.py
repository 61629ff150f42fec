"""Made-up secrets that only their name or the text around them gives away, drawn when the tests run."""

import base64
import json
import random
from collections.abc import Callable

from tests.unit.privacy.secret_corpus import HEX, Draw, drawn, of, rows
from tests.unit.support.tables import text

Structured = Callable[[random.Random], tuple[str, str]]

VALUES: dict[str, tuple[Draw, str]] = {family: (of(form), name) for family, name, form in rows("values.tsv")}
"""Secrets that only their name gives away, and of which kind that name is."""


def _in_lines(text: str, length: int) -> str:
    return "\n".join(text[start : start + length] for start in range(0, len(text), length))


def _private_key(chance: random.Random) -> tuple[str, str]:
    kind = chance.choice(["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", ""])
    body = _in_lines(base64.b64encode(chance.randbytes(chance.choice([48, 121, 608, 1190]))).decode(), 64)
    return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----\n", body


def _pgp_key(chance: random.Random) -> tuple[str, str]:
    body = _in_lines(base64.b64encode(chance.randbytes(900)).decode(), 64)
    mark = "PGP PRIVATE " + "KEY BLOCK-----"
    return f"-----BEGIN {mark}\nComment: mine\n\n{body}\n=abcd\n-----END {mark}", body


def _putty_key(chance: random.Random) -> tuple[str, str]:
    body = _in_lines(base64.b64encode(chance.randbytes(606)).decode(), 64)
    lines = body.count("\n") + 1
    return (
        f"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAAB3Nz\n"
        f"Private-Lines: {lines}\n{body}\nPrivate-MAC: {drawn(chance, 64, HEX)}\n"
    ), body


def _service_account(chance: random.Random) -> tuple[str, str]:
    key, body = _private_key(chance)
    account = {"type": "service_account", "private_key_id": drawn(chance, 40, HEX), "private_key": key}
    return json.dumps(account), body.replace("\n", "\\n")


def _in(setting: str, form: str) -> Structured:
    """A secret in a text of its own."""

    def made(chance: random.Random) -> tuple[str, str]:
        value = of(form)(chance)
        return of(text(setting))(chance).replace("SECRET", value), value

    return made


STRUCTURED: dict[str, Structured] = {
    "private key": _private_key,
    "PGP key": _pgp_key,
    "PuTTY key": _putty_key,
    "Google service account": _service_account,
}
STRUCTURED |= {family: _in(setting, form) for family, form, setting in rows("texts.tsv")}
"""Secrets in a text of their own, and that part of it which is the secret."""
