"""The settings in which people leave secrets behind."""

import random
from collections.abc import Callable, Iterator

from tests.unit.privacy.secret_corpus import BASE64, URL

IN_TEXT = {
    "bare": "{}",
    "sentence": "The key is {}.",
    "code": 'client = Client("{}", timeout=3)',
    "code with single quotes": "const client = new Client('{}');",
    "markdown": "Use `{}` here.",
    ".env": "REGION=eu\nVALUE={}\nDEBUG=1\n",
    "YAML": "service:\n  value: {}\n  replicas: 2\n",
    "JSON": '{{"region": "eu", "value": "{}"}}',
    "shell": "run --region eu --with {} && echo done",
    "shell with quotes": "curl -H 'X-Value: {}' https://api.example/v1/things",
    "added line": "@@ -1,2 +1,2 @@\n context\n+{}\n context",
    "removed line": "@@ -1,2 +1,2 @@\n context\n-{}\n context",
    "code in a diff": '@@ -3 +3 @@\n-    client = Client()\n+    client = Client("{}")\n',
    "log": "2026-01-02T03:04:05Z INFO started value={} in 12 ms",
    "escaped JSON": '{{"text": "first line\\n{}\\nthird line"}}',
    "string in escaped JSON": '{{"text": "{{\\"value\\": \\"{}\\"}}"}}',
    "XML": "<setting><value>{}</value></setting>",
    "table": "| region | {} | eu |",
}
IN_URL = {
    "query": "GET https://api.example/v1/things?key={}&page=2",
    "path": "https://api.example/hooks/{}/run",
}
"""Only for secrets whose characters need no escaping."""


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


def _snake(name: str) -> str:
    return name


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _header(name: str) -> str:
    return f"X-{_kebab(name).title()}"


