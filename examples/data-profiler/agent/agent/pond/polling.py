"""Mode `async`: a run is accepted with 202 and asked for at `GET /tasks/{task_id}`.

Specification, "Asynchronous". A repeated request gets the same task: 202 while it goes on, 200 with its
result afterwards.
"""

from starlette.responses import Response

from agent.pond.envelope import RunRequest
from agent.pond.errors import InternalError
from agent.pond.facts import MODES
from agent.pond.runs import Runs


async def answer_with_task(runs: Runs, request: RunRequest) -> Response:
    """The acceptance of a task. Raises the refusal of a run that is not accepted."""
    if runs.tasks is None:
        raise InternalError
    status, body = await runs.tasks.accept(request)
    return Response(body, status, media_type=MODES["async"].accept)
