import pytest

from lamella.domain.privacy.private_files import is_private


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "deploy/.env.production",
        "settings/prod.env",
        "certs/server.pem",
        "certs/Server.KEY",
        "id_rsa",
        "keys/id_ed25519",
        "id_rsa.bak",
        ".ssh/config",
        "home/.aws/config",
        ".npmrc",
        "credentials",
        "client_secret_123.json",
        "infra/terraform.tfstate",
        "config/secrets.yml",
        "service-account-prod.json",
        "deploy/prod.tfvars",
        "terraform.tfstate.backup",
        "home/.docker/config.json",
        "cluster.kubeconfig",
    ],
)
def test_files_for_secrets_are_private(path: str) -> None:
    assert is_private(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "src/auth.py",
        ".env.example",
        "deploy/.env.sample",
        "id_rsa.pub",
        "src/environment.py",
        "src/secrets.py",
        "docs/credentials.md",
        "keys.py",
        "monkey.py",
        "pem/readme.txt",
        "ssh/config",
        "client_secret_handling.py",
        "package.json",
        "prod.tfvars.example",
        ".environment",
    ],
)
def test_other_files_are_not(path: str) -> None:
    assert not is_private(path)
