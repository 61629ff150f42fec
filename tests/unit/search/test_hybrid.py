import pytest

from lamella.application.embeddings import background_worker
from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.embed import BATCH
from lamella.application.embeddings.readiness import NotReadyError
from lamella.application.search.request import SearchRequest
from lamella.domain.embeddings.errors import EmbedderUnavailableError  # noqa: F401 - for the table
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText, Match, Mode
from lamella.ports.embedder import Embedder
from tests.unit.embeddings.meaning_desks import CARS, Choosy, Gate, Mute, footer, patient
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ConceptEmbedder
from tests.unit.support.tables import cases


class TestBothLegs:
    def test_a_row_that_only_meaning_brings_up_has_the_exact_score_of_its_words_too(self) -> None:
        """Fifty memories are better by words than the one that means the same."""
        desk = patient("red car", *(f"red red {number}" for number in range(60)))
        (best, *_) = desk.searching(desk.call, SearchRequest(selector=ByText("red automobile"), limit=50)).hits
        assert (best.observation.content, best.match) == ("red car", Match.WORDS)

    def test_a_row_that_only_words_bring_up_has_the_exact_score_of_its_meaning_too(self) -> None:
        """Fifty memories are nearer in meaning than the one with the word."""
        desk = patient("crimson car and cat", *(f"car {number}" for number in range(60)))
        asked = SearchRequest(selector=ByText("the crimson automobile"), explain=True)
        (best, *_) = desk.searching(desk.call, asked).hits
        assert (best.observation.content, round(best.likeness or 0, 2)) == ("crimson car and cat", 0.99)


class TestDegraded:
    def test_where_nothing_is_found_it_is_said_what_kept_the_search_from_it(self) -> None:
        gate = Gate()
        loading = Embedding(gate)
        desk = Desk(embedding=loading)
        desk.save("the cat is red")
        with pytest.raises(NothingFoundError) as nothing:
            desk.recall(ByText("conveyance"))
        loading.close()
        gate.open.set()
        assert str(nothing.value) == (
            "No memories found matching 'conveyance'. Try broader search terms or check the ID."
            " (keyword only: the embedder is loading)"
        )

    @cases
    def test_an_embedder_that_cannot_be_opened_hides_no_hit_and_is_not_tried_again(
        self, error: Exception, told: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        tries = []

        def opened() -> Embedder:
            tries.append(1)
            raise error

        desk = Desk(embedding=Embedding(opened, patient=True))
        desk.save("the car is red")
        for _ in range(2):
            assert footer(desk, "car") == f" | keyword only: {told}"
            assert footer(desk, "car", Mode.SEMANTIC) == f" | keyword only: {told}"
        assert tries == [1]
        assert len(caplog.records) == isinstance(error, RuntimeError)

    def test_a_memory_that_cannot_be_embedded_hides_no_other(self, caplog: pytest.LogCaptureFixture) -> None:
        desk = patient("poison", *CARS, embedder=Choosy())
        (hit, *_) = desk.searching(desk.call, SearchRequest(selector=ByText("conveyance"))).hits
        assert hit.observation.content == "the automobile is red"
        assert footer(desk, "poison car") == ""
        assert len(caplog.records) == 1

    def test_a_patient_question_does_not_wait_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(background_worker, "PATIENT_SECONDS", 0.0)
        desk = patient(*(f"car {number}" for number in range(3 * BATCH)))
        assert footer(desk, "car") == f" | keyword only: {BATCH} of {3 * BATCH} memories embedded"
        assert desk.embedding
        assert desk.embedding.backlog == BATCH, "the question itself had a second batch embedded"

    def test_memories_that_are_not_embedded_yet_are_told_of(self) -> None:
        desk = patient(*(f"car {number}" for number in range(200)))
        assert desk.embedding
        desk.recall(ByText("conveyance"))
        for number in range(12):
            desk.save(f"cat {number}")
        desk.embedding.failure = NotReadyError("it stopped")
        assert [footer(desk, "conveyance", each) for each in (Mode.SEMANTIC, Mode.AUTO)] == [" | it stopped"] * 2

    def test_an_embedder_that_fails_at_a_question_hides_no_hit(self, caplog: pytest.LogCaptureFixture) -> None:
        desk = patient("the car is red", embedder=Mute())
        assert footer(desk, "car") == " | keyword only: the embedder failed"
        assert "Traceback" in caplog.text

    def test_while_most_memories_have_no_vector_the_words_answer(self) -> None:
        desk = patient(*CARS, *(f"car {number}" for number in range(30)))
        assert desk.embedding
        desk.embedding.embedder = ConceptEmbedder()
        desk.embedding.adopted.add(desk.here.key)
        desk.made_here.vectors(ConceptEmbedder().model).adopt()
        desk.embedding.failure = NotReadyError("it stopped")
        assert footer(desk, "car") == " | keyword only: it stopped"
        desk.embedding.failure = None
        desk.embedding.close()
        assert footer(desk, "car") == " | keyword only: 0 of 33 memories embedded"
