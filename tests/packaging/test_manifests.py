"""Manifests for registries and clients say the same everywhere, and are within their limits."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
MANIFESTS: Final = ROOT / "packaging"

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION: Final = PROJECT["version"]
ADDRESS: Final = PROJECT["urls"]["Source"]


def read(path: str) -> Any:
    text = (ROOT / path).read_text("utf-8")
    return tomllib.loads(text) if path.endswith(".toml") else json.loads(text)


def test_the_version_is_the_same_everywhere() -> None:
    server, bundle = read("packaging/server.json"), read("packaging/mcpb/pyproject.toml")
    extension = read("packaging/gemini/gemini-extension.json")
    (listed,) = read(".claude-plugin/marketplace.json")["plugins"]
    (package,) = server["packages"]
    others = map(read, ("packaging/mcpb/manifest.json", "plugin/.claude-plugin/plugin.json"))
    plain = [bundle["project"], extension, listed, package, server, *others]
    assert [each["version"] for each in plain] == [VERSION] * len(plain)
    assert bundle["tool"]["uv"]["sources"]["lamella"]["path"] == f"lamella-{VERSION}-py3-none-any.whl"
    assert extension["mcpServers"]["lamella"]["args"][0] == f"lamella@{VERSION}"


def test_the_address_is_the_same_everywhere() -> None:
    owner = ADDRESS.removeprefix("https://github.com/").removesuffix("/lamella")
    name = f"io.github.{owner}/lamella"
    server = read("packaging/server.json")
    assert server["name"] == name
    assert server["repository"]["url"] == read("packaging/mcpb/manifest.json")["repository"]["url"] == ADDRESS
    assert f"\n<!-- mcp-name: {name} -->\n" in (ROOT / "README.md").read_text("utf-8")
    recipe = (MANIFESTS / "Containerfile").read_text("utf-8")
    assert f'LABEL io.modelcontextprotocol.server.name="{name}" \\\n' in recipe
    assert f'org.opencontainers.image.source="{ADDRESS}"' in recipe
    pages = (ROOT / each for each in ("README.md", "pyproject.toml", ".github/ISSUE_TEMPLATE/config.yml"))
    for page in (*pages, *MANIFESTS.rglob("*.*")):
        text = page.read_text("utf-8")
        assert set(re.findall(r"https://github\.com/[\w.-]+/lamella\b", text)) <= {ADDRESS}, page


def test_the_registry_is_told_no_more_than_it_takes() -> None:
    server = read("packaging/server.json")
    (package,) = server["packages"]
    assert 1 <= len(server["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert (package["registryType"], package["identifier"], package["transport"]) == (
        "pypi",
        PROJECT["name"],
        {"type": "stdio"},
    )


def test_settings_that_the_registry_is_told_of_are_documented() -> None:
    (package,) = read("packaging/server.json")["packages"]
    settings = (ROOT / "docs/settings.md").read_text("utf-8")
    documented = re.findall(r"^\| `(LAMELLA_\w+)` \|", settings, re.MULTILINE)
    assert {each["name"] for each in package["environmentVariables"]} <= set(documented)


def test_workflows_run_nothing_but_targets_of_the_makefile_that_anyone_can_run() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    workflows = [path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").iterdir()]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    container = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    named = re.findall(r"\bmake ([a-z-]+)", "\n".join([*workflows, hooks, container]))
    assert {"audit", "check", "demo", "docs", "lint", "release", "test"} == set(named) <= set(targets)
