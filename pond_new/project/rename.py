"""What a renamed action takes along: its handler, with the new names in it, and its examples. Pure."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from pond_new.agent_manifest.model import AgentManifest
from pond_new.manifest import Manifest
from pond_new.project import names
from pond_new.project.build import Build, build
from pond_new.project.layout import EXAMPLES, HANDLERS
from pond_new.project.merge import merge, split_lines
from pond_new.project.moves import Move
from pond_new.project.settings import Settings
from pond_new.project.shape import like, plain_text


def rename_moves(
    manifest: Manifest,
    built: Build,
    rename: tuple[str, str],
    files: Mapping[PurePosixPath, bytes],
    tool: AgentManifest | None = None,
) -> tuple[Move, ...]:
    """The moves of the old action's files; `manifest` and `built` have the new id, `files` what is there.

    `tool` is the contract of the second standard, with the new id where it has the action's name.
    """
    old, new = rename
    earlier = replace(tool, tool=old) if tool and tool.tool == new else tool
    before = build(_with_id(manifest, new, old), settings_of(built), earlier, templates=built.templates)
    modules = names.module_name(old), names.module_name(new)
    handler = _handler_move(before, built, modules, files)
    folder = EXAMPLES / modules[0]
    # What was written once and then deleted moves too: it stays deleted under its new name.
    examples = [
        Move(path, EXAMPLES / modules[1] / path.relative_to(folder))
        for path in sorted({*files, *before.texts})
        if path.is_relative_to(folder)
    ]
    return (*handler, *examples)


def settings_of(built: Build) -> Settings:
    """The settings that a build was made with."""
    values = built.origin.settings
    return Settings(**{**values, "standards": tuple(values["standards"])})


def renamed_identifiers(source: str, mapping: Mapping[str, str]) -> str:
    """Python source with names exchanged, in code only: strings and comments stay as they are."""
    lines = split_lines(source)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return source
    for token in reversed(tokens):
        if token.type == tokenize.NAME and token.string in mapping:
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column] + mapping[token.string] + line[column + len(token.string) :]
    return "".join(lines)


def _handler_move(
    before: Build, after: Build, modules: tuple[str, str], files: Mapping[PurePosixPath, bytes]
) -> Iterable[Move]:
    old_path, new_path = (HANDLERS / f"{module}.py" for module in modules)
    content = files.get(old_path)
    if content is None:
        return (Move(old_path, new_path),)
    types = zip(before.data["types"], after.data["types"], strict=True)
    mapping = {old["name"]: new["name"] for old, new in types if old["name"] != new["name"]}
    base = renamed_identifiers(before.texts[old_path], mapping)
    yours = renamed_identifiers(plain_text(content), mapping)
    # The stub's own words name the action: where they still stand, they follow.
    merged = merge(base, yours, after.texts[new_path])
    text = yours if merged.conflicts else merged.text
    return (Move(old_path, new_path, like(content, text)),)


def _with_id(manifest: Manifest, action_id: str, wanted: str) -> Manifest:
    actions = tuple(
        replace(action, id=wanted) if action.id == action_id else action for action in manifest.actions
    )
    return replace(manifest, actions=actions)
