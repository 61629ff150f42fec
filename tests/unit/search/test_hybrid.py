import pytest
from attrs import evolve

from lamella.application.embeddings import background_worker
from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.embed import BATCH, EmbedMemories
from lamella.application.embeddings.readiness import NotReadyError
from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.errors import (
    CapabilityUnsupportedError,
    EmbedderUnavailableError,
    SemanticSearchUnavailableError,
    StorageBusyError,
)
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText, Filters, Match, Mode
from lamella.domain.search.weights import MOST_LIKE
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import Coverage
from tests.unit.embeddings.meaning_desks import CARS, Broken, Choosy, Failing, Gate, Mute, Zero, footer, patient
from tests.unit.support.doubles import CALL, Desk, desk_with, titles
from tests.unit.support.stand_ins import ConceptEmbedder


class TestBothLegs:
    def test_a_memory_is_found_by_its_meaning_where_no_word_of_it_was_asked_for(self) -> None:
        desk = patient(*CARS)
        (hit, *_) = desk.searching(desk.call, SearchRequest(selector=ByText("vehicle"))).hits
        assert (hit.observation.content, hit.match) == ("the automobile is red", Match.MEANING)

    def test_what_the_words_find_keeps_its_reason_and_its_place_in_the_text(self) -> None:
        desk = patient("the car is red", *CARS)
        hits = desk.searching(desk.call, SearchRequest(selector=ByText("car"))).hits
        assert [(hit.observation.content, hit.match) for hit in hits] == [
            ("the car is red", Match.WORDS),
            ("the automobile is red", Match.MEANING),
        ]
        assert [(span.start, span.end) for span in hits[0].spans] == [(4, 7)]

    def test_words_alone_are_asked_where_the_mode_says_so(self) -> None:
        desk = patient("the car is red", *CARS)
        assert titles(desk, RecallRequest(selector=ByText("car", Mode.KEYWORD))) == ["the car is red"]
        assert footer(desk, "car", Mode.KEYWORD) == ""

    def test_meaning_alone_is_asked_where_the_mode_says_so(self) -> None:
        desk = patient("red and red again", *CARS)
        hits = desk.searching(desk.call, SearchRequest(selector=ByText("red vehicle", Mode.SEMANTIC))).hits
        assert {hit.observation.content: hit.score for hit in hits} == {
            "the automobile is red": 1.0,
            "a feline sleeps": 0.0,
            "our budget is small": 0.0,
        }

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

    def test_filters_hold_for_both_legs(self) -> None:
        desk = patient("the car is red", *CARS)
        desk.call = evolve(desk.call, session="session of the car is red")
        request = RecallRequest(selector=ByText("vehicle car"), filters=Filters(session=desk.call.session))
        assert titles(desk, request) == ["the car is red"]

    def test_what_meaning_finds_has_a_strength(self) -> None:
        desk = patient(*CARS)
        asked = [ByText("vehicle", mode) for mode in (Mode.SEMANTIC, Mode.AUTO)]
        lines = [desk.shown(each)[0].split(" | ") for each in asked]
        assert [line[1] for line in lines] == ["the automobile is red"] * 2
        assert lines[0][2] == "1.00"
        assert lines[1][2] == f"{MOST_LIKE:.2f}"

    def test_what_words_find_and_means_the_same_is_stronger_than_without_meaning(self) -> None:
        desk = patient(*CARS)
        asked = [ByText("unicorn automobile", mode) for mode in (Mode.KEYWORD, Mode.AUTO)]
        words, both = (float(desk.shown(each)[0].split(" | ")[2]) for each in asked)
        assert 0.3 < words < both

    def test_what_was_saved_since_is_embedded_before_a_patient_question_is_answered(self) -> None:
        desk = patient(*CARS)
        desk.recall(ByText("vehicle"))
        desk.save("a car again")
        assert "a car again" in desk.recall(ByText("vehicle"))


