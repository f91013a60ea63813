from dataclasses import replace

from explorer.views.class_table import class_table


def test_class_names_are_escaped_in_the_table(evaluation):
    html = class_table(replace(evaluation, class_names=("<img src=x>", "b")))
    assert "<img" not in html
    assert "&lt;img" in html
    assert f"{evaluation.f1[1]:.3f}" in html
