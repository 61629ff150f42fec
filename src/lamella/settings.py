"""Settings of a process."""

from collections.abc import Collection
from pathlib import Path

from attrs import field, frozen
from attrs.validators import ge

from lamella.domain.validation import instance_of
from lamella.entry_points import AUTO_EMBEDDER
from lamella.ports.storage.storage import Capability

LINES_DAYS = 60
"""Default number of days after which the lines of captured edits are deleted."""

DEFAULT_STORAGE = "sqlite:"
"""Value of the setting `storage` for memories in the data directory."""

DEFAULT_TOKENIZER = "classes"
"""Name of the tokenizer that needs no vocabulary."""


@frozen(kw_only=True)
class Settings:
    """The settings of a process, chosen by its driver before anything runs.

    Attributes:
        data_directory: Folder with lamella's files.
        storage: URL of the storage; its scheme is the name of the storage adapter.
        tokenizer: Name of the tokenizer adapter.
        embedder: Name of the embedder adapter, optionally followed by `:` and a parameter, such as a folder.
            `auto` uses the default embedder if its packages and model are installed; `none` disables search by
            meaning.
        patient: True if a search by meaning waits for its embedder to load.
        everywhere: True if global memories, which are valid in every project, are saved and shown.
        backups: True if servers write a backup of each changed project once a day.
        lines_days: Days after which the lines of captured edits are deleted; 0 to keep the lines permanently.
        learns_commits: True if servers learn from the commits of the repository in their working directory.
        all_projects: True if agents may ask for memories of all projects.
        share_conversations: True if captured conversations are also kept in a storage shared by several machines.
    """

    data_directory: Path = field(validator=instance_of(Path))
    storage: str = field(default=DEFAULT_STORAGE, validator=instance_of(str))
    tokenizer: str = field(default=DEFAULT_TOKENIZER, validator=instance_of(str))
    embedder: str = field(default=AUTO_EMBEDDER, validator=instance_of(str))
    patient: bool = False
    everywhere: bool = True
    backups: bool = True
    lines_days: int = field(default=LINES_DAYS, validator=[instance_of(int), ge(0)])
    learns_commits: bool = True
    all_projects: bool = False
    share_conversations: bool = False

    def keeps_conversations(self, capabilities: Collection[Capability]) -> bool:
        """Return True if captured conversations are kept.

        A storage on one machine always keeps conversations. A storage shared by several machines keeps
        conversations only if `share_conversations` is true.
        """
        return self.share_conversations or Capability.SHARED not in capabilities

    @property
    def place(self) -> str:
        """Location of the memories for display: a folder, or a URL without user, password and parameters."""
        if self.storage == DEFAULT_STORAGE:
            return str(self.data_directory)
        scheme, _, rest = self.storage.partition(":")
        authority, slash, path = rest.removeprefix("//").partition("/")
        return (
            f"{scheme}:{'//' * rest.startswith('//')}{authority.rpartition('@')[2]}{slash}{path.partition('?')[0]}"
        )

    @property
    def scheme(self) -> str:
        """Registered name of the storage adapter: the scheme of its URL."""
        return self.storage.partition(":")[0]