class TestDegraded:
    def test_without_an_embedder_the_words_answer_and_no_footer_complains(self) -> None:
        desk = Desk()
        desk.save("the car is red")
        assert footer(desk, "car") == ""

    def test_where_nothing_is_found_it_is_said_what_kept_the_search_from_it(self) -> None:
        gate = Gate()
        loading = Embedding(gate)
        desk = Desk(embedding=loading)
        desk.save("the automobile is red")
        with pytest.raises(NothingFoundError) as nothing:
            desk.recall(ByText("vehicle"))
        loading.close()
        gate.open.set()
        assert str(nothing.value) == (
            "No memories found matching 'vehicle'. Try broader search terms or check the ID."
            " (keyword only: the embedder is loading)"
        )

    def test_where_nothing_is_found_without_an_embedder_nothing_more_is_said(self) -> None:
        with pytest.raises(NothingFoundError) as nothing:
            desk_with("the automobile is red").recall(ByText("vehicle"))
        assert str(nothing.value).endswith(" check the ID.")

    def test_meaning_alone_without_an_embedder_is_an_error_that_says_how_to_get_one(self) -> None:
        desk = Desk()
        desk.save("the car is red")
        with pytest.raises(SemanticSearchUnavailableError, match="LAMELLA_EMBEDDER"):
            desk.recall(ByText("car", Mode.SEMANTIC))

    def test_a_question_without_a_word_to_embed_is_answered_by_words(self) -> None:
        assert footer(patient("xyzzy", *CARS), "xyzzy") == " | keyword only: no word to embed"

    def test_nothing_is_loaded_or_missing_in_a_project_without_memories(self) -> None:
        def opened() -> Embedder:
            raise AssertionError("loaded in vain")

        desk = Desk(embedding=Embedding(opened, patient=True))
        answer = desk.searching(desk.call, SearchRequest(selector=ByText("car")))
        assert answer.notices == ()

    @pytest.mark.parametrize(
        ("error", "told"),
        [
            (EmbedderUnavailableError(reason="The model is missing.", advice="Get it."), "The model is missing"),
            (RuntimeError("surprise"), "the embedder failed"),
        ],
    )
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

    def test_an_embedder_that_makes_unusable_vectors_hides_no_hit(self) -> None:
        desk = patient("the car is red", "a cat sleeps", embedder=Broken())
        assert footer(desk, "car") == " | keyword only: The embedder made an unusable vector (4 dimensions)"

    def test_a_memory_that_cannot_be_embedded_hides_no_other(self, caplog: pytest.LogCaptureFixture) -> None:
        desk = patient("poison", *CARS, embedder=Choosy())
        (hit, *_) = desk.searching(desk.call, SearchRequest(selector=ByText("vehicle"))).hits
        assert hit.observation.content == "the automobile is red"
        assert footer(desk, "poison car") == ""
        assert len(caplog.records) == 1

    @pytest.mark.parametrize("error", [StorageBusyError(reason="Busy.", advice="Wait."), ZeroDivisionError()])
    def test_an_index_that_fails_hides_no_hit(self, error: Exception) -> None:
        storage = Failing()
        desk = patient("red", *(f"car {number}" for number in range(30)), storage=storage)
        assert footer(desk, "red vehicle", Mode.SEMANTIC) == ""
        storage.failing = error
        told = "Busy" if isinstance(error, StorageBusyError) else "the embedder failed"
        assert footer(desk, "red vehicle") == f" | keyword only: {told}"

    def test_a_memory_without_a_letter_is_never_near(self) -> None:
        desk = patient("\U0001f697", *CARS)
        hits = desk.searching(desk.call, SearchRequest(selector=ByText("vehicle", Mode.SEMANTIC))).hits
        assert sorted(hit.observation.content for hit in hits) == sorted(CARS)

    def test_a_patient_question_does_not_wait_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(background_worker, "PATIENT_SECONDS", 0.0)
        desk = patient(*(f"car {number}" for number in range(3 * BATCH)))
        assert footer(desk, "car") == f" | keyword only: {BATCH} of {3 * BATCH} memories embedded"
        assert desk.embedding
        assert desk.embedding.backlog == BATCH, "the question itself had a second batch embedded"

    def test_memories_that_are_not_embedded_yet_are_told_of(self) -> None:
        desk = patient(*(f"car {number}" for number in range(200)))
        assert desk.embedding
        desk.recall(ByText("vehicle"))
        for number in range(12):
            desk.save(f"cat {number}")
        desk.embedding.failure = NotReadyError("it stopped")
        assert [footer(desk, "vehicle", each) for each in (Mode.SEMANTIC, Mode.AUTO)] == [" | it stopped"] * 2

    def test_an_embedder_that_fails_at_a_question_hides_no_hit(self, caplog: pytest.LogCaptureFixture) -> None:
        desk = patient("the car is red", embedder=Mute())
        assert footer(desk, "car") == " | keyword only: the embedder failed"
        assert "Traceback" in caplog.text

    def test_a_question_whose_vector_is_unusable_hides_no_hit(self) -> None:
        desk = patient("the car is red", embedder=Zero())
        assert footer(desk, "car") == " | keyword only: The embedder made an unusable vector (0 dimensions)"

    def test_another_program_with_another_model_ends_the_search_by_meaning_here(self) -> None:
        desk = patient(*CARS)
        desk.recall(ByText("vehicle"))
        other = EmbedMemories(desk.projects, lambda: ConceptEmbedder(name="other"))
        assert [each.coverage for each in other(CALL)] == [Coverage(embedded=each, total=3) for each in (0, 3)]
        for _ in range(2):
            assert footer(desk, "red") == " | keyword only: another program embeds with another model"

    def test_a_storage_without_vectors_hides_no_hit(self) -> None:
        desk = patient(*CARS, storage=Failing(error=CapabilityUnsupportedError(capability="search by meaning")))
        assert footer(desk, "red") == " | keyword only: This storage does not support: search by meaning"

    def test_a_busy_storage_is_asked_again(self) -> None:
        storage = Failing(error=StorageBusyError(reason="Busy.", advice="Wait."))
        desk = patient(*CARS, storage=storage)
        assert footer(desk, "red") == " | keyword only: Busy"
        storage.error = None
        assert footer(desk, "vehicle") == ""
        storage.error = StorageBusyError(reason="Busy.", advice="Wait.")
        assert footer(desk, "red") == " | keyword only: Busy"

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
