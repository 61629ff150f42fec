"""Lines in which a word that looks like a secret stands beside one that tells of secrets, and lookalikes."""

from pathlib import Path

_EVIDENT = [
    line.split("\t") for line in Path(__file__).with_name("evident.tsv").read_text("utf-8").splitlines()[1:]
]
"""Kind, secret and line of each."""
EVIDENT = [(line, secret) for kind, secret, line in _EVIDENT if kind == "secret"]
EVIDENT_ORDINARY = [line for kind, _, line in _EVIDENT if kind == "innocent"]
