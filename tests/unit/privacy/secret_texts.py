"""Made-up secrets that only their name or the text around them gives away, drawn when the tests run."""

import base64
import json
import random
import string
from collections.abc import Callable

from tests.unit.privacy.secret_corpus import (
    ALNUM,
    BASE64,
    HEX,
    LOWER,
    SPECIAL,
    UPPER,
    URL,
    Draw,
    drawn,
    joined,
    of,
    some,
    some_uuid,
)

Structured = Callable[[random.Random], tuple[str, str]]


def _password(chance: random.Random) -> str:
    return drawn(chance, chance.randint(12, 24), ALNUM + SPECIAL)


def _plain_password(chance: random.Random) -> str:
    return drawn(chance, chance.randint(10, 20))


def _chosen_password(chance: random.Random) -> str:
    word = chance.choice(["winter", "Dragon", "sunshine", "Tr0mbone", "Kestrel", "purple", "Zurich", "marmalade"])
    return f"{word}{chance.randint(10, 9999)}{chance.choice(['', '', '!', '#', '?'])}"


def _letters(least: int, most: int, alphabet: str = string.ascii_letters) -> Draw:
    return lambda chance: drawn(chance, chance.randint(least, most), alphabet)


VALUES: dict[str, tuple[Draw, str]] = {
    "eight small letters": (_letters(8, 8, string.ascii_lowercase), "token"),
    "eight letters of both cases": (_letters(8, 8), "token"),
    "letters alone": (_letters(9, 32), "token"),
    "eight letters and digits": (_letters(8, 8, LOWER), "token"),
    "password of eight letters": (_letters(8, 8), "password"),
    "password of letters": (_letters(9, 24), "password"),
    "password of a generator": (_password, "password"),
    "password without signs": (_plain_password, "password"),
    "password that somebody chose": (_chosen_password, "password"),
    "hexadecimal of 32": (some(32, HEX), "token"),
    "hexadecimal of 40": (some(40, HEX), "token"),
    "hexadecimal of 64": (some(64, HEX), "token"),
    "hexadecimal of 128": (some(128, HEX), "token"),
    "letters and digits": (lambda chance: drawn(chance, chance.choice([20, 24, 32, 40])), "token"),
    "small letters and digits": (lambda chance: drawn(chance, chance.choice([24, 32, 40]), LOWER), "token"),
    "UUID": (some_uuid, "token"),
    "base64": (lambda chance: base64.b64encode(chance.randbytes(32)).decode(), "token"),
    "base64 for URLs": (some(43, URL), "token"),
    "Amazon secret key": (some(40, BASE64), "token"),
    "Django": (lambda chance: drawn(chance, 50, f"{LOWER}!@#%^&*-_=+"), "token"),
    "Laravel": (lambda chance: f"base64:{base64.b64encode(chance.randbytes(32)).decode()}", "token"),
}
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


def _url(*schemes: str) -> Structured:
    def made(chance: random.Random) -> tuple[str, str]:
        password = drawn(chance, chance.randint(8, 30), f"{ALNUM}-_.!*")
        user = chance.choice(["ada", "app_user", "", "ada%40example.org"])
        host = chance.choice(["localhost", "db.example.org:5432", "10.0.0.7:6379", "cluster0.ab1cd.example.net"])
        return f"{chance.choice(schemes)}://{user}:{password}@{host}/things?ssl=true", password

    return made


def _in(text: str, secret: Draw) -> Structured:
    """A secret in a text of its own."""

    def made(chance: random.Random) -> tuple[str, str]:
        value = secret(chance)
        return text.replace("SECRET", value), value

    return made


