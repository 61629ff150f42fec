from collections.abc import Mapping

from lamella.domain.conversations.summary import Summary
from lamella.domain.errors import StorageReadOnlyError
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.conversations import InMemoryConversations
from tests.unit.support.doubles import Desk


class ReadOnlyConversations(InMemoryConversations):
    """Keeps no summary, because nothing can be written."""

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        del session, level, summaries
        raise StorageReadOnlyError(reason="read-only", advice="")


class ReadOnlyStorage(InMemoryStorage):
    def conversations(self, project: str) -> Conversations:
        return ReadOnlyConversations(self._scope(project))


def numbers_in(reply: str) -> list[int]:
    lines = [line.removeprefix("→ ") for line in reply.split("\n")]
    return [int(line.split()[1]) for line in lines if line.startswith("message ")]


def test_a_message_is_shown_with_ten_on_either_side_of_its_own_session() -> None:
    desk = Desk()
    for number in range(30):
        desk.said(f"mine {number}", name="Mine")
        desk.said(f"theirs {number}", session="other")
    reply = desk.show_message(desk.call, 29)
    assert reply.startswith("── recalled from: Mine ──\n── PREVIOUS CONTEXT (compressed) ──\nmessages 1..7:\n")
    assert numbers_in(reply) == list(range(9, 50, 2))
    assert "\n→ message 29 User: mine 14\n" in reply
    assert "theirs" not in reply
    assert reply.endswith("── FOLLOWING CONTEXT (compressed) ──\nmessages 51..59:")


def test_the_rest_of_a_long_session_is_summarised_in_three_parts_on_either_side() -> None:
    desk = Desk()
    desk.said(*(f"We changed module{number}.py because of the retry." for number in range(1, 701)))
    reply = desk.show_message(desk.call, 351)
    parts = [line for line in reply.split("\n") if line.startswith("messages ")]
    assert parts == [
        "messages 1..300:",
        "messages 301..320:",
        "messages 321..340:",
        "messages 362..380:",
        "messages 381..400:",
        "messages 401..700:",
    ]
    assert "  User: We changed module" in reply
    assert "  Files: module" in reply


def test_summaries_of_whole_groups_are_made_once() -> None:
    desk = Desk()
    desk.said(*(f"said number {number}" for number in range(400)))
    first = desk.show_message(desk.call, 250)
    cache = desk.here.conversations()
    groups = {level: cache.kept("session-1", level) for level in (1, 2)}
    twenties = [*range(1, 221, 20), *range(281, 401, 20)]
    assert {
        level: sorted((each.first, each.last) for each in kept.values()) for level, kept in groups.items()
    } == {1: [(number, number + 19) for number in twenties], 2: [(1, 100), (101, 200), (301, 400)]}
    told = Summary(first=1, last=100, sentences=("User: From the cache.",))
    cache.keep("session-1", 2, {mark: told for mark, each in groups[2].items() if each.first == 1})
    assert "  User: From the cache.\n" in desk.show_message(desk.call, 250)
    assert "From the cache" not in first


def test_what_is_said_later_is_in_the_next_summary() -> None:
    desk = Desk()
    desk.said(*(f"said number {number}" for number in range(50)))
    before = desk.show_message(desk.call, 5)
    desk.said("The very last words of all.")
    after = desk.show_message(desk.call, 5)
    assert ("messages 21..50:" in before, "messages 21..51:" in after) == (True, True)


def test_a_summary_that_cannot_be_kept_is_made_again() -> None:
    desk = Desk(storage=ReadOnlyStorage())
    desk.said(*(f"said number {number}" for number in range(260)))
    assert desk.show_message(desk.call, 130) == desk.show_message(desk.call, 130)


def test_a_window_sums_up_the_nearest_parts_and_caches_nothing() -> None:
    desk = Desk()
    desk.said(*(f"We changed module{number}.py because of the retry." for number in range(1, 701)))
    window = desk.show_message.window(desk.call, 351)
    assert [(each.first, each.last) for each in (*window.earlier, *window.later)] == [
        (321, 340),
        (301, 320),
        (362, 380),
        (381, 400),
    ]
    assert [each.number for each in window.messages] == list(range(341, 362))
    assert not desk.made_here.conversations().kept("session-1", 1)
