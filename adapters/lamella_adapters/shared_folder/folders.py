"""The shared folders of this machine."""

import os
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.exchange.shared_file import is_unedited
from lamella.domain.memories.observation import Observation
from lamella.ports import shared_folder
from lamella_adapters.process.locks import locked
from lamella_adapters.shared_folder.folder import open_folder, stamp_of
from lamella_adapters.shared_folder.record import Record, refusal

_PATIENCE_SECONDS = 30.0
"""Maximum wait for another process's sync."""


@frozen
class RecordedFolders(shared_folder.SharedFolders):
    """Shared folders with a record for each project in the data directory.

    Attributes:
        data_directory: Folder of lamella's files.
    """

    data_directory: Path

    def around(self, directory: Path) -> bool:
        """See `SharedFolders.around`."""
        here = Path(os.path.realpath(directory))
        for path in self._records.glob("*.json") if self._records.is_dir() else ():
            with suppress(shared_folder.SharedFolderError):
                share = Record(path).read()
                if share is not None and here.is_relative_to(share.root):
                    return True
        return False

    def within(self, project: str, root: Path) -> tuple[str, ...]:
        """See `SharedFolders.within`."""
        with suppress(shared_folder.SharedFolderError):
            share = self.of(project)
            if share is not None and share.root == Path(os.path.realpath(root)):
                return (f"{share.folder}/",)
        return ()

    def of(self, project: str) -> shared_folder.Share | None:
        """See `SharedFolders.of`."""
        return self._record(project).read()

    def start(self, project: str, share: shared_folder.Share) -> None:
        """See `SharedFolders.start`."""
        with open_folder(share, self._record(project)) as folder, self._locked(project):
            folder.record(share)

    def stop(self, project: str) -> None:
        """See `SharedFolders.stop`."""
        with self._locked(project):
            self._record(project).path.unlink(missing_ok=True)

    def erase(self, project: str, memories: Collection[Observation]) -> None:
        """See `SharedFolders.erase`."""
        record, removed = self._record(project), set[UUID]()
        if not record.path.exists():
            return
        with self._locked(project):
            share = record.read()
            if share is None:
                return
            known = [(each, share.memories[each.id]) for each in memories if each.id in share.memories]
            with suppress(shared_folder.SharedFolderError), open_folder(share, record) as folder:
                removed = {said.id for said, each in known if _removed(folder, each, said)}
            # If a file remains, the next sync removes it, unless the file's stamp has changed.
            forgotten = {
                each.id: evolve(each, name=None, stamp=None, live=False)
                if each.id in removed
                else evolve(each, name=None)
                for _, each in known
            }
            record.write(evolve(share, memories={**share.memories, **forgotten}, left={}))

    @contextmanager
    def opened(self, project: str) -> Iterator[shared_folder.SharedFolder | None]:
        """See `SharedFolders.opened`."""
        record, folder = self._record(project), None
        with ExitStack() as stack:
            if record.path.exists():
                stack.enter_context(self._locked(project))
                # Read the record under the lock: another process may have stopped sharing, or moved the folder.
                share = record.read()
                folder = None if share is None else stack.enter_context(open_folder(share, record))
            yield folder

    def stamp(self, share: shared_folder.Share) -> str:
        """See `SharedFolders.stamp`."""
        return stamp_of(share)

    @property
    def _records(self) -> Path:
        return self.data_directory / "shared"

    def _record(self, project: str) -> Record:
        return Record(self._records / f"{project}.json")

    @contextmanager
    def _locked(self, project: str) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                self._records.mkdir(mode=0o700, parents=True, exist_ok=True)
                until = time.monotonic() + _PATIENCE_SECONDS
                stack.enter_context(locked(self._records / f"{project}.lock", until=until))
            except TimeoutError:
                raise refusal("busy") from None
            except OSError as error:
                raise refusal("data", why=error.strerror) from error
            yield


def _removed(folder: shared_folder.SharedFolder, known: shared_folder.SharedMemory, said: Observation) -> bool:
    """Remove the file of a memory, unless somebody edited it since the last sync."""
    if known.name is None:
        return False
    stamp = known.stamp or ""
    with suppress(shared_folder.UnusableFileError):
        text, now = folder.read(known.name)
        stamp = now if is_unedited(text, said) else stamp
    return folder.remove(known.name, stamp)
