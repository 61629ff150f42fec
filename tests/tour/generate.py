"""Plays a day with the real Claude Code, and writes the tour of it, `docs/tour.md`, anew.

    make tour

Claude Code is installed as the end-to-end tests install it. A script speaks for the user and for the model,
offline: `day.toml` has what they say, `project.toml` what they work on. What lamella says is kept to the letter,
but for what differs from run to run (`page.Neutral`), so that the next page shows what has changed in lamella.
"""

import re
import tempfile
from pathlib import Path

from lamella.container import running
from lamella.domain.call import Call
from lamella.settings import Settings
from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.node_clients import installed
from tests.end_to_end.clients.plugged import RECALL, SAVE, Plugged, contexts
from tests.end_to_end.clients.scripted_messages import Calls, Seen
from tests.end_to_end.support.unhurried import ROOT
from tests.tour import changes, day, figures, monorepo, project
from tests.tour.conversation import Conversation
from tests.tour.page import CLAUDE, LAMELLA, SAID, SHELL, YOU, Neutral, Page, call, left_out, tokens
from tests.tour.play import AT_EDIT, AT_PROMPT, AT_START, MEANING, WORDS, Answered, Day

TOUR = ROOT / "docs" / "tour.md"

_SHOWN = 2
"""Boxes of the same kind."""

_Said = tuple[tuple[str, str], ...]
_SHORT_ID = re.compile(r"\b[0-9a-f]{8}\b")


def main() -> None:
    """Play the day and write the page."""
    with tempfile.TemporaryDirectory(prefix="tour") as folder:
        desk = Desk(Path(folder).resolve(), installed())
        plugged = Plugged(desk, Path(desk.shell(desk.home, "plugin").strip()))
        today = Day(plugged, Page(Neutral(desk.folder)))
        for commit in project.COMMITS:
            today.commit(commit)
        today.commit(project.ELSEWHERE, project.OTHER)
        introduce(today.page)
        save(today)
        words, meaning = today.answered(WORDS), today.answered(MEANING)
        begin(today, words)
        ask(today, words)
        prompt(today, words)
        correct(today)
        warn(today)
        changes.person(today)
        changes.branch(today)
        forget(today)
        elsewhere(today)
        changes.move(today)
        packages(today)
        compact(today)
        figures.add(today, words, meaning)
        TOUR.write_text(str(today.page), encoding="utf-8")


def introduce(page: Page) -> None:
    """Say what the page is."""
    page.add(*SAID["introduce"])


def save(today: Day) -> None:
    """Four sessions in which things change and forty memories are saved."""
    asked = "Stop charge() from retrying, two customers paid twice in March."
    first, *_ = today.saves(
        day.PAYMENTS,
        asked,
        today.reads("ferry/payments.py"),
        today.edits("ferry/payments.py", project.RETRY, project.ONCE),
    )
    today.saves(
        day.SEATS,
        "Hold seats for 15 minutes, the ticket machines are slow.",
        today.reads("ferry/seats.py"),
        today.edits("ferry/seats.py", "HOLD_MINUTES = 5", "HOLD_MINUTES = 15"),
    )
    today.saves(
        day.OPERATIONS,
        "Mail tickets as text with a link, the PDF lands in spam.",
        today.reads("ferry/mail.py"),
        today.edits("ferry/mail.py", "attachment=pdf.ticket(booking)", "text=links.ticket(booking)"),
    )
    today.saves(day.REST, "Write down what else a newcomer has to know.")
    today.page.add(*SAID["save"])
    today.page.box(
        (YOU, asked),
        (CLAUDE, "Edit(ferry/payments.py)"),
        (CLAUDE, call("save_memory", day.PAYMENTS[0].arguments)),
        (LAMELLA, first),
    )
    today.page.add(*SAID["save_2"])
    today.page.box(
        (SHELL, "lamella ledger ferry/payments.py"), (LAMELLA, today.shell("ledger", "ferry/payments.py"))
    )
    today.page.add(f"Three more sessions like this one, and the project has {len(day.MEMORIES)} memories.")


def begin(today: Day, words: Answered) -> None:
    """The index of a new session."""
    today.page.add(*SAID["begin"])
    today.page.box((LAMELLA, left_out(words.index, 3)))


