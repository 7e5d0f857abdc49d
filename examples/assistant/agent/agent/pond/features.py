"""What an agent has beside its modes: each part is there only where the manifest declares it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from starlette.routing import BaseRoute

from agent.pond.admission import Admission
from agent.pond.artifacts import Host
from agent.pond.contract import Contract
from agent.pond.envelope import RunRequest
from agent.pond.execution import Handler
from agent.pond.ledger import Ledger
from agent.pond.observer import NOBODY, Observer
from agent.pond.run import Run, Upload

OpenUploads = Callable[[Sequence[Mapping[str, str]], float], Sequence[Upload]]  # files of a request, deadline
HostUntil = Callable[[float], Host]  # the deadline of a run -> where its large artifacts are kept


class Tasks(Protocol):
    """The async tasks of this agent, where it offers any (`tasks.py`)."""

    async def accept(self, request: RunRequest) -> tuple[int, bytes]:
        """The HTTP status and the body of an async run's acceptance, or of its end."""

    async def poll(self, task_id: str) -> bytes:
        """Where a task stands. Raises `TaskNotFound` and `TemporarilyUnavailable`."""

    def open(self) -> None:
        """Take up what an earlier process left, and look after all tasks from now on."""

    async def tidy(self) -> None:
        """Forget what has ended."""

    async def close(self) -> None:
        """Stop: another process takes up what goes on."""

    @property
    def is_busy(self) -> bool:
        """Whether a task goes on for whose end the process should wait a little."""


class OpenTasks(Protocol):
    """How the async tasks of an agent are opened, on the event loop that serves it."""

    def __call__(
        self,
        contract: Contract,
        handlers: Mapping[str | None, Handler[Any]],
        *,
        ledger: Ledger,
        admission: Admission,
        features: "Features",
    ) -> Tasks:
        """The tasks; nothing is taken up before they are opened."""


@dataclass(frozen=True, slots=True)
class Features:
    """The parts of one agent, as `agent/features.py` puts them together."""

    open_uploads: OpenUploads | None = None
    host_until: HostUntil | None = None
    open_tasks: OpenTasks | None = None
    purge: Callable[[], object] = lambda: None
    """Deletes what is over. Waits for the disk."""
    observer: Observer = NOBODY
    routes: Sequence[BaseRoute] = ()

    def equip(self, run: Run, request: RunRequest) -> None:
        """Give a run what its handler may use."""
        if self.open_uploads is not None:
            run.files = self.open_uploads(request.files, run.deadline)
        if self.host_until is not None:
            run.host = self.host_until(run.deadline)


NOTHING_MORE = Features()
