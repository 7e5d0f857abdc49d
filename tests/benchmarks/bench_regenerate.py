"""The rows of the benchmark on `regenerate`: against `copier update` on the same template, and by size.

`python -m tests.benchmarks.bench_regenerate` prints them alone; copier has to be installed beside pond-new.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pond_new.manifest import dump_manifest
from pond_new.project.examples import find_example
from pond_new.project.regenerate import Regeneration, Request, regenerate_repository
from pond_new.project.settings import Settings
from pond_new.project.template_folder import find_folder
from tests.benchmarks.table import Row, describe

ROUNDS = 5
FEW, MANY = 100, 1000
ANSWERS_FILE = "{{ _copier_conf.answers_file }}.jinja"


def regenerate_rows(folder: Path) -> Iterator[Row]:
    """Every row on `regenerate`; `folder` is an empty directory to work in."""
    yield from _rows_against_copier(folder / "copier")
    yield from _rows_by_size(folder / "size")


def _rows_against_copier(folder: Path) -> Iterator[Row]:
    root = folder / "agent"
    manifest = _manifest("text-stats")
    built = _create(root, manifest)
    template, project = _copier_project(folder, dict(built.built.data))
    update = [
        sys.executable,
        "-m",
        "copier",
        "update",
        "--defaults",
        "--quiet",
        "--vcs-ref",
        "HEAD",
        str(project),
    ]
    check = [sys.executable, "-m", "pond_new", "regenerate", "--check", str(root)]
    copier = _median(lambda: _run(update, template))
    yield Row(
        "regenerate --check, in step", _median(lambda: _run(check)), copier, "s", "copier update", most=0.25
    )
    seconds = iter(range(31, 99))

    def regenerate_a_change() -> None:
        manifest["limits"]["max_run_seconds"] = next(seconds)
        (root / "manifest.json").write_text(dump_manifest(manifest), "utf-8")
        _run([sys.executable, "-m", "pond_new", "regenerate", str(root)])

    yield Row("regenerate after a change", _median(regenerate_a_change), copier, "s", "copier update")


def _rows_by_size(folder: Path) -> Iterator[Row]:
    roots = [folder / f"agent-{count}" for count in (FEW, MANY)]
    for root, count in zip(roots, (FEW, MANY), strict=True):
        _create(root, _with_actions(_manifest("text-stats"), count))
    for option in ("--check", "--dry-run"):
        few, many = (_time_of("regenerate", option, str(root)) for root in roots)
        yield Row(f"regenerate {option}, {MANY} actions", many, few, "s", f"{FEW} actions", most=12)


def _manifest(example: str) -> dict[str, Any]:
    text = (find_example(example).folder / "agent" / "manifest.json").read_text("utf-8")
    manifest: dict[str, Any] = json.loads(text)
    return manifest


def _with_actions(manifest: dict[str, Any], count: int) -> dict[str, Any]:
    """Small actions, so that the manifest stays within its 256 KiB."""
    actions = [{"id": f"a{number}", "name": "A", "description": f"Does {number}."} for number in range(count)]
    return {**manifest, "actions": actions}


def _create(root: Path, manifest: dict[str, Any]) -> Regeneration:
    request = Request(manifest=dump_manifest(manifest).encode(), settings=Settings())
    return regenerate_repository(root, request)


def _copier_project(folder: Path, data: dict[str, Any]) -> tuple[Path, Path]:
    """Our template in git, and a project of it in git, as copier's update wants them."""
    template, project = folder / "template", folder / "project"
    shutil.copytree(find_folder("template"), template)
    (template / ANSWERS_FILE).write_text("{{ _copier_answers|to_nice_yaml -}}\n", "utf-8")
    _commit(template)
    (folder / "data.json").write_text(json.dumps(data), "utf-8")
    copy = ["copy", "--defaults", "--quiet", "--vcs-ref", "HEAD", "--data-file", str(folder / "data.json")]
    _run([sys.executable, "-m", "copier", *copy, str(template), str(project)])
    _commit(project)
    return template, project


def _commit(root: Path) -> None:
    author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for step in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "bench"]):
        _run(["git", "-C", str(root), *step])


def _run(command: Sequence[str], cwd: Path | None = None) -> None:
    source = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")


def _time_of(*arguments: str) -> float:
    return _median(lambda: _run([sys.executable, "-m", "pond_new", *arguments]))


def _median(work: Callable[[], None]) -> float:
    work()  # warm files and compiled modules
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2]


def main() -> None:
    """Print the rows."""
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(describe(list(regenerate_rows(Path(folder)))) + "\n")


if __name__ == "__main__":
    main()
