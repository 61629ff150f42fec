"""Taking out of captured text what must not be kept, before anything is written."""

from attrs import define

from lamella.domain.observation import CodeChange
from lamella.domain.redaction import redact, without_private


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
