"""What a handler sees of its run, and where it puts what it made."""

import inspect
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, overload

import orjson

from agent.pond.artifacts import Content, Host, artifact_id, describe_artifact, reference

logger = logging.getLogger(__name__)

T = TypeVar("T")


class RunEnded(Exception):
    """The run has its result already (its deadline passed): a handler that goes on works for nobody."""


class Listener(Protocol):
    """Hears what a run makes, at the moment it is made, perhaps in the thread of a plain handler."""

    def hear(self, part_index: int, made: str | Mapping[str, Any]) -> None:
        """A piece of text, or the definition of an artifact, was added to the output at `part_index`."""

    def close(self) -> None:
        """Nothing more will be made."""


class Upload(Protocol):
    """A file that the user handed in. Each use fetches it again, and raises `Failure` where that fails."""

    name: str
    """As the user calls it, and never a path."""
    media_type: str
    """One of the manifest's `input_modes`."""

    async def read(self) -> bytes:
        """The whole content. In a plain function: `asyncio.run(file.read())`."""

    async def save(self, path: str | os.PathLike[str]) -> None:
        """Write the content to a file, wholly or not at all."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """The content in chunks, for files that are not wanted in memory."""


@dataclass(frozen=True, slots=True)
class User:
    """Who asked: Pond's pseudonym, and how to speak to them (specification, "Receive a prepared run")."""

    id: str
    locale: str
    timezone: str


class Run:
    """One run, as its handler sees it.

    A plain function may use it from its own thread.
    """

    def __init__(
        self, run_id: str, text: str, *, user: User, deadline: float, output_modes: Sequence[str] = ()
    ) -> None:
        """`deadline` is in seconds since the epoch."""
        self.run_id = run_id
        self.text = text
        """The instruction that Pond wrote for this run."""
        self.user = user
        self.deadline = deadline
        self.files: Sequence[Upload] = ()
        """The user's uploads; empty where the manifest declares no attachments."""
        self.attempt = 1
        """1, and more when an async task is taken up again after a crash."""
        self.answer: dict[str, Any] | None = None
        """The JSON object that the handler returned, if it did."""
        self.host: Host | None = None
        """Keeps a large artifact and gives its URL; None where everything travels inside the result."""
        self._output_modes = output_modes
        self._listener: Listener | None = None
        self._output: list[dict[str, Any]] = []
        self._pieces: list[str] = []
        self._artifacts: list[dict[str, Any]] = []
        self._quantity = 0
        self._ended = False

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, never below zero."""
        return max(0.0, self.deadline - time.time())

    def progress(self, percent: int, message: str) -> None:
        """Say how far the work is: `percent` from 0 to 100 and a short English sentence.

        Pond shows it for async tasks; in the other modes it only notices that the run has ended.
        Raises `RunEnded` after the deadline.
        """
        self._check_open()
        logger.debug("run %s: %d %% %s", self.run_id, percent, message)

    def usage(self, quantity: int) -> None:
        """Add to what the run has used, in the unit of the pricing plan; the sum is what Pond bills.

        Raises `ValueError` for anything but a whole number from 0 up.
        """
        self._check_open()
        if not isinstance(quantity, int) or isinstance(quantity, bool) or quantity < 0:
            raise ValueError(f"usage is a whole number from 0 up, not {quantity!r}")
        self._quantity += quantity

    def artifact(self, name: str, content: Content | str, media_type: str) -> str:
        """Hand over a file and return its id.

        `content` is the bytes of the file, the `Path` where it lies, or the https URL where the user can open
        it without a key. It is taken before this returns: in a coroutine hand over what is very large with
        `await asyncio.to_thread(run.artifact, ...)`. Raises `ValueError` for anything else, `OSError` when it
        cannot be read or kept, and `RunEnded` after the deadline.
        """
        self._check_open()
        if self._output_modes and media_type not in self._output_modes:
            logger.warning("run %s: the manifest's output_modes lack %s", self.run_id, media_type)
        identifier = artifact_id(self.run_id, len(self._artifacts) + 1)
        artifact = describe_artifact(
            identifier, name=name, content=content, media_type=media_type, host=self.host
        )
        self._close_text()
        self._artifacts.append(artifact)
        self._output.append(reference(identifier))
        if self._listener is not None:
            self._listener.hear(len(self._output) - 1, artifact)
        return identifier

    @overload
    async def step(self, name: str, function: Callable[..., Awaitable[T]], *arguments: Any) -> T: ...

    @overload
    async def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T: ...

    async def step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Do one named part of the work and return what it gave.

        In an async task a finished step is not done again after a crash: its result is kept, so it must be
        JSON (`TypeError` otherwise), and comes as JSON gives it back. In the other modes it is simply done.
        """
        self._check_open()
        logger.debug("run %s: step %s", self.run_id, name)
        return await self._do_step(name, function, arguments)

    async def _do_step(self, name: str, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        del name
        answer = function(*arguments)
        return await answer if inspect.isawaitable(answer) else answer

    def write(self, text: str) -> None:
        """Append to the answer. `return text` and `yield text` do this for you."""
        self._check_open()
        if text:
            piece = _encodable(text)
            self._pieces.append(piece)
            if self._listener is not None:
                self._listener.hear(len(self._output), piece)

    def take_answer(self, answer: str | Mapping[str, Any] | None) -> None:
        """What a handler returned: text, a JSON object, or nothing more.

        An object is written as JSON, unless the handler wrote or handed over something itself: then that is
        for people and the object for programs.
        """
        match answer:
            case None:
                return
            case str():
                self.write(answer)
            case Mapping():
                self.answer = dict(answer)
                if not self._pieces and not self._output:
                    self.write(orjson.dumps(self.answer, option=orjson.OPT_INDENT_2).decode())
            case _:
                raise TypeError(f"a handler returns text, a JSON object or None, not {type(answer).__name__}")

    def tell(self, listener: Listener) -> None:
        """Let a listener hear what is made from now on."""
        self._listener = listener

    def end(self) -> None:
        """No more: whatever a handler that is still going does from here on raises `RunEnded`."""
        self._ended = True
        if self._listener is not None:
            self._listener.close()

    def output(self) -> dict[str, Any]:
        """`output` in the order in which it was made, and `artifacts` where there are any."""
        self._close_text()
        return {"output": self._output} | ({"artifacts": self._artifacts} if self._artifacts else {})

    @property
    def quantity(self) -> int:
        """The units that the run has used so far."""
        return self._quantity

    def _check_open(self) -> None:
        if self._ended:
            raise RunEnded(f"run {self.run_id} has ended")

    def _close_text(self) -> None:
        """Make one text entry of the pieces since the last artifact."""
        if self._pieces:
            self._output.append({"type": "text", "text": "".join(self._pieces)})
            self._pieces = []


def write_all(pieces: Iterable[Any], run: Run) -> None:
    """Write every piece of a plain generator."""
    for piece in pieces:
        run.write(piece)


def _encodable(text: str) -> str:
    """`text` with lone surrogates replaced: they are no Unicode and cannot be sent."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
