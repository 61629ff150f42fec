"""Memories of basic-memory: a folder of Markdown notes for each project. Its database only indexes these notes."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import define, field

from lamella.domain.call import USER
from lamella.domain.exchange.foreign import with_tags
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers import files, front_matter, json_records
from lamella_adapters.peers.values import made, memory, no_texts, text, texts

PROGRAM = "basic-memory"

_MAX_CONFIG_BYTES = 1024 * 1024


@define
class BasicMemory(files.LocatedPeer):
    """The notes of basic-memory."""

    _names: dict[Path, str] = field(factory=dict)
    """Names of projects, keyed by folder."""

    def stores(self) -> tuple[Store, ...]:
        """Return the given note or folder; by default, the note folders of basic-memory's projects."""
        config = (files.in_environment("BASIC_MEMORY_CONFIG_DIR") or Path.home() / ".basic-memory") / "config.json"
        projects = _projects(config)
        default = files.in_environment("BASIC_MEMORY_HOME") or Path.home() / "basic-memory"
        usual = list(projects) or [default]
        candidates = usual if self.path is None else [self.path]
        found = [each.resolve() for each in candidates if each.is_dir()]
        known = {folder.resolve(): name for folder, name in projects.items()}
        if self.path is not None and self.path.is_file():
            self._names = known
            return (Store(place=self.path.resolve(), records=1),)
        if not found:
            raise files.not_found(PROGRAM, [config, *candidates] if self.path is None else candidates)
        self._names = {folder: known.get(folder, folder.name) for folder in found}
        return tuple(map(files.folder_of_notes, self._names))

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield a memory for each note, in order of the notes' paths."""
        place = store.place
        around = (each for each in place.parents if each in self._names)
        folder = place if place.is_dir() else next(around, place.parent)
        found = [files.note(place)] if place.is_file() else files.notes(place)
        project = self._names.get(folder, folder.name)
        return made(found, lambda each: _memory(each, folder, project))


def _projects(config: Path) -> Mapping[Path, str]:
    """Return the names of projects, keyed by folder. Configurations of earlier versions map names to paths."""
    if not config.is_file():
        return {}
    with files.opened(config, follow=True) as file:
        content = json_records.parsed(file.read(_MAX_CONFIG_BYTES))
    listed = {} if isinstance(content, Skipped) else content.get("projects")
    found = {}
    for name, each in (listed if isinstance(listed, dict) else {}).items():
        if path := text(each.get("path") if isinstance(each, dict) else each):
            found[Path(path).expanduser()] = name
    return found


def _memory(read: files.Note, folder: Path, project: str) -> ForeignMemory | Skipped:
    fields, body = front_matter.divided(read.text)
    tags = fields.get("tags")
    if isinstance(tags, str):
        tags = [each.strip() for each in tags.split(",")]
    return memory(
        key=f"{project}/{read.path.relative_to(folder).as_posix()}",
        project=project,
        title=text(fields.get("title")) or front_matter.heading(body) or read.path.stem,
        content=with_tags(body, texts(tags)),
        no_texts=no_texts(tags),
        source=text(fields.get("type")),
        actor=USER,
        created_at=read.changed,
    )
