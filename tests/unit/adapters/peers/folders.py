"""Stores of programs that keep memories in text files."""

import json
from pathlib import Path

from tests.unit.adapters.peers.making import ORCHARD, written


def server_memory(home: Path) -> Path:
    lines = [
        {"type": "relation", "from": "pear", "to": "shed", "relationType": "stored in"},
        {"type": "entity", "name": "pear", "entityType": "fruit", "observations": ["Picked by hand.", "Green"]},
        {"type": "entity", "name": "shed", "entityType": "place", "observations": []},
        {"type": "entity", "name": "Two\nlines", "entityType": "odd", "observations": ["苹果"]},
        {"type": "relation", "from": "nobody", "to": "pear", "relationType": "eats"},
        {"type": "other"},
    ]
    content = "\n".join([*map(json.dumps, lines), "{broken", ""])
    return written(
        home / ".npm/_npx/1a2b/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl", content
    )


def basic_memory(home: Path) -> Path:
    folder = home / "notes"
    written(
        folder / "fruit/Pears- by hand.md",
        "---\r\ntitle: 'Pears: by hand'\r\ntype: guide\r\ntags:\r\n- fruit\r\n- harvest\r\n---\r\n"
        "\r\n- [fact] Ladders #shed\r\n",
    )
    written(folder / "plain.md", "# 苹果\n\nNo front matter here.")
    written(folder / "broken.md", "---\ntitle: [never closed\n---\nText.")
    written(folder / "empty.md", "---\ntitle: Empty\n---\n")
    written(folder / ".obsidian/hidden.md", "Hidden.")
    written(home / "elsewhere.md", "Not in the folder.")
    (folder / "link.md").symlink_to(home / "elsewhere.md")
    projects = {"garden": {"path": str(folder)}, "gone": str(home / "gone")}
    written(home / ".basic-memory/config.json", json.dumps({"projects": projects}))
    return folder


def claude_code_memory(home: Path) -> Path:
    folder = home / ".claude/projects/-srv-lovelace-orchard"
    memory = folder / "memory"
    written(memory / "MEMORY.md", "- [Pears](pears.md) — by hand\n- [Tea](tea.md)\n")
    written(
        memory / "pears.md",
        "---\nname: pears\ndescription: pears by hand\nmetadata:\n  type: project\n---\n\nBy hand.",
    )
    written(memory / "tea.md", "---\nname: tea\ndescription: tea at noon\ntype: user\n---\n\n中午喝茶。")
    written(memory / "older.md", "## Older\n\nA file without front matter.")
    written(folder / "s.jsonl", json.dumps({"type": "summary"}) + "\n" + json.dumps({"cwd": ORCHARD}) + "\n")
    return memory


def codex_memory(home: Path) -> Path:
    content = (
        f"---\nrollout_summary_files:\n  - a.md (success, cwd={ORCHARD}, updated_at=2026-05-28T20:00:00Z)\n"
        "description: picking pears\nkeywords: pears\n---\n\n- Pears are picked by hand.\n\n"
        f"# Task Group: 苹果\n\napplies_to: cwd={ORCHARD}; reuse_rule=safe\n\n```sh\n# no heading\n```\n\n"
        "# Preferences\n\nTea at noon.\n"
    )
    return written(home / ".codex/memories/MEMORY.md", content)


def rules(home: Path) -> Path:
    written(home / ".git/HEAD", "ref: refs/heads/main\n")
    written(
        home / "CLAUDE.md",
        "# Orchard\n\n@AGENTS.md\n\n<!-- - No rule. -->\nPears are picked by hand.\n\n## Tools\nAlways:\n\n"
        "- Sharpen the saw:\n  - before noon\n\n  with oil.\n"
        "- 梯子 go back.\n\n```sh\n# no heading\n\nmake oil\n```\n",
    )
    written(home / "AGENTS.md", "# Orchard\n\nPears are picked by hand.\n1. No shakers.\n")
    written(
        home / ".cursor/rules/tea.mdc",
        "---\ndescription: Tea\nglobs: '*.tea'\nalwaysApply: false\n---\n\nAt noon.\n\nIn the shade.\n",
    )
    (home / "GEMINI.md").symlink_to(home / "AGENTS.md")
    return home