_plain = some(16)
STRUCTURED: dict[str, Structured] = {
    "private key": _private_key,
    "PGP key": _pgp_key,
    "PuTTY key": _putty_key,
    "Google service account": _service_account,
    "PostgreSQL": _url("postgres", "postgresql", "postgresql+asyncpg"),
    "MySQL": _url("mysql", "mysql+pymysql", "mariadb"),
    "MongoDB": _url("mongodb", "mongodb+srv"),
    "Redis": _url("redis", "rediss", "valkey"),
    "AMQP": _url("amqp", "amqps"),
    "SMTP": _url("smtp", "smtps"),
    "web address": _url("https", "http", "ftp", "sftp", "git+https"),
    "JDBC": _in("jdbc:postgresql://db.example/things?user=ada&password=SECRET&ssl=true", _plain),
    "JDBC of SQL Server": _in("jdbc:sqlserver://db.example:1433;user=ada;password=SECRET;encrypt=true", _plain),
    "ADO.NET": _in("Server=db.example;Database=things;User Id=sa;Password=SECRET;Encrypt=True", _plain),
    "ADO.NET in short": _in("Server=db.example;Uid=sa;Pwd=SECRET;", _plain),
    "ODBC": _in("Driver={SQL Server};Server=db.example;UID=sa;PWD=SECRET", _plain),
    "libpq": _in("host=db.example dbname=things user=ada password=SECRET sslmode=require", _plain),
    "Azure storage": _in(
        "DefaultEndpointsProtocol=https;AccountName=things;AccountKey=SECRET;EndpointSuffix=core.windows.net",
        of("", 86, BASE64, "=="),
    ),
    "Azure queue": _in(
        "Endpoint=sb://things.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=SECRET",
        of("", 43, BASE64, "="),
    ),
    "Azure shared access": _in(
        "https://things.blob.core.windows.net/c/b.txt?sv=2024-11-04&sr=b&sig=SECRET&se=2030-01-01",
        of("", 43, ALNUM, "%3D"),
    ),
    "bearer header": _in("Authorization: Bearer SECRET", some(40, URL)),
    "basic header": _in(
        "authorization: Basic SECRET", lambda c: base64.b64encode(f"ada:{drawn(c, 12)}".encode()).decode()
    ),
    "token header": _in("Authorization: token SECRET", some(40, HEX)),
    "curl user": _in("curl -sS -u ada:SECRET https://api.example/v1", _plain),
    "Slack address": _in(
        "https://hooks.slack.com/services/SECRET",
        joined("/", of("T", 9, UPPER), of("B", 10, UPPER), some(24)),
    ),
    "Discord address": _in("https://discord.com/api/webhooks/112233445566778899/SECRET", some(68, URL)),
    "npm configuration": _in("//registry.npmjs.org/:_authToken=SECRET", some_uuid),
    "Docker configuration": _in(
        '{"auths": {"registry.example": {"auth": "SECRET"}}}',
        lambda c: base64.b64encode(f"ada:{drawn(c, 20)}".encode()).decode(),
    ),
    "Kubernetes configuration": _in(
        "users:\n- name: ada\n  user:\n    client-key-data: SECRET\n",
        lambda c: base64.b64encode(c.randbytes(1700)).decode(),
    ),
    "sentence": _in("For the staging server the password is SECRET and nobody changes it.", _plain),
    "passphrase in a sentence": _in("The passphrase is SECRET and nobody changes it.", _plain),
    "passphrase that somebody chose": _in("My passphrase is SECRET.", _chosen_password),
    "password that was": _in("The old password was SECRET, before May.", _plain),
    "pw": _in("host: db.example\npw: SECRET\n", _chosen_password),
    "pw in a sentence": _in("ok, pw: SECRET try again", _plain),
    "netrc": _in("machine api.example login ada password SECRET\n", _chosen_password),
    "netrc in lines": _in("machine api.example\n  login ada\n  password SECRET\n", _letters(8, 8)),
    "token in an address": _in("git clone https://SECRET@git.example/orchard.git", some(40, HEX)),
    "letters in an address": _in("https://SECRET@git.example/x", _letters(20, 40)),
    "command of MySQL": _in("mysqldump -h db.example -uroot -pSECRET orders > orders.sql", _plain),
    "command of Docker": _in("docker login -u ada -p SECRET registry.example", _chosen_password),
    "command of SSH": _in("sshpass -p 'SECRET' ssh -p 2222 ada@host.example uptime", _plain),
    "list of arguments": _in('CMD ["redis-server", "--requirepass", "SECRET"]', _plain),
    "command with a variable": _in("ORCHARD_API_KEY=SECRET ./orchard run", _letters(9, 24)),
    "SQL": _in("ALTER ROLE ada WITH LOGIN PASSWORD 'SECRET';", _chosen_password),
    "said in passing": _in("ok, here you go. password: SECRET try again", _plain),
}
"""Secrets in a text of their own, and that part of it which is the secret."""
