"""The version after an `agent_version`, in its own style: the next date, or the next number. Pure."""

from __future__ import annotations

import re
from datetime import date

DATE = re.compile(
    r"(?P<year>20\d\d)(?P<joint>[-./_]?)(?P<month>1[0-2]|0?[1-9])(?P=joint)"
    r"(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)(?P<rest>.*)"
)
LAST_NUMBER = re.compile(r"(\d+)(?=\D*$)")
COUNTER = re.compile(r"^(?P<joint>[-._+]?[a-z]*)(?P<number>\d+)$")


def next_version(version: str, today: date | None = None) -> str:
    """A version that is not the old one and follows it.

    `2026.08.21` becomes today's date, or `2026.08.21.2` when that is no later; `1.4.2` becomes `1.4.3`,
    `v7` becomes `v8`; a name without a number gets one: `beta` becomes `beta-2`.
    """
    if dated := DATE.fullmatch(version):
        return _next_date(dated, today or date.today())  # noqa: DTZ011 -- the user's own calendar
    if last := LAST_NUMBER.search(version):
        number = str(int(last[1]) + 1).zfill(len(last[1]))
        return version[: last.start()] + number + version[last.end() :]
    return f"{version}-2"


def _next_date(dated: re.Match[str], today: date) -> str:
    joint = dated["joint"]
    if joint and len(dated["month"]) + len(dated["day"]) < len("0101"):
        day, month = str(today.day), str(today.month)
    else:
        day, month = f"{today.day:02}", f"{today.month:02}"
    earlier = (int(dated["year"]), int(dated["month"]), int(dated["day"]))
    if earlier < (today.year, today.month, today.day):
        return joint.join((str(today.year), month, day))
    stem = dated.string[: dated.start("rest")]
    counter = COUNTER.match(dated["rest"])
    if counter:
        return f"{stem}{counter['joint']}{int(counter['number']) + 1}"
    return f"{stem}{dated['rest']}{joint if joint in {'.', '-'} else '-'}2"
