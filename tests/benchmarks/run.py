"""Measure everything: `python tests/benchmarks/run.py` prints one table. Not part of CI.

The peers (copier, cookiecutter) are installed into an environment of their own; a bare Starlette route is run
from this one. Every figure is a ratio of two measurements of one run on one machine.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.benchmarks.bench_generator import generator_rows
from tests.benchmarks.bench_regenerate import regenerate_rows
from tests.benchmarks.bench_server import server_rows
from tests.benchmarks.bench_streaming import streaming_rows
from tests.benchmarks.bench_tasks import task_rows
from tests.benchmarks.table import describe

PEERS = ("copier", "cookiecutter")


def main() -> int:
    """Print the table; 1 when a row misses what is wanted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [
            *generator_rows(folder / "generator", _install_peers(folder / "peers")),
            *regenerate_rows(folder / "regenerate"),
            *server_rows(folder / "server"),
            *streaming_rows(folder / "streaming"),
            *task_rows(folder / "tasks"),
        ]
    sys.stdout.write(describe(rows) + "\n")
    return int(not all(row.is_met for row in rows))


def _install_peers(folder: Path) -> Path:
    """The scripts folder of a fresh environment with the peers."""
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", *PEERS], check=True)
    return scripts


if __name__ == "__main__":
    sys.exit(main())
