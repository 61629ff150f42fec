from pathlib import Path

from lamella.domain.conversations.message import Role
from lamella.domain.errors import InvalidValueError
from lamella.ports.transcripts import Transcripts
from lamella_adapters.memory.ledger import InMemoryLedger
from tests.unit.capture.drains import TALK, Storage, Talks, drained, summaries, there
from tests.unit.support.doubles import Desk


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
