"""Start each agent named on the command line in process and let it answer its own examples."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any


def main(folders: list[str]) -> int:
    for folder in folders:
        sys.path.insert(0, folder)
        try:
            answer(Path(folder))
        finally:
            sys.path.remove(folder)
            forget()
        sys.stdout.write(f"{folder} answered\n")
    return 0


def answer(folder: Path) -> None:
    """Replay every example; the results must be equal."""
    from starlette.testclient import TestClient

    client, app, settings, replay = map(load, CLIENT)
    wanted = replace(
        settings.load_settings({}), access_key=client.KEY, database=f"sqlite:///{folder}/ledger.sqlite"
    )
    wanted = replace(wanted, example_files=folder / "examples")
    with TestClient(app.create_app(wanted)) as http:
        pond = client.Pond(http)
        manifest = pond.get("/manifest")
        assert manifest.json() == json.loads((folder / "manifest.json").read_text("utf-8"))
        for example in client.examples():
            request = example.request()
            result: Any = client.result_of(pond.run(request))
            expected = replay._comparable(example.result(request["run_id"]))
            assert replay._comparable(result) == expected, (folder, result)


CLIENT = ("tests.generated.client", "agent.app", "agent.settings", "tests.generated.test_examples")


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


def forget() -> None:
    """Let the next agent's modules take the same names."""
    for name in [name for name in sys.modules if name.partition(".")[0] in {"agent", "tests"}]:
        del sys.modules[name]
    importlib.invalidate_caches()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
