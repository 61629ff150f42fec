from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, current_thread

import pytest
from attrs import define, field

from lamella.application.embeddings import background_worker
from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.calibrate import calibrated
from lamella.application.embeddings.embed import BATCH, Embedded, EmbedMemories
from lamella.application.search.request import SearchRequest
from lamella.domain.embeddings.calibration import TYPICAL
from lamella.domain.embeddings.errors import SemanticSearchUnavailableError
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import ByText
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import Coverage
from lamella_adapters.memory import InMemoryStorage
from tests.unit.embeddings.meaning_desks import CARS, Gate, answered_by_meaning, ended, footer, patient
from tests.unit.support.doubles import CALL, HOME, Desk
from tests.unit.support.stand_ins import ConceptEmbedder
from tests.waiting import HANG_SECONDS, until


class TestInTheBackground:
    def test_the_first_question_is_answered_by_words_and_a_later_one_by_meaning(self) -> None:
        gate = Gate()
        embedding = Embedding(gate)
        desk = Desk(embedding=embedding)
        for text in CARS:
            desk.save(text)
        assert footer(desk, "red") == " | keyword only: the embedder is loading"
        gate.open.set()
        answered_by_meaning(desk, "conveyance")
        embedding.close()

    def test_the_model_is_calibrated_where_it_is_loaded_and_no_question_waits_for_it(self) -> None:
        embedder = Overheard()
        desk = Desk(embedding=Embedding(lambda: embedder))
        desk.save("the automobile is red")
        assert desk.embedding
        assert desk.embedding.calibration == TYPICAL
        answered_by_meaning(desk, "conveyance")
        assert desk.embedding.calibration == calibrated(ConceptEmbedder())
        desk.search_by_meaning(desk.call, "conveyance", limit=5)
        assert set(embedder.questions[current_thread().name]) == {"conveyance"}
        assert [name for name in embedder.questions if name != current_thread().name] == ["lamella-embedding"]
        desk.embedding.close()

    def test_a_worker_is_still_there_for_what_is_saved_later(self) -> None:
        desk = Desk(embedding=Embedding(ConceptEmbedder))
        desk.save("the automobile is red")
        answered_by_meaning(desk, "conveyance")
        desk.save("a feline")
        answered_by_meaning(desk, "cat")
        assert desk.embedding
        desk.embedding.close()

    def test_a_closed_worker_ends_after_its_batch(self) -> None:
        gate = Gate()
        embedding = Embedding(gate)
        desk = Desk(embedding=embedding)
        for number in range(2 * BATCH):
            desk.save(f"car {number}")
        desk.recall(ByText("car"))
        assert gate.asked.wait(HANG_SECONDS)
        embedding.close()
        gate.open.set()
        ended(embedding)
        index = desk.here.vectors(ConceptEmbedder().model)
        assert index.coverage().embedded == BATCH

    def test_what_is_embedded_already_is_left_as_it_is(self) -> None:
        embedding = Embedding(ConceptEmbedder)
        desk = Desk(embedding=embedding)
        for text in CARS:
            desk.save(text)
        list(EmbedMemories(desk.projects, ConceptEmbedder)(CALL))
        answered_by_meaning(desk, "conveyance")
        ended(embedding)
        index = desk.here.vectors(ConceptEmbedder().model)
        assert index.coverage() == Coverage(embedded=3, total=3)

    def test_several_projects_are_embedded_in_turn(self) -> None:
        gate = Gate()
        embedding = Embedding(gate)
        storage = InMemoryStorage()
        desks = [Desk(storage=storage, embedding=embedding).at(directory=HOME / name) for name in ("one", "other")]
        for desk in desks:
            for number in range(2 * BATCH):
                desk.save(f"automobile {number}")
            desk.recall(ByText("automobile"))
        gate.open.set()
        for desk in desks:
            answered_by_meaning(desk, "conveyance")
        embedding.close()

    def test_one_that_is_closed_at_once_loads_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(background_worker, "PAUSE_SECONDS", HANG_SECONDS)
        gate = Gate()
        desk = Desk(embedding=Embedding(gate))
        desk.save("the automobile is red")
        assert footer(desk, "red") == " | keyword only: the embedder is loading"
        ended(desk.embedding)
        assert not gate.asked.is_set()

    def test_patient_questions_that_are_asked_at_once_load_one_model(self) -> None:
        opened: list[Embedder] = []
        together = Barrier(4)

        def open_embedder() -> Embedder:
            opened.append(ConceptEmbedder())
            return opened[-1]

        desk = Desk(embedding=Embedding(open_embedder, patient=True))
        desk.save("the automobile is red")

        def ask(_: int) -> str:
            together.wait(HANG_SECONDS)
            return (
                desk.searching(desk.call, SearchRequest(selector=ByText("conveyance"))).hits[0].observation.content
            )

        with ThreadPoolExecutor(4) as threads:
            assert set(threads.map(ask, range(4))) == {"the automobile is red"}
        assert len(opened) == 1


