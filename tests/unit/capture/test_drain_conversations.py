from pathlib import Path

from lamella.application.capture.drained import Drained
from lamella.domain.conversations.message import Role
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.observation import Kind
from lamella.ports.transcripts import Transcripts
from lamella_adapters.memory.ledger import InMemoryLedger
from tests.unit.capture.drains import EDIT, TALK, Storage, Talks, drained, noted, observations, summaries, there
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FolderTree
from tests.unit.support.tables import cases


def test_the_news_of_a_transcript_are_taken_over_once() -> None:
    desk, talks = Desk(), Talks([(Role.HUMAN, "One"), (Role.ASSISTANT, "Two"), (Role.HUMAN, "Three")])
    for _ in range(3):
        desk.spool.put(event="Stop", transcript=TALK)
    assert drained(desk, talks) == Drained(done=3)
    assert (talks.asked, desk.spool.captures) == ([TALK, TALK], {})
    assert there(desk).conversations().numbers("s") == (1, 2, 3)
    talks.said.append((Role.ASSISTANT, "Four"))
    desk.spool.put(event="Stop", transcript=TALK)
    drained(desk, talks)
    assert there(desk).conversations().numbers("s") == (1, 2, 3, 4)


def test_conversations_that_are_not_shared_are_passed_over_without_a_trace() -> None:
    desk, talks = Desk(), Talks([(Role.HUMAN, "One")])
    desk.spool.put(**EDIT)
    desk.spool.put(event="SessionEnd", transcript=TALK)
    drain = desk.draining(talks)
    drain.keeps_conversations = False
    account = list(drain())[-1]
    assert (account.done, account.summaries, account.skipped, desk.spool.captures) == (2, 0, {}, {})
    assert (talks.asked, there(desk).conversations().sessions()) == ([], ())
    # Once they are shared, the next news of the session bring it from its beginning.
    desk.spool.put(event="Stop", transcript=TALK)
    drained(desk, talks)
    assert there(desk).conversations().numbers("s") == (1,)


def test_a_conversation_stays_where_it_began() -> None:
    desk, began = Desk(), Path("/home/ada/began")
    desk.spool.put(event="Stop", transcript=TALK)
    drained(desk, Talks([(Role.HUMAN, "One")], directory=began))
    assert (there(desk).project, there(desk, began).conversations().numbers("s")) == (None, (1,))
    desk.spool.put(event="Stop", transcript=TALK)
    drained(desk, Talks([(Role.HUMAN, "One")], directory=None))
    assert there(desk).conversations().numbers("s") == (1,)


def test_a_transcript_that_is_gone_is_passed_over() -> None:
    desk = Desk()
    desk.spool.put(**EDIT)
    desk.spool.put(event="Stop", transcript=TALK)
    assert drained(desk, Talks(missing=True)).skipped == {"a transcript that cannot be read": 1}
    assert (noted(desk), desk.spool.captures) == ([("skipped", "a transcript that cannot be read")], {})


def test_a_transcript_is_read_by_the_reader_of_its_client() -> None:
    desk, talks, asked = Desk(), Talks([(Role.HUMAN, "One")]), set[str]()

    def opened(client: str, path: Path | None) -> Transcripts:
        asked.add(client)
        if client != "codex":
            raise InvalidValueError(name="transcripts", given=client, allowed="codex")
        return talks(path)

    desk.spool.put(event="Stop", transcript=TALK, client="codex")
    desk.spool.put(event="Stop", transcript=TALK.with_name("other.jsonl"), client="unknown")
    drain = desk.draining(talks)
    drain.transcripts = drain.import_transcripts.transcripts = opened
    account = list(drain())[-1]
    assert (asked, account.done, account.trouble) == ({"codex", "unknown"}, 2, None)
    assert account.skipped == {"a transcript that cannot be read": 1}
    assert there(desk).conversations().numbers("s") == (1,)


REQUEST = (Role.HUMAN, "Drop the retries, please.")
CALL = (Role.TOOL, 'Bash {"command":"pytest"}')


