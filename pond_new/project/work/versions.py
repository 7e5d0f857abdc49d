"""Whether the version of a contract has to rise, and where it stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from pond_new.manifest import Manifest
from pond_new.manifest.promises import promises_digest
from pond_new.project.layout import AGENT_CONTRACT, CONTRACT
from pond_new.project.origin import Origin
from pond_new.project.work.model import Situation, Work, WorkKind


def needs_new_version(before: Origin | None, manifest: Manifest) -> bool:
    """Whether what `agent_version` stands for changed and it did not (requirement MAN-11)."""
    return (
        before is not None
        and before.agent_version == manifest.agent_version
        and before.promises != promises_digest(manifest.document)
    )


def needs_new_tool_version(before: Origin | None, after: Origin) -> bool:
    """The same of the `version` of an agent manifest: a caller may have pinned it."""
    earlier, tool = before.tool if before else None, after.tool
    if earlier is None or tool is None:
        return False
    return earlier.version == tool.version and earlier.promises != tool.promises


def versions(situation: Situation) -> Iterator[Work]:
    """The versions that have to rise, that of the second standard first."""
    if situation.tool is not None and needs_new_tool_version(situation.before, situation.after):
        line, _ = situation.tool.position("/version")
        version = situation.tool.value["version"]
        text = f"version has to rise: what {version} stands for has changed (--bump raises it)"
        yield Work(WorkKind.VERSION, AGENT_CONTRACT, line, text)
    if situation.document is None or not needs_new_version(situation.before, situation.manifest):
        return
    version = situation.manifest.agent_version
    line, _ = situation.document.position("/agent_version")
    text = (
        f"agent_version has to rise: what {version} stands for has changed"
        f" (--bump makes it {situation.bumped})"
    )
    yield Work(WorkKind.VERSION, CONTRACT, line, text)
