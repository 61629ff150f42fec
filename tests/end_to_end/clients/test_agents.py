"""Clients other than Claude Code, offline, with a model that follows a script."""

from pathlib import Path

import pytest

from lamella_adapters.cli.setup.formats.marked_block import ADVICE
from tests.end_to_end.clients import story
from tests.end_to_end.clients.agents import FURTHER, INSTRUCTED, OTHERS, Agent
from tests.end_to_end.clients.connected import Connected
from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.node_clients import more_installed, others_installed
from tests.end_to_end.clients.scripted_messages import Calls, Says, Seen
from tests.end_to_end.git.git_repository import Repository

pytestmark = pytest.mark.more_clients

_AGENTS = [pytest.param(each, id=each.name) for each in (*FURTHER, *OTHERS)]
_INSTRUCTED = [pytest.param(each, id=each.name) for each in INSTRUCTED]

# Without what a server that runs for long learns from commits.
KEPT = "SELECT kind, session FROM observation WHERE source != 'git' ORDER BY seq"


@pytest.fixture(params=_AGENTS)
def connected(request: pytest.FixtureRequest, tmp_path: Path) -> Connected:
    """A machine on which lamella is connected to one of the clients."""
    agent: Agent = request.param
    install = more_installed if agent in FURTHER else others_installed
    return Connected(Desk(tmp_path, install()), agent)


def ledger(connected: Connected) -> list[tuple[str, str, str]]:
    """Return the ledger of `main.c`, oldest change first: lines added, lines removed, and the reason."""
    lines = [line.split("\t") for line in connected.lamella("ledger", "main.c").splitlines()]
    return [(came, went, title) for _, came, went, _, title, *_ in reversed(lines)]


def test_what_one_session_learns_and_removes_the_next_one_is_told_of(connected: Connected) -> None:
    agent, main = connected.agent, connected.place / "main.c"
    repository = Repository(connected.place)
    repository.write("main.c", story.RETRY + story.MAIN)
    repository.commit()
    connected.lamella("save", story.STAGING)
    connected.lamella(
        "import", "server-memory", story.many_in(connected.desk.folder), "--project", str(connected.place)
    )
    before = len(connected.rows(KEPT))
    prompt = f"{story.REASON} {story.ASKS_FOR_STAGING}"
    searches = story.SEARCHES if agent.searches else ()
    first = connected.session(
        *(Calls("tool_search", {"query": each}) for each in searches),
        connected.calls("save_memory", text=story.PORT),
        agent.reads(main),
        agent.edits(main, story.RETRY, ""),
        Says("Done."),
        prompt=prompt,
    )
    # The index has no room for it, but the prompt belongs to it.
    assert first[0].told.count(story.STAGING) == 1
    # A model that searches for tools, as it is shown only the beginning of a server's texts, finds both.
    assert not searches or "for why it is so and what was decided" in first[0].told
    *found, saved = first[len(searches) + 1].replies
    assert [
        (each, "save_memory" in reply, "recall" in reply) for each, reply in zip(searches, found, strict=True)
    ] == [(each, True, True) for each in searches]
    id = story.id_in(saved)
    assert main.read_text("utf-8") == story.MAIN
    assert ledger(connected)[-1] == ("+0", "-4", story.REASON)
    # The server and the hooks know the same session. What was said in it can be looked up, and is summed up.
    kept = connected.rows(KEPT)[before:]
    said = connected.rows("SELECT text FROM message WHERE role = 'human'")
    summed_up = ["summary"] if agent.ends and agent.readable else []
    assert {"change", "note", *summed_up} <= {kind for kind, _ in kept}
    assert len({session for _, session in kept}) == 1
    assert said == ([(prompt,)] if agent.readable else [])

    def reads_in_full(seen: Seen) -> Calls:
        assert seen.replies[-1].startswith(f"[1] {id[:8]} | {story.PORT} | ")
        return connected.calls("recall", id=seen.replies[-1].split()[1], detail="full")

    second = connected.session(
        connected.calls("recall", query="proxy port"),
        reads_in_full,
        agent.reads(main),
        agent.edits(main, story.MAIN, story.RETRY + story.MAIN),
        Says("Done."),
        prompt="Make payments more robust.",
    )
    # The index of the start has it, and so have both replies.
    assert story.PORT in second[0].told
    assert second[2].replies[-1].startswith(f"--- {id[:8]} | {story.PORT} | ")
    assert main.read_text("utf-8") == story.RETRY + story.MAIN
    warned = second[-1].told.replace(second[-2].told, "") + second[-1].replies[-1]
    assert story.REASON in warned


@pytest.mark.parametrize("connected", _INSTRUCTED, indirect=True)
def test_where_there_are_no_hooks_instructions_tell_a_model_to_recall_and_save(connected: Connected) -> None:
    first = connected.session(connected.calls("save_memory", text=story.PORT), Says("Done."), prompt="Go on.")
    assert ADVICE in first[0].told
    id = story.id_in(first[1].replies[-1])
    second = connected.session(connected.calls("recall", query="proxy port"), Says("Done."), prompt="Which port?")
    assert second[1].replies[-1].startswith(f"[1] {id[:8]} | {story.PORT} | ")
    connected.lamella("setup", connected.agent.name, "--remove", "--yes")
    third = connected.session(Says("Done."), prompt="Go on.")
    assert (ADVICE in third[0].told, {"recall", "save_memory"} & {*third[0].tools}) == (False, set())
