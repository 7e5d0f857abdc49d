"""Names for generated things: modules, types, the project. Pure.

An action id is a promise to Pond and never changes; a Python name has to be legal, and unique also on disks
that ignore case. Each name depends on its own id as far as possible, so that one more action renames nothing.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable

from pond_new.manifest.slug import slug
from pond_new.project.literals import one_line

# Names that Windows keeps for devices, with any extension.
WINDOWS_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
# Names that `agent/actions.py` uses itself.
RESERVED_TYPES = frozenset({"Any", "Handler", "Literal", "Mapping", "NotRequired", "TypedDict"})
GENERAL_MODULE = "general"
GENERAL_TYPE = "Parameters"
MAX_PROJECT_NAME = 60
MAX_SERVICE_NAME = 40  # Cloud Run takes 49, and names are made longer with -data or -database


def module_name(action_id: str) -> str:
    """The handler's module: the id itself, with one underscore more where Python or Windows has that name."""
    plain = action_id.rstrip("_")
    is_taken = keyword.iskeyword(plain) or plain in WINDOWS_DEVICES
    return f"{action_id}_" if is_taken else action_id


def type_names(action_ids: Iterable[str]) -> dict[str, str]:
    """A class name for each id: `translate_text` -> `TranslateText`.

    Ids that would share one (`a_1` and `a1`) keep their underscores: `A_1`, `A1`.
    """
    ids = sorted(action_ids)
    plain = [_camel(action_id, joint="") for action_id in ids]
    names: dict[str, str] = {}
    for action_id, name in zip(ids, plain, strict=True):
        wanted = _camel(action_id, joint="_") if plain.count(name) > 1 else name
        names[action_id] = free_name(wanted, set(names.values()))
    return names


def free_name(wanted: str, taken: set[str]) -> str:
    """`wanted`, or with underscores behind it where it is taken, reserved or a keyword."""
    name = wanted
    while name in taken or name in RESERVED_TYPES or keyword.iskeyword(name):
        name += "_"
    return name


def part_name(text: str) -> str:
    """Any property name as a part of a class name: letters and digits of ASCII, each word capitalised."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", ascii_only)
    return "".join(word[0].upper() + word[1:] for word in words)[:40] or "Value"


def project_name(name: str | None) -> str:
    """A name for packaging tools, from the name that users see: `Text Stats` -> `text-stats`."""
    return slug(name or "", longest=MAX_PROJECT_NAME) or "pond-agent"


def service_name(name: str | None) -> str:
    """The name at a place of deployment: a host name's label that begins with a letter, at most 40 long."""
    plain = project_name(name)
    return (plain if plain[0].isalpha() else f"agent-{plain}")[:MAX_SERVICE_NAME].rstrip("-")


def title(name: str | None, fallback: str) -> str:
    """The name as a heading shows it."""
    return one_line(name or "") or fallback


def _camel(action_id: str, *, joint: str) -> str:
    return joint.join(word.capitalize() for word in action_id.split("_"))
