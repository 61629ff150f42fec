"""Files that are made to hold secrets, by their names: nothing of what is in them is captured."""

from fnmatch import fnmatchcase

_NAMES = (
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.p8",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.gpg",
    "*.age",
    "*.tfstate",
    "*.tfstate.backup",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".htpasswd",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".dockercfg",
    ".vault-token",
    "credentials",
    "credentials.json",
    "client_secret*.json",
    "service-account*.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
)
_EXAMPLES = ("*.example", "*.sample", "*.template", "*.dist", "*.pub")
"""What shows how such a file is made, and the public half of a key, are for everybody."""

_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker"})


def is_private(path: str) -> bool:
    """Whether a file, by its path with `/`, is one of those: `.env`, keys, credentials; in any case."""
    *folders, name = path.lower().split("/")
    if _FOLDERS & set(folders):
        return True
    matches = any(fnmatchcase(name, each) for each in _NAMES)
    return matches and not any(fnmatchcase(name, each) for each in _EXAMPLES)