def ask(today: Day, words: Answered) -> None:
    """Questions in other words, found and missed, and one about something else."""
    found, missed = list[_Said](), list[_Said]()
    for (question, key), reply in zip(day.QUESTIONS, words.replies, strict=True):
        box: _Said = ((CLAUDE, call("recall", {"query": question})), (LAMELLA, reply))
        rank = today.rank(reply, key)
        if rank < 2:
            (found if rank else missed).append(box)
    today.page.add(*SAID["ask"])
    for said in found[:_SHOWN]:
        today.page.box(*said)
    today.page.add(*SAID["ask_2"])
    today.page.box(*missed[0])
    today.page.add(
        f"[The figures](#the-day-in-figures) show how well all {len(day.QUESTIONS)} questions were answered. "
        "If no memory matches well, the reply says so:"
    )
    today.page.box((CLAUDE, call("recall", {"query": day.UNRELATED})), (LAMELLA, words.unrelated))


def prompt(today: Day, words: Answered) -> None:
    """Prompts that bring a memory along, and one that doesn't."""
    today.page.add(*SAID["prompt"])
    right = [
        (said, shown)
        for (said, key), shown in zip(day.PROMPTS, words.prompts, strict=True)
        if today.shows(shown, key)
    ]
    for said, shown in right[:_SHOWN]:
        today.page.box((YOU, said), (LAMELLA, shown))
    if not right:
        today.page.add(SAID["prompt_2"][0])
    today.page.add("If no memory belongs to a prompt, lamella stays silent:")
    silent = next(said for said, shown in zip(day.OTHER_PROMPTS, words.others, strict=True) if not shown)
    today.page.box((YOU, silent), (LAMELLA, "(nothing)"))


def correct(today: Day) -> None:
    """A file has changed since a memory was saved, which is then corrected."""
    today.commit(project.BY_HAND)
    old, query = today.ids["cache"], "departures cached"
    asked = "Passengers see gates that have changed. How old may departures be?"
    with today.talk() as claude:
        turn = claude.says(
            asked,
            Calls(RECALL, {"query": query, "limit": 3}),
            today.reads("ferry/timetable.py"),
            Calls(SAVE, {**day.CORRECTED.arguments, "replaces": [today.short("cache")]}),
            Calls(RECALL, {"id": old[:8]}),
            Calls(RECALL, {"query": query, "limit": 3}),
        )
    found, _, saved, replaced, again = turn.replies
    today.learn(day.CORRECTED, saved)
    today.page.add(*SAID["correct"])
    today.page.box((YOU, asked), (CLAUDE, call("recall", {"query": query, "limit": 3})), (LAMELLA, found))
    today.page.add("Claude looks at the file, and replaces the old memory:")
    today.page.box(
        (CLAUDE, "Read(ferry/timetable.py)"),
        (CLAUDE, call("save_memory", {**day.CORRECTED.arguments, "replaces": [old[:8]]})),
        (LAMELLA, saved),
        (CLAUDE, call("recall", {"id": old[:8]})),
        (LAMELLA, replaced),
        (CLAUDE, call("recall", {"query": query, "limit": 3})),
        (LAMELLA, again),
    )


def warn(today: Day) -> None:
    """An edit brings back what was removed for a reason."""
    asked = "Payments fail while the bank is slow. Make them more robust."
    path = "ferry/payments.py"

    def looks(seen: Seen) -> Calls:
        (id, *_) = _SHORT_ID.findall(contexts(seen)[AT_EDIT].partition("\n")[2])
        return Calls(RECALL, {"id": id, "detail": "full"})

    with today.talk() as claude:
        turn = claude.says(
            asked,
            today.reads(path),
            today.edits(path, project.ONCE, project.RETRY),
            looks,
            today.edits(path, project.RETRY, project.ONCE),
            last="I took that back: charge() must not retry.",
        )
    warning = turn.contexts[AT_EDIT]
    (id, *_) = _SHORT_ID.findall(warning.partition("\n")[2])
    (full,) = (each for each in turn.replies if each.startswith(f"--- {id}"))
    today.page.add(*SAID["warn"])
    today.page.box(
        (YOU, asked),
        (CLAUDE, f"Edit({path})"),
        (LAMELLA, warning),
        (CLAUDE, call("recall", {"id": id, "detail": "full"})),
        (LAMELLA, full),
        (CLAUDE, f"Edit({path})"),
        (CLAUDE, "I took that back: charge() must not retry."),
    )


