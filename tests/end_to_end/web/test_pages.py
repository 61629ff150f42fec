"""The pages show and do the same without a browser, and so without script."""

import html
import re
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import REQUESTS, WebPages, id_of, titles, web_pages
from tests.tour.web.data import fill
from tests.unit.adapters.git.git_repository import executable
from tests.waiting import until

AGE = r"(?:\d+ hours ago|yesterday)"


def test_words_are_marked_with_their_strength(site: WebPages) -> None:
    answer = site.ask("/search?q=why+is+a+payment+never+repeated")
    assert titles(answer)[0] == "Payments are never repeated by us"
    assert "<mark>repeats</mark>" in answer.body
    assert "strength 100 %" in answer.text
    assert 'role="status"' in answer.body


def test_the_order_of_results_is_explained_where_that_is_asked_for(site: WebPages) -> None:
    plain = site.ask("/search?q=phone+in+Lisbon&messages=1")
    assert "score" not in plain.text
    (link,) = [each for each in plain.links("/search") if "explain=1" in each]
    explained = site.ask(link)
    assert titles(explained) == titles(plain)
    assert len(re.findall(r"score \d+\.\d\d = words", explained.text)) == explained.body.count("<article>")
    assert "Why in this order?" not in explained.text


@pytest.mark.parametrize(
    ("filters", "found"),
    REQUESTS["filters"],
)
def test_filters_narrow_what_is_found(site: WebPages, filters: str, found: list[str]) -> None:
    assert titles(site.ask(f"/search?{filters}")) == found


def test_conversations_are_searched_too(site: WebPages) -> None:
    answer = site.ask("/search?q=phone+in+Lisbon&messages=1")
    assert "In conversations" in answer.text
    said = answer.text.partition("In conversations")[2]
    assert re.search(rf"(User|Assistant) {AGE} strength [1-9]\d* %", said)
    assert "human" not in answer.text
    assert "strength 0 %" not in site.ask("/search?q=Sundays&messages=1").text
    assert re.search(f"User {AGE} found by", site.ask("/search?q=Sundays&messages=1").text)
    assert "found by what was said before it" in site.ask("/search?q=Sundays&messages=1").text
    assert "Message 14" in site.ask(answer.links("/message")[0]).text


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
    body = site.ask("/search?q=ferry&purged=with").body
    assert '<input type="hidden" name="results" value="q=ferry&amp;purged=with">' in body
    assert "No memory is ticked. Tick at least one memory." in site.send("/purge").text


def test_a_beginning_after_the_end_is_said(site: WebPages) -> None:
    assert "From is after To" in site.ask("/search?since=2026-02-01&until=2026-01-31").text
    assert "From is after To" not in site.ask("/search?since=2026-01-31&until=2026-01-31").text


def test_each_page_says_the_zone_of_its_times(site: WebPages) -> None:
    assert "Times are in UTC." in site.ask("/timeline").text


def test_a_memory_shows_its_lines_its_conversation_and_what_replaced_it(site: WebPages) -> None:
    change = site.ask(f"/memory?id={id_of(site, 'Removed the retry from pay()')}")
    assert re.findall(r'<tr class="(removed|added)">', change.body) == ["removed"] * 5 + ["added"]
    (talk,) = [link for link in change.links("/conversation") if "at=" in link]
    assert "Good. Remember why" in site.ask(talk).text
    assert "Noted in the same conversation Payments are never repeated by us" in change.text
    assert 'href="/file?path=ferry%2Fpayments.py">ferry<span class="cut">/</span>payments.py</a>' in change.body
    new = site.ask(f"/memory?id={id_of(site, 'Staging is reset every night at four')}")
    assert "What it replaced Staging is reset every night at three" in new.text
    old = site.ask(f"/memory?id={id_of(site, 'Staging is reset every night at three')}")
    assert "Replaced by Staging is reset every night at four" in old.text


def test_the_timeline_has_days_and_sessions(site: WebPages) -> None:
    answer = site.ask("/timeline")
    assert answer.body.count("<rect") > 5
    days = answer.links("/timeline")
    assert len(days) > 5
    shown = [site.ask(each).text for each in days]
    assert any("Outside of any session" in each and "Prices are cents, never floats" in each for each in shown)
    assert any("Cards are charged twice" in each for each in shown)


def test_a_file_has_its_history(site: WebPages) -> None:
    (payments,) = [link for link in site.ask("/files").links("/file") if "payments" in link]
    answer = site.ask(payments)
    assert re.findall(r'class="item"[^>]*>([^<]*)<', answer.body) == [
        "Removed the retry from pay()",
        "Timeout of the bank raised to 25 seconds",
        "Refused payments raise PaymentRefused",
    ]
    assert "of the latest 3 changes, each bar for 3 days from its date on: 11 came" in answer.text
    assert "No change of it is known" in site.ask("/file?path=nothing.py").text
    assert "ferry/scan.py" in site.ask("/file?path=.").text


def test_conversations_are_listed_read_and_zoomed_into(site: WebPages) -> None:
    listed = site.ask("/conversations").links("/conversation")
    talk = site.ask(listed[1])
    assert "Two passengers were charged twice" in talk.text
    assert "1 conversation " in site.ask("/conversations?name=winter").text
    message = site.ask(talk.links("/message")[0])
    assert "Message 1" in message.text


def test_what_the_model_was_shown_is_counted_by_session(site: WebPages) -> None:
    answer = site.ask("/shown")
    assert "2,031 tokens, given 4 times in 2 sessions" in answer.text
    assert "when it began 5 memories , 934 tokens" in answer.text
    assert "a file marked as private" in answer.text
    assert "1,055 tokens" in site.ask("/shown?days=1").text


def test_a_project_without_memories_says_what_to_do(tmp_path: Path) -> None:
    with web_pages(tmp_path / "data", tmp_path) as pages:
        pages.enter()
        assert "Nothing is known about this project yet" in pages.ask("/").text
        for path in ("/timeline", "/files", "/file?path=a.py", "/conversations", "/shown", "/projects"):
            assert pages.ask(path).status == 200
        assert not list((tmp_path / "data").rglob("*.db-wal"))


def test_a_named_project_is_shown_and_an_unknown_one_refused(tmp_path: Path) -> None:
    fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", tmp_path, "--project", "museum") as pages:
        assert titles(pages.enter().ask("/search")) == ["Members walk in"]
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
    assert titles(own.ask("/search"))[0] == "The lighthouse is white."


def test_pages_that_do_not_exist_are_empty(site: WebPages) -> None:
    assert "No memories match" in site.ask("/search?page=9").text
    assert "No memories match" in site.ask("/search?q=ferry&page=200").text


def test_a_browser_is_opened_with_the_address(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    script = executable(tmp_path / "browser", f'echo "$1" > {opened}.draft; mv {opened}.draft {opened}')
    with web_pages(tmp_path / "data", tmp_path, browser=script) as pages:
        address = until(lambda: opened.read_text("utf-8").strip())
        assert address == f"http://{pages.host}/enter?token={pages.token}"
