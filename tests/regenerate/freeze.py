"""Freeze the layout of this version, before it is released: `python -m tests.regenerate.freeze`.

Writes `layouts/VERSION.json`; from then on it is never changed again, since that is what users have.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from pond_new import __version__
from tests.regenerate.conftest import HANDLER, MANIFEST, make

LEFT_OUT = ("agent/pond/", "tests/")  # generated: what is missing is written again


def main() -> None:
    """Make an agent, edit two of its files by hand, and keep the lines of what matters."""
    with tempfile.TemporaryDirectory() as folder:
        agent = make(Path(folder) / "agent", MANIFEST)
        agent.write("agent/handlers/translate_text.py", HANDLER)
        agent.replace("compose.yaml", "caddy:2\n", "caddy:2 # chosen by hand\n")
        lines = {
            path: content.decode().split("\n")
            for path, content in sorted(agent.tree().items())
            if not path.startswith(LEFT_OUT)
        }
    layout = Path(__file__).parent / "layouts" / f"{__version__}.json"
    layout.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