def forget(today: Day) -> None:
    """A memory is purged and restored."""
    ids = [today.short("screenshots")]
    query = {"query": "width of screenshots in the manual", "limit": 3}
    with today.talk() as claude:
        gone = claude.says(
            "Forget the note about screenshots.",
            Calls(RECALL, {"ids": ids, "action": "purge"}),
            Calls(RECALL, query),
            Calls(RECALL, {"ids": ids}),
        )
        back = claude.says("No, keep it after all.", Calls(RECALL, {"ids": ids, "action": "restore"}))
    today.page.add("## Forget, and change your mind", "Memories purged by Claude are not lost.")
    today.page.box(
        (YOU, gone.prompt),
        (CLAUDE, call("recall", {"ids": ids, "action": "purge"})),
        (LAMELLA, gone.replies[0]),
        (CLAUDE, call("recall", query)),
        (LAMELLA, gone.replies[1]),
        (CLAUDE, call("recall", {"ids": ids})),
        (LAMELLA, gone.replies[2]),
        (YOU, back.prompt),
        (CLAUDE, call("recall", {"ids": ids, "action": "restore"})),
        (LAMELLA, back.replies[0]),
    )


def elsewhere(today: Day) -> None:
    """What holds everywhere is known in another project."""
    with today.talk(project.OTHER) as claude:
        turn = claude.says(
            "Commit this.", Calls(RECALL, {"query": "wording of a commit message"}), last="Committed."
        )
    today.page.add(*SAID["elsewhere"])
    commits = day.REST[-1]
    today.page.box((CLAUDE, call("save_memory", commits.arguments)))
    today.page.add("You open another repository, still unknown to lamella.")
    today.page.box(
        (LAMELLA, turn.contexts.get(AT_START, "(nothing)")),
        (YOU, turn.prompt),
        *([(LAMELLA, turn.contexts[AT_PROMPT])] if AT_PROMPT in turn.contexts else []),
        (CLAUDE, call("recall", {"query": "wording of a commit message"})),
        (LAMELLA, turn.replies[0]),
    )


def packages(today: Day) -> None:
    """In a monorepo the index is that of the package."""
    root = today.plugged.desk.folder / "shop"
    monorepo.repository(root)
    with running(Settings(data_directory=today.plugged.data, embedder="none")) as lamella:
        monorepo.fill(lamella, Call(directory=root))
    with Conversation(today.plugged.desk, root / "packages" / monorepo.WORKED_ON, WORDS) as claude:
        turn = claude.says("Which mails go out tonight?", last="Those of the queue.")
        asked = claude.says("Warn accounts in dunning by mail before rebill_all() runs.", last="It is on.")
    index = turn.contexts.get(AT_START, "(nothing)")
    mine, every = index.count(f" of {monorepo.WORKED_ON} "), monorepo.ITS_NOTES
    whole = sum(each[:40] in index for each in monorepo.DECISIONS)
    decisions = f"{whole} of the" if whole < len(monorepo.DECISIONS) else "all"
    decisions += f" {len(monorepo.DECISIONS)} common decisions"
    counted = f"The index contains {mine} of the package's {every} notes and {decisions}"
    today.page.add(*SAID["packages"], f"{counted}, in {tokens(today.page.neutral.text(index)):,} tokens:")
    today.page.box((LAMELLA, left_out(index, 3)))
    today.page.add(*SAID["packages_2"])
    today.page.box((YOU, asked.prompt), (LAMELLA, asked.contexts.get(AT_PROMPT, "(nothing)")))


def compact(today: Day) -> None:
    """The index comes back after a compaction."""
    with today.talk() as claude:
        claude.says("What is left to do today?", last="The harbour office waits for the winter timetable.")
        claude.says("/compact", last="<summary>\nThe winter timetable is left to do.\n</summary>")
        turn = claude.says("Go on with the winter timetable.")
    today.page.add(*SAID["compact"])
    today.page.box((YOU, "/compact"), (LAMELLA, left_out(turn.contexts.get(AT_START, "(nothing)"), 1)))


if __name__ == "__main__":
    main()
