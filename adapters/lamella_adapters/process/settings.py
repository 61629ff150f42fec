"""The environment variables of the process, read into settings."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lamella.domain.call import AGENT, Call
from lamella.domain.errors import InvalidValueError
from lamella.entry_points import AUTO_EMBEDDER, adapter
from lamella.settings import LINES_DAYS, Settings
from lamella_adapters.process import start

if TYPE_CHECKING:
    from lamella.caller import Caller
    from lamella.ports.sessions import SessionIdentity

ON, OFF = "on", "off"

_MOST_DIGITS = 5
"""Maximum number of digits in a number of days. A larger number would exceed the range of dates."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Return the settings of a process with these environment variables. A blank variable counts as unset.

    - `LAMELLA_DATA_DIR`: the folder of memories, by default the user's data directory of the platform.
    - `LAMELLA_STORAGE`: the storage as a URL, named by its scheme. By default, it is the server of
      `lamella connect`, or else `sqlite:`.
    - `LAMELLA_TOKENIZER`: the tokenizer for counting tokens, by default `classes`.
    - `LAMELLA_EMBEDDER`: the embedder for search by meaning, by default `auto`.
    - `LAMELLA_EVERYWHERE`: `off` to neither save nor show global memories.
    - `LAMELLA_BACKUPS`: `off` for servers without daily copies.
    - `LAMELLA_LINES_DAYS`: the days until captured edits lose their lines, by default 60; 0 for never.
    - `LAMELLA_LEARN_COMMITS`: `off` for servers that don't learn from commits automatically.
    - `LAMELLA_ALL_PROJECTS`: `on` to let agents ask for memories of all projects.
    - `LAMELLA_SHARE_CONVERSATIONS`: `on` to also keep captured conversations in a storage of several machines.

    Raises:
        InvalidValueError: The data directory cannot exist, or a number is invalid.
    """
    directory = _data_directory(environment)
    return Settings(
        data_directory=directory,
        storage=start.storage_url(environment.get("LAMELLA_STORAGE", ""), str(directory)),
        tokenizer=_value(environment, "LAMELLA_TOKENIZER") or "classes",
        embedder=_embedder(environment),
        everywhere=_value(environment, "LAMELLA_EVERYWHERE") != OFF,
        backups=_value(environment, "LAMELLA_BACKUPS") != OFF,
        lines_days=_days(_value(environment, "LAMELLA_LINES_DAYS")),
        learns_commits=_value(environment, "LAMELLA_LEARN_COMMITS") != OFF,
        all_projects=start.all_projects(environment),
        share_conversations=_value(environment, "LAMELLA_SHARE_CONVERSATIONS") == ON,
    )


def caller_from(environment: Mapping[str, str], directory: Path, *, actor: str = AGENT) -> "Caller":
    """Return the caller of a process running in `directory`, with the context of `call_from`.

    `LAMELLA_SESSION`: the session, detected if unset. `CLAUDE_CODE_SESSION_ID`: the session named by Claude Code
    when it started the process. A blank variable counts as unset.

    Call this while the parent processes are still running, because they identify the session.

    Raises:
        InvalidValueError: The data directory cannot exist.
    """
    from lamella.caller import Caller  # noqa: PLC0415 - programs that call the API have no session

    sessions: SessionIdentity = adapter("sessions", "records")(
        explicit=_value(environment, "LAMELLA_SESSION"),
        startup_id=_value(environment, "CLAUDE_CODE_SESSION_ID"),
        data_directory=_data_directory(environment),
    )
    return Caller(context=call_from(environment, directory, actor=actor), sessions=sessions)


def call_from(environment: Mapping[str, str], directory: Path, *, actor: str = AGENT) -> Call:
    """Return the context of a process's calls, without a session.

    `LAMELLA_PROJECT`: the project, detected if unset. `LAMELLA_AUTHOR`: the person or program that saves memories.
    """
    return Call(
        directory=directory,
        default_project=_value(environment, "LAMELLA_PROJECT"),
        actor=actor,
        author=_value(environment, "LAMELLA_AUTHOR"),
        zone=adapter("clock", "system")().zone(),
    )


def _value(environment: Mapping[str, str], name: str) -> str | None:
    return environment.get(name, "").strip() or None


def _embedder(environment: Mapping[str, str]) -> str:
    chosen = _value(environment, "LAMELLA_EMBEDDER")
    # Settings of earlier versions may name the former embedder `static`. Accept it, so that servers still start.
    return AUTO_EMBEDDER if chosen in {None, "static"} else chosen


def _days(chosen: str | None) -> int:
    if chosen is None:
        return LINES_DAYS
    if not (chosen.isascii() and chosen.isdigit() and len(chosen) <= _MOST_DIGITS):
        raise InvalidValueError(name="LAMELLA_LINES_DAYS", given=repr(chosen), allowed="a number of days, or 0")
    return int(chosen)


def _data_directory(environment: Mapping[str, str]) -> Path:
    names, found = ("LAMELLA_DATA_DIR", "XDG_DATA_HOME", "HOME"), start.data_directory
    if os.name == "nt":
        names, found = ("LAMELLA_DATA_DIR", "LOCALAPPDATA", "USERPROFILE"), start.data_directory_of_windows
    try:
        return Path(found(*(environment.get(name, "") for name in names)))
    except KeyError:
        raise InvalidValueError(
            name="LAMELLA_DATA_DIR", given="a path in the home directory of an unknown user", allowed="a folder"
        ) from None
