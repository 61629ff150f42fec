"""Errors of embedders, and of searches by meaning."""

from attrs import frozen

from lamella.domain.errors import AdvisedError, LamellaError


@frozen(kw_only=True, repr=False, slots=False)
class SemanticSearchUnavailableError(LamellaError):
    """Search by meaning was requested without an embedder. With `by_words`, advise to search by words."""

    by_words: bool = False
    advice: str = "install one and leave LAMELLA_EMBEDDER unset; `lamella status` says how."

    def __str__(self) -> str:
        or_that = self.advice[:1].upper() + self.advice[1:]
        advice = f"Search by words instead (mode 'auto'), or {self.advice}" if self.by_words else or_that
        return f"Search by meaning is not available: no embedder configured. {advice}"


@frozen(kw_only=True, repr=False, slots=False)
class InvalidVectorError(LamellaError):
    """An embedder returned an unusable vector: all zeros, or with a component that isn't finite."""

    dimension: int

    def __str__(self) -> str:
        return f"The embedder made an unusable vector ({self.dimension} dimensions). Check the model, and retry."


class EmbedderUnavailableError(AdvisedError):
    """The configured embedder cannot be used."""


@frozen(kw_only=True, repr=False, slots=False)
class OtherModelError(LamellaError):
    """The project has no vectors of the model `asked`. `kept` is the model of the project's vectors, if any."""

    kept: str | None
    asked: str

    def __str__(self) -> str:
        there = f"its vectors were computed by the model {self.kept}" if self.kept else "there are none yet"
        return f"This project has no vectors of the model {self.asked}: {there}. Restart this server."
