"""Sentence transformers exported to ONNX, run on the CPU.

A model is a folder in the format of the package sentence-transformers: the graph in `model.onnx` or
`onnx/model.onnx`, the tokenizer in `tokenizer.json`, and settings.

Texts are embedded one at a time. An 8-bit model scales its numbers by the whole batch. So in a batch, the vector
of a text would depend on the other texts (measured difference in cosine: 0.01). Batches aren't faster either: 16
texts, padded to the same length, took twice as long in a measurement.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.text.printing import well_formed
from lamella.ports.embedder import Embedder
from lamella_adapters.process.tables import sentences

GRAPHS: Final = ("model.onnx", "onnx/model.onnx")
TOKENIZER: Final = "tokenizer.json"
LIMITS: Final = "sentence_bert_config.json"
POOLING: Final = "1_Pooling/config.json"
PARTS: Final = "modules.json"

_MOST_TOKENS: Final = 512
"""Default maximum length of a text in tokens. BERT and most of its successors were trained with this length."""

_THREADS: Final = 1
"""Number of threads that run the model.

A second thread would speed up queries, but would take a core from the editor while memories are embedded.
"""

_ONLY_ERRORS: Final = 3
"""Log level of onnxruntime. Its warnings are about the internals of models."""

_KNOWN_PARTS: Final = frozenset({"Transformer", "Pooling", "Normalize"})
_KNOWN_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})

_SENTENCE: Final = "sentence_embedding"
"""Name that exporters give to the output with the vector of the whole text.

Some models have this output in addition to the output with a vector for each token.
"""
_DIGEST_BYTES = 6
"""Length of the digest in a model's name. It distinguishes the few models of a project, and stays readable."""


