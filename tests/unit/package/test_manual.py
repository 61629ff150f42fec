"""Manual pages of all commands."""

from tests.release.manual import pages


def test_each_command_has_a_page_with_all_options_and_no_accidental_troff_request() -> None:
    made = dict(pages())
    assert {"lamella.1", "lamella-share.1", "lamella-import-claude-mem.1", "lamella-token-create.1"} <= made.keys()
    assert ".B \\-\\-everything\nShare all memories" in made["lamella-share.1"]
    assert ".nf\nKeys of \\-\\-json" in made["lamella-status.1"]
    assert "\\-h, \\-\\-help" in made["lamella.1"].replace("\\-\\-help, \\-h", "\\-h, \\-\\-help")
    requests = {
        line.split()[0] for text in made.values() for line in text.split("\n") if line.startswith((".", "'"))
    }
    assert requests == {".TH", ".SH", ".B", ".BR", ".PP", ".TP", ".nf", ".fi"}
