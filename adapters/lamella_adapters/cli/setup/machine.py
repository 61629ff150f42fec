"""Home, environment and platform of a user's machine. They determine where clients keep their configurations."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen


@frozen(kw_only=True)
class UserMachine:
    """The machine of a user.

    Attributes:
        home: The home directory.
        environment: The environment variables.
        platform: `linux`, `darwin` or `win32`.
    """

    home: Path
    environment: Mapping[str, str]
    platform: str = sys.platform

    def path(self, pattern: str) -> Path:
        """Expand a leading `~`, or `$CONFIG`, which stands for the platform's folder for configurations."""
        config = {"darwin": "~/Library/Application Support", "win32": "$APPDATA"}.get(self.platform, "$XDG")
        text = pattern.replace("$CONFIG", config)
        text = text.replace("$APPDATA", self.environment.get("APPDATA") or "~/AppData/Roaming")
        text = text.replace("$XDG", self.environment.get("XDG_CONFIG_HOME") or "~/.config")
        return self.home / text.removeprefix("~/")

    def program(self, name: str) -> str | None:
        """Return the path of a program; None if the program is not on PATH.

        Relative folders on PATH are skipped: they depend on the working directory.
        """
        folders = filter(os.path.isabs, self.environment.get("PATH", "").split(os.pathsep))
        return shutil.which(name, path=os.pathsep.join(folders))

    def shown(self, path: Path) -> str:
        """Abbreviate a path for display, with `~` for the home directory."""
        return f"~/{path.relative_to(self.home)}" if path.is_relative_to(self.home) else str(path)
