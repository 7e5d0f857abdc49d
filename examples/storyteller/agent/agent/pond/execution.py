"""One run, any kind of handler -> one terminal body. Never raises; the deadline is enforced while it goes.

A handler is a plain function (it gets a thread of its own), a coroutine, a generator or an async
generator (specification, "Return a result", "Report usage").
"""

import asyncio
import contextvars
import inspect
import logging
import threading
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

import orjson

from agent.pond.ending import BROKEN, LATE, Ending, failed
from agent.pond.errors import Failure
from agent.pond.logs import describe_exception
from agent.pond.run import Run, write_all

logger = logging.getLogger(__name__)

P_contra = TypeVar("P_contra", contravariant=True)

Result = str | Mapping[str, Any] | None
Answer = Result | Awaitable[Result] | Iterable[str] | AsyncIterable[str]
Handler = Callable[[P_contra, Run], Answer]

TURN_SECONDS = 0.005  # that one generator may keep the event loop


class Late(Exception):
    """The deadline of a run passed before its handler was done."""


class Broken(Exception):
    """A handler ended in an unexpected way, which stands in the log."""


def handler(parameters: type[P_contra], handle: Handler[P_contra]) -> Handler[Any]:
    """`handle` for the table of handlers; mypy checks that it takes these parameters."""
    del parameters
    return handle


async def execute(
    handle: Handler[Any], parameters: Any, run: Run, *, usage_unit: str, late: str = "failed"
) -> Ending:
    """How a run ended: `completed` and its output, or `failed` and why; always usage.

    `late` is the status of a run that did not finish before its deadline. Being cancelled stops the handler.
    """
    body, error = await _outcome(handle, parameters, run)
    quantity = run.quantity
    status, code = "completed", ""
    if error:
        status, code = late if error is LATE else "failed", error["code"]
        body = {"error": error}
    head = {"run_id": run.run_id, "status": status}
    usage = {"unit_of_measurement": usage_unit, "quantity": quantity}
    try:
        return Ending(orjson.dumps(head | body | {"usage": usage}), status, code, usage_unit, quantity)
    except TypeError as unsendable:  # details that are no JSON, or usage beyond 64 bits
        logger.error("run %s: its result is no JSON: %s", run.run_id, describe_exception(unsendable))  # noqa: TRY400
        return failed(run.run_id, BROKEN, unit=usage_unit)


async def _outcome(
    handle: Handler[Any], parameters: Any, run: Run
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The output and the error of a run, one of them empty."""
    try:
        await perform(handle, parameters, run)
        return run.output(), None
    except Failure as failure:
        return {}, failure.error()
    except Late:
        return {}, LATE
    except Broken:
        return {}, BROKEN


async def perform(handle: Handler[Any], parameters: Any, run: Run) -> None:
    """Let a handler do its work until the run has what it made.

    Raises `Failure` as the handler did, `Late` at the deadline, `Broken` for everything else.
    """
    task = asyncio.ensure_future(_call(handle, parameters, run))
    try:
        done, _ = await asyncio.wait({task}, timeout=run.seconds_left)
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(_forget)
        raise
    finally:
        run.end()
    if not done:
        task.cancel()
        task.add_done_callback(_forget)
        raise Late
    try:
        task.result()
    except Failure:
        raise
    except (Exception, asyncio.CancelledError) as unexpected:  # noqa: BLE001 -- the dispatch edge
        logger.error("run %s failed unexpectedly: %s", run.run_id, describe_exception(unexpected))  # noqa: TRY400
        raise Broken from None


async def _call(handle: Handler[Any], parameters: Any, run: Run) -> None:
    """Call a handler of any kind and put what it gives into the run."""
    if inspect.isasyncgenfunction(handle) or inspect.iscoroutinefunction(handle):
        answer = handle(parameters, run)
    else:
        answer = await in_thread(_call_plain, handle, parameters, run)
    if inspect.isawaitable(answer):
        answer = await answer
    if isinstance(answer, AsyncIterable):
        await _write_all(answer, run)
    else:
        run.take_answer(answer)


async def _write_all(pieces: AsyncIterable[str], run: Run) -> None:
    """Write every piece, and let others have a turn now and then.

    A generator that never waits for anything would stop the whole server: the readers of its own run and its
    deadline too.
    """
    turn = time.monotonic()
    async for piece in pieces:
        run.write(piece)
        if time.monotonic() - turn > TURN_SECONDS:
            await asyncio.sleep(0)
            turn = time.monotonic()


def _call_plain(handle: Handler[Any], parameters: Any, run: Run) -> Any:
    """Call a plain function, here in its thread; the pieces of a generator are written here too."""
    answer = handle(parameters, run)
    if inspect.isgenerator(answer):
        write_all(answer, run)
        return None
    return answer


def in_thread(function: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
    """The future result of a function in a thread of its own.

    A thread cannot be stopped: one that outlives its deadline must neither hold a place in a pool that
    other runs wait for nor keep the process from ending, so each run gets a daemon thread.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def work() -> None:
        result, error = None, None
        try:
            result = context.run(function, *arguments)
        except BaseException as raised:  # noqa: BLE001 -- whatever it is belongs to the awaiting task
            error = RuntimeError("StopIteration") if isinstance(raised, StopIteration) else raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name="handler", daemon=True).start()
    return future


def _forget(task: asyncio.Future[Any]) -> None:
    """Take the late outcome of a run that was answered at its deadline, so that nobody is warned of it."""
    if not task.cancelled():
        task.exception()
