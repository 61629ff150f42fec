import random
import string
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamella
from lamella.domain.privacy.redaction import (
    REDACTED,
    Redacted,
    may_hold_secret,
    redact,
    without_private,
)

# No secret stands in this file: each is made of its public mark and of characters drawn when the tests run.
_chance = random.Random(20_240_506)  # noqa: S311 - made-up values that must be the same in every run

ALNUM = string.ascii_letters + string.digits
HEX = string.digits + "abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
BASE64 = f"{ALNUM}+/"
URL = f"{ALNUM}-_"


@pytest.fixture(autouse=True)
def _same_draws_in_any_order() -> None:
    _chance.seed(20_240_506)


def drawn(length: int, alphabet: str = ALNUM) -> str:
    """As many characters of an alphabet, the last one a letter or digit."""
    return "".join(_chance.choices(alphabet, k=length - 1)) + _chance.choice([c for c in alphabet if c.isalnum()])


def _marked(mark: str, length: int, alphabet: str = ALNUM) -> Callable[[], str]:
    return lambda: mark + drawn(length, alphabet)


FORMATS: dict[str, Callable[[], str]] = {
    "json web token": lambda: f"eyJ{drawn(30, URL)}.eyJ{drawn(60, URL)}.{drawn(43, URL)}",
    "amazon key id": _marked("AKIA", 16, BASE32),
    "amazon temporary key id": _marked("ASIA", 16, BASE32),
    "github classic": _marked("ghp" + "_", 36),
    "github app": _marked("ghs" + "_", 36),
    "github fine-grained": lambda: f"github_pat_{drawn(22)}_{drawn(59)}",
    "gitlab": _marked("glpat" + "-", 20, URL),
    "gitlab runner": _marked("glrt" + "-", 20, URL),
    "slack bot": lambda: f"xoxb-{drawn(12, string.digits)}-{drawn(12, string.digits)}-{drawn(24)}",
    "slack app": lambda: f"xapp-1-{drawn(11, UPPER)}-{drawn(13, string.digits)}-{drawn(64, HEX)}",
    "anthropic": _marked("sk-" + "ant-api03-", 95, URL),
    "openai project": _marked("sk-" + "proj-", 74, URL),
    "openai legacy": lambda: f"sk-{drawn(20)}T3Blbk" + f"FJ{drawn(20)}",
    "openai oldest": _marked("sk" + "-", 48),
    "stripe": _marked("sk_" + "live_", 24),
    "stripe restricted": _marked("rk_" + "test_", 24),
    "stripe webhook": _marked("whsec" + "_", 32),
    "google": _marked("AIza", 35, URL),
    "google oauth": _marked("ya29" + ".", 60, URL),
    "google client": _marked("GOCSPX" + "-", 28, URL),
    "npm": _marked("npm" + "_", 36),
    "pypi": _marked("pypi-" + "AgE", 150, URL),
    "hugging face": _marked("hf" + "_", 34),
    "sendgrid": lambda: f"SG.{drawn(22, URL)}.{drawn(43, URL)}",
    "mailgun": _marked("key" + "-", 32, HEX),
    "twilio": _marked("SK", 32, HEX),
    "digitalocean": _marked("dop_" + "v1_", 64, HEX),
    "shopify": _marked("shpat" + "_", 32, HEX),
    "square": _marked("sq0atp" + "-", 22, URL),
    "databricks": _marked("dapi", 32, HEX),
    "docker": _marked("dckr" + "_pat_", 27, URL),
    "vault": _marked("hvs" + ".", 90, URL),
    "linear": _marked("lin" + "_api_", 40),
    "notion": _marked("ntn" + "_", 46),
    "grafana": lambda: f"glsa_{drawn(32)}_{drawn(8, HEX)}",
    "sentry": _marked("sntrys" + "_", 100, f"{BASE64}_"),
    "postman": lambda: f"PMAK-{drawn(24, HEX)}-{drawn(34, HEX)}",
    "age": _marked("AGE-SECRET-" + "KEY-1", 58, UPPER),
    "telegram": lambda: f"{drawn(9, '123456789')}:AA{drawn(33, URL)}",
}
"""What is a secret from its first to its last character."""


def pem(kind: str = "RSA ", lines: int = 12) -> str:
    """A private key as files hold it."""
    body = "\n".join(drawn(64, BASE64) for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "around",
    ["{}", "The token is {}.", 'TOKEN="{}"', "token: {}\nnext", "({})", "export TOKEN={} && run", "+TOKEN='{}'\n"],
)
def test_a_secret_of_each_public_format_is_taken_out_and_nothing_else(name: str, around: str) -> None:
    secret = FORMATS[name]()
    assert redact(around.format(secret)) == Redacted(around.format("[redacted]"), 1)


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_taken_out_whole(kind: str) -> None:
    assert redact(f"before\n{pem(kind)}\nafter") == Redacted("before\n[redacted]\nafter", 1)


