"""Imports a user's own module in a process of its own and asks it for a schema. RUNS CODE: ask before.

The interpreter is that of the active virtual environment, if there is one, because pydantic lives there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from pond_new.wizard.imports.carried import Carried, NotReadable
from pond_new.wizard.imports.pond_form import to_pond_form

SECONDS = 60
SHOWN = 300
PROGRAM = Path(__file__).with_name("schema_of_member.py")


def carry_by_running(path: str, name: str) -> Carried:
    """What Python itself says of a function or class. Raises `NotReadable` with the error of its code."""
    file = Path(path).resolve()
    command = [interpreter(), str(PROGRAM), str(file), name]
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own file, after they said yes
            command,
            cwd=file.parent,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise NotReadable(f"it did not end within {SECONDS} seconds") from None
    except OSError as fault:
        raise NotReadable(f"{command[0]} cannot be started: {fault.strerror}") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines() or ["it ended without a word"]
        raise NotReadable(last[-1][:SHOWN])
    return to_pond_form(json.loads(done.stdout.decode().splitlines()[-1]))


def interpreter() -> str:
    """The Python of the active virtual environment, or the one that runs pond-new."""
    active = os.environ.get("VIRTUAL_ENV")
    for place in ("bin/python", "Scripts/python.exe"):
        if active and (Path(active) / place).is_file():
            return str(Path(active) / place)
    return sys.executable
