"""How many broken messages are tried: some hundreds in each test and always the same, or as many as told.

`POND_NEW_FUZZ=20000` tries so many new ones in each test. Whatever fails is made as small as it can be, and
printed as a request that can be sent again.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

VARIABLE = "POND_NEW_FUZZ"
USUAL = 300


def effort(share: float = 1.0) -> settings:
    """The settings of one test; `share` of the usual number for one whose examples take longer."""
    told = os.environ.get(VARIABLE)
    return settings(
        max_examples=max(1, round(int(told or USUAL) * share)),
        derandomize=told is None,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
