"""`pond-new validate`: every problem of a manifest at once, and what Pond would make of it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pond_new import __version__, agent_manifest, console
from pond_new.commands.agreement import with_agreement
from pond_new.commands.sources import (
    Outside,
    Source,
    load_sources,
    read_earlier,
    read_key,
    read_lock,
    write_text,
)
from pond_new.errors import WrongUsage
from pond_new.manifest.check import check_manifest
from pond_new.manifest.document import Document, parse_document, too_large
from pond_new.manifest.fixes import fix_document, show_difference, without_trailing_commas
from pond_new.manifest.kinds import AGENT_MANIFEST, Kind, other_kind
from pond_new.manifest.preview import preview_import
from pond_new.manifest.problem import InvalidManifest, Problem, error
from pond_new.manifest.promises import promises_digest
from pond_new.manifest.release import check_release, check_same_promises
from pond_new.manifest.reports import FileReport, has_failed
from pond_new.manifest.rules.secrets import without_secrets
from pond_new.protocol.facts import JSON_MEDIA_TYPE, MANIFEST_BYTES

LOCK_WORD = "lock"


@dataclass(frozen=True, slots=True)
class ValidateOptions:
    """What the command line says beside the files."""

    format: str = "text"
    is_strict: bool = False
    fix: bool = False
    changed_since: str | None = None
    key_env: str | None = None
    calls_endpoint: bool = False
    other_endpoint: str | None = None
    """Another address to call in place of the manifest's, such as a server on this machine."""


def validate(files: Sequence[str], options: ValidateOptions, *, outside: Outside | None = None) -> int:
    """Judge manifests and print the report; returns 1 with errors (or warnings, if strict), else 0.

    Raises UnreadableInput and WrongUsage where there is nothing to judge.
    """
    outside = outside or Outside()
    key = read_key(options.key_env, outside)
    sources = load_sources(files, key=key, outside=outside)
    if options.fix:
        sources = tuple(_fixed(source, options) for source in sources)
    reports = with_agreement(sources, tuple(_report(source, options, key, outside) for source in sources))
    if options.calls_endpoint and not any(report.standard == "mcp" for report in reports):
        raise WrongUsage("--endpoint calls what an agent manifest names, and none of these files is one.")
    _print(reports, options)
    return 1 if has_failed(reports, is_strict=options.is_strict) else 0


def _report(source: Source, options: ValidateOptions, key: str | None, outside: Outside) -> FileReport:
    if source.size > MANIFEST_BYTES:
        return FileReport(source.name, (too_large(source.size),))
    try:
        is_served = source.media_type is not None
        document = parse_document(source.content, name=source.name, form="json" if is_served else None)
    except InvalidManifest as failure:
        text = source.content.decode("utf-8", "replace")
        return FileReport(source.name, (*_check_media_type(source), *failure.problems), text=text)
    kind = other_kind(document.value)
    if kind is AGENT_MANIFEST:
        return _report_agent_manifest(source, document, options, outside)
    if kind is not None:
        return _report_kind(source, kind)
    problems = [*_check_media_type(source), *check_manifest(document, key=key)]
    is_valid = all(problem.severity != "error" for problem in problems)
    problems.extend(map(document.locate, _check_release(source, document, options, is_valid=is_valid)))
    preview = preview_import(document.value) if isinstance(document.value, dict) else ()
    hide = partial(_hide, key=key)
    return FileReport(
        source.name,
        tuple(replace(problem, message=hide(problem.message), fix=hide(problem.fix)) for problem in problems),
        tuple(replace(row, text=hide(row.text), reason=hide(row.reason)) for row in preview),
        text=hide(document.text),
    )


def _hide(text: str, *, key: str | None) -> str:
    """A text for the report, without the access key and what looks like another secret."""
    return without_secrets(text.replace(key, "(the access key)") if key else text)


def _report_agent_manifest(
    source: Source, document: Document, options: ValidateOptions, outside: Outside
) -> FileReport:
    """The report on a manifest of the second standard: the second round follows a clean first one."""
    problems = agent_manifest.check_manifest(document.value)
    if not any(problem.severity == "error" for problem in problems):
        problems += _check_endpoint(document.value, options, outside)
        problems += agent_manifest.check_release(document.value)
        problems.append(agent_manifest.price_note(document.value))
    located = tuple(map(document.locate, problems))
    return FileReport(source.name, located, standard="mcp", text=without_secrets(document.text))