class OnnxEmbedder(Embedder):
    """Embedder that pools the token vectors of a model. The model's settings select the mean, or the first vector.

    Long texts are truncated. The maximum in tokens is `max_seq_length` in `sentence_bert_config.json`, or else the
    limit of the tokenizer, or else 512.
    """

    def __init__(self, folder: Path) -> None:
        """Load the model in `folder`.

        Raises:
            EmbedderUnavailableError: A file is missing or broken, or the model is of an unsupported kind.
        """
        graph = next((folder / name for name in GRAPHS if (folder / name).is_file()), None)
        if graph is None:
            raise _unusable(f"has no file {' or '.join(GRAPHS)}")
        _require_known_parts(folder)
        self._first_token = _takes_first_token(folder)
        self._tokenizer = _tokenizer_of(folder)
        weights_beside = sorted({*graph.parent.glob(f"{graph.name}?*"), *graph.parent.glob("*.safetensors")})
        self._session = _session_of(graph, mapped=bool(weights_beside))
        self._inputs = {each.name for each in self._session.get_inputs()}
        if not self._inputs <= _KNOWN_INPUTS:
            raise _unusable("expects inputs other than the tokens of a text")
        outputs = [each.name for each in self._session.get_outputs()]
        self._output = _SENTENCE if _SENTENCE in outputs else outputs[0]
        dimension = len(self._run([0]))
        used = (graph, *weights_beside, *(folder / name for name in (TOKENIZER, LIMITS, POOLING)))
        self._model = EmbeddingModel(f"onnx-{dimension}-{digest_of(filter(Path.is_file, used))}", dimension)

    @property
    def model(self) -> EmbeddingModel:
        """Name and dimension of the model.

        The name includes a digest of the files, because other files make other vectors.
        """
        return self._model

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        """Return the vector of each text; None for a blank text, or a text without tokens.

        Raises:
            InvalidVectorError: The model returned all zeros, or a component that isn't finite.
            EmbedderUnavailableError: The model fails, for example because its tokenizer belongs to another model.
        """
        return tuple(map(self._vector, texts))

    def embed_query(self, text: str) -> Vector | None:
        """Return the vector of a query. It is computed like the vector of any other text."""
        return self._vector(text)

    def _vector(self, text: str) -> Vector | None:
        if not text.strip():
            return None
        encoded = self._tokenizer.encode(well_formed(text))
        return None if all(encoded.special_tokens_mask) else Vector.of(self._run(encoded.ids).tolist())

    def _run(self, tokens: Sequence[int]) -> NDArray[np.float64]:
        """Return the pooled output of the model for some tokens.

        Raises:
            EmbedderUnavailableError: The model fails, or the dimensions of its output are unexpected.
        """
        ids = np.array([tokens], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        wanted = {name: inputs[name] for name in self._inputs}
        try:
            (made,) = self._session.run([self._output], wanted)
        except Exception as error:  # the runtime's errors have no common base
            raise _unusable("fails on a text") from error
        match np.shape(made):
            case (1, dimension) if dimension:
                pooled = made[0]
            case (1, count, dimension) if dimension and count == len(tokens):
                pooled = made[0, 0] if self._first_token else made[0].mean(axis=0, dtype=np.float64)
            case _:
                raise _unusable("returns something other than vectors of a text or of its tokens")
        return np.asarray(pooled, np.float64)


def _unusable(what: str) -> EmbedderUnavailableError:
    return EmbedderUnavailableError(**sentences(__file__, "model", what=what))


def _settings(folder: Path, name: str, otherwise: Any) -> Any:
    """Return the content of a settings file of the model, or `otherwise` if there is no such file.

    Raises:
        EmbedderUnavailableError: The file is not JSON, or its content is not of the type of `otherwise`.
    """
    try:
        said = json.loads((folder / name).read_bytes())
    except FileNotFoundError:
        return otherwise
    except (OSError, ValueError) as error:
        raise _unusable(f"has a file {name} that can't be read") from error
    if not isinstance(said, type(otherwise)):
        raise _unusable(f"has a file {name} that can't be read")
    return said


def _require_known_parts(folder: Path) -> None:
    """Check that lamella supports all modules of the model. A further module would change the vectors.

    Raises:
        EmbedderUnavailableError: The model has a part of an unsupported kind.
    """
    for part in _settings(folder, PARTS, []):
        kind = str(part.get("type") if isinstance(part, dict) else part).rpartition(".")[2]
        if kind not in _KNOWN_PARTS:
            raise _unusable(f"has an unsupported module ({kind[:40]})")


def _takes_first_token(folder: Path) -> bool:
    """Return True if the model uses the vector of the first token; False if it uses the mean of all vectors.

    Raises:
        EmbedderUnavailableError: The model pools in another way.
    """
    prefix = "pooling_mode_"
    said = _settings(folder, POOLING, {})
    modes = [
        name.removeprefix(prefix) for name, chosen in said.items() if name.startswith(prefix) and chosen is True
    ]
    if modes not in ([], ["mean_tokens"], ["cls_token"]):
        raise _unusable(f"uses an unsupported pooling ({', '.join(modes)[:80]})")
    return modes == ["cls_token"]


def _tokenizer_of(folder: Path) -> Tokenizer:
    try:
        tokenizer = read_tokenizer(folder / TOKENIZER)
    except FileNotFoundError as error:
        raise _unusable(f"has no file {TOKENIZER}") from error
    except (OSError, ValueError) as error:
        raise _unusable(f"has a file {TOKENIZER} that can't be read") from error
    of_its_own = (tokenizer.truncation or {}).get("max_length", _MOST_TOKENS)
    limit = _settings(folder, LIMITS, {}).get("max_seq_length") or of_its_own
    if not isinstance(limit, int) or limit <= tokenizer.num_special_tokens_to_add(is_pair=False):
        raise _unusable(f"has a file {LIMITS} that can't be read")
    tokenizer.enable_truncation(limit)
    return tokenizer


def _session_of(graph: Path, *, mapped: bool) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = _THREADS
    options.log_severity_level = _ONLY_ERRORS
    options.enable_cpu_mem_arena = False
    if mapped:
        # Use the weights as they are in the mapped file. With prepacked weights, a question would take 1.5 ms
        # less, but a process would take 53 MB more.
        options.add_session_config_entry("session.disable_prepacking", "1")
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's errors have no common base
        raise _unusable(f"has a file {graph.name} that can't be loaded") from error


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer in a file. Switch off its padding, but keep its truncation.

    Raises:
        OSError: The file can't be read.
        ValueError: The file holds no tokenizer.
    """
    definition = path.read_bytes()
    try:
        tokenizer = Tokenizer.from_buffer(definition)
    except Exception as error:  # the package raises nothing more specific
        raise ValueError from error
    tokenizer.no_padding()
    return tokenizer


def digest_of(paths: Iterable[Path]) -> str:
    """Return a short digest of the contents of the files, in the given order.

    Raises:
        OSError: A file can't be read.
    """
    whole = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "blake2b").digest())
    return whole.hexdigest()
