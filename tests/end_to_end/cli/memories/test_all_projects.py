"""Recall across projects: at a shell, on the page, and by an agent where the user lets it."""

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.tools import Tools, started
from tests.end_to_end.support.web_pages import titles, web_pages


@pytest.fixture
def two(lamella: CommandLine) -> CommandLine:
    """Return the command line at one of two projects with a memory each."""
    (lamella.directory.parent / "other").mkdir()
    evolve(lamella, directory=lamella.directory.parent / "other").saved("The cellar door sticks in winter.")
    lamella.saved("Apples are picked in October.")
    return lamella


def test_the_page_has_a_filter_for_all_projects(two: CommandLine) -> None:
    with web_pages(two.data, two.directory) as pages:
        site = pages.enter()
        assert titles(site.ask("/search?q=cellar")) == []
        found = site.ask("/search?q=cellar&all=1")
        assert titles(found) == ["The cellar door sticks in winter."]
        assert '<span class="kind">other</span>' in found.body
        assert "The cellar door sticks" in site.ask(found.links()[0]).text
        assert 'type="checkbox" name="id"' not in found.body


@pytest.mark.parametrize(("chosen", "offered"), [("", False), ("off", False), ("on", True)])
def test_an_agent_recalls_across_projects_where_the_user_lets_it(
    two: CommandLine, chosen: str, *, offered: bool
) -> None:
    for _ in range(2):  # the second server answers from replies that the first one kept
        with started(two.directory.parent, two.directory.name, LAMELLA_ALL_PROJECTS=chosen) as client:
            tools = Tools(client)
            listed = tools.request("tools/list")["result"]["tools"]
            (recall,) = [each for each in listed if each["name"] == "recall"]
            assert ("all_projects" in recall["inputSchema"]["properties"]) is offered
            found, text = tools.call("recall", query="cellar", all_projects=True)
            assert ("project other" in text) is offered, (found, text)
