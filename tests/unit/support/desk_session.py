"""Sessions at a desk; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.support.desk_session FILE ... writes what they print now.

    $ save "Ship it." replaces=1,2    a memory; prints its number, which is its name from now on, and notes
    $ file a.py "+a = 1"              a changed file; without lines only its name is known
    $ absent a.py                     a path at which there is nothing
    $ recall tabs detail=full         what is found; also `id=00000001`, `ids=...`, `title=...`, or the latest
    $ messages "why retry"            messages that are found; `message 1` is one with those around it
    $ conversation a1                 the conversation that is named, and what was said
    $ timeline anchor=2 before=1      the memories around another one or a time
    $ get 1 2                         the texts of memories by their full ids, and the ids that are none
    $ saves 3                         memories that are called by their numbers
    $ purge 1 2                       also `restore`, `erase`
    $ live                            the texts of the memories that aren't purged, or of a project of this name
    $ said "Why?" session=s           a message of a conversation, `forget s` erases it, and `sessions` lists all
    $ about 1                         all that is known of a memory, or of those that aren't purged
    $ log                             changes, latest first; with `names=1` memories as well
    $ undo 3 dry_run=yes              the latest change, or one that is named; `after=3` all after one
    $ possible                        changes that can be undone
    $ at /srv/shop                    from now on in another folder; `in shop` in a project that is named,
                                      `set shop` in one that is the user's default
    $ call session=s request=7        from now on by calls like this
    $ projects                        names of projects that aren't merged, with their aliases
    $ merge shop mill                 one project into another; also `split`, and `preview split shop`
    $ sizes                           numbers of live and purged memories and of messages, by project
    $ repository /srv/shop            a folder with a repository, which has `traces root:1`; it may be `gone`
    $ moved                           which project may have moved to where we are
    $ imported 1 2                    these came with an import
    $ off                             memory is switched off in the project; also `on`
    $ hide                            from now on without what holds everywhere
    $ wait 60                         as many minutes

A word like `name=value` is an option, and is true if it is `yes`. Words have escapes such as `\\n`. `! ` begins a
refusal.
"""

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, ClassVar

from attrs import define, fields

from lamella.application.memories.save import SaveRequest
from lamella.application.memories.timeline import TimelineRequest
from lamella.application.projects.manage import MergeProjects, SplitProject
from lamella.application.projects.moved import moved_here
from lamella.application.projects.sizes import MeasureProjects
from lamella.application.projects.switch import SwitchProject
from lamella.domain.audit.entry import Action, AuditEntry, Signature, named_entry
from lamella.domain.conversations.message import Role
from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Mode, Recent, Selector
from lamella.domain.replies.views import Detail
from lamella.ports.storage.observations import Added
from tests.end_to_end.support.sessions import Player, Step, write_anew
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import numbered
from tests.unit.support.tables import text
from tests.unit.support.telling import about, ids, numbers, size

_OPTION = re.compile("[a-z_]+=")


