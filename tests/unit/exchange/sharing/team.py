"""Members of a team: each with memories, a data directory and a working tree of their own.

Usage: python -m tests.unit.exchange.sharing.team FILE ... writes what sessions print now. In them members do what
`tests/unit/support/desk_session.py` tells, and shares it. `1` is the file of the memory 1.

    $ ada start notes          share memories through a folder, by default `docs/memory`; also `stop`
    $ ada shared               the folder, and how many memories wait for an answer
    $ ada sync sure=yes        sync, and print what was done
    $ bob pull ada             the same with the files of another member in place of one's own
    $ ada show 1               what is in a file; `files` is their names
    $ ada write 1 "a text"     put something else into it; `change 1 this that` one text in the place of another
    $ ada remove 1             also `all` of them; `rename 1 a.md` and `touch 1`
    $ ada keep 1               remember what is in a file; `back 1` brings it back, from wherever it was
    $ ada git deleted=1        from now on git tells of files that are `deleted` or `missing`, or were there `ever`
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.application.exchange.accounts import ShareAccount
from lamella.application.exchange.share import ShareMemories
from lamella.domain.ledger.files import Past
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.end_to_end.support.sessions import Step, write_anew
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import CountingIds, FolderTree, NamedMachine
from tests.unit.support.telling import account

FOLDER = "docs/memory"
TEXT = "Staging is reset every night, so never test there."
OTHER = "Prices are stored in cents."


def done(**counts: Any) -> ShareAccount:
    """Return the account of a sync without left files."""
    return ShareAccount(FOLDER, **counts)


@define
class Member:
    """A member of a team that shares memories through a folder."""

    desk: Desk
    root: Path
    folders: RecordedFolders

    @property
    def sharing(self) -> ShareMemories:
        return self.desk.make(ShareMemories, shared_folder=self.folders)

    @property
    def folder(self) -> Path:
        return self.root / FOLDER

    @property
    def files(self) -> dict[str, str]:
        """The content of each file in the folder."""
        return {path.name: path.read_text("utf-8") for path in sorted(self.folder.iterdir()) if path.is_file()}

    @property
    def only(self) -> Path:
        """The only file."""
        (name,) = self.files
        return self.folder / name

    def sync(self, *, sure: bool = False) -> ShareAccount:
        """Sync, and return the account."""
        *_, account = self.sharing(self.desk.call, sure=sure)
        return account

    def save(self, text: str, **changes: str) -> Observation:
        """Save and share a memory."""
        saved = self.desk.save(text, **changes)
        self.sync()
        return saved

    def pull(self, other: "Member") -> ShareAccount:
        """Replace one's own files by those of another member, and sync."""
        for name in self.files.keys() - other.files.keys():
            (self.folder / name).unlink()
        for name, text in other.files.items():
            if self.files.get(name) != text:
                (self.folder / name).unlink(missing_ok=True)
                (self.folder / name).write_text(text, "utf-8")
        return self.sync()

    @property
    def live(self) -> set[str]:
        """The texts of the memories that are not purged."""
        return {each.content for each in self.desk.everything if not each.purged}


def joined(place: Path, first_id: int = 0) -> Member:
    """Return a member who has started to share."""
    member = alone(place, first_id)
    member.sharing.start(member.desk.call, FOLDER)
    return member


def alone(place: Path, first_id: int = 0) -> Member:
    """Return a member who shares nothing yet."""
    root = place / "shop"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    tree = FolderTree(repositories=frozenset({root}))
    desk = Desk(tree=tree, ids=CountingIds(last=first_id), machine=NamedMachine(place.name))
    return Member(desk.at(directory=root), root, RecordedFolders(place / "data"))


@define
class ShareShell(DeskShell):
    """Interpreter of sessions of a team's members."""

    folder: Path
    desk: Desk = field(init=False)
    member: Member = field(init=False)
    members: dict[str, Member] = field(init=False, factory=dict)
    kept: dict[str, tuple[str, str]] = field(init=False, factory=dict)
    """Names and contents of files."""

    def answer(self, step: Step) -> list[str]:
        name, _, typed = step.typed.partition(" ")
        if name not in self.members:
            self.members[name] = alone(self.folder / name, first_id=100 * len(self.members))
        self.member = self.members[name]
        self.desk = self.member.desk
        return super().answer(Step(step.prompt, typed))

    def _path(self, word: str) -> Path:
        if word.isdecimal():
            word = next(each for each in self.member.files if f"{int(word):08x}" in each)
        return self.member.folder / word

    def _names(self, words: str) -> frozenset[str]:
        names = [self.kept[word][0] if word in self.kept else self._path(word).name for word in words.split(",")]
        return frozenset(f"{FOLDER}/{name}" for name in names)

    def _start(self, folder: str = FOLDER) -> list[str]:
        self.member.sharing.start(self.desk.call, folder)
        return []

    def _stop(self) -> list[str]:
        return ["nothing is shared"] * (self.member.sharing.stop(self.desk.call) is None)

    def _shared(self) -> list[str]:
        share = self.member.sharing.shared(self.desk.call)
        return ["nothing is shared" if share is None else f"{share.folder}, waiting {share.waiting}"]

    def _sync(self, *, sure: bool = False) -> list[str]:
        steps = list(self.member.sharing(self.desk.call, sure=sure))
        return account(steps[-1]) if steps else ["nothing is shared"]

    def _pull(self, other: str) -> list[str]:
        return account(self.member.pull(self.members[other]))

    def _files(self) -> list[str]:
        return [*self.member.files]

    def _show(self, word: str) -> list[str]:
        return self._path(word).read_text("utf-8").splitlines()

    def _write(self, word: str, text: str) -> list[str]:
        self._path(word).write_text(text, "utf-8")
        return []

    def _change(self, word: str, old: str, new: str) -> list[str]:
        text = self._path(word).read_text("utf-8")
        assert old in text
        return self._write(word, text.replace(old, new))

    def _remove(self, word: str) -> list[str]:
        if word == "all":
            shutil.rmtree(self.member.folder)
        else:
            self._path(word).unlink()
        return []

    def _rename(self, word: str, name: str) -> list[str]:
        self._path(word).rename(self.member.folder / name)
        return []

    def _touch(self, word: str) -> list[str]:
        self._path(word).touch()
        return []

    def _keep(self, word: str) -> list[str]:
        file = self._path(word)
        self.kept[word] = file.name, file.read_text("utf-8")
        return []

    def _back(self, word: str) -> list[str]:
        name, text = self.kept[word]
        self.member.folder.mkdir(parents=True, exist_ok=True)
        (self.member.folder / name).write_text(text, "utf-8")
        return []

    def _git(self, *words: str, **names: str) -> list[str]:
        past = Past(**{kind: self._names(given) for kind, given in names.items()})
        self.desk.tree.history = None if words == ("silent",) else past
        return []

    def _captured(self, kind: str) -> list[str]:
        draft = Draft(content=f"a {kind}", kind=Kind(kind))
        self.desk.observations.add(draft, id=self.desk.ids.new(), now=self.desk.clock.now())
        return []


if __name__ == "__main__":
    write_anew(sys.argv[1:], ShareShell)
