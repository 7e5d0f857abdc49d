"""A document becomes an agent manifest, or all the errors of round one. Pure."""

from __future__ import annotations

from typing import Any

from pond_new.agent_manifest.check import check_manifest
from pond_new.agent_manifest.model import AgentManifest
from pond_new.manifest.document import Document
from pond_new.manifest.problem import InvalidManifest

NAME = "agent-manifest.json"


def parse_agent_manifest(document: Document | dict[str, Any]) -> AgentManifest:
    """The typed manifest; raises `InvalidManifest` with every error at once, in the order of the file."""
    value = document.value if isinstance(document, Document) else document
    errors = [problem for problem in check_manifest(value) if problem.severity == "error"]
    if isinstance(document, Document):
        errors = sorted(map(document.locate, errors), key=lambda each: (each.line or 0, each.column or 0))
    if errors:
        raise InvalidManifest(errors, name=document.name if isinstance(document, Document) else NAME)
    return _build(value)


def _build(value: dict[str, Any]) -> AgentManifest:
    interface, runtime = value["interface"], value["runtime"]
    return AgentManifest(
        id=value["id"],
        version=value["version"],
        name=value["name"],
        summary=value["summary"],
        license=value["license"],
        tool=runtime["tool"],
        input=interface["input"],
        output=interface["output"],
        errors=tuple(error["code"] for error in interface["errors"]),
        endpoint=runtime["endpoint"],
        timeout_s=runtime["limits"]["timeout_s"],
        egress=tuple(value["data"]["egress"]),
        examples=tuple(value["examples"]),
        document=value,
    )
