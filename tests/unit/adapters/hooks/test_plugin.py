"""The plugin's files, against the tools and the commands that they speak of."""

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.cli.commands import lamella
from lamella_adapters.cli.setup import plugin
from lamella_adapters.hooks.context.session_start import MOST_TOKENS
from lamella_adapters.mcp.toolsets.arguments import schema
from lamella_adapters.mcp.toolsets.registry import chosen, instructions
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

ROOT = Path(__file__).parents[4]
PLUGIN = ROOT / "plugin"
COMMANDS = sorted((PLUGIN / "commands").glob("*.md"))
TEXTS = [*COMMANDS, *sorted(PLUGIN.glob("skills/*/SKILL.md"))]
PAGE = ROOT / "docs" / "claude-code.md"
TOOLS = {name: schema(tool.arguments)["properties"] for name, tool in chosen("unified").items()}

SWITCHES = (
    *("capture_edits", "capture_conversations", "context_at_start", "context_at_prompt"),
    *("warn_before_edits", "notice_at_start"),
)

HOOK = (
    '"${CLAUDE_PLUGIN_DATA}/python" -I -S "${CLAUDE_PLUGIN_ROOT}/hooks/hook.py" 2>/dev/null'
    ' || sh "${CLAUDE_PLUGIN_ROOT}/bin/lamella" hook 2>/dev/null || exit 0'
)

DRAIN = '; (nohup sh "${CLAUDE_PLUGIN_ROOT}/bin/lamella" drain </dev/null >/dev/null 2>&1 &)'
"""A command that runs when a session ends, in the background and independent of the terminal."""


def read(*place: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(ROOT.joinpath(*place).read_text("utf-8"))
    return content


def codes(path: Path) -> list[str]:
    """Return the inline code of a text."""
    return re.findall(r"(?<![`!])`([^`\n]+)`", path.read_text("utf-8"))


def calls(path: Path) -> Iterator[ast.Call]:
    """The calls of tools that a text shows."""
    for code in codes(path):
        if re.match(r"\w+\(", code):
            call = ast.parse(re.sub(r"\btrue\b", "True", code), mode="eval").body
            assert isinstance(call, ast.Call)
            yield call


def test_the_plugin_is_as_old_as_the_package() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = read("plugin", ".claude-plugin", "plugin.json")
    (listed,) = read(".claude-plugin", "marketplace.json")["plugins"]
    assert {each["name"] for each in (package, manifest, listed)} == {"lamella"}
    assert {each["version"] for each in (package, manifest, listed)} == {package["version"]}
    assert (listed["source"], manifest["license"]) == ("./plugin", package["license"])


def test_every_switch_is_on_until_it_is_switched_off() -> None:
    options = read("plugin", ".claude-plugin", "plugin.json")["userConfig"]
    assert {name: (each["type"], each.get("default")) for name, each in options.items()} == {
        **dict.fromkeys(SWITCHES, ("boolean", True)),
        "command": ("string", None),
    }


def test_every_hook_runs_the_same_command_and_has_its_time() -> None:
    events = read("plugin", "hooks", "hooks.json")["hooks"]
    assert {event: [entry.get("matcher") for entry in entries] for event, entries in events.items()} == {
        "SessionStart": [None],
        "UserPromptSubmit": [None],
        "PreToolUse": ["Edit|Write|MultiEdit"],
        "PostToolUse": ["Edit|Write|MultiEdit|NotebookEdit|Bash"],
        "PostToolUseFailure": ["Bash"],
        "Stop": [None],
        "SessionEnd": [None],
    }
    hooks = {event: hook for event, [entry] in events.items() for hook in entry["hooks"]}
    assert {event: hook["command"] for event, hook in hooks.items()} == {
        **dict.fromkeys(events, HOOK),
        "SessionEnd": HOOK + DRAIN,
    }
    # In seconds; a hook of lamella gives up by itself before.
    assert {(hook["type"], hook["timeout"]) for hook in hooks.values()} == {("command", 5)}


def test_what_the_plugin_runs_is_there() -> None:
    server = read("plugin", ".mcp.json")["mcpServers"]["lamella"]
    named = [HOOK, *server["args"], *((PLUGIN / "commands" / "status.md").read_text("utf-8").splitlines())]
    files = set(re.findall(r"\$\{CLAUDE_PLUGIN_ROOT\}/([\w./]+)", "\n".join(named)))
    assert files == {"hooks/hook.py", "bin/lamella"}
    assert all((PLUGIN / file).is_file() for file in files)


def test_the_status_command_may_run_what_it_shows() -> None:
    text = (PLUGIN / "commands" / "status.md").read_text("utf-8")
    (allowed,) = re.findall(r"^allowed-tools: Bash\((.*)\)$", text, re.MULTILINE)
    (run,) = re.findall(r"!`(.*)`", text)
    assert allowed == run == 'sh "${CLAUDE_PLUGIN_ROOT}/bin/lamella" status'


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_text_calls_the_tools_by_the_arguments_they_have(path: Path) -> None:
    for call in calls(path):
        assert isinstance(call.func, ast.Name)
        assert not call.args
        arguments = TOOLS[call.func.id]
        for given in call.keywords:
            assert given.arg in arguments, ast.unparse(call)
            value, allowed = ast.literal_eval(given.value), arguments[given.arg]
            kinds = {"string": str, "array": list, "integer": int, "boolean": bool}
            assert isinstance(value, kinds[allowed["type"]]), ast.unparse(call)
            assert value in allowed.get("enum", [value]), ast.unparse(call)


def test_the_texts_say_how_to_save_and_how_to_recall() -> None:
    shown = {ast.unparse(call) for path in TEXTS for call in calls(path)}
    assert {call.partition("(")[0] for call in shown} == set(TOOLS)
    for words in ("detail='full'", "detail='timeline'", "action='purge'", "action='restore'", "source='decision'"):
        assert any(words in call for call in shown), words


def test_the_skill_is_short_and_only_it_costs_context_before_it_is_used() -> None:
    (skill,) = PLUGIN.glob("skills/*/SKILL.md")
    _, head, body = skill.read_text("utf-8").split("---\n", 2)
    assert len(head) < 320
    assert len(body) < 2_200
    assert {"disable-model-invocation: true" in path.read_text("utf-8") for path in COMMANDS} == {True}
    assert {path.stem for path in COMMANDS} == {"recall", "remember", "forget", "review", "status"}


def test_without_plugin_the_command_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "_CHECKOUT", tmp_path)
    with pytest.raises(plugin.NoPluginError) as caught:
        plugin.plugin.main([], standalone_mode=False)
    assert str(caught.value) == (
        "The plugin for Claude Code is not here. Install lamella from its wheel or from a checkout."
    )


