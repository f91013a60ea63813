import numpy as np
import pytest

from explorer.analysis.posterior_index import levels
from explorer.views.theme import (
    CLASSES,
    DARK,
    LIGHT,
    THEMES,
    amount_palette,
    mix,
    oklab,
    posterior_palette,
    signed_palette,
)


def contrast(a: str, b: str) -> float:
    """WCAG contrast of two hex colours."""

    def luminance(colour: str) -> float:
        s = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_text_has_a_contrast_of_four_and_a_half(theme):
    for ground in (theme.page, theme.card):
        for ink in (theme.ink, theme.muted, theme.accent, theme.error):
            assert contrast(ink, ground) >= 4.5, (ink, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_class_lines_have_a_contrast_of_three_on_the_map(theme):
    for look in CLASSES[:2]:
        assert contrast(look.line(theme), theme.card) >= 2.9, look.name


def test_every_class_has_its_own_colour_and_marker():
    assert len({look.base for look in CLASSES}) == len(CLASSES)
    assert len({look.marker for look in CLASSES}) == len(CLASSES)


def test_mixing_starts_and_ends_at_its_two_colours():
    assert mix("#F4F4F2", "#0072B2", np.array([0.0, 1.0])) == ["#F4F4F2", "#0072B2"]


def test_oklab_of_white_is_lightness_one_without_colour():
    np.testing.assert_allclose(oklab("#FFFFFF")[0], [1, 0, 0], atol=1e-6)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("K", [2, 3, 10])
def test_a_palette_has_256_colours_and_is_neutral_where_undecided(theme, K):
    palette = posterior_palette(K, theme)
    assert len(palette) == 256
    for k in range(K):
        assert palette[k * levels(K)] == THEMES[theme].neutral


def test_hard_palettes_show_the_winner_at_full_strength_everywhere():
    hard, soft = posterior_palette(2, "light", False), posterior_palette(2, "light", True)
    assert len(set(hard[:125])) == 1
    assert hard[0] == soft[124]


def test_amounts_and_differences_have_256_colours_and_a_neutral_zero():
    assert len(amount_palette()) == len(signed_palette()) == 256
    assert amount_palette("dark")[0] == DARK.neutral
    assert signed_palette("light")[127] == LIGHT.neutral
