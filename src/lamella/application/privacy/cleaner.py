"""Taking out of captured text what must not be kept, before anything is written."""

from collections.abc import Sequence

from attrs import define, evolve

from lamella.domain.ledger.hunks import MAX_HUNK_CHARACTERS, bounded, counted, share
from lamella.domain.memories.observation import CodeChange
from lamella.domain.privacy.redaction import redact, without_private


@define
class Cleaner:
    """Takes secrets and what is marked as private out of text after text; `secrets` counts the former."""

    secrets: int = 0

    def text(self, text: str) -> str:
        """`text` without them."""
        redacted = redact(without_private(text))
        self.secrets += redacted.secrets
        return redacted.text

    def change(self, change: CodeChange) -> CodeChange:
        """`change` without them."""
        return CodeChange(
            path=self.text(change.path),
            former=None if change.former is None else self.text(change.former),
            additions=change.additions,
            deletions=change.deletions,
            hunks=self.text(change.hunks),
        )

    def changes(
        self, changes: Sequence[CodeChange], *, together: int, each: int = MAX_HUNK_CHARACTERS
    ) -> tuple[CodeChange, ...]:
        """`changes` without them, and cut to size then.

        The hunks of a file have at most `each` characters, and those of all `together`; long ones give way to
        short ones.
        """
        clean = [self.change(change) for change in changes]
        # How much is missing already is told by the lines as they were: a key of many becomes one.
        missing = [_missing(change) for change in changes]
        whole = [bounded(change.hunks, each, more) for change, more in zip(clean, missing, strict=True)]
        most = min(each, share([len(hunks) for hunks in whole], together))
        return tuple(
            evolve(change, hunks=hunks if len(hunks) <= most else bounded(change.hunks, most, more))
            for change, hunks, more in zip(clean, whole, missing, strict=True)
        )


def _missing(change: CodeChange) -> int:
    """How many changed lines are not among the hunks."""
    return max(0, (change.additions or 0) + (change.deletions or 0) - sum(counted(change.hunks)))
