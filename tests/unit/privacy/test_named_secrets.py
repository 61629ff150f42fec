"""Secrets that are told by the name they are given to. All values here are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.privacy.redaction import Redacted, redact

VALUE = "x7Kq" + "2mP9" + "vB4t" + "R8wz"


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD={}",
        "+DB_PASSWORD={}",
        "-export API_TOKEN='{}'",
        'export API_TOKEN="{}"',
        "docker run -e API_TOKEN={} image",
        "ENV API_TOKEN {}",
        "secret_key: {}",
        "secret_key: {} # made up",
        '{{"client_secret": "{}"}}',
        '{{\\"client_secret\\": \\"{}\\"}}',
        "[db]\npassword = {}\nhost = here",
        'config["api_key"] = "{}"',
        "connect(host, password='{}')",
        "connect(host, password=b'{}')",
        'password: str = "{}"',
        "private accessToken: string | undefined = '{}';",
        "dbPass := `{}`",
        "'password' => '{}',",
        "define('DB_PASSWORD', '{}');",
        "- name: DB_PASSWORD\n  value: {}\n",
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
        "<password>{}</password>",
        "deploy --api-token {} --force",
        "deploy --api-token={}",
        "X-Api-Key: {}",
        '"Authorization": "token {}"',
        "authorization: SSWS {}",
        "https://api.example/?access_token={}&page=2",
        "Server=here;Pwd={};Encrypt=yes",
        'if token == "{}":',
        "client-key-data: {}",
        "SECRET_KEY_BASE={}",
        "API_KEY_2={}",
        "the password is {}, they said",
        "the password is `{}`",
        "**Password:** {}",
        'password = "{}',
        '{{"text": "first\\nDB_PASSWORD={}\\nlast"}}',
        "\u0130stanbul's password={}",
        "NEXT_PUBLIC_TOKEN={}",
        "base64_token: {}",
        'network={{\n  ssid="here"\n  psk="{}"\n}}',
    ],
)
def test_the_value_of_a_name_that_says_so_is_taken_out_and_nothing_else(text: str) -> None:
    assert redact(text.format(VALUE)) == Redacted(text.format("[redacted]"), 1)


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("password=hunter2\n", "password=***\n"),
        ('password: "p4ss"', 'password: "***"'),
        ("POSTGRES_PASSWORD=postgres", "POSTGRES_PASSWORD=***"),
        ('password = "correct#horse"', 'password = "[redacted]"'),
        ('password = "sWordFiShes"', 'password = "[redacted]"'),
        ('JWT_SECRET="MySigningWords2024"', 'JWT_SECRET="[redacted]"'),
        ('password: "with \\" a quote"', 'password: "with \\" a quote"'),
        ('password: "a\\"b7c8d9e0"', 'password: "[redacted]"'),
        ("db.password=a7,b8)c9d0\n", "db.password=[redacted]\n"),
        ("password: a7b(c8d9\n", "password: a7b(c8d9\n"),
        ("password=a1b2c3d4;host=here", "password=***;host=here"),
    ],
)
def test_of_passwords_less_is_asked(told: str, kept: str) -> None:
    assert redact(told).text == kept


@pytest.mark.parametrize(
    "text",
    [
        "password=changeme",
        "PASSWORD=${DB_PASSWORD}",
        "PASSWORD=$(cat file1)",
        "API_KEY=<your-key-1>",
        "TOKEN=xxxxxxxxxxxxxxxx1",
        "api_key=your_api_key_1a2b3c",
        "password: '********'",
        "password: None",
        "token = next(tokens)",
        "token = tokens[1]",
        "max_tokens=4096",
        "token=token2",
        "password: str",
        "secret = derive(key)",
        "api_key=config.api_key2",
        "token = page.next1.item2",
        'api_key = os.environ["API_KEY_1"]',
        "password=kwargs1.value2",
        "API_TOKEN: ${{ secrets.API_TOKEN_1 }}",
        'password = f"{prefix}1"',
        "next_page_token=CAUQAA1b2c3d4e5f6",
        "token_type=bearer1",
        "tokenizer=gpt2a3b4c5d6e7",
        'bypass="abc123!"',
        "compass: x1y2z3w4",
        'author="a1b2c3d4e5"',
        "cache_key=a1b2c3d4e5f6a7b8",
        "PWD=/home/ada/project1",
        "password_file=/run/secrets/db1",
        "private_key = 'keys/server1.pem'",
        "token: 40-character string",
        "the secret is 2nd to none",
        "a secret of 12345678 words",
        "password",
        "password=",
        "password='",
        'password=""',
        "password ''",
        "<password/>",
        "token > limit1a2b3c",
        "--password --force",
        "name: DB_PASSWORD and its value1",
        "credentials_id=a1b2c3d4e5f6",
        "pass = 123456",
        "passwd: 8",
        "password: the1",
        "secret: '1a'",
        "db.password=[redacted]",
    ],
)
def test_what_is_no_value_stays(text: str) -> None:
    assert redact(text) == Redacted(text, 0)


@pytest.mark.parametrize("text", ["PRIVATE_KEY={}", 'PRIVATE_KEY="{}', 'PRIVATE_KEY="{}"', "client-key-data: {}"])
def test_the_longest_value_is_taken_out_whole(text: str) -> None:
    assert redact(f"{text.format(VALUE * 1_000)}\nnext") == Redacted(f"{text.format('[redacted]')}\nnext", 1)


def test_a_name_inside_a_value_is_part_of_it() -> None:
    told = f"token=password={VALUE} secret={VALUE}"
    assert redact(told) == Redacted("token=[redacted] secret=[redacted]", 2)


PIECES = """
token password api_key = : " ' \\" \\n a1B2 x -- < > , ( } value name define( & ; / ! Bearer is \u0130
""".split()  # noqa: SIM905 - words in running lines can be read and mended


@given(st.lists(st.sampled_from([*PIECES, " ", "\n", " is "]), max_size=40))
def test_whatever_is_assigned_nothing_raises_or_grows_or_is_taken_out_uncounted(parts: list[str]) -> None:
    text = "".join(parts)
    once = redact(text)
    assert (len(once.text) <= len(text), (once.secrets == 0) == (once.text == text)) == (True, True)


@pytest.mark.parametrize(
    ("value", "kept"), [("river2024", "***"), ("orangeriver", "orangeriver"), ("2024.12.1", "2024.12.1")]
)
def test_a_word_with_a_number_is_a_token_in_a_file_of_settings_but_no_plain_words_or_version(
    value: str, kept: str
) -> None:
    assert redact(f"DB_HOST=db\nAPI_TOKEN={value}\nPORT=80\n").text == f"DB_HOST=db\nAPI_TOKEN={kept}\nPORT=80\n"
