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
    old = re.search(r"- (\w{8}) Quinces come first\.$", lines[0][-1])
    assert old is not None
    assert [about for *_, about in lines] == [
        f"+ {new[:8]} Quinces are picked last.; - {old[1]} Quinces come first.",
        f"- {plums[:8]} Plums are picked late.; - {pears[:8]} Pears are picked hard.",
    ]

    tried = lamella.run("undo", "--dry-run").out
    assert tried.startswith("Would undo entry 2 (edit, ")
    assert tried.endswith(
        "): 1 memory restored, 1 memory purged.\n"
        f"  + {old[1]} Quinces come first.\n  - {new[:8]} Quinces are picked last.\n"
    )
    done = lamella.run("undo").out
    assert done == tried.replace("Would undo", "Undid") + "To take this back: lamella undo 3\n"
    assert "Quinces come first." in lamella.run("recall", "quinces").out
    assert "): 2 memories restored.\n" in lamella.run("undo").out
    assert len(lamella.listed("picked")) == 2

    lamella.run("purge", pears)
    left = lamella.run("undo", "4").out
    assert left.endswith(
        f"): 1 memory purged.\n  - {plums[:8]} Plums are picked late.\n"
        f"Left alone, as changed since:\n  = {pears[:8]} Pears are picked hard.\n"
        "To take this back: lamella undo 6\n"
    )
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
    kept = lamella.saved("An orchard of plums.")
    lamella.run("purge", kept)
    lamella.run("erase", lamella.saved("Another secret."), "--yes")
    assert lamella.run("undo").err == (
        "The latest change, entry 4, cannot be undone: what was erased is gone for good. "
        "To undo the change before it: lamella undo 3\n"
    )
    assert lamella.listed("orchard") == []


def test_a_log_of_nothing_says_so_and_makes_no_project(lamella: CommandLine) -> None:
    assert lamella.run("log").err == "Nothing was purged, edited, imported or merged yet.\n"
    assert lamella.run("undo").code == 1
    assert not lamella.data.exists()


def test_a_log_is_readable_at_80_columns(lamella: CommandLine) -> None:
    lamella.run("purge", lamella.saved("Plums are picked late."))
    lamella.run("undo")
    shown = lamella.on_terminal("log").out.splitlines()
    assert [line[7:].partition(" ")[0] for line in shown[1:3] + shown[4:]] == ["undoes", "+", "undone", "-"]
    assert shown[0].endswith("user, command line or page")
    assert max(map(len, shown)) <= 80


def test_the_log_of_one_memory_leaves_others_out(lamella: CommandLine) -> None:
    plums, pears = lamella.saved("Plums are picked late."), lamella.saved("Pears are picked hard.")
    for each in (plums, pears):
        lamella.run("purge", each)
    assert [line.split("\t")[0] for line in lamella.run("log", "--id", plums[:8]).out.splitlines()] == ["1"]
    refused = lamella.run("log", "--id", "ffffffff")
    assert (refused.code, "No memories found matching" in refused.err) == (1, True)


def test_what_holds_everywhere_is_in_the_log_of_every_project(lamella: CommandLine) -> None:
    tabs = lamella.saved("Tabs, never spaces.", "--everywhere")
    lamella.run("purge", tabs)
    (line,) = lamella.run("log").out.splitlines()
    assert (line.split("\t")[0], line.split("\t")[-1]) == ("e1", f"everywhere; - {tabs[:8]} Tabs, never spaces.")
    (logged,) = json.loads(lamella.run("log", "--json").out)
    assert (logged["number"], logged["everywhere"], logged["titles"]) == (1, True, {tabs: "Tabs, never spaces."})
    done = lamella.run("undo").out
    assert done.startswith("Undid entry e1 (purge, everywhere, ")
    assert done.endswith(f"  + {tabs[:8]} Tabs, never spaces.\nTo take this back: lamella undo e2\n")
    assert lamella.run("undo", "e2").out.startswith("Undid entry e2 (undo, restore, everywhere, ")
    refused = lamella.run("undo", "x2")
    assert (refused.code, "'x2' is no number of the log, such as 3 or e3." in refused.err) == (2, True)
