"""Media modes that can never match a file or an answer. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

NAME = r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
MEDIA_TYPE = re.compile(rf"{NAME}/{NAME}")
TEXTUAL = re.compile(r"text/.*|application/(json|xml|.*\+json|.*\+xml)", re.IGNORECASE)
"""What may also come in the instruction itself, without a file."""

SHORTHANDS = {
    "text": "text/plain",
    "plain": "text/plain",
    "txt": "text/plain",
    "markdown": "text/markdown",
    "md": "text/markdown",
    "html": "text/html",
    "json": "application/json",
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "image": "image/png",
    "csv": "text/csv",
    "audio": "audio/mpeg",
    "file": "application/octet-stream",
}


def check_media_modes(subject: Subject) -> Iterator[Problem]:
    """Modes that are no media types, are wildcards, or differ only in case from another (MAN-14)."""
    for key in ("input_modes", "output_modes"):
        modes = subject.manifest.get(key)
        seen: dict[str, str] = {}
        for index, mode in enumerate(modes if isinstance(modes, list) else []):
            if not isinstance(mode, str) or not mode:
                continue
            yield from _check_mode(mode, join("", key, index))
            if mode.casefold() in seen and seen[mode.casefold()] != mode:
                pointer = join("", key, index)
                message = f"{mode} is {seen[mode.casefold()]} once more, in other letters."
                yield warning(
                    "MAN-14", pointer, message, fix="Remove it.", correction=Correction("drop", pointer)
                )
            seen.setdefault(mode.casefold(), mode)


def _check_mode(mode: str, pointer: str) -> Iterator[Problem]:
    if "*" in mode:
        message = f"{mode} is a wildcard; Pond compares media types as they are written."
        yield warning("MAN-14", pointer, message, fix="List the media types one by one.")
    elif ";" in mode and MEDIA_TYPE.match(mode):
        message = f"{mode} has a parameter, and matches only what carries the same one."
        yield warning("MAN-14", pointer, message, fix=f"Write {mode.partition(';')[0].strip()}.")
    elif not MEDIA_TYPE.fullmatch(mode):
        meant = SHORTHANDS.get(mode.strip().casefold().lstrip("."))
        fix = f"Did you mean {meant}?" if meant else "Write type/subtype, such as text/plain."
        yield warning("MAN-14", pointer, f'"{mode}" is not a media type.', fix=fix)


def check_attachments(subject: Subject) -> Iterator[Problem]:
    """Attachments and the input modes that files need go together (CAP-04)."""
    flags, modes = subject.manifest.get("capabilities"), subject.manifest.get("input_modes")
    if not isinstance(flags, dict) or not isinstance(modes, list):
        return
    names = [mode for mode in modes if isinstance(mode, str) and MEDIA_TYPE.fullmatch(mode)]
    for_files = [mode for mode in names if not TEXTUAL.fullmatch(mode)]
    if flags.get("attachments") is True and names and all(mode.startswith("text/") for mode in names):
        yield warning(
            "CAP-04",
            "/capabilities/attachments",
            "attachments is true, but every input mode is text: no picture or document can come.",
            fix="Add the media types of the files you take, such as application/pdf, or set it to false.",
        )
    if flags.get("attachments") is False and for_files:
        yield warning(
            "CAP-04",
            "/input_modes",
            f"{', '.join(for_files)} can only come as a file, but attachments is false.",
            fix="Set attachments to true, or take the media type out.",
        )
