"""The command `lamella web` where its extra is not installed."""

import sys

import pytest

from lamella.domain.errors import AdvisedError
from lamella_adapters.cli.web import web


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("lamella_adapters.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(AdvisedError, match=r"pip install 'lamella\[web\]'"):
        web.main(["--no-open"], standalone_mode=False)
