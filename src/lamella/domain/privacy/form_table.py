"""Forms of statements, lines of configuration and sentences that hold a secret (`forms.tsv`)."""

from lamella.domain.tables import read_patterns

_QUOTED = r"[NEne]?(?P<q>\\?[\"'`])(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
_VALUE = r"(?P<q>\\?[\"'`])?(?P<secret>(?(q)(?:(?!(?P=q))[^\n])|[^\s\"'`;,<>\\]){1,200})"
_BARE = r"(?![:?@&])(?P<secret>[^\s\"'`;,<>\\]{3,200})"
_LINE = r"(?:(?m:^)|(?<=\\n)|(?<=[\"'`]))[ \t+\-]{0,12}"
_END = r"\s{0,8}(?=(?m:$)|\\|[\"'`])"
_USER = r"[\"'`]?[\w.@+\\-]{1,60}[\"'`]?"

_TABLE = read_patterns(
    __file__,
    "forms.tsv",
    {"quoted": _QUOTED, "value": _VALUE, "bare": _BARE, "line": _LINE, "end": _END, "user": _USER, "tab": "\t"},
)
GIVEN = _TABLE["given"]
"""Signs and patterns of forms in which any value is a secret, except placeholders and words of a sentence."""
DRAWN = _TABLE["drawn"]
"""The same of forms in which values have digits or signs, or random letters."""

COOKIES = (
    r"(?:\bcookies?[\"'`\\]{0,3}(?:\s?[:=]\s?[{\"'`\\]{0,3}|\s[{\"'`\\]{1,3})"
    r"|\bcurl\b[^\n|;&]{0,300}?\s-b\s?[\"'\\]{0,2})"
    r"(?P<pairs>[^\n\s={}]{1,80}(?:=|[\"']: ?[\"'])[^\n{}]{3,2000})"
)
PAIR = r"(?P<name>[\w.%@$!-]{1,80})(?:=|[\"']: ?[\"'])(?P<secret>[^;,\s\"'`\\]{6,1500})"
