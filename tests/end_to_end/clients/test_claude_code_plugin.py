"""The real Claude Code, offline, with lamella's plugin installed from its marketplace."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.clients.desk import SETTINGS, Desk
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment
from tests.end_to_end.clients.plugged import RECALL, SAVE, Plugged, contexts, runs
from tests.end_to_end.clients.scripted_messages import Calls, Says, Seen
from tests.end_to_end.clients.story import ASKS_FOR_STAGING, MAIN, NOTES, REASON, RETRY, STAGING, many_in
from tests.end_to_end.support.unhurried import ROOT
from tests.unit.adapters.hooks.test_plugin import SWITCHES
from tests.waiting import until

SECRET = "AKIA" + "Q7XR" * 4
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


def test_what_the_model_does_to_files_is_kept_with_its_reason(plugged: Plugged) -> None:
    plugged.commits("table.c", "".join(f"int row_{number};\n" for number in range(9)))
    (plugged.place / "book.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    session = plugged.session(
        plugged.reads("main.c"),
        plugged.edits("main.c", "return 0", "return failures()"),
        plugged.reads("book.ipynb"),
        plugged.puts("book.ipynb", "cell", "x = 2\ny = 3"),
        plugged.writes("parts/NOTES.md", f"Parts are 8 MB.\nThe key is {SECRET}.\n"),
        plugged.writes(".env", f"TOKEN={SECRET}\n"),
        runs("sed s/row_4/spare/ table.c > new && mv new table.c && echo 'int last;' >> table.c; cat missing"),
        Calls(SAVE, {"text": DECISION, "source": "decision"}),
        prompt=f"Make the exit code tell of failures. Its caller <private>Mallory</private> has {SECRET}.",
    )
    assert (plugged.place / "main.c").read_text("utf-8") == "int main(void) { return failures(); }\n"
    assert (plugged.place / "table.c").read_text("utf-8").endswith("row_8;\nint last;\n")
    assert session.outcome["permission_denials"] == []

    why = "Make the exit code tell of failures."
    assert ledger(plugged, "main.c") == [("+1", "-1", why)]
    assert ledger(plugged, "table.c") == [("+2", "-1", why)]
    assert ledger(plugged, "parts/NOTES.md") == [("+2", "-0", why)]
    assert changes(plugged) == [
        *(("book.ipynb", 2, 1), ("main.c", 1, 1), ("parts/NOTES.md", 2, 0), ("table.c", 2, 1)),
    ]
    assert plugged.rows("SELECT DISTINCT kind, session FROM observation WHERE kind = 'change'") == [
        ("change", session.id)
    ]
    # What was removed is found by its text, although nobody saved anything.
    assert why in plugged.lamella("recall", "return failures()", "--path", "main.c")
    # What was said can be looked up, and neither a secret nor what is private has been written anywhere.
    asked = "Make the exit code tell of failures. Its caller [private] has [redacted]."
    assert plugged.rows("SELECT text FROM message WHERE role = 'human'") == [(asked,)]
    assert not {word for word in (SECRET, "Mallory") if word.encode() in everything_in(plugged.data)}
    modes = {path.stat().st_mode & 0o777 for path in plugged.data.rglob("*") if path.is_file()}
    assert modes == {0o600}

    # Uninstalling leaves the memories, and nothing of the plugin.
    plugged.desk.claude(plugged.desk.home, "plugin", "uninstall", "lamella")
    assert list((plugged.desk.home / ".claude" / "plugins" / "data").glob("lamella*")) == []
    without = plugged.session(plugged.writes("one.txt", "One.\n"))
    assert not [name for name in without.seen[0].tools if "lamella" in name]
    assert len(changes(plugged)) == 4


def test_a_second_session_starts_with_what_matters(plugged: Plugged) -> None:
    plugged.lamella("save", STAGING)
    plugged.lamella("import", "server-memory", many_in(plugged.desk.folder), "--project", str(plugged.place))
    first = plugged.session(
        plugged.reads("main.c"),
        plugged.edits("main.c", "return 0", "return 1"),
        *(Calls(SAVE, {"text": note}) for note in NOTES),
        Calls(SAVE, {"text": DECISION, "source": "decision"}),
        prompt="Make the exit code tell of failures.",
    )
    assert plugged.spooled == [], "what a session leaves behind is stored without another session"

    second = plugged.session(Calls(RECALL, {"query": "parts of uploads"}), Says("8 MB."), prompt="Good morning.")
    # Nothing that was asked for belongs to that prompt.
    assert set(contexts(second.seen[0])) == {"SessionStart"}
    start = contexts(second.seen[0])["SessionStart"]
    shown = [
        start.index(text) for text in (DECISION, *reversed(NOTES), "Session: Make the exit code", "main.c +1 -1")
    ]
    assert shown == sorted(shown)
    assert len(start) < 9_000
    assert DECISION in second.replies[0]

    # There was no room for it in the index, but a prompt that clearly belongs to a memory brings it along.
    assert STAGING not in start
    asked = plugged.session(Says("At three."), prompt=ASKS_FOR_STAGING)
    assert STAGING in contexts(asked.seen[0])["UserPromptSubmit"]
    # A session that is resumed still knows its index, and is not given it again.
    resumed = plugged.session(Says("At three."), prompt="Are you sure?", options=("--resume", asked.id))
    assert resumed.id == asked.id
    assert resumed.seen[0].told.count("From lamella, the memory of the project") == 1
    # The index comes back after a compaction. A command of the plugin's shows the status, and asks for nothing.
    compacted = ("--resume", second.id)
    plugged.session(Says("<summary>Uploads.</summary>"), prompt="/compact", options=compacted)
    transcripts = (plugged.desk.home / ".claude" / "projects").rglob(f"{second.id}.jsonl")
    printed = [line for file in transcripts for line in file.read_text("utf-8").splitlines() if PRINTED in line]
    assert [line.partition(PRINTED)[2].partition("</")[0] for line in printed] == [COMPACTED]
    again = plugged.session(Says("There."), prompt="/lamella:status", options=compacted)
    told = again.seen[0].told.partition("Summary:\nUploads.")[2]
    assert DECISION in told
    assert re.search(r"</command-name>\n\nproject +project\n(?s:.*)\n\nRepeat the above to the user", told)

    assert plugged.spooled == []
    given = json.loads(plugged.lamella("status", "--json"))["injected"]
    assert {each["session"] for each in given["sessions"]} == {first.id, second.id, asked.id}
    assert given["tokens"] == sum(each["tokens"] for each in given["sessions"])


def test_code_that_is_moved_is_no_walk_back_and_what_was_removed_for_a_reason_does_not_come_back_unnoticed(
    plugged: Plugged,
) -> None:
    (plugged.place / "main.c").write_text(RETRY + MAIN, encoding="utf-8")

    def then_moves(seen: Seen) -> Calls:
        del seen
        until(lambda: ledger(plugged, "main.c"))
        return plugged.edits("main.c", MAIN, MAIN + RETRY)

    moved = plugged.session(
        plugged.reads("main.c"), plugged.edits("main.c", RETRY, ""), then_moves, prompt="Put main first."
    )
    assert contexts(moved.seen[-1]).get("PreToolUse:Edit") is None
    assert (plugged.place / "main.c").read_text("utf-8") == MAIN + RETRY

    # What the same session removes when it is asked for something else goes for good.
    same = ("--resume", moved.id)
    plugged.session(plugged.edits("main.c", RETRY, ""), prompt=REASON, options=same)
    assert ledger(plugged, "main.c")[-1] == ("+0", "-4", REASON)
    again = plugged.session(
        plugged.edits("main.c", MAIN, RETRY + MAIN),
        plugged.edits("main.c", RETRY, ""),
        plugged.edits("main.c", MAIN, RETRY + MAIN),
        Says("Done."),
        prompt="Make payments more robust.",
        options=same,
    )
    assert again.id == moved.id
    warning = contexts(again.seen[1])["PreToolUse:Edit"]
    assert REASON in warning
    kept = plugged.rows("SELECT title, lower(hex(id)) FROM observation WHERE kind = 'change'")
    (id,) = (id for title, id in kept if title == REASON)
    assert id[:8] in warning
    # It is said once: the third edit walks back as the first did.
    assert len([each for each in again.seen[-1].told.split("PreToolUse:Edit hook") if warning in each]) == 1
    assert (plugged.place / "main.c").read_text("utf-8") == RETRY + MAIN


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
