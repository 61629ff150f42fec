"""What needs an extra that is not installed says how to install it."""

import sys
from collections.abc import Callable
from pathlib import Path  # noqa: F401 - for the table

import pytest

from lamella.domain.errors import AdvisedError
from lamella_adapters.cli.serve.http import serve_http  # noqa: F401 - for the table
from lamella_adapters.cli.serve.web import web  # noqa: F401 - for the table
from lamella_adapters.postgresql import open_storage  # noqa: F401 - for the table
from lamella_adapters.process.installation import install_command
from tests.unit.support.tables import cases


@cases
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
