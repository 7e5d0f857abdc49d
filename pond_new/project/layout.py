"""Where things lie in a generated repository. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

CONTRACT = PurePosixPath("manifest.json")
AGENT_CONTRACT = PurePosixPath("agent-manifest.json")
PROJECT_FILE = PurePosixPath("pyproject.toml")
HANDLERS = PurePosixPath("agent/handlers")
EXAMPLES = PurePosixPath("examples")
HAND_WRITTEN_CODE = ("agent", "tests")
