"""`open_memory`, the entry point of the API."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike, environ
from typing import TYPE_CHECKING, Any

from attrs import evolve

from lamella.container import running
from lamella.domain.call import USER
from lamella.entry_points import adapter
from lamella.library.base import Opened, for_programs
from lamella.library.given import folder, project_name, working_directory
from lamella.library.memory import Memory
from lamella.singletons import once

if TYPE_CHECKING:
    from lamella.domain.call import Call
    from lamella.settings import Settings


@contextmanager
def open_memory(
    directory: str | PathLike[str] = ".",
    *,
    project: str | None = None,
    session: str | None = None,
    author: str | None = None,
    actor: str = USER,
    data_directory: str | PathLike[str] | None = None,
    storage: str | None = None,
    tokenizer: str | None = None,
    embedder: str | None = None,
) -> Iterator[Memory]:
    """Open the memories of a project. They are closed at the end of the `with` block.

    Defaults come from the `LAMELLA_…` environment variables, as in the MCP server, so programs and agents share
    memories.

    Args:
        directory: Working directory. Its repository becomes the project.
        project: Name of the project, instead of the directory's project. The first save creates a missing project.
        session: Id of the conversation that calls belong to.
        author: Name of the person or program that saves.
        actor: Kind of the author: `user`, `agent` or another word.
        data_directory: Folder for lamella's files.
        storage: URL of the storage, such as `memory:`. The scheme selects the adapter.
        tokenizer: Name of the tokenizer that counts the tokens of replies.
        embedder: Name of the embedder for search by meaning; `auto` for the built-in embedder, if the extra
            `semantic` is installed; `none` for search by words only. The first search takes longer, because it
            loads the model.

    Raises:
        InvalidValueError: A value has the wrong type, or no adapter has the name.
        EmbedderUnavailableError: The embedder can't be used.
        StorageError: The storage can't be opened.

    Example:
        >>> with lamella.open_memory(storage="memory:") as memory:
        ...     saved = memory.save("Staging is reset every night.")
        ...     print([hit.observation.content for hit in memory.search("staging")])
        ['Staging is reset every night.']
    """
    given = {"storage": storage, "tokenizer": tokenizer, "embedder": embedder}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if data_directory is not None:
        changes["data_directory"] = folder("data_directory", data_directory)
    with ExitStack() as stack:
        with for_programs():
            settings: Settings = adapter("settings", "environment")(environ)
            found: Call = adapter("call", "environment")(environ, working_directory(directory), actor=actor)
            # Patient: wait for the embedder, so that results don't depend on its loading time.
            opened = Opened(stack.enter_context(running(evolve(settings, **changes, patient=True), once)))
        call = evolve(
            found,
            session=session,
            default_project=project_name(project) or found.default_project,
            author=author or found.author,
        )
        try:
            yield Memory(opened, call)
        finally:
            opened.lamella = None