def lines_of(page: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_page_names_every_switch_and_no_other() -> None:
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert rows == list(read("plugin", ".claude-plugin", "plugin.json")["userConfig"])
    assert set(re.findall(r"--config (\w+)=", page)) <= set(rows)


def test_the_page_says_what_an_index_and_the_tools_cost_at_most() -> None:
    page, count = PAGE.read_text("utf-8"), ClassTokenizer().count
    (skill,) = PLUGIN.glob("skills/*/SKILL.md")
    tools = [[tool.name, tool.description, schema(tool.arguments)] for tool in chosen("unified").values()]
    always = [*map(json.dumps, tools), instructions("unified"), skill.read_text("utf-8").split("---\n")[1]]
    costs = [int(cost.replace(",", "")) for cost in re.findall(r"^\|.*\| ([\d,]+) \|$", page, re.MULTILINE)]
    assert costs[0] == MOST_TOKENS
    assert 0.9 * costs[-1] < sum(map(count, always)) < costs[-1]


def test_the_command_lines_of_the_page_exist() -> None:
    shown = []
    page = PAGE.read_text("utf-8")
    for line in [*lines_of(page), *codes(PAGE)]:
        words = shlex.split(line, comments=True)
        if words[:1] == ["lamella"] and len(words) > 1:
            shown.append(words[1])
            command = lamella.get_command(None, words[1])  # type: ignore[arg-type] # it isn't looked at
            assert command is not None, line
            options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
            assert {word for word in words[2:] if word.startswith("-")} <= options, line
    assert {"ledger", "recall", "status", "erase", "doctor"} <= set(shown)
