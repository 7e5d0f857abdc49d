"""How the server logs: one line an event, as text or as JSON, without keys and without user data."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

FIELDS = ("run_id", "action", "mode", "outcome", "milliseconds", "unit", "quantity", "code", "fields")

# No line shows threads, tasks, processes or the place of a call, and looking them up costs more than the line
# itself (Python's logging howto, "Optimization").
UNUSED_LOOKUPS = {
    "_srcfile": None,
    "logAsyncioTasks": False,
    "logMultiprocessing": False,
    "logProcesses": False,
    "logThreads": False,
}


def configure_logs(level: str, log_format: Literal["text", "json"]) -> None:
    """Send every log line of the process to stderr in one format."""
    for name, value in UNUSED_LOOKUPS.items():
        setattr(logging, name, value)
    target = logging.StreamHandler(sys.stderr)
    target.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logging.basicConfig(level=level, handlers=[target], force=True)


class TextFormatter(logging.Formatter):
    """`2026-01-31 12:00:00 INFO agent.pond.http: message key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, two for an exception of a library."""
        moment = _moment(int(record.created))
        fields = "".join(f" {name}={_printable(value)}" for name, value in _fields(record).items())
        return f"{moment} {record.levelname} {record.name}: {_message(record)}{fields}"


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """The object on one line; `time` is RFC 3339 in UTC."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": moment, "level": record.levelname, "logger": record.name, "message": _message(record)}
        return json.dumps(head | _fields(record), ensure_ascii=False, default=str)


def describe_exception(error: BaseException) -> str:
    """An exception's type and the lines it came through.

    Its text may hold what a user wrote, so it is added only when the level is DEBUG.
    """
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    places = "".join(f"\n    {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        return f"{type(error).__name__}: {error}{places}"
    return f"{type(error).__name__} (set LOG_LEVEL=DEBUG to log its text){places}"


@lru_cache(maxsize=1)
def _moment(second: int) -> str:
    """A second since the epoch as text, for all the lines of it."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _message(record: logging.LogRecord) -> str:
    message = record.getMessage()
    return f"{message}: {describe_exception(record.exc_info[1])}" if _has_error(record) else message  # type: ignore[index, arg-type]


def _has_error(record: logging.LogRecord) -> bool:
    return bool(record.exc_info and record.exc_info[1])


def _printable(value: object) -> str:
    """A value on one line: a run id is chosen by the caller and may hold anything."""
    text = str(value)
    return text if text.isprintable() else ascii(text)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