ASSIGNED: dict[str, tuple[Callable[[str], str], str]] = {
    ".env": (str.upper, "REGION=eu\n{name}={value}\nDEBUG=1\n"),
    ".env as it was read": (str.upper, "     1\u2192REGION=eu\n     2\u2192{name}={value}\n     3\u2192DEBUG=1\n"),
    ".env as it was found": (str.upper, "deploy/production.env:12:{name}={value}\n"),
    ".env with quotes": (str.upper, 'REGION=eu\n{name}="{value}"\nDEBUG=1\n'),
    "export": (str.upper, "export {name}='{value}'"),
    "export without quotes": (str.upper, "export {name}={value}\n"),
    "added line": (str.upper, "@@ -1 +1 @@\n-REGION=us\n+{name}={value}\n"),
    "removed line": (str.upper, "@@ -1 +1 @@\n-{name}={value}\n+REGION=us\n"),
    "YAML": (_snake, "server:\n  region: eu\n  {name}: {value}\n  replicas: 2\n"),
    "YAML with quotes": (_camel, 'server:\n  {name}: "{value}"\n'),
    "YAML in a diff": (_snake, " server:\n+  {name}: {value}\n   replicas: 2\n"),
    "Compose": (str.upper, "    environment:\n      - {name}={value}\n      - REGION=eu\n"),
    "Kubernetes": (str.upper, 'env:\n  - name: {name}\n    value: "{value}"\n  - name: REGION\n'),
    "Kubernetes as JSON": (str.upper, '{{"name": "{name}", "value": "{value}"}}'),
    "JSON": (_camel, '{{"region": "eu", "{name}": "{value}"}}'),
    "JSON with spaces": (_snake, '{{\n  "{name}" : "{value}",\n  "region": "eu"\n}}'),
    "escaped JSON": (_snake, '{{"text": "{{\\"{name}\\": \\"{value}\\"}}"}}'),
    "file in escaped JSON": (str.upper, '{{"content": "REGION=eu\\n{name}={value}\\nDEBUG=1"}}'),
    "INI": (_snake, "[server]\nregion = eu\n{name} = {value}\n"),
    "TOML": (_snake, '[server]\n{name} = "{value}"\n'),
    "properties": (_snake, "spring.datasource.{name}={value}\nspring.region=eu\n"),
    "XML": (_camel, "<server><{name}>{value}</{name}></server>"),
    "Python": (str.upper, '{name} = "{value}"\n'),
    "Python argument": (_snake, "client = connect(host, {name}='{value}', timeout=3)"),
    "Python dictionary": (_snake, "settings = {{'region': 'eu', '{name}': '{value}'}}"),
    "Python subscript": (str.upper, 'os.environ["{name}"] = "{value}"'),
    "Python with a type": (_snake, '    {name}: str = "{value}"'),
    "JavaScript": (_camel, "const {name} = '{value}';"),
    "JavaScript object": (_camel, "connect({{ host, {name}: `{value}` }})"),
    "TypeScript": (_camel, 'private readonly {name}: string = "{value}";'),
    "Go": (_camel, '{name} := "{value}"'),
    "PHP": (_snake, "'{name}' => '{value}',"),
    "PHP constant": (str.upper, "define('{name}', '{value}');"),
    "Terraform": (_snake, '  {name}   = "{value}"'),
    "Dockerfile": (str.upper, "FROM alpine\nENV {name}={value}\n"),
    "Dockerfile before": (str.upper, "FROM alpine\nENV {name} {value}\n"),
    "docker run": (str.upper, "docker run -e {name}={value} -p 80:80 image"),
    "docker run with quotes": (str.upper, 'docker run -e "{name}={value}" image'),
    "option": (_kebab, "deploy --region eu --{name} {value} --force"),
    "option with a sign": (_kebab, "deploy --{name}={value} --force"),
    "log": (_snake, "2026-01-02 03:04:05 DEBUG connecting with {name}={value} to eu"),
    "XML attributes": (_camel, '<appSettings>\n  <add key="{name}" value="{value}"/>\n</appSettings>\n'),
    "XML property": (_snake, '<property name="{name}" value="{value}" />\n'),
    "XML of Android": (_snake, '<resources><string name="{name}">{value}</string></resources>'),
    "property list": (_camel, "<dict>\n\t<key>{name}</key>\n\t<string>{value}</string>\n</dict>"),
    "fish": (str.upper, "set -x {name} {value}\nset -x REGION eu\n"),
    "fish with quotes": (str.upper, "set -gx {name} '{value}'\n"),
    "csh": (str.upper, "setenv {name} {value}\n"),
    "Windows": (str.upper, 'setx {name} "{value}"\n'),
    "PowerShell": (str.upper, '$env:{name} = "{value}"\n'),
    "Lua": (_snake, "local {name} = [[{value}]]\n"),
    "Go without quotes": (_camel, "\t{name} := {value}\n"),
    "before a command": (str.upper, "{name}={value} ./deploy --region eu\n"),
    "list of arguments": (_kebab, '["deploy", "--{name}", "{value}", "--force"]'),
    "list of arguments in YAML": (_kebab, "args:\n  - deploy\n  - --{name}\n  - {value}\n"),
    "option with quotes": (_kebab, "deploy --{name} '{value}' --force"),
    "header": (_header, "curl -H '{name}: {value}' https://api.example"),
}
PLAIN_ONLY = {
    "Go without quotes",
    "before a command",
    "fish",
    "csh",
    "option",
    "option with a sign",
    "log",
    "docker run",
    "export without quotes",
    "Dockerfile before",
}
"""Places of quotes around signs."""


def around(secret: str) -> Iterator[tuple[str, str]]:
    """A secret of the first kind in each setting, by the setting's name."""
    places = IN_TEXT | IN_URL if set(secret) <= set(URL + ".") else IN_TEXT
    for place, text in places.items():
        yield place, text.format(secret)


def named(chance: random.Random, value: str, kind: str) -> Iterator[tuple[str, str]]:
    """A secret of the second kind in each setting, under a name drawn for it, by the setting's name."""
    for place, (spelled, text) in ASSIGNED.items():
        if place not in PLAIN_ONLY or set(value) <= set(f"{BASE64}-_=:."):
            yield place, text.format(name=spelled(chance.choice(NAMES[kind])), value=value)
