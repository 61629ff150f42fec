"""The settings in which people leave secrets behind: `settings.tsv`."""

import random
from collections.abc import Callable, Iterator

from tests.unit.privacy.secret_corpus import BASE64, URL, rows
from tests.unit.support.tables import text

NAMES = {
    "password": """
        db_password postgres_password mysql_root_password redis_password smtp_pass admin_passwd ldap_bind_password
        keystore_passphrase db_pwd password sudo_password pgpassword
    """.split(),  # noqa: SIM905 - words in running lines can be read and mended
    "token": """
        api_token auth_token access_token refresh_token bot_token npm_token secret_key jwt_secret client_secret
        session_secret webhook_secret secret_key_base django_secret_key api_key datadog_api_key heroku_api_key
        aws_secret_access_key aws_session_token encryption_key private_key signing_key master_key app_key
        azure_client_secret google_client_secret stripe_secret_key deploy_token consumer_secret credentials
    """.split(),  # noqa: SIM905 - see above
}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


SPELLED: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "camel": _camel,
    "snake": str,
    "kebab": lambda name: name.replace("_", "-"),
    "header": lambda name: f"X-{name.replace('_', '-').title()}",
}
SETTINGS = [(place, name, values == "plain", text(cell)) for place, name, values, cell in rows("settings.tsv")]
"""Place, how its names are spelled if it has one, whether it needs quotes around signs, and the text."""


def around(secret: str) -> Iterator[tuple[str, str]]:
    """A secret of the first kind in each setting, by the setting's name."""
    for place, name, plain, setting in SETTINGS:
        if name == "-" and (not plain or set(secret) <= set(URL + ".")):
            yield place, setting.replace("{value}", secret)


def named(chance: random.Random, value: str, kind: str) -> Iterator[tuple[str, str]]:
    """A secret of the second kind in each setting, under a name drawn for it, by the setting's name."""
    for place, name, plain, setting in SETTINGS:
        if name != "-" and (not plain or set(value) <= set(f"{BASE64}-_=:.")):
            spelled = SPELLED[name](chance.choice(NAMES[kind]))
            yield place, setting.replace("{name}", spelled).replace("{value}", value)
