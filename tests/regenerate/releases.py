"""Four releases of pond-new after another, as a repository that lives long would meet them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pond_new.project.migrations import Migration
from pond_new.project.moves import Move
from pond_new.project.template_folder import load_templates


@dataclass(frozen=True, slots=True)
class Release:
    """One pond-new: its version, its templates and the migrations that it knows."""

    version: str
    templates: Mapping[str, str]
    migrations: tuple[Migration, ...] = ()


def releases() -> tuple[Release, ...]:
    """Four releases after another; each adds, changes, moves or drops something."""
    first = load_templates()
    second = {
        **first,
        "Dockerfile.jinja": first["Dockerfile.jinja"].replace("EXPOSE 8000", "EXPOSE 8000/tcp"),
        "notes.cfg.jinja": "[notes]\npython = {{ settings.python }}\nlimit = {{ limits.max_run_seconds }}\n",
    }
    third = {
        **second,
        "agent/app.py": second["agent/app.py"] + "# written by a newer version\n",
        "agent/pond/clock.py": '"""A new module."""\n',
        "deploy/compose.yaml.jinja": second["compose.yaml.jinja"].replace(
            "restart: unless-stopped", "restart: always"
        ),
    }
    del third["compose.yaml.jinja"]
    fourth = {**third, "notes.cfg.jinja": third["notes.cfg.jinja"] + "more = true\n"}
    del fourth["agent/pond/clock.py"]
    del fourth[".dockerignore.jinja"]
    moved = Migration(
        "0.3.0", lambda _: [Move(PurePosixPath("compose.yaml"), PurePosixPath("deploy/compose.yaml"))]
    )
    return (
        Release("0.1.0", first),
        Release("0.2.0", second),
        Release("0.3.0", third, (moved,)),
        Release("0.4.0", fourth, (moved,)),
    )


RELEASES = releases()
