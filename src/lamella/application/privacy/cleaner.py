"""Redact captured text before anything is written."""

# ruff: noqa: PLC0415 - most memories have no code changes

from collections.abc import Sequence
from typing import Any

from attrs import define, evolve

from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.privacy.redaction import cleaned

_FILE_CHARACTERS = 4_000
"""Maximum length of the hunks of a file in a memory, including the line about omissions."""

_MEMORY_CHARACTERS = 20_000
"""Maximum total length of a memory's hunks. Long hunks are truncated first."""


@define(eq=False, repr=False, slots=False)
class Cleaner:
    """Redactor that removes secrets and private parts from texts, and counts the secrets.

    Attributes:
        secrets: Number of secrets redacted by this object.
    """

    secrets: int = 0

    def text(self, text: str) -> str:
        """Return `text` without secrets and private parts."""
        if not text:
            return text
        text, secrets = cleaned(text)
        self.secrets += secrets
        return text

    def change(self, change: CodeChange) -> CodeChange:
        """Return `change` with all its texts redacted."""
        former = None if change.former is None else self.text(change.former)
        return evolve(change, path=self.text(change.path), former=former, hunks=self.text(change.hunks))

    def observation(self, said: Observation) -> Observation:
        """Return `said` with all its texts redacted. Without secrets, return the same object."""
        content = self.text(said.content)
        # Most titles repeat the beginning of the text. If the text has no secrets, such a title has none either.
        same = content == said.content and content.startswith(said.title)
        clean: dict[str, Any] = {
            "title": said.title if same else self.text(said.title),
            "content": content,
            "keywords": self.text(said.keywords),
            "source": self.text(said.source),
            "metadata": {self.text(name): self.text(text) for name, text in said.metadata.items()},
            "changes": tuple(map(self.change, said.changes)),
        }
        # Copying takes as long as checking, so avoid it.
        return said if all(getattr(said, name) == each for name, each in clean.items()) else evolve(said, **clean)

    def changes(self, changes: Sequence[CodeChange], *, each: int, together: int) -> tuple[CodeChange, ...]:
        """Return changes with redacted and truncated hunks. Long hunks are truncated first.

        Args:
            changes: Changes to redact.
            each: Maximum length of the hunks of one file.
            together: Maximum total length of all hunks.
        """
        from lamella.domain.ledger.hunks import bounded, share

        clean = [self.change(change) for change in changes]
        # Count omitted lines before redaction, because redaction turns a key of many lines into a single line.
        missing = [_missing(change) for change in changes]
        whole = [bounded(change.hunks, each, more) for change, more in zip(clean, missing, strict=True)]
        most = min(each, share([len(hunks) for hunks in whole], together))
        return tuple(
            evolve(change, hunks=hunks if len(hunks) <= most else bounded(change.hunks, most, more))
            for change, hunks, more in zip(clean, whole, missing, strict=True)
        )

    def of_memory(self, changes: Sequence[CodeChange]) -> tuple[CodeChange, ...]:
        """Return the changes of a memory, redacted and truncated. Files made for secrets lose their hunks."""
        from lamella.domain.privacy.private_files import is_private

        public = [change for change in changes if not is_private(change.path)]
        clean = iter(self.changes(public, each=_FILE_CHARACTERS, together=_MEMORY_CHARACTERS))
        return tuple(
            self.change(evolve(change, hunks="")) if is_private(change.path) else next(clean) for change in changes
        )


def _missing(change: CodeChange) -> int:
    """Return the number of changed lines missing from the hunks."""
    from lamella.domain.ledger.hunks import counted

    return max(0, (change.additions or 0) + (change.deletions or 0) - sum(counted(change.hunks)))
