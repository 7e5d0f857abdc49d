"""Run every check: `python tests/checks.py`, or `python tests/checks.py lint types` for some of them.

The one command of README and CI. The tests come last, so that their count is the last line.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent

CHECKS: Mapping[str, Sequence[Sequence[str]]] = {
    "lint": (
        ("-m", "ruff", "check", "pond_new", "template", "tests"),
        ("-m", "ruff", "format", "--check", "pond_new", "template", "tests"),
    ),
    "types": (("-m", "mypy"),),
    "imports": (("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),),
    "examples": (("tests/golden.py", "--check"),),
    "tests": (("-m", "pytest", "-n", "auto", "--cov", "--cov-report=term:skip-covered"),),
}


def main(names: Sequence[str]) -> int:
    """Run the named checks, or all of them even when one fails; 1 when one failed."""
    if unknown := [name for name in names if name not in CHECKS]:
        sys.stderr.write(f"There is no check {', '.join(unknown)}. There are: {', '.join(CHECKS)}.\n")
        return 2
    failed = [name for name in names or CHECKS if not run(name)]
    if failed:
        sys.stderr.write(f"\nFailed: {', '.join(failed)}\n")
    return int(bool(failed))


def run(name: str) -> bool:
    """Run the commands of one check; whether all of them passed."""
    began = time.monotonic()
    codes = [
        subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode
        for command in CHECKS[name]
    ]
    sys.stderr.write(f"-- {name}: {'failed' if any(codes) else 'ok'} in {time.monotonic() - began:.0f} s\n")
    return not any(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
