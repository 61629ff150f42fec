"""Lines with and without secrets, each corpus in a file beside this module. `SECRET` stands for the value."""

from pathlib import Path

from tests.unit.support.tables import text


def _lines(name: str) -> list[str]:
    return Path(__file__).with_name(name).read_text("utf-8").splitlines()


def _rows(*names: str) -> list[list[str]]:
    return [line.split("\t") for name in names for line in _lines(name)[1:]]


COMMANDS, COMMANDS_IN_FILES = _lines("commands.txt"), [text(line) for line in _lines("commands_in_files.txt")]
"""Commands with a secret, and the same in scripts, Dockerfiles, YAML, JSON, programs, diffs and logs.

Nothing but the secret may be taken out.
"""
APART, APART_IN_FILES = _lines("apart.txt"), [text(line) for line in _lines("apart_in_files.txt")]
"""Commands that were written before the table of programs, and held apart until it was done.

Of seven kinds of values 94.9 % were caught when they were first measured.
"""
UNSEEN, UNSEEN_PROGRAMS = _lines("unseen.txt"), _lines("unseen_programs.txt")
"""Commands of programs in the table and of others, written before the finder and held apart until it was done.

Of seven kinds of values 95.9 % and 70.6 % were caught when they were first measured; some of the others are
in the table since.
"""
ORDINARY_COMMANDS = [*_lines("ordinary_commands.txt"), *_lines("ordinary_beside_users.txt")]
"""Commands without a secret: of programs that take one, and with words that stand beside users and passwords."""
CALLS, NAMED = _lines("calls.txt"), _lines("named.txt")
"""Calls that take a secret by its position, and values of names that say what they are."""
STATED, TYPED = _lines("stated.txt"), _lines("typed.txt")
r"""Statements, lines of configuration and sentences; in `TYPED`, `\n` is a line break."""
ORDINARY = _lines("ordinary.txt")
"""Lines without a secret that look like the others, some of them from packages and manuals."""
HOSTILE = [text(line) for line in _lines("hostile.txt")]
"""Parts of long texts at which a finder might begin again and again."""

_DOCUMENTED = _rows("documented.tsv", "documented_later.tsv")
"""Kind, secret, line and source of lines written after the documentation of tools, without knowledge of the rules.

Tokens of published formats are left out: `secret_corpus` draws them. Of all 286 lines with a secret of the first
file 72.4 % were redacted before there were rules for calls, forms and expressions, and 86.0 % when those were
first measured; of 252 lines without a secret 5 and 7 were touched. Of 284 of the second file 80.3 % were redacted
at first sight, and 3 of 255 without a secret touched. Then the rules were mended for what the misses had in
common: made after one half of that file, they redacted 89.7 % of the other half, and 79.3 % before.
"""
DOCUMENTED = [(line, secret) for kind, secret, line, _ in _DOCUMENTED if kind == "secret"]
DOCUMENTED_ORDINARY = [line for kind, _, line, _ in _DOCUMENTED if kind == "innocent"]

_EVIDENT = _rows("evident.tsv")
"""Kind, secret and line where a word that looks like a secret stands beside one that tells of secrets."""
EVIDENT = [(line, secret) for kind, secret, line in _EVIDENT if kind == "secret"]
EVIDENT_ORDINARY = [line for kind, _, line in _EVIDENT if kind == "innocent"]