class TestTwoModels:
    def test_who_only_looks_leaves_the_vectors_of_another_model_alone(self) -> None:
        desk = patient(*CARS)
        list(EmbedMemories(desk.projects, lambda: ConceptEmbedder(name="other"))(CALL))
        assert footer(desk, "red") == " | keyword only: another program embeds with a different model"
        index = desk.here.vectors(ConceptEmbedder(name="other").model)
        assert index.coverage() == Coverage(embedded=3, total=3)

    def test_a_server_adopts_the_one_that_was_chosen(self) -> None:
        desk = serving_beside("other", chosen=True)
        answered_by_meaning(desk, "conveyance")
        ended(desk.embedding)

    def test_a_server_whose_embedder_was_not_chosen_leaves_the_vectors_of_another_alone(self) -> None:
        desk = serving_beside("other", chosen=False)
        until(lambda: "another program" in footer(desk, "red"))
        ended(desk.embedding)
        index = desk.here.vectors(ConceptEmbedder(name="other").model)
        assert index.coverage() == Coverage(embedded=3, total=3)

    def test_it_replaces_those_of_another_release_of_its_own(self) -> None:
        desk = serving_beside("concepts-1", chosen=False, own="concepts-2")
        answered_by_meaning(desk, "conveyance")
        ended(desk.embedding)

    @pytest.mark.parametrize("patient", [False, True])
    def test_those_of_a_model_that_no_embedder_makes_any_more_are_replaced(self, patient: bool) -> None:
        desk = serving_beside("wordllama-l2-supercat-256-0a", chosen=False, patient=patient)
        answered_by_meaning(desk, "conveyance")
        assert desk.embedding
        desk.embedding.close()

    def test_a_command_does_not(self) -> None:
        desk = Desk(embedding=Embedding(lambda: ConceptEmbedder(name="concepts-2"), patient=True, chosen=False))
        desk.save("the automobile is red")
        list(EmbedMemories(desk.projects, lambda: ConceptEmbedder(name="concepts-1"))(CALL))
        assert footer(desk, "red") == " | keyword only: another program embeds with a different model"


class TestEmbedding:
    def test_every_memory_gets_a_vector_batch_by_batch_and_tells_how_far_it_has_come(self) -> None:
        desk = patient(*(f"car {number}" for number in range(BATCH + 6)))
        told = list(EmbedMemories(desk.projects, ConceptEmbedder)(CALL))
        assert told == [come_to(done, BATCH + 6) for done in (0, BATCH, BATCH + 6)]

    def test_broken_off_it_goes_on_where_it_stopped(self) -> None:
        desk = patient(*(f"car {number}" for number in range(BATCH + 6)))
        embed = EmbedMemories(desk.projects, ConceptEmbedder)
        work = embed(CALL)
        next(work)
        next(work)
        del work
        assert next(embed(CALL)) == come_to(BATCH, BATCH + 6)

    def test_a_memory_without_a_word_to_embed_is_not_pending_for_ever(self) -> None:
        desk = patient("xyzzy", "plugh")
        assert list(EmbedMemories(desk.projects, ConceptEmbedder)(CALL))[-1] == come_to(2, 2)

    def test_without_an_embedder_it_says_how_to_get_one(self) -> None:
        with pytest.raises(SemanticSearchUnavailableError, match="LAMELLA_EMBEDDER"):
            next(EmbedMemories(Desk().projects, None)(CALL))

    def test_a_project_without_memories_is_done_at_once(self) -> None:
        assert list(EmbedMemories(Desk().projects, ConceptEmbedder)(CALL)) == [come_to(0, 0)]


@define
class Overheard(ConceptEmbedder):
    """Remembers which thread asked what."""

    questions: dict[str, list[str]] = field(factory=lambda: defaultdict(list))

    def embed_query(self, text: str) -> Vector | None:
        self.questions[current_thread().name].append(text)
        return ConceptEmbedder.embed_query(self, text)


def serving_beside(other: str, *, chosen: bool, own: str = "concepts", patient: bool = False) -> Desk:
    """A server's desk in a project whose vectors another model made."""
    desk = Desk(embedding=Embedding(lambda: ConceptEmbedder(name=own), chosen=chosen, patient=patient))
    for text in CARS:
        desk.save(text)
    list(EmbedMemories(desk.projects, lambda: ConceptEmbedder(name=other))(CALL))
    return desk


def come_to(embedded: int, total: int) -> Embedded:
    return Embedded(ConceptEmbedder().model, Coverage(embedded=embedded, total=total))
