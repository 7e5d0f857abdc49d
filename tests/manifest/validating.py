"""What the tests of `validate` begin with: manifests, and files written with exactly these line ends."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
CASES = HERE.parent / "manifests"
GOOD = (HERE / "example.json").read_text(encoding="utf-8")


def write(path: Path, text: str) -> str:
    """Write a text as it is; the path as an argument of the command."""
    path.write_bytes(text.encode("utf-8"))
    return str(path)
