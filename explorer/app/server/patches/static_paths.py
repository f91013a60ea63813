"""Tornado's files: a path that no file system takes is not found, instead of an error.

What: `/static/js/%00` reaches `os.stat` as a text with a zero byte, which raises ValueError;
Tornado answered 500 and wrote a traceback into the log. It is 404 now.
Versions: Tornado 6.1 to 6.5.
Off switch: EXPLORER_PATCHES_OFF=static_paths.
Test: tests/app/server/patches/test_static_paths.py, tests/classroom/test_doors.py.
"""

from __future__ import annotations

from typing import Any

from tornado.web import HTTPError, StaticFileHandler

from explorer.app.server.patches import is_off

_get = StaticFileHandler.get


async def _get_what_has_a_name(
    self: StaticFileHandler, path: str, include_body: bool = True
) -> Any:
    if "\0" in path:
        raise HTTPError(404)
    return await _get(self, path, include_body)


def install() -> None:
    if not is_off("static_paths"):
        setattr(StaticFileHandler, "get", _get_what_has_a_name)  # noqa: B010 (mypy: a method)
