"""What the template is given: plain JSON values, made from a contract and settings. Pure.

Text that goes into Python, TOML or Markdown is made harmless here (`literals`), so the templates hold no
logic, and copier renders them with the same values to the same bytes.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pond_new.agent_manifest.model import AgentManifest
from pond_new.manifest import Action, Manifest, dump_manifest
from pond_new.manifest.values import example_parameters
from pond_new.project import names
from pond_new.project.contracts import action_of
from pond_new.project.declarations import Declarations
from pond_new.project.deployment import deploy_values, target_features
from pond_new.project.literals import docstring, markdown, one_line, python_text, toml_text
from pond_new.project.settings import MCP, POND, Settings
from pond_new.project.targets import LONGEST_GRACE, MARGIN_SECONDS

DEFAULT_UNIT = "result"
TEXTS = frozenset({"text/plain", "text/markdown", "text/html", "application/json"})  # all else comes as files
FIRST_FILE = "An example of a file.\n"  # template/examples/.../files/first.txt (tested)
EDITOR_SCHEMA = "./.pond/manifest.schema.json"


def template_data(
    manifest: Manifest, settings: Settings, tool: AgentManifest | None = None
) -> dict[str, Any]:
    """The variables of the template; `tool` is the contract of the second standard."""
    serves_pond = POND in settings.standards
    actions, declarations = _actions(manifest, tool)
    examples = [example for action in actions for example in action.pop("examples")]
    return {
        "manifest_text": contract_text(manifest) if serves_pond else "",
        "agent_manifest_text": dump_manifest(tool.document) if tool else "",
        "project": _project(manifest),
        "settings": settings.dump(),
        "limits": asdict(manifest.limits) | {"grace_seconds": _grace(manifest, tool)},
        "modes": _modes(manifest),
        "features": {
            "pond": serves_pond,
            "mcp": MCP in settings.standards,
            "artifacts": serves_pond and any(mode not in TEXTS for mode in manifest.output_modes),
            "async_tasks": serves_pond and manifest.capabilities.async_tasks,
            "attachments": serves_pond and manifest.capabilities.attachments,
            "postgres": serves_pond and settings.database == "postgres",
            "streaming": manifest.capabilities.streaming,
            "telemetry": serves_pond and settings.telemetry == "on",
        }
        | target_features(settings),
        "deploy": deploy_values(manifest, settings),
        "tool": _tool(tool),
        "has_actions": bool(manifest.actions),
        "actions": actions,
        "examples": examples if serves_pond else [],
        "types": [asdict(declared) for declared in declarations.types],
        "typing_names": declarations.typing_names(),
        "plans": _plans(manifest),
    }


def contract_text(manifest: Manifest) -> str:
    """The manifest as a new repository has it: with the name of the schema that its editor completes from."""
    return dump_manifest({"$schema": EDITOR_SCHEMA} | dict(manifest.document))


def _project(manifest: Manifest) -> dict[str, str]:
    summary = manifest.metadata.get("short_description")
    name = names.title(manifest.name, "Pond agent")
    text = one_line(summary) if isinstance(summary, str) else ""
    return {
        "name": names.project_name(manifest.name),
        "title": markdown(name),
        "summary": markdown(text),
        "description": toml_text(text or f"{name}, an agent for Pond"),
        "agent_version": markdown(manifest.agent_version),
        "usage_unit": manifest.usage_unit or DEFAULT_UNIT,
    }


def _tool(tool: AgentManifest | None) -> dict[str, Any]:
    """The tool of the second standard as the README tells of it; empty without."""
    if tool is None:
        return {}
    return {
        "name": tool.tool,  # letters, digits, _ . and - by the standard
        "errors": list(tool.errors),
    }


def _grace(manifest: Manifest, tool: AgentManifest | None) -> int:
    seconds: int = max(manifest.limits.max_run_seconds, math.ceil(tool.timeout_s) if tool else 0)
    return min(seconds + MARGIN_SECONDS, LONGEST_GRACE)


def _modes(manifest: Manifest) -> dict[str, Any]:
    capabilities = manifest.capabilities
    return {
        "sync": capabilities.sync,
        "stream": capabilities.streaming,
        "async": capabilities.async_tasks,
        "attachments": capabilities.attachments,
        "inputs": [markdown(mode) for mode in manifest.input_modes],
        "outputs": [markdown(mode) for mode in manifest.output_modes],
    }


def _actions(manifest: Manifest, tool: AgentManifest | None) -> tuple[list[dict[str, Any]], Declarations]:
    """The handlers to write, one an action or one for the whole agent, and the types of their parameters."""
    if not manifest.actions:
        name = one_line(manifest.name or "")
        general = Action("", name, f"Answer any request to {name or 'this agent'}.", manifest.input_schema)
        declarations = Declarations(taken={names.GENERAL_TYPE})
        return [
            _action(general, names.GENERAL_MODULE, names.GENERAL_TYPE, manifest, declarations, tool)
        ], declarations
    types = names.type_names(action.id for action in manifest.actions)
    declarations = Declarations(taken=set(types.values()))
    served = action_of(manifest, tool) if tool else None
    actions = [
        _action(
            action,
            names.module_name(action.id),
            types[action.id],
            manifest,
            declarations,
            tool if action is served else None,
        )
        for action in manifest.actions
    ]
    return actions, declarations


def _action(  # noqa: PLR0913, PLR0917 -- everything that makes one row of the template's data
    action: Action,
    module: str,
    type_name: str,
    manifest: Manifest,
    declarations: Declarations,
    tool: AgentManifest | None,
) -> dict[str, Any]:
    """One handler: its names, its documentation, and the first example of its stub.

    `tool` is the one that this handler serves too, if it does.
    """
    schema = action.input_schema or {}
    declarations.declare(type_name, schema, doc=f"The parameters of {action.id or 'a run'}.")
    media_type = None if tool else _artifact_type(manifest)
    return {
        "id": action.id,
        "key": python_text(action.id) if action.id else "None",
        "module": module,
        "type": type_name,
        "name": markdown(action.name),
        "description": markdown(action.description),
        "doc": docstring(action.description, indent=4),
        "has_parameters": bool(schema.get("properties")),
        "media_type": python_text(media_type) if media_type else "",
        "is_tool": tool is not None,
        "examples": _tool_example(action, manifest, tool)
        if tool
        else _examples(action, manifest, media_type),
    }


def _artifact_type(manifest: Manifest) -> str | None:
    """The media type of the stub's answer when the agent returns no text but files."""
    if any(mode.startswith("text/") for mode in manifest.output_modes):
        return None
    return next((mode for mode in manifest.output_modes if "/" in mode.strip("/")), None)


