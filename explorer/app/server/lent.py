"""The app as a process of its own for a notebook: data come in by a pipe, selections go back.

`explorer.exploration` starts it. It listens to this machine only, serves every data set it was
lent to who knows its word, and ends with the process that started it. Requests are pickled dicts on
stdin, each answered by one line of JSON; a pickle is read from the parent process alone.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
from typing import Any

from explorer.app.server import routes
from explorer.app.server.desktop_window import free_port
from explorer.app.server.serve import run, serve
from explorer.app.session import registry
from explorer.app.state import link
from explorer.app.state.uploads import Upload

# pages of a notebook on this machine; a hub shows the app by a proxy, from its own origin
FRAMES = ("'self'", "http://localhost:*", "http://127.0.0.1:*")


class Desk:
    """Answers what the notebook's process asks."""

    def __init__(self) -> None:
        self.uploads: dict[str, Upload] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request: "lend" a data set, "state" of a word's newest page, or "take back"."""
        what = request["what"]
        if what == "lend":
            upload = Upload.of(request["data"].name, request["data"])
            word = registry.lend(upload)
            self.uploads[word] = upload
            return {"word": word}
        word = request["word"]
        if what == "take back":
            registry.take_back(word)
            self.uploads.pop(word, None)
            return {}
        sessions = registry.sessions_on(self.uploads[word])
        if not sessions:
            return {"open": False}
        newest = max(sessions, key=lambda session: session.began)
        state = newest.state
        return {"open": True, "link": link.write(state), "rows": list(state.selection.rows)}


def listen(desk: Desk, requests: Any, answers: Any) -> None:
    """Answer until the other end is closed; then this process has nothing left to do."""
    try:
        while True:
            reply = desk.answer(pickle.load(requests))
            answers.write(json.dumps(reply) + "\n")
            answers.flush()
    except (EOFError, BrokenPipeError):
        os._exit(0)


def main() -> None:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed must not be taken for an answer
    port = free_port()
    routes.allow_frames(*FRAMES)
    proxied = os.environ.get("JUPYTERHUB_SERVICE_PREFIX") is not None
    server = serve(
        port=port,
        show=False,
        start=False,
        ready=0,
        behind_proxy=proxied,
        origins=tuple(sys.argv[1:2]),
    )
    answers.write(json.dumps({"port": port}) + "\n")
    answers.flush()
    threading.Thread(target=listen, args=(Desk(), requests, answers), daemon=True).start()
    run(server)


if __name__ == "__main__":
    main()
