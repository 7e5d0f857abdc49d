"""Bring the committed agents of examples/ in step: `python tests/golden.py` writes, `--check` only compares.

What was written by hand stays; contract, generated and shared files follow the answers and the template,
exactly as `pond-new regenerate` would bring a user's repository in step. CI fails on a difference.
"""

from __future__ import annotations

import sys

from pond_new.commands.gather import complete, load_source
from pond_new.manifest import dump_manifest
from pond_new.project.compare import UNSOLVED
from pond_new.project.data import contract_text
from pond_new.project.examples import AGENT, Example, list_examples
from pond_new.project.regenerate import DONE, Regeneration, Request, regenerate_repository
from pond_new.project.settings import POND


def regenerate_example(example: Example, *, write: bool) -> Regeneration:
    """The committed agent of an example, brought in step with its answers."""
    source, _ = load_source(answers=None, manifest=None, example=example.name)
    manifest, settings, tool = complete(source, settings={}, use_defaults=False, agent_name=example.name)
    request = Request(
        manifest=contract_text(manifest).encode() if POND in settings.standards else None,
        agent_manifest=dump_manifest(tool.document).encode() if tool else None,
        reason="the answers changed",
        settings=settings,
        has_exact_lock=True,
    )
    return regenerate_repository(example.folder / AGENT, request, write=write)


def main(arguments: list[str]) -> int:
    """Write, or compare with `--check`; 1 when there is a difference that was not written."""
    is_check = "--check" in arguments
    outcome = 0
    for example in list_examples():
        regeneration = regenerate_example(example, write=not is_check)
        for change in regeneration.changes:
            if change.change in DONE | UNSOLVED:
                sys.stdout.write(f"{example.name}: {change.change} {change.path} ({change.reason})\n")
        outcome |= regeneration.is_unsolved or (is_check and not regeneration.is_in_step)
    return int(outcome)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