def _check_endpoint(
    manifest: Mapping[str, Any], options: ValidateOptions, outside: Outside
) -> Iterator[Problem]:
    """Round two: the address, and with --endpoint what is really served there."""
    faults = agent_manifest.check_endpoint(manifest)
    yield from faults
    address = options.other_endpoint or manifest["runtime"]["endpoint"]
    if options.calls_endpoint and (options.other_endpoint or not faults):
        yield from agent_manifest.check_served(manifest, outside.call_endpoint(address, manifest))


def _report_kind(source: Source, kind: Kind) -> FileReport:
    """The report on a file that is neither a Pond manifest nor an agent manifest."""
    message = f"This is {kind.title}, not of a Pond agent."
    problem = error("MAN-04", "", message, fix="Name the file that your agent answers GET /manifest with.")
    return FileReport(source.name, (problem,))


def _check_media_type(source: Source) -> Iterator[Problem]:
    name = source.media_type
    if name is not None and name != JSON_MEDIA_TYPE and not name.endswith("+json"):
        message = f"The answer says it is {name or 'of no media type'}, not {JSON_MEDIA_TYPE}."
        yield error("MAN-01", "", message, fix=f"Send Content-Type: {JSON_MEDIA_TYPE}.")


def _check_release(
    source: Source, document: Document, options: ValidateOptions, *, is_valid: bool
) -> tuple[Problem, ...]:
    """What changed since a release; the lock has only a digest, which needs a valid manifest."""
    since = options.changed_since
    if since is None or not isinstance(document.value, dict):
        return ()
    if source.path is None:
        raise WrongUsage("--changed-since compares files; standard input and URLs have no history.")
    if since == LOCK_WORD:
        return _check_lock(source.path, document.value) if is_valid else ()
    earlier = read_earlier(source.path, since)
    if earlier is None:
        return ()
    try:
        before = parse_document(earlier, name=source.name).value
    except InvalidManifest:
        return ()
    return check_release(before, document.value, since=f"at {since}") if isinstance(before, dict) else ()


def _check_lock(path: Path, manifest: Mapping[str, Any]) -> tuple[Problem, ...]:
    from pond_new.project.lock import parse_lock  # noqa: PLC0415 -- the generator's, and only needed here

    origin = parse_lock(read_lock(path)).origin
    if origin is None:
        return ()
    return check_same_promises(
        is_same=origin.promises == promises_digest(manifest),
        is_same_version=origin.agent_version == manifest.get("agent_version"),
        since="in the lock",
    )


def _fixed(source: Source, options: ValidateOptions) -> Source:
    """The source with its certain corrections, shown first and then written."""
    if source.path is None:
        raise WrongUsage("--fix changes files; give the name of one.")
    original, document = _readable(source)
    if document is None or not isinstance(document.value, dict) or other_kind(document.value) is not None:
        return source
    fixed = fix_document(document)
    content = fixed.text.encode("utf-8")
    if content == source.content:
        return source
    tell: Callable[[str], None] = console.show if options.format == "text" else console.say
    tell(show_difference(original, fixed.text, name=source.name))
    write_text(source.path, fixed.text)
    console.say(f"{source.name} is corrected.")
    return replace(source, content=content, size=len(content))


def _readable(source: Source) -> tuple[str, Document | None]:
    """The text of a source and its document; trailing commas are forgiven where nothing else is wrong."""
    text = source.content.decode("utf-8", "replace")
    for content in (source.content, without_trailing_commas(text).encode("utf-8")):
        with suppress(InvalidManifest):
            return text, parse_document(content, name=source.name)
    return text, None


def _print(reports: tuple[FileReport, ...], options: ValidateOptions) -> None:
    """Print in the format asked for; each imports only its own writer."""
    match options.format:
        case "text":
            from pond_new.manifest.reports.text import as_text  # noqa: PLC0415

            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            console.show(as_text(reports, paint=console.paint, width=width))
        case "json":
            from pond_new.manifest.reports.machine import as_json  # noqa: PLC0415

            console.show_json(as_json(reports, is_strict=options.is_strict))
        case "github":
            from pond_new.manifest.reports.github import as_annotations  # noqa: PLC0415

            console.show(as_annotations(reports))
        case "sarif":
            from pond_new.manifest.reports.sarif import as_sarif  # noqa: PLC0415

            console.show_json(as_sarif(reports, version=__version__))
        case other:
            raise WrongUsage(f"There is no format {other}. There are text, json, github and sarif.")
