"""Take over the prompts of another program."""

from collections import Counter

from lamella.ports.storage.storage import Capability
from tests.unit.exchange.shelf import SECRET, Shelf, asked, imported, said
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import LackingStorage


def words(desk: Desk, session: str) -> list[str]:
    """What was said in a session."""
    conversations = desk.here.conversations()
    return [each.text for each in conversations.messages(conversations.numbers(session))]


def test_prompts_become_messages_of_conversations_that_are_not_here() -> None:
    desk = Desk()
    desk.said("Why?", "Because.", session="whole")
    shelf = Shelf([asked("1", f"Use {SECRET}"), asked("2", "Why?", session="whole"), asked("3", "?", project="o")])
    for dry_run in (True, False):
        account = imported(desk, shelf, dry_run=dry_run)
        assert (account.prompts, account.redacted) == (1, 1)
        assert account.skipped == Counter(
            {
                "prompts of conversations that are here as a whole": 1,
                "prompt(s) whose project isn't known here": 1,
            }
        )
    shelf.records = [*shelf.records, asked("4", "And then?"), asked("4", "And then?")]
    assert imported(desk, shelf).prompts == 1
    assert imported(desk, shelf).prompts == 0
    assert (words(desk, "s-9"), words(desk, "whole")) == (["Use [redacted]", "And then?"], ["Why?", "Because."])


def test_prompts_of_conversations_that_are_not_shared_are_left_out() -> None:
    desk = Desk()
    account = imported(desk, Shelf([asked("1", "Why?"), said()]), keeps_conversations=False)
    reason = "prompts of conversations, which you don't share (LAMELLA_SHARE_CONVERSATIONS)"
    assert (account.prompts, account.skipped) == (0, Counter({reason: 1}))
    assert words(desk, "s-9") == []


def test_a_storage_without_conversations_takes_no_prompts() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS}))
    assert imported(desk, Shelf([asked("1", "Why?"), said()])).prompts == 0
