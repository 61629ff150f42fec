"""The command that corrects a memory in an editor: nothing typed into it is lost."""

import json
import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from lamella_adapters.cli.memories.edit import unchanged
from tests.end_to_end.support.command_line import LAMELLA, CommandLine, Done
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

TYPED = "Pears\nkeywords:\n\nPears are picked late.\n"


def editor(lamella: CommandLine, typed: bytes | str, *, then: str = "") -> dict[str, str]:
    """Return an environment with an editor that writes a text, and runs a command."""
    folder = lamella.directory.parent
    source, script = folder / "typed.md", folder / "an editor"
    source.write_bytes(typed if isinstance(typed, bytes) else typed.encode())
    script.write_text(f'#!/bin/sh\ncp {shlex.quote(str(source))} "$1"\n{then}\n', "utf-8")
    script.chmod(0o700)
    (folder / "tem p").mkdir(exist_ok=True)
    return {"VISUAL": str(script), "EDITOR": "false", "TMPDIR": str(folder / "tem p")}


def shell(lamella: CommandLine, typed: str) -> Done:
    """Run what a user copies from an error, with another editor in VISUAL."""
    environment = {**lamella.environment, "PATH": f"{LAMELLA.parent}:{os.environ['PATH']}", "VISUAL": "false"}
    done = subprocess.run(
        ["/bin/sh", "-ec", typed],
        cwd=lamella.directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def kept(refused: Done) -> Path:
    """Return the private file with a refused text."""
    file = Path(refused.err.partition("Your text is in ")[2].partition(". To save")[0])
    assert (refused.code, file.stat().st_mode & 0o777) == (1, 0o600), refused
    return file


def advised(refused: Done) -> str:
    """Return the commands that an error advises to run."""
    return refused.err.rpartition("run:\n")[2]


def saved(lamella: CommandLine) -> tuple[str, str]:
    """Return title and text of the latest memory."""
    memory = json.loads(lamella.run("recall", "--json").out)[0]["memory"]
    return memory["title"], memory["content"]


def test_a_refused_text_is_kept_and_can_be_edited_again(lamella: CommandLine) -> None:
    typed = f"Pears\n\n{'x' * 10_001}\n"
    id = lamella.saved("Pears are picked hard.")
    refused = lamella.run("edit", id, env=editor(lamella, typed))
    assert kept(refused).read_text("utf-8") == typed
    assert "at most 10000 characters" in refused.err
    kept(refused).write_text(TYPED, "utf-8")
    assert shell(lamella, advised(refused)).code == 0
    assert "are picked late." in lamella.run("recall").out


@cases
def test_a_text_that_cannot_be_saved_is_kept_as_it_is(lamella: CommandLine, typed: bytes, reason: str) -> None:
    id = lamella.saved("Pears are picked hard.")
    refused = lamella.run("edit", id, env=editor(lamella, typed))
    assert (refused.err.partition("\n")[0], kept(refused).read_bytes()) == (reason, typed)
    kept(refused).write_text(TYPED, "utf-8")
    assert shell(lamella, advised(refused)).code == 0


def test_a_text_is_kept_if_the_editor_fails_or_is_interrupted(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    failed = lamella.run("edit", id, env=editor(lamella, TYPED, then="exit 3"))
    assert "Editing failed.\nYour text is in " in failed.err
    assert kept(failed).read_text("utf-8") == TYPED
    assert shell(lamella, advised(failed)).code == 0
    new = lamella.listed()[0]
    stopped = lamella.run("edit", new, env=editor(lamella, "Plums\n\nPlums.\n", then="kill -INT $PPID"))
    file = Path(stopped.err.partition("Your text is in ")[2].rstrip(".\n"))
    assert (stopped.code, file.read_text("utf-8")) == (128 + signal.SIGINT, "Plums\n\nPlums.\n")


def test_a_file_that_is_gone_is_not_missed(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    failed = lamella.run("edit", id, env=editor(lamella, TYPED, then='rm "$1"; exit 3'))
    assert (failed.code, failed.err.endswith("Editing failed\n")) == (1, True)


@pytest.mark.parametrize("then", ["", "; exit 3"])
def test_a_folder_in_place_of_the_file_is_named(lamella: CommandLine, then: str) -> None:
    id = lamella.saved("Pears are picked hard.")
    failed = lamella.run("edit", id, env=editor(lamella, TYPED, then=f'rm "$1"; mkdir "$1"{then}'))
    reason, _, folder = failed.err.strip().partition(" in place of the file: ")
    assert (failed.code, reason.rpartition(": Editing failed: ")[2]) == (1, "it left a folder")
    assert Path(folder).is_dir()


def test_an_editor_that_does_not_wait_is_told_how_to() -> None:
    advice = " If it is still open, make it wait: VISUAL='code -n --wait' lamella edit 1"
    told = [unchanged("code -n", seconds, "lamella edit 1") for seconds in (0.1, 60)]
    assert told[0] == told[1] + advice
    advice = " If it is still open, it ignores --wait: set VISUAL to an editor that waits."
    assert unchanged("true --wait", 0.1, "lamella edit 1") == told[1] + advice


@pytest.mark.parametrize("title", ["", "\ufeffPears"])
@pytest.mark.parametrize("text", ["a\r\nb\u200f\u202e\xad", "  a\n  b", "a\rb"])
def test_what_was_not_edited_is_unchanged(lamella: CommandLine, title: str, text: str) -> None:
    id = lamella.saved(text, "--title", title)
    said = "The editor ended without a change: nothing was saved."
    assert lamella.run("edit", id, env={"VISUAL": "true"}).out.startswith(said)
    assert lamella.run("edit", id, env={"VISUAL": "sed -i 2s/$/fruit/"}).code == 0
    assert saved(lamella)[1] == text


def test_byte_order_marks_and_line_ends_of_an_editor_are_left_out(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    lamella.run("edit", id, env=editor(lamella, "\ufeff  Pears\r\n\r\n  - soft\r\n  - late\r\n"))
    assert saved(lamella) == ("Pears", "  - soft\n  - late")
    lamella.run("edit", lamella.listed()[0], env=editor(lamella, "  - late\n"))
    assert saved(lamella) == ("- late", "- late")


def test_a_text_for_a_memory_that_was_replaced_meanwhile_replaces_the_newest(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    second = f"{LAMELLA} save 'Pears are picked.' --replaces {id}"
    latest = f"{LAMELLA} recall | sed -n 's/^.1. \\([^ ]*\\).*/\\1/p'"
    third = f"{LAMELLA} save 'Pears are ripe.' --replaces $({latest})"
    refused = lamella.run("edit", id, env=editor(lamella, TYPED, then=f"{second}\n{third}"))
    (newest,) = lamella.listed()
    assert kept(refused).read_text("utf-8") == TYPED
    assert f"The memory {id[:8]} was replaced by {newest} (Pears are ripe.).\n" in refused.err
    done = shell(lamella, advised(refused))
    assert (done.code, f"Replaced: {newest}" in done.out) == (0, True), done


def test_a_text_for_a_memory_that_was_purged_meanwhile_is_saved_after_restoring_it(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    refused = lamella.run("edit", id, env=editor(lamella, TYPED, then=f"{LAMELLA} purge {id}"))
    assert refused.err.startswith(f"The memory {id[:8]} was purged.\nYour text is in ")
    assert advised(refused).startswith(f"lamella restore {id[:8]}\nVISUAL=")
    done = shell(lamella, advised(refused))
    assert (done.code, f"Replaced: {id[:8]}" in done.out) == (0, True), done


def test_a_text_for_a_memory_that_a_split_moved_meanwhile_is_saved_in_its_project(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    lamella.directory.with_name("meadow").mkdir()
    meadow = evolve(lamella, directory=lamella.directory.with_name("meadow"))
    meadow.saved("Hay is cut in June.")
    old = lamella.directory.name
    assert meadow.run("project", "merge", old, "meadow").code == 0
    refused = meadow.run("edit", id, env=editor(meadow, TYPED, then=f"{LAMELLA} project split {old}"))
    assert refused.err.startswith(f"The memory {id[:8]} is in another project now: {old}.\nYour text is in ")
    done = shell(meadow, advised(refused))
    assert (done.code, f"Replaced: {id[:8]}" in done.out) == (0, True), done


def test_a_text_for_a_memory_that_was_erased_meanwhile_is_saved_anew(lamella: CommandLine) -> None:
    lamella.saved("Plums are sweet.")
    id = lamella.saved("Pears are picked hard.", "--source", "decision", "--everywhere")
    typed = "Ada's\u202e 9 %\\ pears\nkeywords: late fruit\n\nPears are <private>ours and</private> picked late.\n"
    env = editor(lamella, typed, then=f"{LAMELLA} erase --yes {id}")
    refused = lamella.run("edit", id, env=env)
    assert refused.err.startswith(f"The memory {id[:8]} was erased.\n")
    assert "\\u{202E}" not in refused.err
    assert kept(refused).read_text("utf-8") == "Pears are <private>ours and</private> picked late."
    done = shell(lamella, advised(refused))
    assert (done.code, "Left out: parts marked as private." in done.out) == (0, True), done
    (found,) = json.loads(lamella.run("recall", "pears", "--json").out)
    memory = {"title": "Ada's\u202e 9 %\\ pears", "keywords": "late fruit", "source": "decision"}
    assert memory.items() <= found["memory"].items()
    assert found["memory"]["content"] == "Pears are [private] picked late."
    assert lamella.run("recall", "pears").out.partition("\n")[0].endswith(" | everywhere")


def test_advice_names_the_project(lamella: CommandLine) -> None:
    (lamella.directory.parent / "an orchard").mkdir()
    id = evolve(lamella, directory=lamella.directory.parent / "an orchard").saved("Pears are picked hard.")
    refused = lamella.run("edit", id, "--project", "an orchard", env=editor(lamella, b"\xff"))
    kept(refused).write_text(TYPED, "utf-8")
    assert advised(refused).rstrip().endswith(f"lamella edit {id[:8]} --project 'an orchard'")
    assert shell(lamella, advised(refused)).code == 0


def test_a_text_is_kept_while_memory_is_off(lamella: CommandLine) -> None:
    id = lamella.saved("Pears are picked hard.")
    refused = lamella.run("edit", id, env=editor(lamella, TYPED, then=f"{LAMELLA} project off"))
    first, second, *_ = refused.err.splitlines()
    assert (first.rpartition(": ")[2], second.partition(" in ")[0]) == ("lamella project on", "Your text is")
    assert shell(lamella, f"lamella project on\n{advised(refused)}").code == 0
