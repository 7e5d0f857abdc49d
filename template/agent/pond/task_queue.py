"""Async tasks that are accepted and wait for their turn. The ledger has them: losing this loses nothing."""

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable


class TaskQueue:
    """First come, first served, as long as there is room."""

    def __init__(self, begin: Callable[[str, str], Awaitable[None]], has_room: Callable[[int], bool]) -> None:
        """`begin` starts a task durably; `has_room` says whether it may, while so many are being begun."""
        self._begin = begin
        self._has_room = has_room
        self._waiting: deque[tuple[str, str]] = deque()
        self._beginning: set[asyncio.Task[None]] = set()
        self._known: set[str] = set()
        # `move` is called where a task ends too, and nothing is to be begun as a part of that task.
        self._context = contextvars.copy_context()

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._known

    def __len__(self) -> int:
        return len(self._known)

    def put(self, task_id: str, run_id: str) -> None:
        """Let a task wait, unless it does already."""
        if run_id not in self._known:
            self._known.add(run_id)
            self._waiting.append((task_id, run_id))
            self.move()

    def move(self) -> None:
        """Begin what there is room for."""
        while self._waiting and self._has_room(len(self._beginning)):
            beginning = self._begin_next(*self._waiting.popleft())
            task = asyncio.create_task(beginning, context=self._context.copy())
            self._beginning.add(task)
            task.add_done_callback(self._beginning.discard)
            task.add_done_callback(lambda _: self.move())

    async def close(self) -> None:
        """Begin nothing more."""
        self._waiting.clear()
        await asyncio.gather(*self._beginning, return_exceptions=True)

    async def _begin_next(self, task_id: str, run_id: str) -> None:
        try:
            await self._begin(task_id, run_id)
        finally:
            self._known.discard(run_id)
