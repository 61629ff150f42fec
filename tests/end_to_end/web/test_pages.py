"""Pages without a browser, and so without script; `sessions` has what most of them say."""

import html
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import REQUESTS, WebPages, titles, web_pages
from tests.tour.web.data import fill
from tests.unit.adapters.git.git_repository import executable
from tests.waiting import until


@pytest.mark.parametrize(
    ("filters", "found"),
    REQUESTS["filters"],
)
def test_filters_narrow_what_is_found(site: WebPages, filters: str, found: list[str]) -> None:
    assert titles(site.ask(f"/?{filters}")) == found


@pytest.mark.parametrize(
    ("target", "status", "said"),
    REQUESTS["refused"],
)
def test_what_cannot_be_shown_is_said(site: WebPages, target: str, status: int, said: str) -> None:
    answer = site.ask(target)
    assert (answer.status, said in answer.text) == (status, True), answer.text
    assert 'class="back"' in answer.body


@pytest.mark.parametrize(
    ("target", "fields", "back"),
    REQUESTS["refused_forms"],
)
def test_a_refusal_leads_back(site: WebPages, target: str, fields: dict[str, object], back: str) -> None:
    refused = site.send(target, **fields)
    assert refused.status in (400, 404)
    assert f'class="back" href="{html.escape(back)}"' in refused.body


def test_a_page_of_results_is_kept_by_what_is_refused_there(site: WebPages) -> None:
    body = site.ask("/?q=ferry&purged=with").body
    assert '<input type="hidden" name="results" value="q=ferry&amp;purged=with">' in body
    assert "No memory is ticked. Tick at least one memory." in site.send("/purge").text


def test_the_timeline_has_days_and_sessions(site: WebPages) -> None:
    answer = site.ask("/timeline")
    assert answer.body.count("<rect") > 5
    days = answer.links("/timeline")
    assert len(days) > 5
    shown = [site.ask(each).text for each in days]
    assert any("Outside of any session" in each and "Prices are cents, never floats" in each for each in shown)
    assert any("Cards are charged twice" in each for each in shown)


def test_a_project_without_memories_says_what_to_do(tmp_path: Path) -> None:
    with web_pages(tmp_path / "data", tmp_path) as pages:
        pages.enter()
        assert "Nothing is saved in this project yet." in pages.ask("/").text
        for path in ("/timeline", "/files", "/file?path=a.py", "/conversations", "/shown", "/projects"):
            assert pages.ask(path).status == 200
        assert not list((tmp_path / "data").rglob("*.db-wal"))


def test_a_named_project_is_shown_and_an_unknown_one_refused(tmp_path: Path) -> None:
    fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", tmp_path, "--project", "museum") as pages:
        assert titles(pages.enter().ask("/")) == ["Members walk in"]
    command = CommandLine(tmp_path / "data", tmp_path)
    refused = command.fresh("web", "--no-open", "--project", "nobody")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("No project is known as 'nobody'.")


def test_a_port_that_is_taken_is_refused(site: WebPages, tmp_path: Path) -> None:
    refused = CommandLine(tmp_path / "data", tmp_path).fresh("web", "--no-open", "--port", str(site.port))
    assert (refused.code, refused.err) == (
        1,
        f"Port {site.port} of 127.0.0.1 can't be used. Choose another --port.\n",
    )


def test_what_is_saved_meanwhile_is_shown(own: WebPages, tmp_path: Path) -> None:
    CommandLine(tmp_path / "data", tmp_path / "ferry").saved("The lighthouse is white.")
    assert titles(own.ask("/"))[0] == "The lighthouse is white."


def test_a_browser_is_opened_with_the_address(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    script = executable(tmp_path / "browser", f'echo "$1" > {opened}.draft; mv {opened}.draft {opened}')
    with web_pages(tmp_path / "data", tmp_path, browser=script) as pages:
        address = until(lambda: opened.read_text("utf-8").strip())
        assert address == f"http://{pages.host}/enter?token={pages.token}"
