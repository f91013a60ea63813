from explorer.app.widgets import symbols


def test_symbols_have_their_index_below_the_line_and_are_escaped():
    assert symbols("β_mᵀx > c_m") == "β<sub>m</sub>ᵀx &gt; c<sub>m</sub>"
    assert symbols("m_try") == "m_try"
