"""What an agent has beside its modes: each part is there only where the manifest declares it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.routing import BaseRoute

from agent.pond.artifacts import Host
from agent.pond.envelope import RunRequest
from agent.pond.run import Run, Upload

OpenUploads = Callable[[Sequence[Mapping[str, str]], float], Sequence[Upload]]  # files of a request, deadline
HostUntil = Callable[[float], Host]  # the deadline of a run -> where its large artifacts are kept


@dataclass(frozen=True, slots=True)
class Features:
    """The parts of one agent, as `agent/features.py` puts them together."""

    open_uploads: OpenUploads | None = None
    host_until: HostUntil | None = None
    purge: Callable[[], object] = lambda: None
    """Deletes what is over. Waits for the disk."""
    routes: Sequence[BaseRoute] = ()

    def equip(self, run: Run, request: RunRequest) -> None:
        """Give a run what its handler may use."""
        if self.open_uploads is not None:
            run.files = self.open_uploads(request.files, run.deadline)
        if self.host_until is not None:
            run.host = self.host_until(run.deadline)


NOTHING_MORE = Features()