@define
class DeskShell(Player):
    """Interpreter of sessions at a desk."""

    desk: Desk
    shorthand: ClassVar[tuple[str, str]] = ("", "")
    """A word of sessions, and the text that it stands for."""

    def answer(self, step: Step) -> list[str]:
        word, meant = self.shorthand
        return [line.replace(meant, word) for line in self._done(step.typed.replace(word, meant))]

    def _done(self, typed: str) -> list[str]:
        command, *given = map(text, shlex.split(typed))
        words = [each for each in given if not _OPTION.match(each)]
        named = (each.split("=", 1) for each in given if _OPTION.match(each))
        options = {name: value if value != "yes" else True for name, value in named}
        try:
            return list(getattr(self, f"_{command}")(*words, **options))
        except LamellaError as error:
            return [f"! {error}"]

    def _save(self, content: str, **options: Any) -> Iterator[str]:
        lists: dict[str, Any] = {
            name: tuple(options.pop(name).split(",")) for name in ("paths", "replaces") if name in options
        }
        if "replaces" in lists:
            lists["replaces"] = ids(lists["replaces"])
        saved = self.desk.saving(SaveRequest(text=content, **lists, **options))
        more = "" if saved.added is Added.NEW else f" {saved.added}"
        yield f"{numbers([saved.observation.id])}{more}"
        yield from saved.report()[2:]

    def _saves(self, count: str) -> Iterator[str]:
        for number in range(int(count)):
            self.desk.save(f"memory {number + 1}")
        yield from ()

    def _file(self, path: str, *lines: str) -> list[str]:
        counts = [sum(each.startswith(sign) for each in lines) for sign in "+-"]
        change = CodeChange(
            path=path, additions=counts[0], deletions=counts[1], hunks="\n".join(["@@ @@", *lines])
        )
        self.desk.tree.known[path] = change
        return []

    def _absent(self, *paths: str) -> list[str]:
        self.desk.tree.absent = frozenset(paths)
        return []

    def _recall(self, question: str = "", **options: Any) -> list[str]:
        by: dict[str, Callable[[str], Selector]] = {
            "id": ById,
            "title": ByTitle,
            "ids": lambda given: ByIds(tuple(given.split(","))),
        }
        named = [make(options.pop(name)) for name, make in by.items() if name in options]
        asked = ByText(question, Mode(options.pop("mode", "auto")))
        selector = [*named, asked if question else Recent()][0]
        given: dict[str, Any] = {
            name: int(value) if str(value).isdecimal() else value for name, value in options.items()
        }
        filters = Filters(**{each.name: given.pop(each.name) for each in fields(Filters) if each.name in given})
        detail = Detail(given.pop("detail", "compact"))
        return self.desk.recall(selector, detail, filters=filters, **given).split("\n")

    def _timeline(self, **options: str) -> Iterator[str]:
        given: dict[str, Any] = {
            name: int(value) if name in ("before", "after") else value for name, value in options.items()
        }
        if "anchor" in options:
            (given["anchor"],) = ids([options["anchor"]])
        around = self.desk.timeline(self.desk.call, TimelineRequest(**given))
        at = around.anchor
        yield f"around {at:%H:%M:%S}" if isinstance(at, datetime) else f"around {numbers([at])}"
        yield f"{' '.join(each.content for each in around.shown)}{' ...' if around.has_more else ''}"
        yield f"{around.total_before} before, {around.total_after} after"

    def _get(self, *words: str) -> list[str]:
        found = self.desk.get(self.desk.call, ids(words))
        return [*(each.content for each in found.observations), *(f"missing: {each}" for each in found.missing)]

    def _purge(self, *words: str) -> list[str]:
        return self.desk.purge(self.desk.call, ids(words)).report("Purged")

    def _restore(self, *words: str) -> list[str]:
        return self.desk.restore(self.desk.call, ids(words)).report("Restored")

    def _erase(self, *words: str) -> list[str]:
        return self.desk.erase(self.desk.call, ids(words)).report("Erased")

    def _live(self, project: str = "") -> list[str]:
        named = self.desk.at(project=self.desk.storage.registry.named(project).id) if project else self.desk
        return [each.content for each in named.everything if not each.purged]

    def _said(self, *texts: str, role: str = "human", **options: str) -> list[str]:
        self.desk.said(*texts, role=Role(role), **options)
        return []

    def _forget(self, session: str) -> list[str]:
        return [f"{self.desk.erase_conversation(self.desk.call, session)} erased"]

    def _messages(self, question: str) -> list[str]:
        return self.desk.recall_messages(self.desk.call, question).split("\n")

    def _message(self, number: str) -> list[str]:
        return self.desk.show_message(self.desk.call, int(number)).split("\n")

    def _conversation(self, asked: str) -> list[str]:
        found = self.desk.read_conversation.find(self.desk.call, asked).id
        return [found, *(each.text for each in self.desk.read_conversation(self.desk.call, found))]

    def _sessions(self) -> list[str]:
        return [each.id for each in self.desk.made_here.conversations().sessions()]

    def _about(self, number: str = "") -> Iterator[str]:
        live = [each for each in self.desk.everything if not each.purged]
        for each in [self.desk.kept(numbered(int(number)))] if number else live:
            yield from about(each)

    def _wait(self, minutes: str) -> list[str]:
        self.desk.clock.advance(timedelta(minutes=int(minutes)))
        return []

    def _imported(self, *words: str) -> list[str]:
        added = tuple(numbered(int(each)) for each in words)
        by = Signature(at=self.desk.clock.now(), actor="user")
        entry = AuditEntry(id=self.desk.ids.new(), action=Action.IMPORT, by=by, added=added, count=len(added))
        self.desk.made_here.audit().add([entry])
        return []

    def _off(self, *, on: bool = False) -> list[str]:
        SwitchProject(self.desk.storage, self.desk.projects, self.desk.clock, self.desk.spool)(
            self.desk.call, on=on
        )
        return []

    def _on(self) -> list[str]:
        return self._off(on=True)

    def _hide(self) -> list[str]:
        self.desk.shows_everywhere = False
        return []

    def _at(self, folder: str) -> list[str]:
        self.desk = self.desk.at(directory=Path(folder))
        return []

    def _call(self, **given: Any) -> list[str]:
        if "zone" in given:
            given["zone"] = timezone(timedelta(hours=int(given["zone"])))
        self.desk = self.desk.at(**given)
        return []

    def _in(self, project: str) -> list[str]:
        self.desk = self.desk.at(project=project)
        return []

    def _set(self, project: str) -> list[str]:
        self.desk = self.desk.at(default_project=project)
        return []

    def _projects(self) -> list[str]:
        every = (each for each in self.desk.storage.registry.all() if each.moved_to is None)
        return [f"{each.name}: {' '.join(each.aliases)}" for each in every]

    def _merge(self, old: str, new: str) -> list[str]:
        return [f"moved {MergeProjects(self.desk.storage, self.desk.projects)(self.desk.call, old, new)}"]

    def _split(self, old: str) -> list[str]:
        return [f"moved {SplitProject(self.desk.storage, self.desk.projects)(self.desk.call, old)}"]

    def _preview(self, change: str, *names: str) -> Iterator[str]:
        if change == "merge":
            found = MergeProjects(self.desk.storage, self.desk.projects).preview(*names)
            yield f"{size(found.old)} into {found.new.name}"
            return
        split = SplitProject(self.desk.storage, self.desk.projects).preview(*names)
        merge = f"entry {split.merge.number} moved {split.merge.count}" if split.merge else "no entry"
        yield f"{split.old.name} from {size(split.home)}, {merge}"

    def _sizes(self) -> list[str]:
        return [size(each) for each in MeasureProjects(self.desk.storage)()]

    def _repository(self, folder: str, traces: str = "") -> list[str]:
        self.desk.tree.repositories |= {Path(folder)}
        self.desk.tree.known_by[Path(folder)] = tuple(filter(None, traces.split(",")))
        return []

    def _gone(self, folder: str) -> list[str]:
        self.desk.tree.gone.add(Path(folder))
        return []

    def _moved(self) -> list[str]:
        found = moved_here(self.desk.projects, self.desk.call)
        return ["nothing"] if found is None else [found.advice()]

    def _undo(self, name: str = "", dry_run: bool = False, after: str = "") -> Iterator[str]:
        number, everywhere = named_entry(name) or (None, False)
        undo, call = self.desk.undo, self.desk.call
        one = [undo(call, number, everywhere=everywhere, dry_run=dry_run)] if not after else []
        last, of_all = named_entry(after) or (0, False)
        for done in undo.after(call, last, everywhere=of_all, dry_run=dry_run) if after else one:
            if done.number is not None:
                yield f"entry {done.name(done.number)}"
            yield f"undoes {done.name(done.entry.number)}, {done.entry.action}"
            for kind in ("purged", "restored", "changed_since", "already"):
                if found := getattr(done, kind):
                    yield f"{kind.replace('_', ' ')}: {numbers(found)}"
            for kind in ("gone", "moved", "also", "rest"):
                if found := getattr(done, kind):
                    yield f"{kind}: {found}"

    def _log(self, **options: str) -> Iterator[str]:
        given = {name: int(value) for name, value in options.items() if name != "memory"}
        memory = numbered(int(options["memory"])) if "memory" in options else None
        for each in self.desk.log(self.desk.call, memory=memory, **given):
            undoes = f" undoes {each.undoes}" if each.undoes else ""
            undone = f" undone by {each.undone_by}" if each.undone_by else ""
            named = numbers(each.entry.memories) if "names" in options else ""
            yield f"{each.name} {each.entry.action}{undoes}{undone} {named}".rstrip()

    def _possible(self, names: str = "50", memory: str = "") -> list[str]:
        about = numbered(int(memory)) if memory else None
        latest = self.desk.log(self.desk.call, names=int(names), memory=about)
        return [" ".join(sorted(self.desk.undo.possible(self.desk.call, latest, names=int(names))))]


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: DeskShell(Desk()))
