"""Large artifacts are kept here and opened by their users at signed URLs that need no key and expire.

Specification, "Handle files": a URL must be available to the intended user without the agent's credentials.
Who knows such a URL may open it, and nobody can make one.
"""

import base64
import hmac
import logging
import time
from collections.abc import Callable

from agent.pond.artifact_store import ArtifactStore, Label, Stored
from agent.pond.artifacts import Content, Host, safe_name

logger = logging.getLogger(__name__)

PATH = "/artifacts"
PURPOSE = b"pond-new: signed artifact URLs, version 1"


class Links:
    """Signed URLs under the address of this agent. Pure."""

    def __init__(self, address: str, access_key: str) -> None:
        """The key that signs is derived from the access key. Without that one no link is good."""
        self.address = address
        self._key = hmac.digest(access_key.encode(), PURPOSE, "sha256") if access_key else b""

    def sign(self, identifier: str, expires: int) -> str:
        """The URL of an artifact until a second since the epoch."""
        query = f"expires={expires}&signature={self._signature(identifier, str(expires))}"
        return f"{self.address}{PATH}/{identifier}?{query}"

    def is_signed(self, identifier: str, expires: str, signature: str) -> bool:
        """Whether these are parts of a URL that `sign` made, without a hint in the time it takes."""
        made = self._signature(identifier, expires)
        return bool(self._key) and hmac.compare_digest(made.encode(), signature.encode(errors="replace"))

    def _signature(self, identifier: str, expires: str) -> str:
        digest = hmac.digest(self._key, f"{identifier}\n{expires}".encode(errors="replace"), "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class Hosting:
    """Keeps the artifacts beyond a size and finds them again."""

    def __init__(
        self,
        store: ArtifactStore,
        links: Links,
        *,
        inline_bytes: int,
        retention: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Without an address in `links` nothing is kept.

        `retention` is how many seconds an artifact is kept, and never less than until its run's deadline.
        """
        self._store = store
        self._links = links
        self._inline_bytes = inline_bytes
        self._retention = retention
        self._clock = clock
        self._has_warned = False

    def until(self, deadline: float) -> Host:
        """How the artifacts of a run with this deadline are kept."""

        def host(identifier: str, name: str, media_type: str, content: Content) -> str | None:
            size = len(content) if isinstance(content, bytes) else content.stat().st_size
            if size <= self._inline_bytes or not self._has_address(size):
                return None
            # Never before the saved result that names it is forgotten.
            expires = int(max(deadline, self._clock() + self._retention)) + 1
            self._store.put(identifier, expires, Label(safe_name(name), media_type, size), content)
            return self._links.sign(identifier, expires)

        return host

    def find(self, identifier: str, expires: str, signature: str) -> Stored | None:
        """The artifact of a URL, or None for every reason there is. Waits for the disk."""
        if not self._links.is_signed(identifier, expires, signature) or int(expires) < self._clock():
            return None
        return self._store.open(identifier, int(expires))

    def purge(self) -> int:
        """Delete what has expired; how many artifacts. Waits for the disk."""
        return self._store.purge(self._clock())

    def _has_address(self, size: int) -> bool:
        if not self._links.address and not self._has_warned:
            self._has_warned = True
            logger.warning(
                "an artifact of %d bytes travels inside its result: set PUBLIC_URL, the https address of this"
                " agent, and it is served from here",
                size,
            )
        return bool(self._links.address)
