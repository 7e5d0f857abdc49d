"""One call of the tool -> a structured answer: the handler's object, a declared error, or a fixed one.

A caller is billed by what it gets, so the three never mix: only a declared code is ever sent as an error of
the agent, and whatever else goes wrong is logged and answered by the same words.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson

from agent.mcp.contract import Tool
from agent.pond.admission import Admission
from agent.pond.errors import Failure, UnusableManifest
from agent.pond.execution import Broken, Handler, Late, perform
from agent.pond.integers import restorer
from agent.pond.run import Run, User
from agent.pond.schema import Schema

logger = logging.getLogger(__name__)

CALLER = User(id="mcp", locale="en-US", timezone="UTC")  # the standard does not say who calls


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller gets: the output, or `{"error": {"code", "message"}}`."""

    content: dict[str, Any]
    is_error: bool


class Busy(Exception):
    """The call is not taken on; the same one may be in a moment."""


class Calls:
    """The tool at work."""

    def __init__(self, tool: Tool, handle: Handler[Any], admission: Admission) -> None:
        """Raises `UnusableManifest` for schemas that are none."""
        self._tool = tool
        self._handle = handle
        self._admission = admission
        self._input = _schema(tool.input, "input", root="")
        self._output = _schema(tool.output, "output", root="output")
        self._restore = restorer(tool.input)
        self._going = 0
        self.invalid_arguments = free_code("invalid_arguments", tool.errors)
        self.internal_error = free_code("internal_error", tool.errors)

    async def call(self, arguments: Mapping[str, Any]) -> Answer:
        """The answer to one call. Raises `Busy`."""
        given = dict(arguments)
        if fault := self._input.fault(given):
            return _error(self.invalid_arguments, fault.message)
        if refusal := self._admission.admit(None):
            raise Busy(refusal.message)
        self._going += 1
        try:
            return await self._execute(self._restore(given))
        finally:
            self._going -= 1
            self._admission.leave()

    def drain(self) -> None:
        """Refuse new calls from now on, because the process is about to stop."""
        self._admission.drain()

    @property
    def is_draining(self) -> bool:
        """Whether new calls are refused because the process is about to stop."""
        return self._admission.is_draining

    @property
    def is_busy(self) -> bool:
        """Whether any call goes on."""
        return self._going > 0

    async def _execute(self, arguments: dict[str, Any]) -> Answer:
        began = time.perf_counter()
        text = arguments.get("text")
        run = Run(
            f"call_{uuid4().hex}",
            text if isinstance(text, str) else "",
            user=CALLER,
            deadline=time.time() + self._tool.timeout,
        )
        answer, outcome = await self._outcome(arguments, run)
        milliseconds = round((time.perf_counter() - began) * 1000, 1)
        logger.info(
            "call ended", extra={"run_id": run.run_id, "outcome": outcome, "milliseconds": milliseconds}
        )
        return answer

    async def _outcome(self, arguments: dict[str, Any], run: Run) -> tuple[Answer, str]:
        """The answer, and one word about it for the log."""
        internal = _error(self.internal_error, "The agent failed unexpectedly.")
        try:
            await perform(self._handle, arguments, run)
            return Answer(self._checked(run), is_error=False), "completed"
        except Failure as failure:
            if failure.code in self._tool.errors:
                return _error(failure.code, failure.message), failure.code
            logger.error("call %s failed with %s, which is not declared", run.run_id, failure.code)  # noqa: TRY400
        except Late:
            logger.error("call %s did not finish in %g s", run.run_id, self._tool.timeout)  # noqa: TRY400
            return _error(self.internal_error, "The agent did not finish in time."), "late"
        except BrokenPromise as broken:
            logger.error("call %s: %s", run.run_id, broken)  # noqa: TRY400
        except Broken:  # which stands in the log already
            pass
        return internal, "failed"

    def _checked(self, run: Run) -> dict[str, Any]:
        """What the handler returned, as JSON that satisfies the output schema. Raises `BrokenPromise`."""
        if run.answer is None:
            raise BrokenPromise("the handler returned no JSON object, which interface.output promises")
        try:
            content: dict[str, Any] = orjson.loads(orjson.dumps(run.answer))
        except TypeError as error:
            raise BrokenPromise("the handler returned what is no JSON") from error
        if fault := self._output.fault(content):
            raise BrokenPromise(f"the handler's object breaks interface.output: {fault.message}")
        return content


class BrokenPromise(Exception):
    """A handler returned what the manifest does not allow."""


def free_code(wanted: str, declared: Mapping[str, str]) -> str:
    """A code for errors that nobody declared: with underscores behind it where a manifest declares it."""
    while wanted in declared:
        wanted += "_"
    return wanted


def _error(code: str, message: str) -> Answer:
    return Answer({"error": {"code": code, "message": message}}, is_error=True)


def _schema(document: dict[str, Any], side: str, *, root: str) -> Schema:
    try:
        return Schema(document, root=root)
    except ValueError as error:
        raise UnusableManifest(f"interface.{side} cannot be used as a schema: {error}") from error
