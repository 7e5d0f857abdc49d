"""Is the agent manifest of the second standard ready to be published with this deployment? Pure."""

from __future__ import annotations

from collections.abc import Iterator

from pond_new.agent_manifest.check import check_endpoint
from pond_new.agent_manifest.draft import NO_COMMIT
from pond_new.agent_manifest.model import AgentManifest
from pond_new.agent_manifest.release import is_placeholder
from pond_new.project.findings import Finding
from pond_new.project.layout import AGENT_CONTRACT

FILE = str(AGENT_CONTRACT)


def check_tool(tool: AgentManifest) -> Iterator[Finding]:
    """The endpoint that callers will use, and the commit that the manifest names."""
    if is_placeholder(tool.endpoint):
        message = f"has an example address as its endpoint: {tool.endpoint}."
        fix = "Write the address that the agent gets: callers and the marketplace use it."
        yield Finding("no-endpoint", "note", FILE, message, fix)
    else:
        for fault in check_endpoint(tool.document):
            yield Finding("endpoint", "problem", FILE, f"cannot be published. {fault.message}", fault.fix)
    source = tool.document["source"]
    if source["ref"] == NO_COMMIT or is_placeholder(source["repository"]):
        message = "does not name the commit that is deployed yet."
        yield Finding("not-released", "note", FILE, message, "Run pond-new release, and deploy that commit.")
