"""What needs an extra that is not installed says how to install it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lamella.domain.errors import AdvisedError
from lamella_adapters.cli.serve.http import serve_http
from lamella_adapters.cli.serve.web import web
from lamella_adapters.postgresql import open_storage
from lamella_adapters.process.installation import install_command


@pytest.mark.parametrize(
    ("missing", "called", "told"),
    [
        ("jinja2", lambda: web.main(["--no-open"]), "The pages need Jinja2. Install it"),
        ("prometheus_client", lambda: serve_http(None), "Serving over HTTP needs more packages. Install them"),
        (
            "psycopg",
            lambda: open_storage("postgresql://host/name", Path()),
            "PostgreSQL support is not installed. Install it",
        ),
    ],
)
def test_without_an_extra_it_is_said_how_to_install_it_from_where_lamella_came(
    missing: str, called: Callable[[], object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = ("lamella_adapters.web", "lamella_adapters.mcp.http", "lamella_adapters.postgresql.", missing)
    for name in [each for each in sys.modules if each.startswith(packages)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    extra = {"jinja2": "web", "prometheus_client": "http", "psycopg": "postgresql"}[missing]
    with pytest.raises(AdvisedError) as raised:
        called()
    assert str(raised.value) == f"{told} with: {install_command(extra)}"
