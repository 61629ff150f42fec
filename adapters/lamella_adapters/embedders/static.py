"""Static word vectors: the vector of a text is the sum of its tokens' vectors, in any order.

The vectors come from the wheel of `wordllama`. They are mapped from the disk, and only rows in use are read. The
package itself is never imported, because its loader looks for the files in a folder that the wheel doesn't have
and then uses the network. The two files are read by path instead.
"""

import json
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import EmbedderUnavailableError
from lamella.domain.text.printing import well_formed
from lamella.ports.embedder import Embedder, Rarities
from lamella_adapters.embedders.model_files import digest_of, read_tokenizer

_PACKAGE: Final = "wordllama"
_WEIGHTS: Final = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER: Final = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_TENSOR: Final = "embedding.weight"

_LONGEST_HEADER: Final = 100_000_000
"""Maximum length of a header in bytes, as the format defines it; a broken file may claim any length."""

_WORD: Final = re.compile(r"\S+")

Table = NDArray[np.float16]


class StaticEmbedder(Embedder):
    """Embedder that sums the vectors of a text's tokens; in a query, words are weighted by their rarity.

    Weighting the words of memories too found no more in measurements.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Load the vectors from the package, or from another `folder` with the same files.

        Raises:
            EmbedderUnavailableError: A file is missing or broken.
            ModuleNotFoundError: The package is not installed.
        """
        folder = folder or _package_folder()
        weights, tokenizer = folder / _WEIGHTS, folder / _TOKENIZER
        try:
            self._tokenizer = read_tokenizer(tokenizer)
            self._table = _mapped(weights, self._tokenizer.get_vocab_size())
            digest = digest_of((weights, tokenizer))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise EmbedderUnavailableError(
                reason="The word vectors that LAMELLA_EMBEDDER=static needs can't be read.",
                advice=f"Install them again with: pip install --force-reinstall --no-deps {_PACKAGE}",
            ) from error
        self._tokenizer.no_truncation()
        dimension = self._table.shape[1]
        self._model = EmbeddingModel(f"wordllama-l2-supercat-{dimension}-{digest}", dimension)

    @property
    def model(self) -> EmbeddingModel:
        """Return the name and dimension; the name has a digest of both files, so it differs between releases."""
        return self._model

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        """Return the vector of each text, or None for a blank one."""
        return tuple(self._sum([text], [1.0]) if text.strip() else None for text in texts)

    def embed_query(self, text: str, rarities: Rarities) -> Vector | None:
        """Return the vector of a query, or None for a blank one.

        Words are separated by white space. If the project has none of them, all have the same weight.
        """
        words = _WORD.findall(text)
        if not words:
            return None
        weights = rarities(words)
        return self._sum(words, weights if any(weights) else [1.0] * len(words))

    def _sum(self, parts: Sequence[str], weights: Sequence[float]) -> Vector:
        """Return the direction of the weighted sum of the token vectors of all parts.

        Sums of 16-bit numbers are exact in 64 bits, so the vector doesn't depend on the order of addition.
        """
        encoded = [self._tokenizer.encode(well_formed(part), add_special_tokens=False).ids for part in parts]
        tokens, places = np.unique(np.concatenate(encoded).astype(np.intp), return_inverse=True)
        of_each = np.repeat(np.asarray(weights, np.float64), [len(ids) for ids in encoded])
        totals = np.bincount(places, of_each)
        return Vector.of(np.einsum("i,ij->j", totals, self._table[tokens].astype(np.float64)).tolist())


def _package_folder() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name=_PACKAGE)
    return Path(spec.origin).parent


def _mapped(path: Path, tokens: int) -> Table:
    """Map the vectors, one row for each of `tokens` tokens, from a file in the safetensors format.

    The file begins with the length of a header in eight bytes. The header, in JSON, has the begin and end of each
    tensor in the data that follows it (huggingface.co/docs/safetensors, "Format").

    Raises:
        OSError: The file can't be read.
        ValueError, LookupError, TypeError: The file holds no such vectors.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        tensor = json.loads(file.read(min(length, _LONGEST_HEADER)))[_TENSOR]
    rows, dimension = tensor["shape"]
    begin, end = tensor["data_offsets"]
    if tensor["dtype"] != "F16" or rows != tokens or end - begin != 2 * rows * dimension:
        raise ValueError(tensor)
    return np.memmap(path, np.dtype("<f2"), mode="r", offset=8 + length + begin, shape=(rows, dimension))
