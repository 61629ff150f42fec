"""Volumes that are unmounted while a server keeps its memories on them."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

from tests.end_to_end.support.tools import Memory, started
from tests.faults.fault import Injections, NotPossibleError
from tests.faults.sessions import stored_texts

GONE = "The memory folder is gone, or empty; nothing was saved. Move it back, or mount its disk."


def _run(*command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


def _mount(image: Path, place: Path) -> None:
    _run("mount", "-o", "loop", image, place)


def _unmount(place: Path) -> None:
    """Unmount a volume that is in use: whoever has files of it open keeps them."""
    _run("umount", "--lazy", place)


@contextmanager
def _volume(image: Path, place: Path) -> Iterator[None]:
    """Mount a new volume at a new folder, and unmount whatever is there when the block ends."""
    place.mkdir()
    try:
        with image.open("wb") as file:
            file.truncate(16_000_000)
        _run("mke2fs", "-q", image)
        _mount(image, place)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotPossibleError("this user may not mount a volume") from error
    try:
        yield
    finally:
        if place.is_mount():
            _unmount(place)


def _clone(image: Path, place: Path) -> Path:
    """Copy a volume as it is now, with the inode numbers of all files, as a snapshot does."""
    _run("sync", "--file-system", place)
    return Path(shutil.copy(image, image.with_suffix(".clone")))


def unmounted(folder: Path, noise: Random) -> Injections:
    """Unmount a volume under a server, and mount it or its clone: the server refuses meanwhile, and then goes on.

    Another server saves on what is mounted before this one looks at it again, and takes no harm from it.
    """
    for number in count():
        here = folder / str(number)
        here.mkdir()
        image, data = here / "image", here / "data"
        with _volume(image, data), started(here) as client:
            memory = Memory(client, here / "project")
            saved = {text for text in _texts("before", noise) if memory.save(text)}
            back = _clone(image, data) if number % 2 else image
            _unmount(data)
            for tool, arguments in (("save_memory", {"text": "into nowhere"}), ("recall", {"query": "zebra"})):
                assert memory.refused(tool, **arguments).startswith(GONE)
            assert list(data.iterdir()) == []
            _mount(back, data)
            with started(here) as another:
                other = Memory(another, here / "project")
                saved |= {text for text in _texts("of another server", noise) if other.save(text)}
                saved |= {text for text in _texts("after", noise) if memory.save(text)}
                saved |= {text for text in _texts("of another server, later", noise) if other.save(text)}
                another.process.kill()
            assert stored_texts(data) == dict.fromkeys(saved, 1)
        yield "refused, and went on where the " + ("clone was mounted" if number % 2 else "volume was back")


def _texts(when: str, noise: Random) -> list[str]:
    return [f"zebra {when} {each}" for each in range(noise.randint(1, 6))]
