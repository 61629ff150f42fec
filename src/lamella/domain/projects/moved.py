"""Projects whose folder has moved or became a repository. Hooks use this module, so it imports little."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from lamella.domain.projects.key import FOLDER, REPOSITORY, ROOT, is_trace


class ListedProject(NamedTuple):
    """Project with all of its keys and traces. Keys of this machine's folders are without the machine's prefix."""

    id: str
    name: str
    aliases: tuple[str, ...]


class MovedProject(NamedTuple):
    """A project that may have moved to this folder. `gone` is True if its old `folder` no longer exists."""

    id: str
    folder: str
    gone: bool

    def advice(self, program: str = "lamella") -> str:
        """Return a sentence with the project, and the command to merge the project into the folder's project."""
        project = f"project {self.id} ({self.folder})"
        said = f"Memories of this folder from before it was a repository are in {project}. If they belong here"
        if self.gone:
            said = f"The folder of {project} is gone. If it moved here"
        return f"{said}, join them: {program} project merge {self.id} ."


def folder_of(key: str) -> str:
    """Return the folder of a location's key."""
    return key.partition(":")[2].removesuffix("/.git")


def moved_to(
    key: str,
    name: str,
    projects: Sequence[ListedProject],
    *,
    is_gone: Callable[[str], bool],
    traces: Callable[[], Collection[str]],
) -> MovedProject | None:
    """Return the project that has most likely moved to a folder; None without a match.

    A project matches in two cases. In the first case, the project's key is the path of the new folder, from a time
    when the folder wasn't a repository yet. In the second case, all folders of the project are gone, and the
    project has the name or a trace (see `key.py`) of the new folder. A different first commit rules out a match by
    name. Among several clones, prefer a clone with the name of the new folder, then a clone in the new folder's
    parent folder.

    Args:
        key: Key of the new folder.
        name: Name of the new folder.
        projects: All projects with memories. Projects merged into one another are listed as one.
        is_gone: Returns True if nothing is at the path of a key.
        traces: Returns the traces of the new folder. Called only for a project with traces to compare.
    """
    others = [each for each in projects if key not in each.aliases]
    before = FOLDER + folder_of(key)
    for each in others if key.startswith(REPOSITORY) else ():
        if before in each.aliases:
            return MovedProject(each.id, folder_of(before), gone=False)
    lost = [each for each in others if (places := list(_places(each))) and all(map(is_gone, places))]
    known = frozenset(traces()) if any(is_trace(alias) for each in lost for alias in each.aliases) else frozenset()
    fitting = [(rank, each) for each in lost if (rank := _rank(each, name, known))]
    if not fitting:
        return None
    _, best = max(
        fitting, key=lambda one: (one[0], one[1].name == name, _parent(key) in map(_parent, _places(one[1])))
    )
    return MovedProject(best.id, folder_of(next(_places(best))), gone=True)


def _parent(key: str) -> str:
    return folder_of(key).rpartition("/")[0]


def _places(project: ListedProject) -> Iterator[str]:
    """Yield the keys of a project's locations.

    They include folders on other machines, for which `is_gone` of `moved_to` always returns False.
    """
    return (each for each in project.aliases if not is_trace(each))


def _rank(project: ListedProject, name: str, known: Collection[str]) -> int:
    """Rate the match between a project and the new folder. Higher is better; 0 for no match."""
    traces = {each.rpartition(":")[0] for each in project.aliases if is_trace(each)}
    if common := traces.intersection(known):
        return 3 if any(map(_is_root, common)) else 2
    return int(project.name == name and not (any(map(_is_root, traces)) and any(map(_is_root, known))))


def _is_root(trace: str) -> bool:
    return trace.startswith(ROOT)