def test_a_pgp_key_is_taken_out_whole() -> None:
    mark = "PGP PRIVATE " + "KEY BLOCK"
    key = f"-----BEGIN {mark}-----\n\n{drawn(64)}\n=abcd\n-----END {mark}-----"
    assert redact(f"a {key} b") == Redacted("a [redacted] b", 1)


def test_a_private_key_inside_json_and_inside_a_diff_is_taken_out() -> None:
    key = pem()
    in_json, in_diff = key.replace("\n", "\\n"), key.replace("\n", "\n+")
    assert redact(f'{{"key": "{in_json}"}}') == Redacted('{"key": "[redacted]"}', 1)
    assert redact(f"+{in_diff}\n+x") == Redacted("+[redacted]\n+x", 1)


@pytest.mark.parametrize("separator", ["\n", "\\n", "\n+"])
def test_of_a_private_key_that_was_cut_off_what_is_there_is_taken_out(separator: str) -> None:
    cut = pem().rpartition("\n-----END")[0][:-50].replace("\n", separator)
    assert redact(f"a {cut}") == Redacted("a [redacted]", 1)


def test_prose_after_a_private_key_that_was_cut_off_stays() -> None:
    cut = pem().rpartition("\n-----END")[0]
    assert redact(f"{cut}\nRotate it. It was found in the log.") == Redacted(
        "[redacted]\nRotate it. It was found in the log.", 1
    )


def test_prose_about_private_keys_stays_and_hides_none() -> None:
    prose = "A file with -----BEGIN PRIVATE " + "KEY----- in it must never be committed."
    assert redact(prose) == Redacted(prose, 0)
    assert redact(f"{prose}\n{pem()}") == Redacted(f"{prose}\n[redacted]", 1)


@pytest.mark.parametrize("scheme", ["postgresql", "mongodb+srv", "redis", "amqp", "https"])
def test_of_a_connection_only_the_password_is_taken_out(scheme: str) -> None:
    password = drawn(16)
    assert redact(f"{scheme}://ada:{password}@db.example:5432/x") == Redacted(
        f"{scheme}://ada:[redacted]@db.example:5432/x", 1
    )


def test_a_password_without_a_user_is_taken_out() -> None:
    assert redact(f"redis://:{drawn(12)}@cache") == Redacted("redis://:[redacted]@cache", 1)


@pytest.mark.parametrize("length", [3, 9])
def test_a_short_password_is_replaced_by_something_shorter_still(length: int) -> None:
    assert redact(f"ftp://ada:{'p' * length}@host") == Redacted("ftp://ada:***@host", 1)


@pytest.mark.parametrize("name", ["aws_secret_" + "access_key", "AWS_SESSION_" + "TOKEN"])
@pytest.mark.parametrize("sign", ["=", " = ", ": ", '": "'])
def test_of_an_assignment_the_name_stays(name: str, sign: str) -> None:
    assert redact(f"{name}{sign}{drawn(40, BASE64)}") == Redacted(f"{name}{sign}[redacted]", 1)


def test_of_headers_addresses_and_accounts_the_name_stays() -> None:
    hook = f"T{drawn(8, UPPER)}/B{drawn(8, UPPER)}/{drawn(24)}"
    told = (
        f"Authorization: Bearer {drawn(40)}\n"
        f"Authorization: Basic {drawn(28)}==\n"
        f"https://hooks.slack.com/services/{hook}\n"
        f"AccountName=a;Account" + f"Key={drawn(86, BASE64)}==;x"
    )
    assert redact(told) == Redacted(
        "Authorization: Bearer [redacted]\n"
        "Authorization: Basic [redacted]\n"
        "https://hooks.slack.com/services/[redacted]\n"
        "AccountName=a;AccountKey=[redacted];x",
        4,
    )


