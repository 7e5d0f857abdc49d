"""Every way to install carries the whole template: the repositories it writes have the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT

HERE = sysconfig.get_paths()["purelib"]


def call(*arguments: object, cwd: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, the wheel built from it, and the wheel built from the source tree."""
    folder = tmp_path_factory.mktemp("built")
    build = (sys.executable, "-m", "build", "--no-isolation")
    call(*build, "--outdir", folder / "by-sdist", ROOT, cwd=folder)
    call(*build, "--wheel", "--outdir", folder / "direct", ROOT, cwd=folder)
    return folder


def install(folder: Path, *what: object) -> Path:
    """A fresh environment with pond-new installed in it; its dependencies are those of this one."""
    environment = folder / "venv"
    venv.create(environment, with_pip=False)
    scripts = environment / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / Path(sys.executable).name
    site = call(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])", cwd=folder).strip()
    Path(site, "dependencies.pth").write_text(HERE + "\n")
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
    )
    call(*pip, "--ignore-installed", *what, cwd=folder)
    return scripts / "pond-new"


def written_by(program: Path, folder: Path) -> dict[str, bytes]:
    """Every example, as this installation writes it."""
    for example in ("assistant", "language", "text-stats"):
        call(program, "new", folder / example, "--example", example, "--no-git", cwd=folder)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for example in ("assistant", "language", "text-stats")
        for path in (folder / example).rglob("*")
        if path.is_file()
    }


def test_every_way_to_install_writes_the_same_bytes(built: Path, tmp_path: Path) -> None:
    ways: dict[str, tuple[object, ...]] = {
        "wheel": tuple((built / "direct").glob("*.whl")),
        "wheel-from-sdist": tuple((built / "by-sdist").glob("*.whl")),
        "sdist": tuple((built / "by-sdist").glob("*.tar.gz")),
        "editable": ("--editable", ROOT),
    }
    written: dict[str, dict[str, bytes]] = {}
    for name, what in ways.items():
        folder = tmp_path / name
        folder.mkdir()
        written[name] = written_by(install(folder, *what), folder)

    for name, files in written.items():
        assert sorted(files) == sorted(written["wheel"]), name
        assert [path for path in files if files[path] != written["wheel"][path]] == [], name
    names = {path.partition("/")[2] for path in written["wheel"]}
    assert {
        ".gitignore",
        ".dockerignore",
        ".env.example",
        ".github/workflows/ci.yml",
        ".pond/lock.json",
    } <= names


def test_the_installed_command_knows_its_version(built: Path, tmp_path: Path) -> None:
    program = install(tmp_path, *(built / "direct").glob("*.whl"))

    assert call(program, "--version", cwd=tmp_path).startswith("pond-new ")
    assert "text-stats" in call(program, "examples", cwd=tmp_path)
