"""The real Claude Code, offline, with lamella's plugin installed from its marketplace."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.mcp.toolsets.registry import instructions
from tests.end_to_end.clients.desk import SETTINGS, Desk, Session
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment
from tests.end_to_end.clients.plugged import RECALL, SAVE, Plugged, contexts, runs
from tests.end_to_end.clients.scripted_messages import Calls, Says
from tests.end_to_end.clients.story import ASKS_FOR_STAGING, MAIN, NOTES, REASON, RETRY, STAGING, id_in, many_in
from tests.end_to_end.support.unhurried import ROOT
from tests.unit.adapters.hooks.test_plugin import SWITCHES

SECRET = "AKIA" + "Q7XR" * 4
COLOUR = "The doors are green since the paint was cheap."
DECISION = "Uploads are cut into parts of 8 MB because the proxy ends requests after a minute."
CELL: dict[str, Any] = {
    "cell_type": "code",
    "id": "cell",
    "metadata": {},
    "source": "x = 1",
    "outputs": [],
    "execution_count": None,
}
NOTEBOOK = {"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
PRINTED, COMPACTED = "<local-command-stdout>", "Compacted (ctrl+o to see full summary)"


@pytest.fixture
def desk(tmp_path: Path, node_clients: NodeClients) -> Desk:
    return Desk(tmp_path, node_clients)


@pytest.fixture
def plugged(desk: Desk) -> Plugged:
    """A machine with the plugin as the command says where it is."""
    return Plugged(desk, Path(desk.shell(desk.home, "plugin").strip()))


@pytest.fixture
def fragile(desk: Desk) -> Plugged:
    """A machine on which the user has named the command, so that no other is found where it is gone."""
    return Plugged(desk, ROOT, [f"command={desk.home / '.local' / 'bin' / 'lamella'}"])


def ledger(plugged: Plugged, name: str) -> list[tuple[str, str, str]]:
    """Return the ledger of a file, oldest change first: lines added, lines removed, and the reason."""
    lines = [line.split("\t") for line in plugged.lamella("ledger", name).splitlines()]
    return [(came, went, title) for _, came, went, _, title, *_ in reversed(lines)]


def changes(plugged: Plugged) -> list[tuple[str, int, int]]:
    """The files of all changes that are kept, with the lines that came and went."""
    plugged.lamella("recall")  # which stores what waits in the spool
    assert plugged.spooled == []
    return plugged.rows("SELECT path, additions, deletions FROM code_change ORDER BY path")


def everything_in(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("place", [".", "plugin"])
def test_claude_code_finds_nothing_wrong_with_the_plugin(desk: Desk, place: str) -> None:
    assert desk.claude(desk.home, "plugin", "validate", "--strict", ROOT / place).endswith("✔ Validation passed\n")


def test_changes_of_a_session_are_kept_with_reasons_and_shown_to_the_next_one(plugged: Plugged) -> None:
    plugged.commits("main.c", RETRY + MAIN)
    plugged.commits("table.c", "".join(f"int row_{number};\n" for number in range(9)))
    (plugged.place / "book.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    plugged.lamella("save", STAGING)
    plugged.lamella("import", "server-memory", many_in(plugged.desk.folder), "--project", str(plugged.place))
    own = Calls(RECALL, {"session_only": True})
    first = plugged.session(
        Calls(SAVE, {"text": DECISION, "source": "decision"}),
        *(Calls(SAVE, {"text": note}) for note in NOTES),
        plugged.reads("main.c"),
        plugged.edits("main.c", RETRY, ""),
        plugged.reads("book.ipynb"),
        plugged.puts("book.ipynb", "cell", "x = 2\ny = 3"),
        plugged.writes("parts/NOTES.md", f"Parts are 8 MB.\nThe key is {SECRET}.\n"),
        plugged.writes(".env", f"TOKEN={SECRET}\n"),
        runs("sed s/row_4/spare/ table.c > new && mv new table.c && echo 'int last;' >> table.c; cat missing"),
        prompt=f"{REASON} Their caller <private>Mallory</private> has {SECRET}.",
    )
    assert plugged.spooled == [], "what a session leaves behind is stored without another session"
    assert first.outcome["permission_denials"] == []
    assert (plugged.place / "main.c").read_text("utf-8") == MAIN
    assert (plugged.place / "table.c").read_text("utf-8").endswith("row_8;\nint last;\n")
    the_model_was_told_of_both_tools_from_the_start_and_saw_text_only(first)

    assert ledger(plugged, "main.c") == [("+0", "-4", REASON)]
    assert ledger(plugged, "table.c") == [("+2", "-1", REASON)]
    assert ledger(plugged, "parts/NOTES.md") == [("+2", "-0", REASON)]
    assert changes(plugged) == [
        *(("book.ipynb", 2, 1), ("main.c", 0, 4), ("parts/NOTES.md", 2, 0), ("table.c", 2, 1))
    ]
    assert plugged.rows("SELECT DISTINCT session FROM observation WHERE kind = 'change'") == [(first.id,)]
    # What was removed is found by its text, although nobody saved anything.
    assert REASON in plugged.lamella("recall", "while (most-- > 0", "--path", "main.c")
    # What was said can be looked up, and neither a secret nor what is private has been written anywhere.
    asked = f"{REASON} Their caller [private] has [redacted]."
    assert plugged.rows("SELECT text FROM message WHERE role = 'human'") == [(asked,)]
    assert not {word for word in (SECRET, "Mallory") if word.encode() in everything_in(plugged.data)}
    modes = {path.stat().st_mode & 0o777 for path in plugged.data.rglob("*") if path.is_file()}
    assert modes == {0o600}

    second = plugged.session(
        Calls(SAVE, {"text": COLOUR}),
        own,
        Calls(RECALL, {"query": "parts of uploads"}),
        Calls(RECALL, {"query": "zebra"}),
        plugged.reads("main.c"),
        plugged.edits("main.c", MAIN, RETRY + MAIN),
        plugged.edits("main.c", RETRY, ""),
        plugged.edits("main.c", MAIN, RETRY + MAIN),
        Says("At three."),
        prompt=ASKS_FOR_STAGING,
    )
    assert second.outcome["result"] == "At three."
    given = contexts(second.seen[0])
    shown = [given["SessionStart"].index(text) for text in (DECISION, *reversed(NOTES), "Session: Drop the")]
    assert shown == sorted(shown)
    assert len(given["SessionStart"]) < 9_000
    # There was no room for it in the index, but a prompt that clearly belongs to a memory brings it along.
    assert [STAGING in given[event] for event in ("SessionStart", "UserPromptSubmit")] == [False, True]
    # Calls of the same id in two sessions are two memories, and each session knows its own.
    assert first.seen[-1].results[0]["tool_use_id"] == second.seen[-1].results[0]["tool_use_id"]
    saved, mine, found, nothing, *_ = second.replies
    assert id_in(saved) != id_in(first.replies[0])
    assert [COLOUR in mine, DECISION in mine, DECISION in found] == [True, False, True]
    assert nothing.startswith("No memories found matching 'zebra'.")
    assert [each.get("is_error", False) for each in second.seen[-1].results[:4]] == [False] * 3 + [True]
    # What comes back is warned of, once: the third edit walks back as the first did.
    warning = contexts(second.seen[6])["PreToolUse:Edit"]
    kept = plugged.rows("SELECT title, lower(hex(id)) FROM observation WHERE kind = 'change'")
    assert REASON in warning
    assert [title for title, id in kept if id[:8] in warning] == [REASON]
    assert len([each for each in second.seen[-1].told.split("PreToolUse:Edit hook") if warning in each]) == 1
    assert (plugged.place / "main.c").read_text("utf-8") == RETRY + MAIN


def the_model_was_told_of_both_tools_from_the_start_and_saw_text_only(session: Session) -> None:
    before = session.seen[0]
    assert instructions("unified") in before.told
    ours = {name: sorted(tool) for name, tool in before.tools.items() if "lamella" in name}
    assert ours == {name: ["description", "input_schema", "name"] for name in (SAVE, RECALL)}
    assert "structuredContent" not in str(session.seen[-1].request)


@pytest.mark.more_clients
def test_an_index_is_shown_again_after_a_compaction_and_uninstalling_keeps_memories(plugged: Plugged) -> None:
    plugged.lamella("save", DECISION, "--source", "decision")
    first = plugged.session(plugged.writes("one.txt", "One.\n"), prompt="Good morning.")
    goes_on = ("--resume", first.id)
    resumed = plugged.session(Says("At three."), prompt="Are you sure?", options=goes_on)
    assert resumed.id == first.id
    assert resumed.seen[0].told.count("From lamella, the memory of the project") == 1
    # A command of the plugin's shows the status, and asks for nothing.
    plugged.session(Says("<summary>Uploads.</summary>"), prompt="/compact", options=goes_on)
    transcripts = (plugged.desk.home / ".claude" / "projects").rglob(f"{first.id}.jsonl")
    printed = [line for file in transcripts for line in file.read_text("utf-8").splitlines() if PRINTED in line]
    assert [line.partition(PRINTED)[2].partition("</")[0] for line in printed] == [COMPACTED]
    again = plugged.session(Says("There."), prompt="/lamella:status", options=goes_on)
    told = again.seen[0].told.partition("Summary:\nUploads.")[2]
    assert DECISION in told
    assert re.search(r"</command-name>\n\nproject +project\n(?s:.*)\n\nRepeat the above to the user", told)
    given = json.loads(plugged.lamella("status", "--json"))["injected"]
    assert [each["session"] for each in given["sessions"]] == [first.id]
    assert given["tokens"] == sum(each["tokens"] for each in given["sessions"])

    plugged.desk.claude(plugged.desk.home, "plugin", "uninstall", "lamella")
    assert list((plugged.desk.home / ".claude" / "plugins" / "data").glob("lamella*")) == []
    without = plugged.session(plugged.writes("two.txt", "Two.\n"))
    assert not [name for name in without.seen[0].tools if "lamella" in name]
    assert changes(plugged) == [("one.txt", 1, 0)]


@pytest.mark.more_clients
def test_what_is_switched_off_does_not_happen(desk: Desk) -> None:
    off = Plugged(desk, ROOT, [f"{switch}=false" for switch in SWITCHES])
    off.lamella("save", DECISION, "--source", "decision")
    (off.place / "main.c").write_text(RETRY + MAIN, encoding="utf-8")
    session = off.session(
        off.reads("main.c"),
        off.edits("main.c", RETRY, ""),
        off.edits("main.c", MAIN, RETRY + MAIN),
        runs("echo 'int spare;' >> main.c"),
        prompt="Why are uploads cut into parts of 8 MB?",
    )
    assert contexts(session.seen[-1]) == {}
    assert changes(off) == []
    assert off.rows("SELECT kind, count(*) FROM observation GROUP BY kind") == [("note", 1)]
    assert off.rows("SELECT count(*) FROM message") == [(0,)]


@pytest.mark.more_clients
def test_a_plugin_whose_lamella_is_gone_is_not_noticed(fragile: Plugged) -> None:
    fragile.session(fragile.writes("one.txt", "One.\n"))
    (linked,) = (fragile.desk.home / ".claude" / "plugins" / "data").glob("lamella*/paths")
    # A module is missing: the Python that hooks were linked to can no longer import lamella.
    linked.write_text(f"{fragile.desk.folder}\n", encoding="utf-8")
    healed = fragile.session(fragile.writes("two.txt", "Two.\n"))
    assert healed.outcome["result"] == "done"
    assert [ledger(fragile, name) for name in ("one.txt", "two.txt")] == [[("+1", "-0", "Go on.")]] * 2

    # lamella is uninstalled, the plugin isn't.
    linked.write_text(f"{fragile.desk.folder}\n", encoding="utf-8")
    (fragile.desk.home / ".local" / "bin" / "lamella").unlink()
    left = fragile.session(fragile.writes("three.txt", "Three.\n"), Says("Still here."))
    assert left.outcome["result"] == "Still here."
    assert contexts(left.seen[-1]) == {}
    assert changes(fragile) == [("one.txt", 1, 0), ("two.txt", 1, 0)]

    # Even the plugin's own files are gone.
    shutil.rmtree(fragile.marketplace)
    assert fragile.session(Says("Still here.")).outcome["result"] == "Still here."


@pytest.mark.more_clients
def test_the_command_lines_of_the_page_work(desk: Desk) -> None:
    desk.adds_server()
    place = desk.repository("project")
    page = (ROOT / "docs" / "claude-code.md").read_text("utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    mine = [line for line in lines if re.match("(claude|lamella|rm) ", line)]
    assert len(mine) == 8
    path = os.pathsep.join([str(desk.lamella.parent), desk.clients.path])
    environment = {**bare_environment(desk.home), **SETTINGS, "PATH": path}
    for line in mine:
        done = subprocess.run(
            ["/bin/sh", "-c", line], cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done)
        if line.startswith("claude plugin install"):
            assert "lamella@lamella" in desk.claude(desk.home, "plugin", "list")
    assert not (desk.home / ".local" / "share" / "lamella").exists()
    assert "lamella" not in desk.claude(desk.home, "plugin", "list")
    assert "lamella" not in (desk.home / ".claude" / "settings.json").read_text("utf-8")
