"""Runs a conversation: asks, goes back, plays kept replies again. No I/O of its own.

Going back is one step of undo: the last reply is dropped and the conversation is played again up to there.
So every conversation, however it branches and loops, can be walked back without knowing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol

from pond_new.wizard.question import BACK, Conversation, Load, Question, Reply, Request, T, Tell

FIRST = Tell("This is the first question: there is nothing to go back to.")

BACKWARD = Tell("(one question back)")


class Host(Protocol):
    """Who answers: a person at a terminal, a list in a test."""

    def ask(self, question: Question) -> Any:
        """A reply that `question.fault` accepts, or BACK. Raises KeyboardInterrupt to stop."""

    def say(self, tell: Tell) -> None:
        """Show a sentence."""

    def load(self, request: Load) -> Any:
        """Read something from outside."""

    def keep(self, replies: Sequence[Reply]) -> None:
        """Called after each reply with all of them, so that they outlive an interruption."""


def resolve(talk: Callable[[], Conversation[T]], replies: Sequence[Reply], host: Host) -> T:
    """Run the conversation to its end and return its result; `replies` are played before anyone is asked.

    A kept reply that no longer fits its question, and all after it, are forgotten.
    """
    return _Run(talk, list(replies), host).finish()


@dataclass(slots=True)
class _Run(Generic[T]):
    talk: Callable[[], Conversation[T]]
    replies: list[Reply]
    host: Host
    judged: int = 0
    """How many of the replies, from the first on, were found to fit."""
    undone: dict[str, Any] = field(default_factory=dict)
    """Replies that the person went back over, by key: offered again on the way forth."""

    def finish(self) -> T:
        while True:
            try:
                self._play()
            except StopIteration as end:
                result: T = end.value
                return result

    def _play(self) -> None:
        """Play the replies there are, then ask on. Returns after a step back; ends with StopIteration."""
        conversation = self.talk()
        request = next(conversation)
        played, sentences = 0, list[Tell]()
        while True:
            if isinstance(request, Tell):
                sentences.append(request)
                request = conversation.send(None)
                continue
            if played < len(self.replies) and self._is_fitting(played, request):
                reply = self.replies[played]
            else:
                self._forget_from(played)
                for sentence in sentences:
                    self.host.say(sentence)
                value = self._reply(request)
                if value is BACK:
                    self._step_back()
                    return
                reply = Reply(request.key, value, is_loaded=isinstance(request, Load))
                self.replies.append(reply)
                self.judged = len(self.replies)
                self.host.keep(tuple(self.replies))
            played += 1
            sentences = []
            request = conversation.send(reply.value)

    def _is_fitting(self, place: int, request: Question | Load) -> bool:
        """Whether the reply at this place answers the request; one that did so before is not judged again."""
        reply = self.replies[place]
        if place >= self.judged and _fits(reply, request):
            self.judged = place + 1
        return place < self.judged and reply.key == request.key

    def _reply(self, request: Question | Load) -> Any:
        if isinstance(request, Load):
            return self.host.load(request)
        value = self.host.ask(self._with_undone(request))
        if value is not BACK:
            self.undone.pop(request.key, None)
        return value

    def _with_undone(self, question: Question) -> Question:
        """The question, offering what was answered before the person went back over it."""
        former = self.undone.get(question.key)
        if question.is_menu or former is None or question.fault(former) is not None:
            return question
        return replace(question, default=former)

    def _forget_from(self, place: int) -> None:
        del self.replies[place:]
        self.judged = min(self.judged, place)

    def _step_back(self) -> None:
        """Drop the last reply of the person, with what was loaded after it."""
        asked = [place for place, reply in enumerate(self.replies) if not reply.is_loaded]
        if not asked:
            self.host.say(FIRST)
            return
        self.host.say(BACKWARD)
        last = self.replies[asked[-1]]
        self.undone[last.key] = last.value
        self._forget_from(asked[-1])
        self.host.keep(tuple(self.replies))


def _fits(reply: Reply, request: Request) -> bool:
    if isinstance(request, Tell) or reply.key != request.key:
        return False
    return isinstance(request, Load) == reply.is_loaded and (
        isinstance(request, Load) or request.fault(reply.value) is None
    )
