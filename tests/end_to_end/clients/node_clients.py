"""The clients that run on Node, installed once in the exact versions of `node/package-lock.json`."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from tests.lacking import do_without
from tests.node_packages import UnavailableError, install, search_path
from tests.waiting import HANG_SECONDS
from tests.words_only import WORDS_ONLY

_PACKAGES = Path(__file__).with_name("node")
_MORE_PACKAGES = _PACKAGES / "more"
"""Packages that take a run of all tests too long to install."""

_OTHER_PACKAGES = _PACKAGES / "others"
"""Further ones, apart so that a new version of one needs no new installation of all."""

_OLDEST_PACKAGES = _PACKAGES / "oldest"


def bare_environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a new user's first shell, without the machine's own user."""
    own = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TZ": "UTC"}
    return {**own, **WORDS_ONLY, **more}


@frozen
class NodeClients:
    """The installed clients."""

    folder: Path
    more: Path | None = None
    """Folder of clients that are installed too."""

    @property
    def path(self) -> str:
        """Return a PATH that begins with the clients and their Node."""
        return search_path(*(each for each in (self.folder, self.more) if each is not None))

    def run(
        self, *command: str | Path, home: Path, folder: Path, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a client in `folder` as a user with the home `home`."""
        environment = bare_environment(home, **{**(more or {}), "PATH": self.path})
        executable = shutil.which(command[0], path=self.path)
        assert executable is not None, f"{command[0]} is not installed"
        return subprocess.run(
            [executable, *command[1:]],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=2 * HANG_SECONDS,
            check=False,
        )


def installed() -> NodeClients:
    """The clients, installed now if no test run before has done so; skips where npm can't reach its registry.

    In continuous integration, where `CI` is `true`, nothing is skipped.
    """
    return NodeClients(_installed(_PACKAGES))


def more_installed() -> NodeClients:
    """The clients, and those that only `make test-clients` runs."""
    return installed_beside(_MORE_PACKAGES)


def others_installed() -> NodeClients:
    """The clients, and other ones that only `make test-clients` runs."""
    return installed_beside(_OTHER_PACKAGES)


def oldest_installed() -> NodeClients:
    """The oldest Claude Code that `lamella setup` accepts."""
    return NodeClients(_installed(_OLDEST_PACKAGES, _installed(_PACKAGES)))


def installed_beside(packages: Path) -> NodeClients:
    """The clients, and the packages that the manifests in another folder name."""
    base = _installed(_PACKAGES)
    return NodeClients(base, _installed(packages, base))


def _installed(packages: Path, base: Path | None = None) -> Path:
    try:
        return install(packages, base)
    except UnavailableError as error:
        do_without(f"{error}")
