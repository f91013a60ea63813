"""Users read our own sentences, and never a text that Python or a library wrote."""

import logging

import numpy as np
import pytest

from explorer.data import load
from explorer.engine import ForestSpec
from explorer.sentences import FAILED, is_sentence, log_unexpected, sentence_of


def raised_by(act):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any kind of error is looked at
        act()
    return caught.value


def test_an_error_that_our_code_raises_on_purpose_is_shown():
    error = raised_by(lambda: ForestSpec(n_tree=-3))
    assert is_sentence(error)
    assert sentence_of(error) == str(error)


@pytest.mark.parametrize(
    "act",
    [
        lambda: load("clouds").X.reshape(7, -1),
        lambda: np.linalg.cholesky(-np.eye(2)),
        lambda: list(zip([1], [1, 2], strict=True)),
        lambda: int("seven"),
        lambda: {}["missing"],
        lambda: (_ for _ in ()).throw(ValueError("raised by a test, not by the package")),
    ],
)
def test_an_error_of_python_or_a_library_becomes_one_plain_sentence(act):
    error = raised_by(act)
    assert not is_sentence(error)
    assert sentence_of(error) == FAILED
    assert sentence_of(error, "Something else.") == "Something else."


def test_zip_in_our_own_code_is_not_a_sentence():
    source = "def pair():\n    return list(zip([1], [1, 2], strict=True))\n"
    source += "def refuse():\n    raise ValueError('Choose two.')\n"
    ours = {"__name__": "explorer.somewhere"}
    exec(compile(source, "somewhere.py", "exec"), ours)
    assert not is_sentence(raised_by(ours["pair"]))
    assert is_sentence(raised_by(ours["refuse"]))


def test_an_error_that_was_raised_again_is_judged_by_where_it_began():
    def again(act):
        try:
            act()
        except ValueError:
            raise

    assert is_sentence(raised_by(lambda: again(lambda: ForestSpec(n_tree=-3))))
    assert not is_sentence(raised_by(lambda: again(lambda: int("seven"))))


def test_an_error_that_was_never_raised_is_not_shown():
    assert not is_sentence(ValueError("Nobody raised this."))


def test_an_unexpected_error_is_logged_once_with_its_traceback(caplog):
    error = raised_by(lambda: int("seven"))
    with caplog.at_level(logging.ERROR):
        sentence_of(error)
        log_unexpected(error)
        sentence_of(raised_by(lambda: ForestSpec(n_tree=-3)))
    assert len(caplog.records) == 1
    assert caplog.records[0].exc_info[1] is error
