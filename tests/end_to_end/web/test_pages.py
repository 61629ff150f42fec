"""Pages without a browser, and so without script; `sessions` has what most of them say."""

import html
import re
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from lamella.domain.memories.observation import CodeChange, Draft
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.git.git_repository import executable
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import REQUESTS, WebPages, titles, web_pages
from tests.tour.web.data import fill
from tests.waiting import until

AGE = r"(?:\d+ hours ago|yesterday)"


@pytest.mark.parametrize(("filters", "found"), REQUESTS["filters"])
def test_filters_narrow_what_is_found(site: WebPages, filters: str, found: list[str]) -> None:
    assert titles(site.ask(f"/search?{filters}")) == found


@pytest.mark.parametrize(("target", "status", "said"), REQUESTS["refused"])
def test_what_cannot_be_shown_is_said(site: WebPages, target: str, status: int, said: str) -> None:
    answer = site.ask(target)
    assert (answer.status, said in answer.text) == (status, True), answer.text
    assert 'class="back"' in answer.body


@pytest.mark.parametrize(("target", "fields", "back"), REQUESTS["refused_forms"])
def test_a_refusal_leads_back(site: WebPages, target: str, fields: dict[str, object], back: str) -> None:
    refused = site.send(target, **fields)
    assert refused.status in (400, 404)
    assert f'class="back" href="{html.escape(back)}"' in refused.body


def test_the_timeline_has_days_and_sessions(site: WebPages) -> None:
    answer = site.ask("/timeline")
    assert answer.body.count("<rect") > 5
    bars = re.findall(r'<a href="(/timeline\?day=[^"]*)" aria-label="[^"]*: \d+ memor', answer.body)
    assert len(bars) > 2
    until = re.search(r"Memories of each day until [^:]*:", answer.text)
    assert until
    earliest = site.ask(bars[0])
    assert until[0] in earliest.text
    assert ["scroll latest" in each.body for each in (answer, earliest)] == [True, False]
    days = answer.links("/timeline")
    assert len(days) > 5
    shown = [site.ask(each).text for each in days]
    assert any("Outside of any session" in each and "Prices are cents, never floats" in each for each in shown)
    assert any("Cards are charged twice" in each for each in shown)


def test_a_diff_has_words_marked_and_unchanged_lines_folded(own: WebPages, tmp_path: Path) -> None:
    same = [f" line {number}" for number in range(20)]
    few = "\n".join(["@@ -1,21 +1,21 @@ <here>", "-port = 80", "+port = 8080", *same, "[...2 more changed lines]"])
    many = "\n".join(["@@ -0,0 +1,600 @@", *(f"+line {number}" for number in range(600))])
    with closing(SqliteStorage(tmp_path / "data")) as storage:
        (project,) = [each for each in storage.registry.all() if each.name == "ferry"]
        changes = (CodeChange(path="many.txt", hunks=many), CodeChange(path="few.py", hunks=few))
        draft = Draft(content="changed", changes=changes)
        id = storage.observations(project.id).add(draft, id=uuid4(), now=datetime.now(UTC)).observation.id
    page = own.ask(f"/memory?id={id}")
    assert (
        '<p class="place">&lt;here&gt;</p><del data-o="1">port = <mark><span class="n">80</span></mark>'
        in page.body
    )
    assert "14 unchanged lines" in page.text
    assert '<span class="same" data-o="21" data-n="21">line <span class="n">19</span></span>' in page.body
    assert ("line 599" in page.text, "[...2 more changed lines]" in page.text) == (False, True)
    (whole,) = [link for link in page.links("/memory") if "diff=1" in link]
    assert "line 599" in own.ask(whole).text
    assert own.ask(whole).body.count("<ins") == 1


def test_a_card_says_whether_the_file_has_the_lines_today(own: WebPages, tmp_path: Path) -> None:
    (card,) = own.ask("/comebacks").links("/comeback")
    file = tmp_path / "ferry" / "ferry" / "payments.py"
    file.parent.mkdir()
    file.write_text("def pay(): ...\n")
    assert "Not in the file today" in own.ask(card).text
    removed = "for attempt in range(3):\n answer = bank.book(booking.id, booking.cents, timeout=PAYMENT_TIMEOUT)\n"
    file.write_text(f"{removed}if answer.accepted:\n  break\ntime.sleep(2**attempt)\n")
    assert "✓" not in own.ask(card).text
    assert "In the file today" in own.ask(card).text


def test_a_year_has_days_decisions_tokens_and_comebacks(site: WebPages) -> None:
    page = site.ask("/year")
    assert re.search(r"\d+ memories on \d+ days 4 decisions in force", page.text)
    assert "2,031 tokens given to the model, 4 times 1 comeback of removed code caught" in page.text
    days = re.findall(r'day=([\d-]+)"[^>]*><rect[^>]*><title>\d+ [A-Z][a-z]{2}[ \d]*: (\d+) memor', page.body)
    assert days
    assert sum(int(number) for _, number in days) == int(page.text.partition(" memories on")[0].split()[-1])
    # The table has the same numbers. The keyboard stops at months, because 371 days would be too many.
    assert sorted(re.findall(r'<td class="n">(\d+)</td>', page.body)) == sorted(number for _, number in days)
    assert all('tabindex="-1"' in link for link in re.findall(r'<a href="/timeline\?day=[^>]*>', page.body))
    latest = date.fromisoformat(days[-1][0])
    month = max(link for link in page.links("/timeline") if "until=" in link)
    for link in (f"/timeline?day={latest}", month):
        assert f"{latest:%A}, {latest.day} {latest:%b}" in site.ask(link).text
    (before,) = [link for link in page.links("/year") if "until=" in link]
    assert "0 memories on 0 days" in site.ask(before).text


def test_a_project_without_memories_says_what_to_do(tmp_path: Path) -> None:
    with web_pages(tmp_path / "data", tmp_path) as pages:
        home = pages.enter().ask("/")
        assert f"Nothing is known about {tmp_path.name} yet" in home.text
        assert {"/new", "/import", "/projects"} <= {*re.findall('href="([^"]*)"', home.body.partition("<main")[2])}
        assert f"<title>Home · {tmp_path.name} · lamella</title>" in home.body
        assert {pages.ask(path).status for path in REQUESTS["empty_pages"]} == {200}
        assert not list((tmp_path / "data").rglob("*.db-wal"))


def test_a_named_project_is_shown_and_an_unknown_one_refused(tmp_path: Path) -> None:
    fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", tmp_path, "--project", "museum") as pages:
        assert titles(pages.enter().ask("/search")) == ["Members walk in"]
        # What is here is not the tree of another project.
        (tmp_path / "ferry").mkdir(exist_ok=True)
        (tmp_path / "ferry" / "payments.py").write_text("def pay(): ...\n")
        (card,) = pages.ask("/comebacks?project=ferry").links("/comeback")
        assert "The file is not here today" in pages.ask(card).text
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


def test_a_browser_is_opened_with_the_address(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    script = executable(tmp_path / "browser", f'echo "$1" > {opened}.draft; mv {opened}.draft {opened}')
    with web_pages(tmp_path / "data", tmp_path, browser=script) as pages:
        address = until(lambda: opened.read_text("utf-8").strip())
        assert address == f"http://{pages.host}/enter?token={pages.token}"
