"""The two rounds in which the platform judges an agent manifest. Pure.

Round one returns all errors of the manifest together. Round two looks at the endpoint, once the first is
clean.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from pond_new.agent_manifest.price import describe_price
from pond_new.agent_manifest.rules import RULES
from pond_new.agent_manifest.standard import known, load_standard, rule_at, rule_on
from pond_new.manifest.pointer import pointer_to
from pond_new.manifest.problem import Problem

# Of a host: dots, and a letter first in the last part, since 127.1 and 0x7f.1 are numbers.
NAME = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_](?:[\w-]*[^\W_])?")


def check_manifest(manifest: Any) -> list[Problem]:
    """Round one: every problem of the manifest itself."""
    problems = list(_check_shape(manifest))
    if isinstance(manifest, dict):
        problems += [problem for rule in RULES for problem in rule(manifest)]
    return problems


def check_endpoint(manifest: Mapping[str, Any]) -> list[Problem]:
    """Round two, as far as it shows without a connection: the endpoint is a public https address."""
    rule = rule_at("runtime.endpoint")
    endpoint = manifest["runtime"]["endpoint"]
    try:
        url = urlsplit(endpoint)
        host, _ = (url.hostname or "").lower(), url.port
    except ValueError:
        return [rule.problem("/runtime/endpoint", "The endpoint must be public https; this is no address.")]
    faults = []
    if url.scheme != "https":
        faults.append(f"The endpoint must be public https; its scheme is {url.scheme or 'missing'}.")
    if not _is_public(host):
        faults.append(f"The endpoint must be public https; {host or 'nothing'} is no public host.")
    if any(character.isspace() for character in endpoint):
        faults.append("The endpoint must have no white space.")
    if url.username or url.fragment:
        faults.append("The endpoint must have no user name and no fragment.")
    return [rule.problem("/runtime/endpoint", fault) for fault in faults]


def price_note(manifest: Mapping[str, Any]) -> Problem:
    """The price as a caller reads it: of a manifest that passed round one."""
    rule = rule_at("pricing")
    return rule.problem(
        "/pricing", describe_price(manifest["pricing"]), fix="Fine if you meant that.", severity="note"
    )


def check_release(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """A note for a commit that is none yet: of a manifest that passed round one."""
    if not manifest["source"]["ref"].strip("0"):
        message = "source.ref names no commit yet: it is only zeros."
        fix = "pond-new release writes the commit that runs, before you publish."
        yield rule_at("source.ref").problem("/source/ref", message, fix=fix, severity="note")


def _check_shape(manifest: Any) -> Iterator[Problem]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- costs 150 ms

    for error in Draft202012Validator(dict(load_standard())).iter_errors(manifest):
        pointer = pointer_to(error.absolute_path)
        rule = rule_on(list(error.absolute_schema_path)[:-1])
        if error.validator == "required":
            for name in error.validator_value:
                if name not in error.instance and f"'{name}'" in error.message:
                    part = f"{pointer.removeprefix('/').replace('/', '.')}.{name}".removeprefix(".")
                    yield rule.problem(pointer, f"{part} is missing.")
        else:
            yield rule.problem(pointer, _sentence(error))


def _sentence(error: Any) -> str:
    """A schema fault in words that name the place and, where it is short, the value."""
    name = ".".join(map(str, error.absolute_path)) or "The manifest"
    shown = repr(error.instance) if len(repr(error.instance)) <= 60 else "its value"  # noqa: PLR2004 -- a line
    words = {
        "type": f"must be of type {error.validator_value}",
        "const": f"must be {error.validator_value!r}",
        "pattern": "is not written as the standard wants it",
        "minItems": "must not be empty",
        "minLength": "must not be empty",
        "maxLength": f"is longer than {error.validator_value} characters",
        "uniqueItems": "has an entry twice",
        "minimum": f"must be at least {error.validator_value}",
        "maximum": f"must be at most {error.validator_value}",
        "oneOf": "needs either output or error, and not both",
        "anyOf": "is not written as the standard wants it",
    }
    return f"{name} {words.get(error.validator, 'is not as the standard wants it')}: {shown}."


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        pass
    suffixes = known("private_suffixes")
    return bool(NAME.fullmatch(host)) and not any(f".{host}".endswith(f".{suffix}") for suffix in suffixes)
