"""The command that corrects a memory in an editor."""

from pathlib import Path

from tests.end_to_end.support.command_line import CommandLine


def test_a_refused_text_is_kept_and_can_be_edited_again(lamella: CommandLine) -> None:
    typed = lamella.directory.parent / "typed.md"
    typed.write_text(f"Pears\n\n{'x' * 10_001}\n", "utf-8")
    id = lamella.saved("Pears are picked hard.")
    refused = lamella.run("edit", id, env={"EDITOR": f"cp {typed}", "VISUAL": ""})
    kept = Path(refused.err.partition("Your text is in ")[2].partition(". ")[0])
    assert (refused.code, kept.read_bytes(), kept.stat().st_mode & 0o777) == (1, typed.read_bytes(), 0o600)
    assert "at most 10000 characters" in refused.err
    kept.write_text("Pears\n\nPears are picked late.\n", "utf-8")
    editor = refused.err.partition("EDITOR='")[2].partition("'")[0]
    assert lamella.run("edit", id, env={"EDITOR": editor, "VISUAL": ""}).code == 0
    kept.unlink()
    assert "are picked late." in lamella.run("recall").out
