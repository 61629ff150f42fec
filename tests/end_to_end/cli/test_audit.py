"""The log of changes, and undo, from the command line."""

import json
import re

from tests.end_to_end.support.command_line import CommandLine


def test_a_day_of_mistakes_is_taken_back(lamella: CommandLine) -> None:
    plums, pears = lamella.saved("Plums are picked late."), lamella.saved("Pears are picked hard.")
    lamella.run("purge", plums, pears)
    new = lamella.saved("Quinces are picked last.", "--replaces", lamella.saved("Quinces come first."))
    lines = [line.split("\t") for line in lamella.run("log").out.splitlines()]
    assert [(number, kind, count) for number, _, kind, count, *_ in lines] == [
        ("2", "edit", "2"),
        ("1", "purge", "2"),
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", when) for _, when, *_ in lines)
    assert [who for *_, who, _, _ in lines] == ["user", "user"]
    assert lines[0][-1].startswith(new[:8])

    tried = lamella.run("undo", "--dry-run").out
    assert tried.startswith("Would undo entry 2 (edit, ")
    assert tried.endswith("): 1 memory restored, 1 memory purged.\n")
    done = lamella.run("undo").out
    assert done == tried.replace("Would undo", "Undid") + "To take this back: lamella undo 3\n"
    assert "Quinces come first." in lamella.run("recall", "quinces").out
    assert "): 2 memories restored." in lamella.run("undo").out
    assert len(lamella.listed("picked")) == 2

    lamella.run("purge", pears)
    left = lamella.run("undo", "4").out
    assert f"): 1 memory purged.\nLeft alone, as changed since: {pears[:8]}\n" in left
    assert lamella.run("undo", "4").err == "Entry 4 was undone by entry 6. To take that back: lamella undo 6\n"


def test_an_erase_is_in_the_log_without_ids_and_cannot_be_undone(lamella: CommandLine) -> None:
    gone = lamella.saved("A secret orchard.")
    lamella.run("purge", gone)
    lamella.run("erase", gone, "--yes")
    erased, purged = json.loads(lamella.run("log", "--json").out)
    assert (erased["action"], erased["count"], erased["actor"], erased["purged"]) == ("erase", 1, "user", [])
    assert (purged["action"], purged["count"], purged["purged"]) == ("purge", 1, [])
    assert lamella.run("undo", "2").err == (
        "Entry 2 cannot be undone: what was erased is gone for good. To see what was changed: lamella log\n"
    )
    assert lamella.run("undo").err == "There is nothing to undo. To see what was changed: lamella log\n"


def test_a_log_of_nothing_says_so_and_makes_no_project(lamella: CommandLine) -> None:
    assert lamella.run("log").err == "Nothing was purged, edited, imported or merged yet.\n"
    assert lamella.run("undo").code == 1
    assert not lamella.data.exists()


def test_a_log_is_readable_at_80_columns(lamella: CommandLine) -> None:
    lamella.run("purge", lamella.saved("Plums are picked late."))
    lamella.run("undo")
    shown = lamella.on_terminal("log").out.splitlines()
    assert len(shown) == 4
    assert shown[0].endswith("user, command line or page")
    assert max(map(len, shown)) <= 80


def test_the_log_of_one_memory_leaves_others_out(lamella: CommandLine) -> None:
    plums, pears = lamella.saved("Plums are picked late."), lamella.saved("Pears are picked hard.")
    for each in (plums, pears):
        lamella.run("purge", each)
    assert [line.split("\t")[0] for line in lamella.run("log", "--id", plums[:8]).out.splitlines()] == ["1"]
    refused = lamella.run("log", "--id", "ffffffff")
    assert (refused.code, "No memories found matching" in refused.err) == (1, True)
