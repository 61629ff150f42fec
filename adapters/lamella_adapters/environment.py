"""The environment of the process, read here and nowhere else."""

from collections.abc import Mapping
from pathlib import Path

from lamella.container import Settings


def settings_from(environment: Mapping[str, str], directory: Path) -> Settings:
    """What the variables of `environment` say to a process that runs in `directory`.

    `LAMELLA_DATA_DIR`: where memories are kept, by default the user's data directory of the platform.
    `LAMELLA_STORAGE`: a URL whose scheme names the storage, by default `sqlite:`.
    `LAMELLA_TOKENIZER`: how tokens are counted, by default `classes`.
    `LAMELLA_PROJECT`, `LAMELLA_SESSION`: the project and session, where they are not to be found out.
    """
    return Settings(
        data_directory=_data_directory(environment.get("LAMELLA_DATA_DIR")),
        directory=directory,
        storage=environment.get("LAMELLA_STORAGE") or "sqlite:",
        tokenizer=environment.get("LAMELLA_TOKENIZER") or "classes",
        project=environment.get("LAMELLA_PROJECT") or None,
        session=environment.get("LAMELLA_SESSION") or None,
        client_session=environment.get("CLAUDE_CODE_SESSION_ID") or None,
    )


def toolset_from(environment: Mapping[str, str]) -> str:
    """Which tools a server offers where its command doesn't say: `LAMELLA_TOOLSET`, by default `unified`."""
    return environment.get("LAMELLA_TOOLSET") or "unified"


def _data_directory(chosen: str | None) -> Path:
    if chosen:
        return Path(chosen).expanduser().absolute()
    # Most of the time of a start goes into imports; this one is seldom needed.
    from platformdirs import user_data_path  # noqa: PLC0415

    return user_data_path("lamella", appauthor=False)
