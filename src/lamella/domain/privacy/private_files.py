"""Recognise private files by their names. Their content is never captured.

Hooks check every file, each in its own process, so this module imports nothing.
"""

_NAMES = frozenset(
    """
    .boto .dev.vars .dockercfg .envrc .git-credentials .htpasswd .my.cnf .netrc .npmrc .pgpass .pypirc .s3cfg
    .terraformrc .vault-token .vault_pass _netrc application_default_credentials.json credentials credentials.json
    credentials.tfrc.json credentials.toml kubeconfig local.settings.json pgpass.conf secrets.json secrets.toml
    secrets.yaml secrets.yml
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
_BEGINNINGS = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_ENDINGS = tuple(
    """
    .env .age .gpg .jks .kdbx .key .keystore .kubeconfig .ovpn .p12 .p8 .pem .pfx .ppk .tfstate .tfstate.backup
    .tfvars
    """.split()  # noqa: SIM905 - see above
)
_JSON_BEGINNINGS = ("client_secret", "service-account", "service_account")
"""Prefixes of private names ending in `.json`."""

_EXAMPLES = (".example", ".sample", ".template", ".dist", ".pub")
"""Suffixes of templates and public keys: not private."""

_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".password-store"})


def is_private(path: str) -> bool:
    """Return True if a path, with `/`, names a private file: `.env`, a key, credentials. Case doesn't count."""
    *folders, name = path.lower().split("/")
    if not _FOLDERS.isdisjoint(folders):
        return True
    if name.endswith(_EXAMPLES):
        return False
    return (
        name in _NAMES
        or name.startswith(_BEGINNINGS)
        or name.endswith(_ENDINGS)
        or (name.endswith(".json") and name.startswith(_JSON_BEGINNINGS))
    )
