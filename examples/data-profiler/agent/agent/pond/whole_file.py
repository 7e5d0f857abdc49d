"""A file that is there wholly or not at all, whatever happens while it is written."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that appears at `path` when all of it is written, and leaves nothing when that fails."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:50]}.", delete=False) as file:
        try:
            yield file.file
            file.flush()
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).replace(path)
