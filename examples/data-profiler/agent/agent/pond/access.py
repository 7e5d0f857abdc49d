"""Who may call, and in which version of the protocol: the Access Key and the version header. Pure.

Specification, "Configure authentication".
"""

import hmac
from collections.abc import Sequence

from agent.pond import facts
from agent.pond.errors import (
    InvalidRequest,
    TemporarilyUnavailable,
    Unauthorized,
    UnsupportedProtocolVersion,
)

Headers = Sequence[tuple[bytes, bytes]]  # names in lower case, as ASGI hands them over


class Access:
    """The door: `check` stands before every endpoint that Pond calls.

    A lenient agent takes what the platform was seen to do beside the specification's letter: it shows its
    manifest to callers that bring no key, and reads a folded version header (`1.0, 1.0`).
    """

    def __init__(self, access_key: str, *, lenient: bool = False) -> None:
        self._access_key = access_key.encode()
        self.lenient = lenient

    def check(self, headers: Headers) -> None:
        """The key, then the version. Raises the refusal."""
        self.check_key(headers)
        self.check_version(headers)

    def check_for_manifest(self, headers: Headers) -> None:
        """As `check`; a lenient agent lets callers without a key pass."""
        if not self.lenient or header_values(headers, facts.AUTHORIZATION_HEADER.encode()):
            self.check(headers)

    def check_key(self, headers: Headers) -> None:
        """Exactly one `Authorization: Bearer KEY`, compared as bytes and in constant time."""
        if not self._access_key:
            raise TemporarilyUnavailable("This agent has no Access Key yet. Its operator has to set one.")
        given = header_values(headers, facts.AUTHORIZATION_HEADER.encode())
        if not given:
            raise Unauthorized("The Access Key is missing: send it as Authorization: Bearer KEY.")
        scheme, _, token = given[0].partition(b" ")
        is_right = hmac.compare_digest(token, self._access_key)
        if len(given) > 1 or scheme.lower() != b"bearer" or not is_right:
            raise Unauthorized("The Access Key is malformed or incorrect.")

    def check_version(self, headers: Headers) -> None:
        """`X-Agent-Protocol-Version` is exactly 1.0: missing, malformed and unsupported are told apart."""
        given = b", ".join(header_values(headers, facts.VERSION_HEADER.encode()))
        if self.lenient:
            given = given.partition(b",")[0].strip()
        if given == facts.PROTOCOL_VERSION.encode():
            return
        if not given:
            raise InvalidRequest("The X-Agent-Protocol-Version header is missing.")
        major, dot, minor = given.partition(b".")
        if not (dot and major.isdigit() and minor.isdigit()):
            raise InvalidRequest("The X-Agent-Protocol-Version header is not Major.Minor, such as 1.0.")
        raise UnsupportedProtocolVersion("This agent speaks protocol version 1.0 only.")


def header_values(headers: Headers, name: bytes) -> list[bytes]:
    """Every value of a header, in order: a doubled header is seen as two."""
    return [value for key, value in headers if key == name]
