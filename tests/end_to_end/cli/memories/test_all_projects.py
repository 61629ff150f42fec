"""Recall across projects: at a shell, on the page, and by an agent where the user lets it."""

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.tools import Tools, started


@pytest.fixture
def two(lamella: CommandLine) -> CommandLine:
    """Return the command line at one of two projects with a memory each."""
    (lamella.directory.parent / "other").mkdir()
    evolve(lamella, directory=lamella.directory.parent / "other").saved("The cellar door sticks in winter.")
    lamella.saved("Apples are picked in October.")
    return lamella


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
