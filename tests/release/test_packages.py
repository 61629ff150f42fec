"""Wheel and source archive of `dist`, as a package index and its users meet them."""

import json
import re
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.release.build import build
from tests.release.tools import DIST, ROOT, run
from tests.waiting import contents

PLATFORMS = ["x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"]
INTEL_MAC = "x86_64-apple-darwin"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
WHEEL = DIST / f"lamella-{VERSION}-py3-none-any.whl"
SDIST = DIST / f"lamella-{VERSION}.tar.gz"
MODEL = DIST / "lamella_minilm-1.0.0-py3-none-any.whl"


def test_two_builds_are_the_same_to_the_byte(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    build(tmp_path / "dist", scratch)
    assert contents(DIST) == contents(tmp_path / "dist")


def test_a_package_index_takes_and_renders_the_description(tmp_path: Path) -> None:
    said = run("twine", "check", "--strict", WHEEL, SDIST, MODEL, home=tmp_path)
    assert said.count("PASSED") == 3


def test_the_package_of_the_model_is_used_where_it_is_installed(tmp_path: Path) -> None:
    with zipfile.ZipFile(MODEL) as archive:
        archive.extractall(tmp_path / "site")  # noqa: S202 - our own
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    environment = {"PYTHONPATH": str(tmp_path / "site"), "LAMELLA_EMBEDDER": "auto"}
    run("lamella", "save", "The cellar was flooded in spring.", home=home, folder=folder, **environment)
    asked = ("recall", "water in the basement", "--mode", "semantic")
    assert "The cellar was flooded" in run("lamella", *asked, home=home, folder=folder, **environment)
    said = run("lamella", "status", home=home, folder=folder, **environment)
    assert f"\nembedder    onnx:{tmp_path / 'site' / 'lamella_minilm'}\n" in said


def test_the_bill_of_materials_names_each_locked_package_with_its_digests() -> None:
    bill = json.loads((DIST / "lamella.cdx.json").read_text("utf-8"))
    lock = (ROOT / "requirements" / "image.lock").read_text("utf-8")
    named = {f"{each['name']}=={each['version']}": each["externalReferences"] for each in bill["components"]}
    digests = [hash["content"] for (reference,) in named.values() for hash in reference["hashes"]]
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "lamella")
    locked = re.findall(r"^([\w.-]+)(?:\[.*\])?(==[^\s;]+)", lock, re.MULTILINE)
    assert list(named) == ["".join(each) for each in locked]
    assert digests == re.findall(r"--hash=sha256:(\w+)", lock)


def test_the_source_archive_holds_what_git_tracks_and_nothing_else() -> None:
    tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")[:-1]
    left_out = (".ci", "bench/results")
    expected = {name for name in tracked if not any(PurePosixPath(name).is_relative_to(each) for each in left_out)}
    with tarfile.open(SDIST) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == expected | {"PKG-INFO"}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", [*PLATFORMS, INTEL_MAC])
def test_installing_needs_no_compiler(tmp_path: Path, platform: str, python: str) -> None:
    wanted = tmp_path / "wanted.in"
    wanted.write_text(f"lamella @ {WHEEL.as_uri()}\n", encoding="utf-8")
    asked = ["--only-binary", ":all:", "--python-platform", platform, "--python-version", python]
    if platform == INTEL_MAC:
        asked += ["--no-binary", "dependency-injector"]
    assert "\napsw==" in run("uv", "pip", "compile", "--no-header", *asked, wanted, home=tmp_path)


def test_uvx_runs_the_wheel_in_an_empty_home(tmp_path: Path) -> None:
    said = run("uvx", "--quiet", "--from", WHEEL, "lamella", "--version", home=tmp_path, folder=tmp_path)
    assert said == f"lamella, version {VERSION}\n"
