"""Tells errors that were written for users apart from those that Python or a library raised.

Our own code refuses what cannot be with an error (mostly a `ValueError`) whose text is a sentence:
what, where, what to do. Other errors (of `zip`, numpy, scikit-learn, param) have texts for
programmers. Users see the first kind; of the second they see one plain sentence, and the log gets
the details.
"""

from __future__ import annotations

import dis
import logging

log = logging.getLogger("explorer.sentences")
FAILED = "This could not be computed; the last picture is kept. Try another setting."
_REFUSALS = (ValueError, RuntimeError, ConnectionError)
_RAISE = dis.opmap["RAISE_VARARGS"]  # the instruction of a `raise` statement


def is_sentence(error: BaseException) -> bool:
    """Whether one of our own `raise` statements raised this error, with a text for users.

    The last entry of a traceback is where the error began. It must be in our package, and there
    at a `raise`: a call of `zip(..., strict=True)` in our code is no such statement.
    """
    place = error.__traceback__
    if not isinstance(error, _REFUSALS) or place is None:
        return False
    while place.tb_next is not None:
        place = place.tb_next
    code = place.tb_frame.f_code.co_code
    ours = str(place.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == "explorer"
    return ours and code[place.tb_lasti] == _RAISE


def sentence_of(error: BaseException, otherwise: str = FAILED) -> str:
    """What to tell a user: the error's own sentence, or `otherwise` and an entry in the log."""
    if is_sentence(error):
        return str(error)
    log_unexpected(error)
    return otherwise


def log_unexpected(error: BaseException) -> None:
    """Log an error that was not written for users, with its traceback, once."""
    if not is_sentence(error) and not getattr(error, "_logged", False):
        log.error("Unexpected %s.", type(error).__name__, exc_info=error)
        error._logged = True  # type: ignore[attr-defined]
