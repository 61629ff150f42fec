"""Builds `dist`: lamella, its bill of materials and its model, the MCPB bundle, the extension for Gemini CLI.

make release

The same sources give the same bytes: archives hold no times of today.
"""

import shutil
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from tests.minilm import minilm
from tests.release.tools import DIST, MANIFESTS, ROOT, run

_EPOCH = (2020, 2, 2, 0, 0, 0)
"""Time of each file in an archive; hatchling's."""

_PLATFORMS = ("darwin", "linux")
"""Gemini CLI finds its extension among the files of a release by the name of the platform."""


def main() -> None:
    """Build everything anew."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        build(DIST, Path(folder))
        run("uv", "cache", "clean", "--quiet", "lamella", home=Path(folder))  # has the same version as before
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>9,} {path.relative_to(ROOT)}")  # noqa: T201


def build(folder: Path, scratch: Path) -> None:
    """Build all packages in `folder`.

    Args:
        folder: Where the packages go; is made if it isn't there.
        scratch: An empty folder for what is needed on the way.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, home=scratch)
    data = scratch / "minilm"
    shutil.copytree(MANIFESTS / "minilm", data)
    shutil.copytree(minilm(), data / "lamella_minilm", dirs_exist_ok=True)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, home=scratch, folder=data)
    sources = scratch / "lamella"
    shutil.copytree(MANIFESTS / "mcpb", sources)
    shutil.copy(folder / f"lamella-{version}-py3-none-any.whl", sources)
    packed = scratch / "packed.mcpb"
    run("mcpb", "pack", sources, packed, home=scratch)
    with zipfile.ZipFile(packed) as archive:
        _zip(folder / f"lamella-{version}.mcpb", {name: archive.read(name) for name in archive.namelist()})
    _write_bill_of_materials(folder / "lamella.cdx.json", scratch)
    extension = {path.name: path.read_bytes() for path in (MANIFESTS / "gemini").iterdir()}
    for platform in _PLATFORMS:
        _zip(folder / f"{platform}.lamella.zip", extension)


def _write_bill_of_materials(path: Path, scratch: Path) -> None:
    """Write the locked packages of a server's image, with their digests, as CycloneDX."""
    described = ("--pyproject", ROOT / "pyproject.toml", "--mc-type", "application")
    written = ("--output-reproducible", "--of", "JSON", "--output-file", path)
    run("cyclonedx-py", "requirements", ROOT / "requirements" / "image.lock", *described, *written, home=scratch)


def _zip(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main()
