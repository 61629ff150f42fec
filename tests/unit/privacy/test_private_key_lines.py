import base64
import random
import string
from itertools import pairwise

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.privacy.private_key_lines import key_lines
from lamella.domain.privacy.redaction import REDACTED, redact
from tests.unit.support.steps import calls_of
from tests.unit.support.tables import cases


def body(size: int = 1190, length: int = 64) -> list[str]:
    """The lines of a made-up key of so many bytes: the same ones in every run and order of tests."""
    chance = random.Random("keys")  # noqa: S311 - see above
    text = base64.b64encode(chance.randbytes(size)).decode()
    return [text[start : start + length] for start in range(0, len(text), length)]


def hunk(lines: list[str], sign: str = " ") -> str:
    return "\n".join(["@@ -7,8 +7,8 @@", *(sign + line for line in lines)])


@pytest.mark.parametrize("length", [64, 70])
@pytest.mark.parametrize("sign", [" ", "+", "-", "     ", "+\t"])
@pytest.mark.parametrize("count", [2, 8])
def test_lines_of_a_key_without_its_beginning_are_taken_out(length: int, sign: str, count: int) -> None:
    lines = body(length=length)[1 : count + 1]
    assert redact(hunk(lines, sign)) == (hunk([REDACTED] * count, sign), 1)


def test_an_old_line_and_a_new_one_are_a_key() -> None:
    old, new, *_ = body()
    text = "@@ -9,1 +9,1 @@\n-{}\n+{}"
    assert redact(text.format(old, new)).text == text.format(REDACTED, REDACTED)


def test_the_last_lines_of_a_key_are_taken_out_old_and_new() -> None:
    end = "-----END RSA PRIVATE " + "KEY-----"
    full, last = body(608)[-2:]
    text = " {}\n-{}\n+{}\n {}"
    assert redact(text.format(full, last, last[:-4], end)).text == text.format(*[REDACTED] * 3, end)


def test_what_follows_a_key_stays() -> None:
    one, two, *_ = body()
    assert redact(f"{one}\n{two}\nreturn\nkeeper\nvalues\nother").text == (
        f"{REDACTED}\n{REDACTED}\n***\n***\nvalues\nother"
    )
    assert redact(f"{one}\n{two}\nso it is\nother").text == f"{REDACTED}\n{REDACTED}\nso it is\nother"


@pytest.mark.parametrize("kind", ["CERTIFICATE", "PUBLIC KEY", "PGP SIGNATURE"])
def test_what_is_public_stays(kind: str) -> None:
    lines = body(608)
    for text in (
        "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"]),
        "\n".join([*lines, f"-----END {kind}-----"]),
        "\n".join([f"-----BEGIN {kind}-----", *lines]),
    ):
        assert redact(text) == (text, 0)


def test_a_key_beside_a_certificate_is_taken_out() -> None:
    lines = body(608)
    marks = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    text = "\n".join([marks[0], *lines[:3], marks[1], "@@ -90,3 +90,3 @@", *lines[3:6]])
    assert redact(text).text.split("\n") == [
        *(marks[0], *lines[:3], marks[1]),
        *("@@ -90,3 +90,3 @@", *[REDACTED] * 3),
    ]
    begun = "\n".join([marks[0], *lines[:3], "@@ -90,3 +90,3 @@", *lines[3:6]])
    assert redact(begun).text.endswith("\n".join([lines[2], "@@ -90,3 +90,3 @@", *[REDACTED] * 3]))


@cases
def test_other_long_lines_are_none(line: str) -> None:
    text = "\n".join([line] * 4)
    assert redact(text) == (text, 0)


def test_one_line_alone_is_none() -> None:
    text = f"a\n{body()[0]}\nb"
    assert redact(text) == (text, 0)


@given(st.lists(st.sampled_from([*body(300), "", "-----END A-----", "+x", "@@ -1 +1 @@", "\r"])))
def test_whatever_the_lines_are_only_whole_words_are_found(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = key_lines(text)
    assert found == sorted(found)
    assert {text[start:end] for start, end in found} <= set(lines)


def test_a_text_of_four_times_the_lines_takes_four_times_the_steps() -> None:
    short, long = ("\n".join(["Abc1" * 15] * count) for count in (1_000, 4_000))
    assert len(key_lines(long)) == 4_000
    assert calls_of(lambda: key_lines(long)) < calls_of(lambda: key_lines(short)) * 5


def test_the_longest_line_is_gone_through_to_its_end() -> None:
    """Quadratic time would take hours."""
    assert key_lines("x" * 10_000_000 + "\n") == []


def test_a_real_key_is_taken_out_wherever_it_is_cut() -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = (serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    lines = key.private_bytes(serialization.Encoding.PEM, *form).decode().splitlines()[1:-2]
    # One line of 50,000 has no digit by chance, and is not known for a key's.
    pairs = [pair for pair in map(list, pairwise(lines)) if all(set(line) & set(string.digits) for line in pair)]
    assert len(pairs) > 15
    for pair in pairs:
        assert redact(hunk(pair)).text == hunk([REDACTED] * 2)
