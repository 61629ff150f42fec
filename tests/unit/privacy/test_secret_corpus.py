"""Rates of made-up secrets that are caught as a whole, and of ordinary text that is touched."""

import base64
import json
import random
import sysconfig
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lamella.domain.privacy.named_secrets import assigned_secrets
from lamella.domain.privacy.private_key_lines import key_lines
from lamella.domain.privacy.redaction import redact
from lamella.domain.privacy.signs import Signs
from lamella.domain.privacy.token_formats import formats_of
from tests.unit.privacy.secret_corpus import HEX, TOKENS, drawn, is_left
from tests.unit.privacy.secret_settings import around, named
from tests.unit.privacy.secret_texts import STRUCTURED, VALUES

pytestmark = pytest.mark.no_cover
"""Rates: to measure coverage takes three times as long as they do, and each branch has a test of its own."""

ROOT = Path(__file__).parents[3]
CHUNK = 4096
MOST_CHUNKS = 200
LEAST_CAUGHT = 0.95
MOST_TOUCHED = 0.01
MOST_LOOKED_INTO = 0.1


def _chance(family: str) -> random.Random:
    """The same in every run, another one for each family."""
    return random.Random(f"corpus {family}")  # noqa: S311 - made-up values


def told(family: str) -> Iterator[tuple[str, str, str]]:
    """Secrets of a family in all their settings: the setting, the text, and what may not be left of it."""
    chance = _chance(family)
    if family in TOKENS:
        secret = TOKENS[family](chance)
        yield from ((place, text, secret) for place, text in around(secret))
    elif family in VALUES:
        draw, kind = VALUES[family]
        # Drawn letters may look like a word: they are drawn often, and each in a quarter of the settings.
        times, part = (36, 4) if "letters" in family else (6, 2)
        for time in range(times):
            secret = draw(chance)
            places = list(named(chance, secret, kind))[time % part :: part]
            yield from ((place, text, secret) for place, text in places)
    else:
        for _ in range(20):
            text, secret = STRUCTURED[family](chance)
            yield "file", text, secret
            added = text.replace("\n", "\n+")
            yield "diff", f"@@ -0,0 +1 @@\n+{added}\n", secret.replace("\n", "\n+")
            yield "JSON", json.dumps({"text": f"I said:\n{text}"}), json.dumps(secret)[1:-1]


def test_of_each_family_and_of_all_nearly_every_secret_is_caught_as_a_whole() -> None:
    counts: Counter[str] = Counter()
    left: dict[str, Counter[str]] = {}
    for family in [*TOKENS, *VALUES, *STRUCTURED]:
        left[family] = Counter()
        for place, text, secret in told(family):
            counts[family] += 1
            left[family][place] += is_left(secret, redact(text).text)
    missed = {family: places.total() for family, places in left.items()}
    poorly = {family: +left[family] for family in left if missed[family] > counts[family] * (1 - LEAST_CAUGHT)}
    assert poorly == {}
    assert counts.total() > 2_500
    assert sum(missed.values()) <= counts.total() * (1 - LEAST_CAUGHT)


def _repository() -> Iterator[str]:
    """Yield all files except the modules that define secrets."""
    for folder in ("src", "adapters", "contracts", "bench", "docs"):
        for pattern in ("*.py", "*.md"):
            files = sorted((ROOT / folder).rglob(pattern))
            yield from (path.read_text("utf-8") for path in files if "privacy" not in path.parts)
    yield from (path.read_text("utf-8") for path in sorted(ROOT.glob("*.md")))


def _standard_library() -> Iterator[str]:
    modules = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    yield from (path.read_text("utf-8") for path in modules[:60])


def _locks() -> Iterator[str]:
    yield (ROOT / "requirements" / "dev.lock").read_text("utf-8")
    yield (ROOT / "tests" / "end_to_end" / "clients" / "node" / "package-lock.json").read_text("utf-8")


def _names_of_things() -> Iterator[str]:
    """Yield random names of things, which look like secrets and are none."""
    chance = _chance("things")

    def hexadecimal(length: int) -> str:
        return drawn(chance, length, HEX)

    def encoded(length: int) -> str:
        return base64.b64encode(chance.randbytes(length)).decode()

    yield "\n".join(f"{hexadecimal(40)} Make the upload retry" for _ in range(300))
    yield "\n".join(f"index {hexadecimal(7)}..{hexadecimal(7)} 100644" for _ in range(300))
    yield "\n".join(f'{{"id": "{uuid.UUID(int=chance.getrandbits(128))}", "key": {n}}}' for n in range(300))
    yield "\n".join(f"sha256:{hexadecimal(64)}  layer.tar" for _ in range(200))
    yield "\n".join(f"![x](data:image/png;base64,{encoded(900)})" for _ in range(40))
    yield "\n".join(f'integrity="sha384-{encoded(48)}"' for _ in range(200))


def _written_by_hand() -> Iterator[str]:
    files = sorted(Path(__file__).with_name("ordinary").iterdir())
    # What is minified has no end of a line.
    yield from (path.read_text("utf-8") * 40 for path in files)


ABOUT_SECRETS = "style sheets, scripts, prose and code about secrets"
ORDINARY = {
    "this repository": _repository,
    "standard library": _standard_library,
    "lock files": _locks,
    "names of things": _names_of_things,
    ABOUT_SECRETS: _written_by_hand,
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_of_ordinary_text_hardly_anything_is_touched_or_even_looked_into(kind: str) -> None:
    chunks = [text[at : at + CHUNK] for text in ORDINARY[kind]() for at in range(0, len(text), CHUNK)]
    touched = [chunk for chunk in chunks if redact(chunk).secrets]
    assert len(touched) <= len(chunks) * MOST_TOUCHED, touched[:3]
    chunks = chunks[:: 1 + len(chunks) // MOST_CHUNKS]
    looked_into = [
        chunk
        for chunk in chunks
        if formats_of(Signs(chunk).of_formats(), chunk) or key_lines(chunk) or assigned_secrets(chunk)
    ]
    assert len(chunks) > 20
    assert len(looked_into) <= len(chunks) * MOST_LOOKED_INTO or kind == ABOUT_SECRETS, looked_into[:3]
