"""What the durable engine logs while its database is away: that it is, once, and that it is back.

The engine looks at its database every second in several threads, and each of them logs each failure: with a
traceback, or with the statement and its parameters, among which are the results of steps.
"""

import logging
import re
import threading
import time
from collections.abc import Callable

QUIET_SECONDS = 3.0  # without a complaint: the database is back
DATABASE_ERROR = re.compile(r"\b(?:psycopg|sqlite3|sqlalchemy)(?:\.\w+)*\.([A-Z]\w+)")

logger = logging.getLogger(__name__)


class Complaints(logging.Filter):
    """Says in one line that the database cannot be used, and holds back what the engine says after that.

    With LOG_LEVEL=DEBUG everything is logged as it comes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._number = 0  # since the database was last known to answer
        self._first = 0.0
        self._last = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line of the engine is logged."""
        error = _database_error(record)
        if error is None or logging.getLogger().isEnabledFor(logging.DEBUG):
            return True
        with self._lock:
            self._last = self._clock()
            self._number += 1
            if self._number > 1:
                return False
            self._first = self._last
        record.msg = "the database of the tasks cannot be used, they wait for it: %s (%s)"
        record.args = (error, "set LOG_LEVEL=DEBUG to log its text")
        record.exc_info = None
        return True

    def settle(self) -> None:
        """Say that the database is back when nobody has complained for a while; to be called now and then."""
        with self._lock:
            if not self._number or self._clock() - self._last < QUIET_SECONDS:
                return
            number, self._number = self._number, 0
            seconds = self._last - self._first
        logger.warning("the database of the tasks is back after %.0f s and %d complaints", seconds, number)


def _database_error(record: logging.LogRecord) -> str | None:
    """The name of the error of the database that a line is about. The engine puts errors into its texts."""
    error = record.exc_info and record.exc_info[0]
    text = f"{error.__module__}.{error.__qualname__}" if error else record.getMessage()
    found = DATABASE_ERROR.search(text)
    return found.group(1) if found else None
