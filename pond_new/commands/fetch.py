"""Fetches a manifest from a running agent: one request, no redirects.

The only module that uses urllib.request.
"""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import HTTPErrorProcessor, Request, build_opener

from pond_new.errors import UnreadableInput, WrongUsage
from pond_new.protocol.facts import JSON_MEDIA_TYPE, PROTOCOL_VERSION, VERSION_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent answered: its status, media type, redirect target and the first bytes of its body."""

    status: int
    media_type: str
    body: bytes
    location: str | None = None


def manifest_address(url: str, *, has_key: bool) -> str:
    """The address of the manifest for a base URL, or the address itself if it is one already.

    Raises WrongUsage for an address that no agent can have, and for a key over plain http to another machine.
    """
    try:
        parts = urlsplit(url)
    except ValueError as failure:
        raise WrongUsage(f"{url} is not an address: {failure}.") from None
    if not parts.hostname or parts.username or parts.query or parts.fragment:
        raise WrongUsage(f"{url} is not a base URL: it needs a host, and no user, query or fragment.")
    if parts.scheme == "http" and has_key and not _is_here(parts.hostname):
        raise WrongUsage("An access key is not sent over plain http to another machine. Use https.")
    path = parts.path.rstrip("/")
    path = path if path.endswith(("/manifest", ".json")) else f"{path}/manifest"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def fetch(url: str, headers: Mapping[str, str], limit: int) -> Answer:
    """GET an address, at most `limit` bytes. Raises UnreadableInput where nobody answers."""
    sent = {"Accept": JSON_MEDIA_TYPE, VERSION_HEADER: PROTOCOL_VERSION, **headers}
    request = Request(url, headers=sent)  # noqa: S310 -- only http and https come here
    try:
        with build_opener(_EveryAnswer).open(request, timeout=SECONDS) as response:
            headers_in, body = response.headers, response.read(limit)
    except (URLError, OSError, HTTPException, ValueError) as failure:
        raise UnreadableInput(f"{url} cannot be reached: {_reason(failure)}.") from None
    media_type = headers_in.get_content_type() if "content-type" in headers_in else ""
    return Answer(response.status, media_type, body, headers_in.get("location"))


def refuse_answer(answer: Answer, address: str, *, has_key: bool) -> None:
    """Raise UnreadableInput for every answer that holds no manifest, in words that say what to do."""
    match answer.status:
        case 200:
            return
        case 401 if not has_key:
            hint = "It asks for the access key: put it into a variable and name that with --key-env."
        case 401:
            hint = "It refuses the access key of --key-env. Pond would be refused too."
        case 404:
            hint = "Pond wants the base URL of the server, to which it appends /manifest."
        case 503:
            hint = "It takes no requests now. An agent that has no access key yet answers so too."
        case status if answer.location and 300 <= status < 400:  # noqa: PLR2004 -- the range of redirects
            hint = f"It redirects to {answer.location}. Give that address to Pond, if it is right."
        case _:
            hint = "Look into the log of the agent."
    raise UnreadableInput(f"{address} answers {answer.status}. {hint}")


class _EveryAnswer(HTTPErrorProcessor):
    """Takes every status as an answer, so that nothing follows a redirect: the key must not travel on."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        """The answer as it is."""
        del request
        return response

    https_response = http_response


def _is_here(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _reason(failure: Exception) -> str:
    cause = failure.reason if isinstance(failure, URLError) else failure
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({cause.verify_message})"
    if isinstance(cause, TimeoutError):
        return f"no answer within {SECONDS} seconds"
    return str(getattr(cause, "strerror", None) or cause or type(cause).__name__).rstrip(".")
