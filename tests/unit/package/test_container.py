import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from threading import Barrier

import pytest
from attrs import define, evolve, field, frozen

from lamella import container
from lamella.application.embeddings.readiness import NotReadyError
from lamella.application.memories.save import SaveRequest
from lamella.application.memories.timeline import TimelineRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, PeerUnreadableError, UnnamedProjectError
from lamella.domain.memories.query import ByText, Filters
from lamella.domain.projects.project import Location
from lamella.entry_points import adapter, names
from lamella.ports.storage.feed import FeedState
from lamella.ports.storage.storage import Storage
from lamella.settings import Settings
from lamella_adapters.embedders import PACKAGES
from lamella_adapters.embedders.minilm import own_folder
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_directory=tmp_path / "data", storage="memory:", embedder="none")


@pytest.fixture
def call(tmp_path: Path) -> Call:
    return Call(directory=tmp_path, default_project="lovelace", session="s")


def test_an_adapter_is_what_is_registered_under_its_name() -> None:
    assert adapter("tokenizer", "chars4") is Chars4Tokenizer
    assert names("tokenizer") == ["chars4", "classes"]


@cases
def test_a_name_that_nothing_has_is_refused_with_those_that_there_are(port: str, name: str, sentence: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        adapter(port, name)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("name", ["auto", "none"])
def test_what_is_no_embedders_name_takes_nothing_to_set(settings: Settings, name: str) -> None:
    with pytest.raises(InvalidValueError) as refused, running(evolve(settings, embedder=f"{name}:x")):
        pass
    assert str(refused.value) == f"LAMELLA_EMBEDDER must be {name} alone, without a colon, not '{name}:x'."


HOUR = timedelta(hours=1)


def test_there_is_no_use_case_of_another_name(settings: Settings) -> None:
    with running(settings) as lamella:
        assert [hasattr(lamella, name) for name in ("save", "forgive", "__wrapped__")] == [True, False, False]


def test_each_run_opens_a_storage_of_its_own(settings: Settings) -> None:
    with running(settings) as one, running(settings) as other:
        assert one.storage is not other.storage
        assert one.storage is one.projects.storage


def test_settings_of_other_adapters_are_refused_before_anything_runs(settings: Settings) -> None:
    for wrong in (evolve(settings, storage="clay:tablet"), evolve(settings, tokenizer="words")):
        with pytest.raises(InvalidValueError), running(wrong):
            raise AssertionError("it runs")


@define(eq=False)
class ClayStorage(InMemoryStorage):
    """A storage of a third party, which remembers that it was closed."""

    closed: bool = field(default=False, init=False)

    def close(self) -> None:
        self.closed = True


@frozen
class Registered:
    """An entry point of a third party."""

    name: str
    opening: Callable[[str, Path], Storage]

    def load(self) -> Callable[[str, Path], Storage]:
        return self.opening


@pytest.fixture
def clay(monkeypatch: pytest.MonkeyPatch) -> ClayStorage:
    """The storage of `clay:`, which a third party has registered."""
    storage = ClayStorage()
    third_party = {"lamella.storage": [Registered("clay", lambda _, __: storage)]}
    monkeypatch.setattr(
        "lamella.entry_points._installed", lambda group: [*entry_points(group=group), *third_party.get(group, [])]
    )
    return storage


def test_third_parties_plug_in_by_the_scheme_of_the_url(settings: Settings, clay: ClayStorage) -> None:
    with running(evolve(settings, storage="clay:tablet")) as lamella:
        assert (lamella.storage, clay.closed) == (clay, False)
    assert clay.closed


def test_third_parties_cannot_take_a_name_of_ours(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lamella.entry_points._installed", lambda _: [Registered("memory", lambda *_: ClayStorage())]
    )
    with running(settings) as lamella:
        assert type(lamella.storage) is InMemoryStorage


def test_the_storage_is_closed_after_a_failure_too(settings: Settings, clay: ClayStorage) -> None:
    with pytest.raises(ZeroDivisionError), running(evolve(settings, storage="clay:")):
        raise ZeroDivisionError
    assert clay.closed


def test_the_storage_is_closed_where_another_adapter_fails(settings: Settings, clay: ClayStorage) -> None:
    with pytest.raises(InvalidValueError), running(evolve(settings, storage="clay:", tokenizer="words")):
        raise AssertionError("it runs")
    assert clay.closed


@cases
def test_the_status_shows_where_memories_are_and_no_secret(
    settings: Settings, call: Call, storage: str, shown: str
) -> None:
    with running(evolve(settings, storage=storage)) as lamella:
        assert lamella.status(call).place == shown


@pytest.fixture
def base_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no extra is installed."""
    monkeypatch.delitem(sys.modules, "lamella_adapters.embedders.onnx", raising=False)
    for package in PACKAGES:
        monkeypatch.setitem(sys.modules, package, None)


def embedder_of(settings: Settings, call: Call) -> tuple[str | None, bool]:
    """The embedder in use, and whether one is lacking."""
    with running(settings) as lamella:
        status = lamella.status(call)
        assert (lamella.meaning.embedding is None) == (status.embedder is None)
    return status.embedder, status.lacks_embedder


def test_the_status_shows_the_data_directory_and_the_embedder(settings: Settings, call: Call) -> None:
    def shown(embedder: str) -> tuple[str | None, bool]:
        sqlite = evolve(settings, storage="sqlite:", embedder=embedder)
        with running(sqlite) as lamella:
            assert lamella.status(call).place == str(settings.data_directory)
        return embedder_of(sqlite, call)

    assert [shown(each) for each in ("none", "onnx:x", "auto")] == [(None, False), ("onnx:x", False), (None, True)]
    assert not settings.data_directory.exists()
    model = own_folder(settings.data_directory)
    model.mkdir(parents=True)
    (model / "model.onnx").touch()
    assert shown("auto") == (f"onnx:{model}", False)


@pytest.mark.usefixtures("base_install")
def test_without_the_extra_only_who_chose_no_embedder_lacks_none(settings: Settings, call: Call) -> None:
    assert embedder_of(evolve(settings, embedder="auto"), call) == (None, True)
    assert embedder_of(settings, call) == (None, False)


@pytest.mark.usefixtures("base_install")
def test_an_embedder_that_was_chosen_and_is_not_installed_says_what_to_install(
    settings: Settings, call: Call
) -> None:
    chosen = evolve(settings, embedder="onnx:x", patient=True)
    assert embedder_of(chosen, call) == ("onnx:x", False)
    with running(chosen) as lamella:
        lamella.save(call, SaveRequest(text="a zebra"))
        with pytest.raises(NotReadyError, match=r"needs \w+, .* with the extra `semantic`"):
            lamella.search_by_meaning(call, "zebra", limit=1)


def test_a_storage_without_vectors_has_no_embedder_unless_one_was_chosen(
    settings: Settings, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InMemoryStorage, "capabilities", frozenset())
    assert embedder_of(evolve(settings, embedder="auto"), call) == (None, False)
    assert embedder_of(evolve(settings, embedder="onnx:x"), call) == ("onnx:x", False)


def test_calls_of_several_projects_and_sessions_go_side_by_side(settings: Settings, tmp_path: Path) -> None:
    zones = [timezone(timedelta(hours=hours)) for hours in (-11, 11)]
    calls = [
        Call(directory=tmp_path / project, session=f"{project}-{session}", zone=zones[session])
        for project in ("ada", "byron", "cellar")
        for session in range(2)
    ]
    together = Barrier(len(calls))

    def work(lamella: Lamella, call: Call) -> tuple[set[str | None], list[str], list[str]]:
        together.wait(HANG_SECONDS)
        for number in range(10):
            lamella.save(call, SaveRequest(text=f"zebra {number} of {call.session}"))
        shown = lamella.recall(
            call, RecallRequest(selector=ByText("zebra"), limit=50, filters=Filters(session=call.session))
        )
        lines = [line.split(" | ") for line in shown.partition("\n---\n")[0].splitlines()]
        around = lamella.timeline(call, TimelineRequest(before=50)).shown
        return {each.session for each in around}, [line[1] for line in lines], [line[-1] for line in lines]

    with running(evolve(settings, storage="sqlite:")) as lamella, ThreadPoolExecutor(len(calls)) as threads:
        found = list(threads.map(partial(work, lamella), calls))
        names = sorted(each.name for each in lamella.storage.registry.all())
    now = datetime.now(UTC)
    for call, (sessions, titles, days) in zip(calls, found, strict=True):
        assert sessions <= {f"{call.directory.name}-0", f"{call.directory.name}-1"}
        assert sorted(titles) == [f"zebra {number} of {call.session}" for number in range(10)]
        assert set(days) <= {f"{(now - ago).astimezone(call.zone):%Y-%m-%d}" for ago in (timedelta(), HOUR)}
    assert names == ["ada", "byron", "cellar"]


def test_every_use_case_can_be_made(settings: Settings) -> None:
    with running(settings) as lamella:
        made = {name: type(getattr(lamella, name)).__name__ for name in Lamella.__annotations__}
    written = {name: str(kind).rpartition(".")[2] for name, kind in Lamella.__annotations__.items()}
    ports = {name: "" for name, kind in Lamella.__annotations__.items() if name in container._PORTS}
    assert {**made, **ports} == {**written, **ports}


def test_the_copy_for_hooks_is_closed_with_the_storage(settings: Settings) -> None:
    with running(evolve(settings, storage="postgresql://nobody@127.0.0.1:1/nothing")) as lamella:
        copy = lamella.hook_copy
        assert copy is not None
        state = FeedState(project="00000000-0000-4000-8000-000000000007", name="work", revision=0, observations=0)
        copy.lead({"dir:/work": state})
    (file,) = settings.data_directory.glob("copies/**/registry.db")
    assert not file.with_name("registry.db-wal").exists()


def test_tenants_share_all_but_memories_and_files(settings: Settings, call: Call) -> None:
    with running(settings) as lamella:
        ours, theirs = (lamella.for_tenant(name) for name in ("ours", "theirs"))
        distant = evolve(call, location=Location(key="distant:", name="lovelace", root=call.directory))
        ours.save(distant, SaveRequest(text="ours", paths=("main.c",)))
        assert "ours" in lamella.for_tenant("ours").recall(distant, RecallRequest())
        for other in (theirs, lamella):
            assert "No memories saved" in other.recall(distant, RecallRequest())
        assert ours.spool is theirs.spool is lamella.spool
        with pytest.raises(UnnamedProjectError):
            ours.recall(call, RecallRequest())


@pytest.mark.parametrize(("days", "kept"), [(60, timedelta(days=60)), (0, None)])
def test_no_days_keep_lines_for_ever(settings: Settings, days: int, kept: timedelta | None) -> None:
    with running(evolve(settings, lines_days=days)) as lamella:
        assert lamella.look_after.keeps_lines == kept


def test_a_program_whose_memories_are_imported_is_chosen_by_its_name(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(PeerUnreadableError, match="No memories of mem0 found"):
        Lamella(settings).import_memories.peers("mem0", tmp_path).stores()
