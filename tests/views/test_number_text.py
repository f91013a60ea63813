import numpy as np
import pytest

from explorer.views.number_text import (
    axis_decimals,
    channels,
    rounded,
    true_minus,
    unit_in_words,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4115.7, "4120"),
        (0.012345, "0.0123"),
        (-12.04, "\N{MINUS SIGN}12.0"),
        (999.6, "1000"),
        (0.0, "0"),
        (float("nan"), "none"),
        (float("inf"), "∞"),
    ],
)
def test_three_digits_are_kept_and_no_exponent_is_written(value, text):
    assert rounded(value) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x2 ≤ -1.405", "x2 ≤ −1.405"),
        ("1.08 x2 -1.04 x1 ≤ 0.1", "1.08 x2 −1.04 x1 ≤ 0.1"),
        ("band 10-20 ≤ 3", "band 10-20 ≤ 3"),
        ("NO-2 ≤ 3", "NO-2 ≤ 3"),
    ],
)
def test_a_negative_number_has_a_minus_sign_and_a_name_keeps_its_hyphen(text, written):
    assert true_minus(text) == written


def test_channels_have_the_digits_that_tell_neighbours_apart():
    assert channels([1800.0, 1796.99, 1793.98]) == ["1800", "1797", "1794"]
    assert channels([1.0, 1.25, 1.5]) == ["1.0", "1.2", "1.5"]
    assert axis_decimals(np.arange(850.0, 900.0)) == 0
    assert axis_decimals([5.0]) == 0


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("cm-1", "cm⁻¹"),
        ("1700 to 1800 cm-1, chosen", "1700 to 1800 cm⁻¹, chosen"),
        ("-1 to 0.5 ppm", "-1 to 0.5 ppm"),
        ("mg-100", "mg-100"),
    ],
)
def test_a_unit_is_written_with_a_raised_power_and_numbers_are_left_alone(text, written):
    assert unit_in_words(text) == written
