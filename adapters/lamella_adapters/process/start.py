"""Environment variables read by servers and hooks alike. Hooks use this module, so it imports little."""

import sys

from lamella_adapters.process.calls import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLSETS: tuple[str, ...] = ("unified", "granular", "conversation", "semantic")
"""Names of the MCP server's toolsets, which are also names of modules. The first toolset is the default."""

ALL = "all"
"""Name for all toolsets together."""


def toolset_from(environment: "Mapping[str, str]") -> str:
    """Return the default toolset of a server's command: `LAMELLA_TOOLSET`, by default `unified`."""
    return environment.get("LAMELLA_TOOLSET", "").strip() or TOOLSETS[0]


def all_projects(environment: "Mapping[str, str]") -> bool:
    """Return True if the server's tools may read all projects: `LAMELLA_ALL_PROJECTS` is `on`."""
    return environment.get("LAMELLA_ALL_PROJECTS", "").strip() == "on"


CONNECTION = "connection"
"""File in the data directory with the connection to a team's server: its URL, and below it the token."""


def storage_url(chosen: str, directory: str) -> str:
    """Return the URL of the storage: `LAMELLA_STORAGE`, or else the connected server, or else `sqlite:`.

    Args:
        chosen: Value of `LAMELLA_STORAGE`.
        directory: The data directory.
    """
    if chosen := chosen.strip():
        return chosen
    try:
        with open(f"{directory}/{CONNECTION}", encoding="utf-8") as file:  # noqa: PTH123 - hooks don't import pathlib
            return file.readline().strip() or "sqlite:"
    except (OSError, ValueError):
        return "sqlite:"


def spool_folder(storage: str, directory: str) -> str:
    """Return the folder of captures for a storage. Each tenant of a server has its own folder.

    Args:
        storage: URL of the storage.
        directory: The data directory.
    """
    folder = f"{directory}/spool"
    if not storage.startswith(("https:", "http:")):
        return folder
    from _blake2 import blake2b  # noqa: PLC0415 - `hashlib` imports OpenSSL as well

    return f"{folder}/{blake2b(storage.encode(errors='surrogatepass'), digest_size=16).hexdigest()}"


def named_toolsets(names: str) -> list[str]:
    """Parse a setting with toolsets, such as `a,b` or `all`, and drop duplicates.

    A blank setting is kept as a name, which is rejected later.
    """
    given = [name for each in names.split(",") if (name := each.strip())] or [names]
    return list(dict.fromkeys(name for each in given for name in (TOOLSETS if each == ALL else (each,))))


def data_directory(chosen: str, data_home: str, home: str) -> str:
    """Return the folder of lamella's files: the chosen one, or `lamella` in the platform's folder for user data.

    Args:
        chosen: Value of `LAMELLA_DATA_DIR`.
        data_home: Value of `XDG_DATA_HOME`.
        home: Value of `HOME`.

    Raises:
        OSError: The directory is relative to a deleted working directory.
        KeyError: The user has no home.
    """
    if chosen := chosen.strip():
        if chosen.startswith("~"):
            import os  # noqa: PLC0415 - its import costs a hook a seventh of its time

            chosen = os.path.expanduser(chosen)  # noqa: PTH111 - importing pathlib takes longer
            if chosen.startswith("~"):
                raise KeyError(chosen)
        return chosen if chosen.startswith("/") else f"{posix.getcwd()}/{chosen}"
    if not data_home.startswith("/"):
        if not home.startswith("/"):
            import pwd  # noqa: PLC0415 - rarely needed

            home = pwd.getpwuid(posix.getuid()).pw_dir
        data_home = home.rstrip("/") + (
            "/Library/Application Support" if sys.platform == "darwin" else "/.local/share"
        )
    return f"{data_home.rstrip('/')}/lamella"


def data_directory_of_windows(chosen: str, data_home: str, home: str) -> str:
    """Return the folder of lamella's files on Windows (untried).

    Args:
        chosen: Value of `LAMELLA_DATA_DIR`.
        data_home: Value of `LOCALAPPDATA`.
        home: Value of `USERPROFILE`.
    """
    import ntpath  # noqa: PLC0415 - only Windows needs it

    usual = data_home if ntpath.isabs(data_home) else ntpath.join(home, "AppData", "Local")
    return ntpath.abspath(chosen.strip()) if chosen.strip() else ntpath.join(usual, "lamella")
