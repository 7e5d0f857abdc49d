"""What may follow an accepted run: the same again, another under its id, odd polls, odd links of its file."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from hypothesis import strategies as st

from tests.broken.agent_in_process import PICTURE, Agent
from tests.broken.messages import Answer, Message
from tests.broken.oracle import check_answer
from tests.broken.requests import changed_headers, header_values, right_headers, run_messages

RIGHT = tuple(right_headers().items())


@dataclass(frozen=True, slots=True)
class Accepted:
    """A run that was accepted, and its result."""

    message: Message
    run_id: str
    mode: str
    task_id: str
    result: Any

    @property
    def link(self) -> str:
        """Path and query of the file that it made, or of none."""
        for artifact in self.result.get("artifacts", ()):
            if url := artifact["file"].get("url"):
                return urlsplit(str(url))._replace(scheme="", netloc="").geturl()
        return "/artifacts/none?expires=1&signature=none"


class Step(Protocol):
    """Something that is done after a run was accepted, and what must come of it."""

    def take(self, agent: Agent, run: Accepted) -> None:
        """Raises `AssertionError`."""


@dataclass(frozen=True, slots=True)
class SameAgain:
    """The same body, perhaps laid out in another way, in the same or in another mode."""

    mode: str
    is_relaid: bool

    def take(self, agent: Agent, run: Accepted) -> None:
        """The saved result; another mode is another request."""
        body = json.loads(run.message.body)
        body["execution"]["mode"] = self.mode
        members = dict(reversed(body.items())) if self.is_relaid else body
        text = json.dumps(members, ensure_ascii=not self.is_relaid, indent=1 if self.is_relaid else None)
        answer = exchange(agent, replace(run.message, body=text.encode()))
        if self.mode == run.mode:
            assert agent.result(answer) == run.result
        else:
            assert answer.status == (409 if self.mode in agent.modes else 400), answer


@dataclass(frozen=True, slots=True)
class AnotherBody:
    """A request that is changed somewhere, under the same run id."""

    message: Message

    def take(self, agent: Agent, run: Accepted) -> None:
        """Refused, or it was the same after all."""
        answer = exchange(agent, self.message.named(run.run_id))
        if (self.message.method, self.message.target, answer.status) == ("POST", "/runs", 200):
            assert agent.result(answer) == run.result


@dataclass(frozen=True, slots=True)
class OddPoll:
    """A poll of something like the run's task."""

    before: str
    after: str
    cut: int

    def take(self, agent: Agent, run: Accepted) -> None:
        """404, unless it is that very task."""
        name = f"{self.before}{run.task_id[self.cut :]}{self.after}"
        answer = exchange(agent, Message("GET", f"/tasks/{name}", RIGHT))
        is_task = run.mode == "async" and unquote(name.partition("?")[0]) == run.task_id
        is_path = "\n" not in unquote(name)  # no path of an agent's has more than one line
        assert answer.status in ({200} if is_task else {404} if is_path else {400, 404}), answer


@dataclass(frozen=True, slots=True)
class OddLink:
    """A link like that of the run's file, opened in some part."""

    method: str
    place: int
    put: str
    wanted: bytes

    def take(self, agent: Agent, run: Accepted) -> None:
        """The file or a part of it for exactly its link; nothing for any other."""
        place = self.place % (len(run.link) + 1)
        target = run.link[:place] + self.put + run.link[place + len(self.put) :]
        answer = exchange(agent, Message(self.method, target, ((b"range", self.wanted),)))
        is_link = urlsplit(target) == urlsplit(run.link) and "artifacts" in run.result
        if is_link and "/none?" not in target and self.method == "GET":
            assert answer.status in {200, 206, 416}, answer
            assert answer.body in PICTURE or answer.status == 416
        elif self.method == "GET" and not is_link:
            assert answer.status in {400, 404} or is_same_link(target, run.link), (target, answer)


@dataclass(frozen=True, slots=True)
class OddHeaders:
    """The same run with other headers."""

    headers: tuple[tuple[bytes, bytes], ...]

    def take(self, agent: Agent, run: Accepted) -> None:
        """Refused, or the saved result."""
        answer = exchange(agent, replace(run.message, headers=self.headers).named(run.run_id))
        if answer.status < 300:
            assert agent.result(answer) == run.result


def exchange(agent: Agent, message: Message) -> Answer:
    """The answer to a message, which is a possible one."""
    answer = agent.send(message)
    check_answer(message, answer)
    return answer


def is_same_link(one: str, other: str) -> bool:
    """Whether two links differ in letters that say the same."""
    return unquote(one) == unquote(other) or one.startswith((f"{other}&", f"{other}#"))


odd_bits = st.sampled_from(["", "x", "/", "//", "..", "%2e%2e/", "%00", "%ff", "?x=1", "%20", "%0a", "A"])
odd_ranges = header_values | st.sampled_from(
    [
        *(b"bytes=0-0", b"bytes=-1", b"bytes=2048-", b"bytes=2047-", b"bytes=-0", b"bytes=-" + b"9" * 20),
        *(
            b"bytes=5-2",
            b"bytes=0-1,4-5",
            b"BYTES=0-1",
            b"bytes = 0 - 1",
            b"bytes=\xb2-\xb3",
            b"bytes=--1",
            b"",
        ),
    ]
)


def steps(modes: tuple[str, ...]) -> st.SearchStrategy[Step]:
    """One step after an accepted run."""
    return st.one_of(
        st.builds(SameAgain, st.sampled_from(modes), st.booleans()),
        st.builds(AnotherBody, run_messages(modes)),
        st.builds(OddPoll, odd_bits, odd_bits, st.sampled_from([0, 0, 0, 1, 5, 36, 99])),
        st.builds(
            OddLink,
            st.sampled_from(["GET", "GET", "HEAD", "POST", "OPTIONS"]),
            st.integers(0, 200),
            st.sampled_from(["", "", "x", "%00", "%", "/", "=", "&", "-1", "\\", "%c3%a9", "%ff", "1e9"]),
            odd_ranges,
        ),
        st.builds(OddHeaders, changed_headers(right_headers())),
    )
