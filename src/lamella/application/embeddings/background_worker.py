"""Embedding in the background: a thread loads the model and embeds memories."""

import time
from threading import Condition, Thread

from attrs import define, field

from lamella.application.embeddings.calibrate import calibrated
from lamella.application.embeddings.embed import OpenEmbedder, embed_batch
from lamella.application.embeddings.readiness import NotReadyError, not_ready
from lamella.application.projects.context import ProjectContext
from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.embeddings.vector import is_retired
from lamella.domain.errors import OtherModelError, StorageError
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import VectorIndex

PATIENT_SECONDS = 2.0
"""Time that a patient caller waits for memories to be embedded, once the model is loaded."""

PAUSE_SECONDS = 0.25
"""Time between the first question and the loading of the model, in which that question is answered.

Libraries that are being loaded keep other threads waiting: the first answer took 1.3 times as long without it.
"""

ProjectKey = tuple[str, str]
"""See `ProjectContext.key`."""


@define(eq=False)
class Embedding:
    """The embedder as soon as it is loaded, and the projects whose memories are being embedded.

    Nothing is loaded before something is wanted. Where `patient`, who wants something waits for it.

    Attributes:
        open_embedder: Opens the embedder.
        patient: True if questions wait for the embedder.
        chosen: True if the user chose the embedder. One that was found leaves the vectors of others alone.
        embedder: None until it is loaded.
        calibration: That of its model, as soon as there is an embedder.
        adopted: The keys of the projects that keep vectors of this embedder since this process said so. It says so
            once: where another process embeds with another model, the two must not take turns at starting anew.
        failure: Why there will be no embedder in this process; None while there may be.
        troubles: What kept the memories of a project from being embedded the last time, by its key.
    """

    open_embedder: OpenEmbedder
    patient: bool = False
    chosen: bool = True
    embedder: Embedder | None = None
    calibration: Calibration = TYPICAL
    adopted: set[ProjectKey] = field(factory=set)
    failure: NotReadyError | None = None
    troubles: dict[ProjectKey, NotReadyError] = field(factory=dict)
    _wanted: dict[ProjectKey, ProjectContext] = field(factory=dict)
    _changed: Condition = field(factory=Condition)
    _worker: Thread | None = None
    _closed: bool = False

    def want(self, here: ProjectContext) -> None:
        """Request that the embedder is loaded and all memories of a project are embedded.

        Returns at once, unless `patient`.
        """
        if self.failure is not None:
            return
        if self.patient:
            until = time.monotonic() + PATIENT_SECONDS
            # One at a time: several threads may ask first, and the model is loaded once.
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

    def close(self) -> None:
        """Tell the worker to stop after its batch. Does not wait for it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _work(self) -> None:
        """Embed a batch of each wanted project in turn."""
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
                # As long again as the batch took belongs to whoever is being served meanwhile.
                self._changed.wait_for(lambda: self._closed, timeout=time.monotonic() - begun)

    def _serve(self, here: ProjectContext) -> bool:
        """Embed a batch of one project. Return True if more may be pending. Remember errors."""
        try:
            more = self._embed(here)
        except (StorageError, OtherModelError) as error:
            # The storage may be there again, and the other program gone, at the next question.
            self.troubles[here.key] = not_ready(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, no other thread would hear of it
            self.failure = not_ready(error)
        else:
            self.troubles.pop(here.key, None)
            return more
        return False

    def _embed(self, here: ProjectContext) -> bool:
        if self.embedder is None:
            opened = self.open_embedder()
            self.calibration = calibrated(opened)
            # Last: from now on it is asked, and by others than this thread.
            self.embedder = opened
        index = here.vectors(self.embedder.model)
        if here.key not in self.adopted:
            if self.patient or not self.chosen:
                _require_no_other(index, releases=not self.patient)
            index.adopt()
            self.adopted.add(here.key)
        return embed_batch(self.embedder, index) > 0


def _require_no_other(index: VectorIndex, *, releases: bool) -> None:
    """Refuse to drop the vectors of another model, which a server may be working with; those of a retired one go.

    Args:
        index: The vectors of a project.
        releases: True if those of other releases of the model may be dropped.

    Raises:
        OtherModelError: there are such.
    """
    try:
        index.coverage()
    except OtherModelError as error:
        kept = error.kept
        if not (kept is None or is_retired(kept) or (releases and index.model.is_release_of(kept))):
            raise