@pytest.mark.parametrize(
    "text",
    [
        "The basic internationalization works; basic authentication/authorization does not.",
        "cache-key-d41d8cd98f00b204e9800998ecf8427e",
        "commit 83b1a7f0c5d4e8b2a1f6d9c3e7b0a4f8d2c6e1b5, uuid 0123abcd-4567-4899-8abc-def012345678",
        "https://user:${PASSWORD}@host, https://user:<password>@host, https://user:{pw}@host, http://host:8080/a@b",
        "ghp_short, sk-learn, sk_live_, AKIA, npm_config_cache, hf_hub_download, key-value, SG.x.y",
        "task-management, risk-assessment, sk-SK locale, xoxo-love, SKU 0123, whsec_",
        "def bearer(token: str) -> None: ...",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == Redacted(text, 0)


def test_less_than_one_in_a_hundred_lines_of_ordinary_code_is_touched() -> None:
    folder = Path(lamella.__file__).parent
    lines = [line for path in folder.rglob("*.py") for line in path.read_text("utf-8").splitlines()]
    touched = [line for line in lines if redact(line).secrets]
    assert (len(lines) > 1_000, len(touched) < len(lines) / 100) == (True, True)


def test_what_was_found_out_can_be_read_by_name() -> None:
    redacted = redact(f"a {FORMATS['npm']()}")
    assert (redacted.text, redacted.secrets) == ("a [redacted]", 1)


@pytest.mark.parametrize("name", FORMATS)
def test_what_has_a_secret_may_hold_one(name: str) -> None:
    assert may_hold_secret(f"The key is {FORMATS[name]()}.")


@pytest.mark.parametrize("name", FORMATS)
def test_a_secret_after_an_escaped_line_break_is_taken_out(name: str) -> None:
    assert (
        redact(f'{{"text": "first\\n{FORMATS[name]()}\\nlast"}}').text == '{"text": "first\\n[redacted]\\nlast"}'
    )


def test_a_key_of_putty_is_taken_out_and_its_public_half_stays() -> None:
    public, secret = drawn(64, BASE64), "\n".join([drawn(64, BASE64), drawn(64, BASE64), drawn(20, BASE64)])
    told = f"Public-Lines: 1\n{public}\nPrivate-Lines: 3\n{secret}\nPrivate-MAC: {drawn(64, HEX)}"
    kept, _, rest = told.partition(f"\n{secret}")
    assert redact(told) == Redacted(f"{kept}[redacted]{rest}", 1)


def test_several_secrets_are_counted() -> None:
    one, other = FORMATS["github classic"](), FORMATS["npm"]()
    assert redact(f"{one} {other} {one}") == Redacted("[redacted] [redacted] [redacted]", 3)


@pytest.mark.parametrize("name", FORMATS)
def test_what_replaces_a_secret_is_never_longer_than_it(name: str) -> None:
    assert len(REDACTED) <= len(FORMATS[name]())


def test_what_was_redacted_has_no_secrets() -> None:
    told = "\n".join([*(make() for make in FORMATS.values()), pem(), "ftp://a:pw1@h redis://:12345678901@h"])
    assert redact(redact(told).text) == Redacted(redact(told).text, 0)


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_raises_or_grows(text: str) -> None:
    assert len(redact(text).text) <= len(text)


@given(st.text(st.sampled_from("-BEGINPRVATKYO \n:/@a1*[eyJ.=_+"), max_size=300))
def test_pieces_of_marks_never_make_a_text_grow(text: str) -> None:
    assert len(redact(f"://{text}").text) <= len(text) + 3


HOSTILE = """
://a: ://a:b@ eyJa eyJaaaaaaaaaaa- eyJaaaaaaaaaaa. sk- x@ \\n+a token= password= password=' token:
secret=\\" key passpass ENV_TOKEN Bearer: earer ghp_ glpat-aaaaaaaaaaaaaaaaaaaaa- tskey-a- tskey-auth-a-
MMMMMMMMMMMMMMMMMMMMMMMMMM. sig=a curl:-u whsec_ :AA 1Q~ -us sk-aaaaaaaaaaaaaaaaaaaaaT3BlbkFJ
dp.st.aa. <private> <private </private>
""".split()  # noqa: SIM905 - words in running lines can be read and mended
HOSTILE += [
    "-----BEGIN PRIVATE " + "KEY-----\n",
    "-----BEGIN PRIVATE " + "KEY-----\n\n",
    "a" * 40,
    "curl -u a:",
    "basic ",
]
HOSTILE += ["Private-Lines: 3\nabcd\n", "name: token\n value: ", "--token ", "Bearer aaaaaaaaaaaaaaaaaaaaa "]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("length", [10_000, 100_000])
def test_the_longest_text_takes_no_time(unit: str, length: int) -> None:
    text = (unit * length)[:length]
    begun = time.process_time()
    redact(without_private(text))
    assert time.process_time() - begun < 10


def test_for_ordinary_text_nothing_is_imported() -> None:
    told = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "from lamella.domain.privacy.redaction import redact, without_private\n"
        "from lamella.domain.privacy.private_files import is_private\n"
        "text = open(sys.argv[2], encoding='utf-8').read()\n"
        "assert redact(without_private(text + ' token = x < y')) == (text + ' token = x < y', 0)\n"
        "assert not is_private('src/auth.py')\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    folder = Path(lamella.__file__).parent
    ordinary = folder / "domain" / "memories" / "observation.py"
    command = [sys.executable, "-I", "-S", "-c", told, str(folder.parent), str(ordinary)]
    imported = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert [name for name in imported if not name.startswith("lamella")] == []


def test_a_secret_may_be_all_that_a_short_text_has() -> None:
    assert redact("PWD=abcd") == Redacted("PWD=***", 1)
