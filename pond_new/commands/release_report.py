"""What `release` tells: what was written into the agent manifest, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pond_new import console
from pond_new.project.layout import AGENT_CONTRACT


@dataclass(frozen=True, slots=True)
class Release:
    """What is written: each part of the manifest with its old and its new text."""

    id: str
    changes: Mapping[str, tuple[str, str]]
    ref: str
    is_dry_run: bool
    committed: bool = False
    complaint: str = ""

    @property
    def version(self) -> str:
        """The version that is released."""
        return self.changes["/version"][1]


def show_release(planned: Release, *, as_json: bool) -> None:
    """Print what was done, or in a dry run would be."""
    if as_json:
        console.show_json(
            {
                "version": 1,
                "command": "release",
                "id": planned.id,
                "released": planned.version,
                "ref": planned.ref,
                "changes": {
                    pointer: {"old": old, "new": new} for pointer, (old, new) in planned.changes.items()
                },
                "written": not planned.is_dry_run,
                "committed": planned.committed,
            }
        )
    else:
        console.show("\n".join(_lines(planned)))
    if planned.complaint:
        console.say(
            f"git did not commit it: {planned.complaint}\nThe manifest is written: commit it yourself."
        )


def _lines(planned: Release) -> list[str]:
    verb = "Would release" if planned.is_dry_run else "Released"
    lines = [f"{verb} {planned.id} {planned.version}, in {AGENT_CONTRACT}:"]
    for pointer, (old, new) in planned.changes.items():
        name = pointer.strip("/").replace("/", ".")
        lines.append(f"  {name:<18} {new if old == new else f'{old} -> {new}'}")
    if not planned.is_dry_run:
        lines += [
            "",
            "Next:",
            "  git push                                              the commit must be public to be read",
            "  deploy this commit, then",
            "  pond-new validate agent-manifest.json --endpoint      what the marketplace will check",
        ]
    return lines
