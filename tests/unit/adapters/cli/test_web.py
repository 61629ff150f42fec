"""Opening a browser for the pages."""

import webbrowser

import pytest

from lamella_adapters.cli.serve import web

URL = "http://127.0.0.1:1/"


def test_no_browser_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("BROWSER", raising=False)
    for found in (webbrowser.GenericBrowser("lynx"), None):
        monkeypatch.setattr(webbrowser, "_tryorder", ["it"] if found else [])
        monkeypatch.setattr(webbrowser, "_browsers", {"it": [None, found]} if found else {})
        web._open(URL)
        assert capsys.readouterr().err == "No browser was found. Open the address in one on this machine.\n"


def test_a_browser_is_opened_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    class Browser(webbrowser.BaseBrowser):
        def open(self, url: str, *_: object, **__: object) -> bool:
            opened.append(url)
            return False  # as one that has ended, having passed the address on

    monkeypatch.setattr(webbrowser, "_tryorder", ["it"])
    monkeypatch.setattr(webbrowser, "_browsers", {"it": [None, Browser()]})
    web._open(URL)
    assert (opened, capsys.readouterr().err) == ([URL], "")
