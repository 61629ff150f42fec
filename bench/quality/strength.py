"""Share of replies that call a match weak, for right answers (an error) and for unanswerable questions."""

from collections.abc import Iterable

from attrs import frozen

from bench.quality.answers import Answered
from bench.quality.collection import Collection

_FIRST = 3
"""A reply is right if an answer is among this number of first results."""


@frozen(kw_only=True)
class Strength:
    """Counts of questions.

    Attributes:
        right: Number of questions with an answer among the first three results.
        weak: Number of questions in `right` with a reply that calls the match weak.
        unrelated: Number of questions without an answer.
        strong: Number of questions in `unrelated` with a reply that doesn't call the match weak.
        shown: Number of results shown for the questions in `unrelated`, at most ten for each.
    """

    right: int = 0
    weak: int = 0
    unrelated: int = 0
    strong: int = 0
    shown: int = 0

    def __add__(self, other: "Strength") -> "Strength":
        return Strength(
            right=self.right + other.right,
            weak=self.weak + other.weak,
            unrelated=self.unrelated + other.unrelated,
            strong=self.strong + other.strong,
            shown=self.shown + other.shown,
        )

    @property
    def called_weak(self) -> float:
        """Share of right answers called weak, in percent."""
        return 100 * self.weak / max(1, self.right)

    @property
    def called_strong(self) -> float:
        """Share of questions without an answer not called weak, in percent."""
        return 100 * self.strong / max(1, self.unrelated)


def strength(collection: Collection, answered: Answered, unrelated: Iterable[str] = ()) -> Strength:
    """Count weak and strong replies to a collection's questions, and to the questions `unrelated`."""
    found = [(answered.of(question), question.relevant) for question in collection.questions]
    right = [each for each, relevant in found if relevant.intersection(each.keys[:_FIRST])]
    others = [answered.found[project, text] for text in unrelated for project in collection.projects]
    return Strength(
        right=len(right),
        weak=sum(each.weak for each in right),
        unrelated=len(others),
        strong=sum(each.strong for each in others),
        shown=sum(len(each.keys[:10]) for each in others),
    )
