"""What happens in one live run, kept once: any number of readers follow it, each at its own pace. No I/O.

A reader holds nothing but its place. One that falls behind takes the text that it missed in larger deltas,
so however slow and however many readers are, memory holds what the run made, and that once. A run that makes
hundreds of pieces a second is behind on purpose: a reader takes them a few times in a hundredth of a second.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Mapping
from typing import Any

Made = str | Mapping[str, Any]  # a piece of text, or the definition of an artifact

LONGEST_DELTA = 16 * 1024  # characters
PACE = 0.002  # seconds between two looks of a reader: nobody sees it, and each look costs a turn of the loop


class Events:
    """The events of one run, made on the event loop that follows them. `hear` may be called in any thread.

    After `silence` seconds of waiting at most, readers that wait hear that nothing happened. `pace` is the
    time from one look of a reader to its next.
    """

    def __init__(self, *, silence: float, pace: float = PACE) -> None:
        self._silence = silence
        self._pace = pace
        self._pulse: asyncio.TimerHandle | None = None  # one for all: a timer for each wait would cost more
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._made: list[tuple[int, Made]] = []
        self._is_closed = False
        self._waiting: list[asyncio.Future[bool]] = []
        self._pausing: list[asyncio.Future[None]] = []
        self._is_waking = False
        self.ending: bytes | None = None
        """The last event, once it is encoded: as long as the output, and the same for every reader."""

    def hear(self, part_index: int, made: Made) -> None:
        """Something was added to part `part_index` of the output."""
        if isinstance(made, str) and len(made) > LONGEST_DELTA:
            starts = range(0, len(made), LONGEST_DELTA)
            self._made += [(part_index, made[start : start + LONGEST_DELTA]) for start in starts]
        else:
            self._made.append((part_index, made))
        self._tell()

    def close(self) -> None:
        """Nothing more will happen."""
        self._is_closed = True
        if self._pulse is not None:
            self._pulse.cancel()
        self._tell()
        self._hurry()

    async def follow(self) -> AsyncGenerator[tuple[int, Made] | None]:
        """All that happened so far, then what is new, until the run is over; None when nothing happens."""
        place = 0
        while True:
            looked = self._loop.time()
            while place < len(self._made):
                happened, place = self._take(place)
                yield happened
            if self._is_closed and place == len(self._made):
                return
            if not await self._news(place):
                yield None
            await self._pause(looked + self._pace)

    def _take(self, place: int) -> tuple[tuple[int, Made], int]:
        """What happened at a place, with the text after it that fits into one delta; and the next place."""
        part_index, made = self._made[place]
        place += 1
        if not isinstance(made, str) or place == len(self._made):
            return (part_index, made), place
        pieces, length = [made], len(made)
        for part, piece in self._made[place : place + LONGEST_DELTA]:
            length += len(piece)
            if part != part_index or not isinstance(piece, str) or length > LONGEST_DELTA:
                break
            pieces.append(piece)
        return (part_index, "".join(pieces)), place + len(pieces) - 1

    async def _news(self, place: int) -> bool:
        """Wait until something happens, or does not for a while; whether it did."""
        news: asyncio.Future[bool] = self._loop.create_future()
        self._waiting.append(news)
        if place < len(self._made) or self._is_closed:
            return True  # a thread was quicker than this wait
        if self._pulse is None:
            self._pulse = self._loop.call_later(self._silence, self._beat)
        return await news

    async def _pause(self, until: float) -> None:
        """Wait until that time of the loop, or until nothing more will happen."""
        if self._is_closed or self._loop.time() >= until:
            return
        end: asyncio.Future[None] = self._loop.create_future()
        self._pausing.append(end)
        timer = self._loop.call_at(until, _settle, end)
        if self._is_closed:
            _settle(end)  # a thread was quicker
        try:
            await end
        finally:
            timer.cancel()
            self._pausing.remove(end)

    def _hurry(self) -> None:
        """End all pauses, from whatever thread."""
        if threading.get_ident() == self._thread:
            self._end_pauses()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end_pauses)

    def _end_pauses(self) -> None:
        for end in self._pausing:
            _settle(end)

    def _beat(self) -> None:
        self._pulse = None
        self._wake(has_news=False)

    def _tell(self) -> None:
        """Wake the readers that wait; once is enough until they have looked."""
        if not self._waiting or self._is_waking:
            return
        if threading.get_ident() == self._thread:
            self._wake()
        elif not self._loop.is_closed():
            self._is_waking = True
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self, *, has_news: bool = True) -> None:
        self._is_waking = False
        waiting, self._waiting = self._waiting, []
        for news in waiting:
            if not news.done():
                news.set_result(has_news)


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
