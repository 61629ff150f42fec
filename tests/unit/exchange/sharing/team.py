"""Members of a team: each with memories, a data directory and a working tree of their own."""

import shutil
from pathlib import Path
from typing import Any

from attrs import define

from lamella.application.exchange.share import ShareMemories
from lamella.application.exchange.share_account import ShareAccount
from lamella.domain.memories.observation import Observation
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import CountingIds, FolderTree, NamedMachine

FOLDER = "docs/memory"
TEXT = "Staging is reset every night, so never test there."
OTHER = "Prices are stored in cents."


def done(**counts: Any) -> ShareAccount:
    """The account of a sync that left no file alone."""
    return ShareAccount(FOLDER, **counts)


@define
class Member:
    """One who shares memories through a folder."""

    desk: Desk
    root: Path
    folders: RecordedFolders

    @property
    def sharing(self) -> ShareMemories:
        return ShareMemories(
            projects=self.desk.projects,
            working_tree=self.desk.tree,
            clock=self.desk.clock,
            shared_folder=self.folders,
        )

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
        """Sync, and return what was done."""
        *_, account = self.sharing(self.desk.call, sure=sure)
        return account

    def save(self, text: str, **changes: str) -> Observation:
        """Save and share a memory."""
        saved = self.desk.save(text, **changes)
        self.sync()
        return saved

    def pull(self, other: "Member") -> ShareAccount:
        """Take the files of another member in place of one's own, and sync."""
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
    """A member who has begun to share."""
    member = alone(place, first_id)
    member.sharing.start(member.desk.call, FOLDER)
    return member


def alone(place: Path, first_id: int = 0) -> Member:
    """A member who shares nothing yet."""
    root = place / "shop"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    tree = FolderTree(repositories=frozenset({root}))
    desk = Desk(
        tree=tree,
        ids=CountingIds(last=first_id),
        machine=NamedMachine(place.name),
    )
    return Member(desk.at(directory=root), root, RecordedFolders(place / "data"))
