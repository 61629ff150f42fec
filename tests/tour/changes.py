"""Parts of the day in which the user changes the code by hand, works on a branch, and moves a project."""

import re
import shlex

from tests.end_to_end.clients.plugged import RECALL, SAVE
from tests.end_to_end.clients.scripted_messages import Calls
from tests.end_to_end.git.git_repository import Repository
from tests.tour import day, project
from tests.tour.page import CLAUDE, LAMELLA, SAID, SHELL, YOU, call
from tests.tour.play import AT_EDIT, AT_START, Day

_MERGE = re.compile(r"\S*lamella (project merge \S+ \.)")


def person(today: Day) -> None:
    """An edit brings back what the user removed and committed."""
    today.commit(project.REMOVED)
    asked, path = "Places that nobody paid for stay taken. Give them back.", "ferry/seats.py"
    learned = today.shell("ledger", "--backfill")
    with today.talk() as claude:
        turn = claude.says(
            asked,
            today.reads(path),
            today.edits(path, project.HOLDS, project.GIVES_BACK),
            today.edits(path, project.GIVES_BACK, project.HOLDS),
            last="I took that back: the database expires holds.",
        )
    today.page.add(*SAID["person"])
    today.page.box(
        (SHELL, f'git commit -m "{project.REMOVED.subject}"'),
        (SHELL, "lamella ledger --backfill"),
        (LAMELLA, learned),
        (YOU, asked),
        (CLAUDE, f"Edit({path})"),
        (LAMELLA, turn.contexts.get(AT_EDIT, "(nothing)")),
        (CLAUDE, "I took that back: the database expires holds."),
    )


def branch(today: Day) -> None:
    """A memory of another branch says so until that is merged."""
    repository = Repository(today.place)
    repository.git("switch", "--quiet", "--create", project.BRANCH)
    today.commit(project.BRANCHED)
    with today.talk() as claude:
        saved = claude.says("Fares are lower in winter, but not at weekends.", Calls(SAVE, day.BRANCHED.arguments))
    today.learn(day.BRANCHED, saved.replies[0])
    repository.git("switch", "--quiet", "main")
    query = {"query": "winter fares at weekends", "limit": 1}
    with today.talk() as claude:
        apart = claude.says("What do tickets cost in winter?", Calls(RECALL, query))
        repository.git("merge", "--quiet", project.BRANCH)
        merged = claude.says("I merged the branch. And now?", Calls(RECALL, query))
    asked = (CLAUDE, call("recall", query))
    today.page.add(*SAID["branch"])
    today.page.box((YOU, apart.prompt), asked, (LAMELLA, apart.replies[0]))
    today.page.add(*SAID["branch_2"])
    today.page.box(
        (SHELL, f"git merge {project.BRANCH}"), (YOU, merged.prompt), asked, (LAMELLA, merged.replies[0])
    )


def move(today: Day) -> None:
    """A project whose folder was renamed is found again."""
    with today.talk(project.OTHER) as claude:
        saved = claude.says("The whale goes back in June, without the plinth.", Calls(SAVE, day.LENT.arguments))
    today.learn(day.LENT, saved.replies[0])
    place = (today.plugged.desk.folder / project.OTHER).rename(today.plugged.desk.folder / project.MOVED)
    with today.talk(project.MOVED) as claude:
        lost = claude.says("What do we have to know about the whale?").contexts.get(AT_START, "(nothing)")
    (command,) = _MERGE.findall(lost)
    lost = _MERGE.sub(r"lamella \1", lost)
    joined = today.plugged.desk.shell(place, *shlex.split(command))
    query = {"query": "whale"}
    with today.talk(project.MOVED) as claude:
        found = claude.says("What do we have to know about the whale?", Calls(RECALL, query))
    today.page.add(*SAID["move"])
    today.page.box((SHELL, f"mv {project.OTHER} {project.MOVED}"), (LAMELLA, lost))
    today.page.add(*SAID["move_2"])
    today.page.box(
        (SHELL, f"lamella {command}"),
        (LAMELLA, joined),
        (YOU, found.prompt),
        (CLAUDE, call("recall", query)),
        (LAMELLA, found.replies[0]),
    )