def _examples(action: Action, manifest: Manifest, media_type: str | None) -> list[dict[str, str]]:
    """The stub's example, or nothing where no value satisfies the input schema."""
    schema: Mapping[str, Any] = action.input_schema or {}
    try:
        parameters = example_parameters(schema) if schema.get("properties") else {}
    except LookupError:
        return []
    module = names.module_name(action.id) if action.id else names.GENERAL_MODULE
    text = f"Try {one_line(action.name) or 'the agent'}."
    request: dict[str, Any] = {"text": text, "parameters": parameters}
    given = parameters if schema.get("properties") else text
    if manifest.capabilities.attachments:
        request["files"] = _example_files(manifest)
        sizes = {file["name"]: len(FIRST_FILE) for file in request["files"]}
        given = {"parameters" if schema.get("properties") else "text": given, "files": sizes}
    answer = given if isinstance(given, str) else json.dumps(given, indent=2, ensure_ascii=False)
    return [_example(module, manifest, request, _answer(answer, media_type))]


def _tool_example(action: Action, manifest: Manifest, tool: AgentManifest) -> list[dict[str, str]]:
    """The first example of the tool as Pond asks for it: the stub answers it in both standards."""
    example = tool.first_success
    is_only_text = not (action.input_schema or {}).get("properties")
    text = f"Try {one_line(action.name) or 'the agent'}."
    if is_only_text:  # a tool that takes nothing at all has no text either
        text = str(example["input"].get("text", text))
    request = {"text": text, "parameters": {} if is_only_text else example["input"]}
    answer = _answer(json.dumps(example["output"], indent=2, ensure_ascii=False), None)
    module = names.module_name(action.id) if action.id else names.GENERAL_MODULE
    return [_example(module, manifest, request, answer)]


def _example(
    module: str, manifest: Manifest, request: Mapping[str, Any], answer: Mapping[str, Any]
) -> dict[str, str]:
    usage = {"unit_of_measurement": manifest.usage_unit or DEFAULT_UNIT, "quantity": 1}
    example = {
        "request": dict(request),
        "result": {"status": "completed"} | dict(answer) | {"usage": usage},
    }
    return {"module": module, "text": json.dumps(example, indent=2, ensure_ascii=False) + "\n"}


def _example_files(manifest: Manifest) -> list[dict[str, str]]:
    """The upload of a stub's example: `FIRST_FILE`, where the agent takes files of that size."""
    if manifest.limits.max_attachment_bytes < len(FIRST_FILE):
        return []
    modes = manifest.input_modes
    media_type = next((mode for mode in modes if mode.startswith("text/")), modes[0])
    return [{"name": "first.txt", "media_type": media_type}]


def _answer(text: str, media_type: str | None) -> dict[str, Any]:
    """What the stub's answer looks like in a result: text, or a file for an agent that returns no text."""
    if not media_type:
        return {"output": [{"type": "text", "text": text}]}
    content = base64.b64encode(text.encode()).decode()
    file = {"bytes": content, "name": "answer", "media_type": media_type}
    return {
        "output": [{"type": "artifact_ref", "artifact_id": "artifact_1"}],
        "artifacts": [{"id": "artifact_1", "type": "file", "file": file}],
    }


def _plans(manifest: Manifest) -> list[dict[str, str]]:
    return [{"name": markdown(plan.name), "model": plan.pricing_model} for plan in manifest.pricing_plans]
