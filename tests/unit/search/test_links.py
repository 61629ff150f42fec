"""A memory in full names what it links to, and what links to it."""

from pathlib import Path

from lamella.domain.memories.query import ById
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import Desk, desk_with

RULE, ACCIDENT, POLICY = "00000001", "00000002", "00000003"


def links(desk: Desk, id: str) -> list[str]:
    return [line for line in desk.shown(ById(id), Detail.FULL) if line.startswith(("links: ", "linked from: "))]


def test_an_id_or_a_title_in_a_text_is_a_link_in_both_directions() -> None:
    desk = Desk()
    rule = desk.save("Never deploy on Fridays.", title="Deploys")
    desk.save(f"Outage of 3 May: see [[{RULE}]] and [[deploys]], and commit deadbeef.", title="Outage")
    desk.save(f"The policy of {rule.id} came later, [[Nothing]].", title="Policy")
    desk.save("Deploys are slow.", title="Slow [[")
    assert links(desk, ACCIDENT) == ["links: 00000001 (Deploys)"]
    assert links(desk, POLICY) == ["links: 00000001 (Deploys)"]
    assert links(desk, RULE) in (
        ["linked from: 00000002 (Outage); 00000003 (Policy)"],
        ["linked from: 00000003 (Policy); 00000002 (Outage)"],
    )
    assert links(desk, "00000004") == []


def test_the_name_that_another_program_gave_it_is_a_link_too() -> None:
    desk = Desk()
    desk.save("From main only.", title="Deploys", keywords="deploy-from-main")
    desk.save("See [[deploy-from-main]].", title="Retries")
    assert links(desk, RULE) == ["linked from: 00000002 (Retries)"]
    assert links(desk, ACCIDENT) == ["links: 00000001 (Deploys)"]


def test_a_memory_names_what_it_replaces() -> None:
    desk = desk_with("Port 8080.")
    desk.save(f"Port 9090, see {ACCIDENT}.", replaces=(RULE,))
    assert links(desk, ACCIDENT) == ["links: replaces 00000001 (Port 8080.)"]


def test_what_holds_everywhere_has_links_too() -> None:
    desk = desk_with("Port 8080.")
    desk.save("Use ports above 8000.", title="Ports", everywhere=True)
    desk.save("[[Ports]] again.", title="Again", everywhere=True)
    assert links(desk, ACCIDENT) == ["linked from: 00000003 (Again)"]


def test_links_of_other_projects_are_not_followed() -> None:
    desk = desk_with("Port 8080.")
    desk.at(directory=Path("/home/ada/engine")).save(f"See {RULE}.", title="Elsewhere")
    assert "links" not in desk.recall(ById(ACCIDENT), Detail.FULL, all_projects=True)
