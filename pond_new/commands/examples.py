"""`pond-new examples`: list the finished agents."""

from __future__ import annotations

from typing import Any

from pond_new import console
from pond_new.commands.gather import load_document
from pond_new.project.examples import Example, list_examples

JSON_VERSION = 1


def examples(*, as_json: bool) -> int:
    """Print every example with its summary; returns 0."""
    found = [_describe(example) for example in list_examples()]
    if as_json:
        console.show_json({"version": JSON_VERSION, "command": "examples", "examples": found})
        return 0
    width = max(len(example["name"]) for example in found)
    for example in found:
        console.show(f"{console.paint(example['name'].ljust(width), 'bold')}  {example['summary']}")
    console.show("\nMake one with: pond-new my-agent --example NAME")
    return 0


def _describe(example: Example) -> dict[str, Any]:
    manifest = load_document(str(example.answers)).value["manifest"]
    return {
        "name": example.name,
        "summary": manifest["metadata"]["short_description"],
        "actions": [action["id"] for action in manifest.get("actions", [])],
    }
