"""Past conversations from the transcript of a client to the reply of a tool, in both eras of the protocol."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE, Tools
from tests.end_to_end.support.transcripts import with_transcripts
from tests.end_to_end.toolsets.caller import Caller
from tests.end_to_end.toolsets.eras import story_of, told
from tests.words_only import WORDS_ONLY

CONVERSATION = [*SERVE, "--toolset", "conversation"]


@pytest.fixture(scope="module")
def lamella(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A project after an import, which nothing changes any more; see `with_transcripts`."""
    line = with_transcripts(tmp_path_factory.mktemp("imported"))
    assert line.run("import", "claude-code").code == 0
    return line


def test_the_story_of_conversation(live: Callable[..., None], lamella: CommandLine) -> None:
    settings = lamella.environment | {"LAMELLA_SESSION": "another"}
    live("conversation", partial(told, "conversation"), folder=lamella.directory, **settings)


def test_messages_are_recalled_after_memories(lamella: CommandLine) -> None:
    with RawClient(Command(SERVE, lamella.directory, lamella.environment)) as client:
        Caller(Tools(client).answered).play(story_of("messages"))


def test_only_this_session_is_the_one_of_the_client(lamella: CommandLine) -> None:
    """In the story, the client is of another session, and finds nothing."""
    environment = {**lamella.environment, "LAMELLA_SESSION": "session-one"}
    with RawClient(Command(CONVERSATION, lamella.directory, environment)) as client:
        found = Tools(client).text("recall", query="upload retry", session_only=True)
        assert found.startswith('Found 3 result(s) for "upload retry":')


def test_where_nothing_was_imported_nothing_is_found_and_nothing_made(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(tmp_path / "data"), **WORDS_ONLY}
    with RawClient(Command(CONVERSATION, tmp_path, environment)) as client:
        asked = Tools(client)
        assert asked.call("recall", query="zebra") == (False, 'No results found for "zebra".')
        assert asked.call("remember", message_id=1) == (True, "Message 1 not found")
    assert list(tmp_path.iterdir()) == []
