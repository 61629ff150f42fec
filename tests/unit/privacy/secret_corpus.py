"""Made-up tokens, drawn when the tests run.

Each family of `tokens.tsv` is written after what its issuer says of it (beginning, alphabet, length), not after
our patterns. No secret stands in these files.
"""

import base64
import json
import random
import re
import string
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

DIGITS = string.digits
LOWER = string.ascii_lowercase + DIGITS
UPPER = string.ascii_uppercase + DIGITS
ALNUM = string.ascii_letters + DIGITS
HEX = DIGITS + "abcdef"
BASE64 = f"{ALNUM}+/"
URL = f"{ALNUM}-_"
SPECIAL = "!@#%^*-_+=?"
ALPHABETS = {
    "alnum": ALNUM,
    "digits": DIGITS,
    "positive": "123456789",
    "small": string.ascii_lowercase,
    "letters": string.ascii_letters,
    "lower": LOWER,
    "upper": UPPER,
    "hex": HEX,
    "base32": string.ascii_uppercase + "234567",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "base64": BASE64,
    "url": URL,
    "url.": f"{URL}.",
    "azure": f"{URL}.~",
    "marks": f"{URL}.!*",
    "signs": ALNUM + SPECIAL,
    "django": f"{LOWER}!@#%^&*-_=+",
}
_PART = re.compile(r"\{(\d+)(?:-(\d+))?(?: ([^}]+))?\}|\{([a-z]+)\}|\(([^()]*\|[^()]*)\)")

Draw = Callable[[random.Random], str]


def drawn(chance: random.Random, length: int, alphabet: str = ALNUM) -> str:
    """As many characters of an alphabet, the first and the last one a letter or digit."""
    ends = [each for each in alphabet if each.isalnum()]
    return chance.choice(ends) + "".join(chance.choices(alphabet, k=length - 2)) + chance.choice(ends)


def of(form: str) -> Draw:
    """Secrets of a form.

    In it `{20}` stands for letters and digits, `{20-30 hex}` for characters of an alphabet, `(a|b)` for one of
    both, and `{uuid}` for what that name draws.
    """

    def made(chance: random.Random) -> str:
        def part(found: re.Match[str]) -> str:
            least, most, alphabet, name, choices = found.groups()
            if choices is not None:
                return str(chance.choice(choices.split("|")))
            if name is not None:
                return NAMED[name](chance)
            return drawn(chance, chance.randint(int(least), int(most or least)), ALPHABETS[alphabet or "alnum"])

        return _PART.sub(part, form)

    return made


def rows(name: str) -> list[list[str]]:
    """The rows of a table of this folder, without its head."""
    table = Path(__file__).with_name(name).read_text("utf-8")
    return [line.split("\t") for line in table.splitlines()[1:]]


def _encoded(chance: random.Random, length: int) -> str:
    return base64.b64encode(chance.randbytes(length)).decode()


NAMED: dict[str, Draw] = {
    "uuid": lambda chance: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    "random": lambda chance: _encoded(chance, 32),
    "certificate": lambda chance: _encoded(chance, 1700),
    "basic": lambda chance: base64.b64encode(f"ada:{drawn(chance, chance.choice([12, 20]))}".encode()).decode(),
    "chosen": of("(winter|Dragon|sunshine|Tr0mbone|Kestrel|purple|Zurich|marmalade){2-4 digits}(||!|#|?)"),
    "user": of("(ada|app_user||ada%40example.org)"),
    "host": of("(localhost|db.example.org:5432|10.0.0.7:6379|cluster0.ab1cd.example.net)"),
}


def _base64url(value: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _json_web_token(chance: random.Random) -> str:
    header = {"alg": chance.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
    payload = {"sub": drawn(chance, 10), "iat": chance.randrange(1_600_000_000, 1_900_000_000), "role": "admin"}
    return f"{_base64url(header)}.{_base64url(payload)}.{drawn(chance, chance.choice([43, 86, 342]), URL)}"


def _discord(chance: random.Random) -> str:
    user = base64.b64encode(str(chance.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
    return f"{user}.{drawn(chance, 6, URL)}.{drawn(chance, chance.choice([27, 38]), URL)}"


TOKENS: dict[str, Draw] = {family: of(form) for family, form in rows("tokens.tsv")}
TOKENS |= {"JSON web token": _json_web_token, "Discord": _discord}
"""Secrets that say themselves what they are."""


def is_left(secret: str, text: str, length: int = 8) -> bool:
    """Return True if as many characters of the secret in a row are in the text, or all of it if it is short."""
    length = min(length, len(secret))
    return any(secret[start : start + length] in text for start in range(len(secret) - length + 1))
