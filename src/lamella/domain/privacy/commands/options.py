"""Programs with secrets on their command line (`options.tsv`), and words of any command line."""

from lamella.domain.tables import read_rows, read_table

ROWS = tuple(read_rows(__file__, "options.tsv"))
"""Programs, the subcommand, and the places of secrets of each row."""

_WORDS = read_table(__file__, "options.txt")
PROGRAMS = frozenset(" ".join([programs for programs, _, _ in ROWS]).split())
"""Programs of the table."""

PIPES = tuple(each.replace("_", " ") for each in _WORDS["pipes"].split())
"""Programs reading a secret from a pipe. The argument of `echo` or `printf` before the pipe is the secret."""

USERS = frozenset({"-u", "-U", "--user", "--username", "-user", "-username", "-n", "-D", "--login", "login"})
"""Options and words before a user name, or for a login, in any program."""

PASSWORDS = frozenset({"-p", "-P", "-w", "-W"})
"""Options for the password of this user."""

PAIRS = frozenset(_WORDS["pairs"].split())
"""Options of any program for a user, optionally with a password after a colon."""

NAMES = frozenset({"password", "passwd", "pass", "passphrase", "using"})
"""Words before a password."""
