"""Clauses on turning texts into vectors."""

from collections.abc import Callable, Sequence

from hypothesis import given

from lamella.domain.embeddings.vector import Vector
from lamella.ports.embedder import Embedder
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.clauses.storage.hostile_text import HOSTILE
from lamella_contracts.clauses.tokenizer import ODD
from lamella_contracts.fixtures.strategies import any_text, bounded

WORDLESS = ("", " ", "\n", "\t \r\n", " " * 1_000)

PLAIN = (
    "We store passwords as salted hashes.",
    "word",
    "The meeting is on Tuesday morning, in the large room on the second floor, and everybody brings a question.",
    "def parse(line: str) -> list[str]: ...",
)

LONG = ("memory " * 1_500, "x" * 10_000, "\u6570" * 10_000, "\ud800" * 10_000, "\x00" * 10_000, "a b\n" * 2_500)

NAMES_OF_TOKENS = ("<s>", "</s>", "<unk>", "<pad>", "[CLS]", "[SEP]", "[MASK] [PAD]", "<|endoftext|>")

SAME = (
    ("The database connection timed out.", "A timeout of the connection to the database."),
    ("We painted the kitchen walls yellow.", "The walls of the kitchen were painted in yellow."),
    ("Her flight to Lisbon leaves on Friday.", "On Friday she takes the flight to Lisbon."),
)
"""Pairs of texts with equal meaning and some shared words."""

ANSWERED = (
    ("Which colour did we paint the kitchen?", "We painted the kitchen walls yellow."),
    ("What happened to the database connection?", "The database connection timed out."),
    ("When does the flight to Lisbon leave?", "Her flight to Lisbon leaves on Friday."),
)
"""Pairs of a question and its answer."""


def each_text(check: Callable[[str], None]) -> None:
    """Run `check` on texts of every kind, fixed and drawn by Hypothesis."""
    for text in (*PLAIN, *WORDLESS, *ODD, *HOSTILE, *NAMES_OF_TOKENS, *LONG):
        check(text)
    bounded(30)(given(any_text())(check))()


def vector_of(embedder: Embedder, text: str) -> Vector:
    """Return the vector of a text. Fail if the text has no vector."""
    (vector,) = embedder.embed([text])
    assert vector is not None
    return vector


def nearest(vector: Vector | None, texts: Sequence[str], embedder: Embedder) -> str:
    """Return the text most similar to `vector`."""
    assert vector is not None
    return max(texts, key=lambda text: vector.cosine(vector_of(embedder, text)))


class EmbedderClauses:
    """Vectors are deterministic, belong to one model, and are similar for texts of similar meaning."""

    def make_embedder(self) -> Embedder:
        """Return a new embedder to test; subclasses define this."""
        raise NotImplementedError(f"{type(self).__name__} must define make_embedder(self).")

    def test_another_embedder_makes_the_same(self, embedder: Embedder) -> None:
        """Fails if two instances differ in the name of the model or in their vectors.

        Each start of a server would then embed all memories again.
        """
        again = self.make_embedder()
        assert embedder.model.name.strip()
        assert again.model == embedder.model
        assert again.embed(PLAIN) == embedder.embed(PLAIN)

    def test_vectors_have_the_dimension_of_the_model(self, embedder: Embedder) -> None:
        """Fails if vectors of texts or questions have another dimension than the model declares."""
        vectors = (*embedder.embed(PLAIN), *(embedder.embed_query(text) for text in PLAIN))
        assert {vector.dimension for vector in vectors if vector} == {embedder.model.dimension}

    def test_no_texts_have_no_vectors(self, embedder: Embedder) -> None:
        """Fails if an empty list of texts raises, for example because it reaches the model as an empty batch."""
        assert embedder.embed(()) == ()

    def test_what_is_blank_has_no_vector(self, embedder: Embedder) -> None:
        """Fails if blank text gets a vector, such as the vector of the model's start and end tokens."""
        assert embedder.embed(WORDLESS) == (None,) * len(WORDLESS)
        assert [embedder.embed_query(text) for text in WORDLESS] == [None] * len(WORDLESS)

    def test_words_have_a_vector(self, embedder: Embedder) -> None:
        """Fails if a text gets no vector because one of its words is unknown to the model."""
        assert None not in embedder.embed(PLAIN)
        assert None not in [embedder.embed_query(text) for text in PLAIN]

    def test_no_text_raises(self, embedder: Embedder) -> None:
        """Fails if embedding raises for some text: lone surrogates, a very long text, or only unknown words."""

        def has_an_answer(text: str) -> None:
            assert len(embedder.embed([text])) == 1
            embedder.embed_query(text)

        each_text(has_an_answer)

    def test_a_text_is_embedded_as_if_alone(self, embedder: Embedder) -> None:
        """Fails if texts of a batch influence each other or change their order.

        Also fails if blank texts have no entry in the result.
        """
        texts = (*PLAIN, *HOSTILE, *WORDLESS, *PLAIN)
        assert [(vector,) for vector in embedder.embed(texts)] == [embedder.embed([text]) for text in texts]

    def test_equal_texts_have_equal_vectors(self, embedder: Embedder) -> None:
        """Fails if a vector depends on chance, on earlier calls, or on the state of a cache."""
        texts = (*PLAIN, *HOSTILE)
        first = [(embedder.embed([text]), embedder.embed_query(text)) for text in texts]
        again = [(embedder.embed([text]), embedder.embed_query(text)) for text in texts[::-1]]
        assert again[::-1] == first

    def test_threads_make_the_same_vectors(self, embedder: Embedder) -> None:
        """Fails if concurrent calls get wrong vectors, because they share state of the model without a lock."""
        texts = [f"{text} {number}" for number in range(2) for text in PLAIN]
        alone = [(embedder.embed([text]), embedder.embed_query(text)) for text in texts]

        def embedded() -> list[tuple[tuple[Vector | None, ...], Vector | None]]:
            return [(embedder.embed([text]), embedder.embed_query(text)) for text in texts]

        assert at_once([embedded] * THREADS) == [alone] * THREADS

    def test_texts_that_say_the_same_are_near(self, embedder: Embedder) -> None:
        """Fails if texts of equal meaning aren't the most similar.

        Likely causes are a wrong layer, pooling or tokenizer.
        """
        for one, other in SAME:
            others = [text for pair in SAME for text in pair if text != one]
            assert nearest(vector_of(embedder, one), others, embedder) == other

    def test_a_question_is_near_its_answer(self, embedder: Embedder) -> None:
        """Fails if a question isn't most similar to its answer.

        Likely causes are different models, prefixes or weights for questions and texts.
        """
        answers = [answer for _, answer in ANSWERED]
        for question, answer in ANSWERED:
            assert nearest(embedder.embed_query(question), answers, embedder) == answer