def test_a_session_is_summed_up_when_it_ends() -> None:
    desk = Desk(tree=FolderTree(present=Checkout("feat", "1" * 40)))
    desk.spool.put(**EDIT, client="codex")
    desk.spool.put(event="SessionEnd", transcript=TALK, client="codex")
    assert drained(desk, Talks([REQUEST, CALL])).summaries == 1
    assert summaries(desk) == [
        (
            "Session: Drop the retries, please.",
            ["Asked:", "- Drop the retries, please.", "Changed:", "- pay.py +1 -2"],
        )
    ]
    summary, edit = observations(desk)
    assert summary.kind is Kind.SUMMARY
    assert (summary.source, summary.session, summary.created_at) == ("session", "s", DAWN.replace(minute=2))
    assert [(each.client, *each.checkout) for each in (edit, summary)] == [("codex", "feat", "1" * 40)] * 2
    (session,) = there(desk).conversations().sessions()
    assert (session.client, session.messages) == ("codex", 2)


def test_each_message_is_summed_up_once() -> None:
    desk, talks = Desk(), Talks([REQUEST, CALL])
    ended = desk.spool.put(event="PreCompact", transcript=TALK, at=DAWN.replace(minute=10))
    assert drained(desk, talks).summaries == 1
    desk.spool.captures[ended.name] = ended
    desk.spool.put(event="SessionEnd", transcript=TALK, at=DAWN.replace(minute=20))
    assert (drained(desk, talks).summaries, len(summaries(desk))) == (0, 1)
    talks.said += [(Role.HUMAN, "Write a test for it."), CALL]
    desk.spool.put(**{**EDIT, "path": "test.py"}, at=DAWN.replace(minute=4))
    desk.spool.put(event="SessionEnd", transcript=TALK, at=DAWN.replace(minute=30))
    assert drained(desk, talks).summaries == 1
    assert summaries(desk)[1] == (
        "Session: Write a test for it.",
        ["Asked:", "- Write a test for it.", "Changed:", "- test.py +1 -2"],
    )


def test_what_was_said_after_a_compaction_is_not_summed_up_with_what_was_before() -> None:
    desk, talks = Desk(), Talks([REQUEST, CALL, (Role.HUMAN, "Write a test for it."), CALL])
    desk.spool.put(event="PreCompact", transcript=TALK, at=DAWN.replace(minute=2))
    desk.spool.put(event="SessionEnd", transcript=TALK, at=DAWN.replace(minute=9))
    assert drained(desk, talks).summaries == 2
    assert [title for title, _ in summaries(desk)] == [
        "Session: Drop the retries, please.",
        "Session: Write a test for it.",
    ]


def test_two_that_sum_up_at_once_make_one_summary() -> None:
    class Other(InMemoryLedger):
        def known(self, requests: object) -> frozenset[str]:
            del requests
            return frozenset()

    storage, talks = Storage(), Talks([REQUEST, CALL])
    desk = Desk(storage=storage)
    ended = desk.spool.put(event="SessionEnd", transcript=TALK)
    drained(desk, talks)
    desk.spool.captures[ended.name] = ended
    storage.kind = Other
    assert (drained(desk, talks).summaries, len(summaries(desk))) == (0, 1)


@cases
def test_nothing_is_summed_up_without_need(said: list[tuple[Role, str]], event: str, session: str | None) -> None:
    desk = Desk()
    desk.spool.put(event=event, transcript=TALK, session=session)
    assert (drained(desk, Talks(said)).summaries, summaries(desk)) == (0, [])


def test_erasing_a_session_takes_its_captures_and_what_sums_it_up() -> None:
    desk = Desk()
    desk.spool.put(**EDIT)
    desk.spool.put(event="SessionEnd", transcript=TALK)
    drained(desk, Talks([REQUEST, CALL]))
    desk.spool.put(**EDIT)
    desk.spool.reasons["s"] = "Drop the retries."
    assert desk.erase_conversation(desk.call, "s") == 2
    assert (summaries(desk), len(observations(desk)), desk.spool.captures, desk.spool.reasons) == ([], 1, {}, {})


def test_erasing_a_memory_takes_the_reason_that_its_session_noted() -> None:
    desk = Desk()
    desk.spool.put(**EDIT)
    drained(desk)
    desk.spool.reasons |= {"s": "Drop the retries.", "other": "Another."}
    desk.erase(desk.call, [str(observations(desk)[0].id)])
    assert desk.spool.reasons == {"other": "Another."}
