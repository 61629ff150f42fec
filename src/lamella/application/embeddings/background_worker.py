"""Embedding in the background: a thread loads the model and embeds memories."""

import time
from threading import Condition, Thread

from attrs import define, field

from lamella.application.embeddings.calibrate import calibrated
from lamella.application.embeddings.embed import OpenEmbedder, embed_batch
from lamella.application.embeddings.readiness import NotReadyError, not_ready
from lamella.application.projects.context import ProjectContext
from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.embeddings.errors import OtherModelError
from lamella.domain.embeddings.vector import is_retired
from lamella.domain.errors import StorageError
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import VectorIndex

PATIENT_SECONDS = 2.0
"""Maximum time that a question waits until memories are embedded, if `Embedding.patient` is true.

Loading the model isn't included.
"""

PAUSE_SECONDS = 0.25
"""Delay between the first question and loading the model, so that the question is answered first.

Loading libraries blocks other threads. Without the delay, the first answer took 1.3 times as long.
"""

ProjectKey = tuple[str, str]
"""See `ProjectContext.key`."""


@define(eq=False)
class Embedding:
    """Embedder, loaded in the background, and the projects to embed.

    Nothing is loaded before the first request. If `patient` is true, a caller waits until its request is done.

    Attributes:
        open_embedder: Opens the embedder.
        patient: True if questions wait for the embedder.
        chosen: True if the user chose the embedder, False if the embedder was only detected. A detected embedder
            never replaces vectors of another model.
        embedder: None until it is loaded.
        calibration: Calibration of the embedder's model; None until the embedder is loaded.
        adopted: Keys of projects that have adopted this embedder in this process. A project adopts the embedder
            only once per process. Otherwise, two processes with different models would drop each other's vectors
            again and again.
        failure: Error that keeps this process without an embedder; None while the embedder may still load.
        pending: Numbers of memories that had no vector at the last question, keyed by project key.
        troubles: Latest error in embedding a project, keyed by project key.
    """

    open_embedder: OpenEmbedder
    patient: bool = False
    chosen: bool = True
    embedder: Embedder | None = None
    calibration: Calibration = TYPICAL
    adopted: set[ProjectKey] = field(factory=set)
    failure: NotReadyError | None = None
    troubles: dict[ProjectKey, NotReadyError] = field(factory=dict)
    pending: dict[ProjectKey, int] = field(factory=dict)
    _wanted: dict[ProjectKey, ProjectContext] = field(factory=dict)
    _changed: Condition = field(factory=Condition)
    _worker: Thread | None = None
    _closed: bool = False

    def want(self, here: ProjectContext) -> None:
        """Ask the background thread to open the embedder and to embed all memories of a project.

        If `patient` is true, do both here, and return when they are done.
        """
        if self.failure is not None:
            return
        if self.patient:
            until = time.monotonic() + PATIENT_SECONDS
            # Several threads may ask at the same time, but the model must be loaded only once.
            with self._changed:
                while self._serve(here) and time.monotonic() < until:
                    pass
            return
        with self._changed:
            self._wanted.setdefault(here.key, here)
            if self._worker is None:
                self._worker = Thread(target=self._work, name="lamella-embedding", daemon=True)
                self._worker.start()
            self._changed.notify_all()

    @property
    def backlog(self) -> int:
        """Number of memories without a vector, in projects that were searched."""
        return sum(list(self.pending.values()))

    def close(self) -> None:
        """Stop the worker after its current batch, without waiting for it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _work(self) -> None:
        """Embed one batch of each requested project, one project after the other."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed, timeout=PAUSE_SECONDS)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted or self._closed)
                if self._closed:
                    return
                here = self._wanted.pop(next(iter(self._wanted)))
            begun = time.monotonic()
            more = self._serve(here)
            with self._changed:
                if more:
                    self._wanted.setdefault(here.key, here)
                # Pause as long as the batch took, so that calls aren't starved.
                self._changed.wait_for(lambda: self._closed, timeout=time.monotonic() - begun)

    def _serve(self, here: ProjectContext) -> bool:
        """Embed a batch of one project. Return True if more may be pending. Store an error in `troubles`."""
        try:
            more = self._embed(here)
        except (StorageError, OtherModelError) as error:
            # The next question tries again, because the error may be temporary.
            self.troubles[here.key] = not_ready(error)
        except Exception as error:  # noqa: BLE001 - an exception in this thread would be lost
            self.failure = not_ready(error)
        else:
            self.troubles.pop(here.key, None)
            return more
        return False

    def _embed(self, here: ProjectContext) -> bool:
        if self.embedder is None:
            opened = self.open_embedder()
            self.calibration = calibrated(opened)
            # Set `embedder` last, because other threads use it from now on.
            self.embedder = opened
        index = here.vectors(self.embedder.model)
        if here.key not in self.adopted:
            if self.patient or not self.chosen:
                _require_no_other(index, releases=not self.patient)
            index.adopt()
            self.adopted.add(here.key)
        embedded = embed_batch(self.embedder, index)
        self.pending[here.key] = max(self.pending.get(here.key, 0) - embedded, 0) if embedded else 0
        return embedded > 0


def _require_no_other(index: VectorIndex, *, releases: bool) -> None:
    """Raise an error if a project has vectors of another model, and a server may still use that model.

    Adopting a model drops the vectors of other models. Vectors of retired models may be dropped.

    Args:
        index: The vectors of a project.
        releases: True to allow dropping the vectors of other releases of the model.

    Raises:
        OtherModelError: The project has vectors of another model.
    """
    try:
        index.coverage()
    except OtherModelError as error:
        kept = error.kept
        if not (kept is None or is_retired(kept) or (releases and index.model.is_release_of(kept))):
            raise
