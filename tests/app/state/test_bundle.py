import pytest

from app.folders import piece
from explorer.app.state.bundle import MAGIC, MOST_FILES, unbundle


def test_files_come_back_in_natural_order_with_those_that_could_not_be_opened():
    files = {"b/x10.txt": b"ten", "b/x9.txt": b"", "a.txt": b"\x00\xff"}
    found = unbundle(piece(files, ["b/locked.spc"]))
    assert list(found.files.items()) == [("a.txt", b"\x00\xff"), ("b/x9.txt", b""),
                                         ("b/x10.txt", b"ten")]  # fmt: skip
    assert found.unopened == ("b/locked.spc",)


def test_files_that_a_file_manager_leaves_behind_are_left_out():
    found = unbundle(piece({".DS_Store": b"1", "a/Thumbs.db": b"2", "__MACOSX/a": b"3", "a": b"4"}))
    assert found.files == {"a": b"4"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        MAGIC,
        MAGIC + (10**9).to_bytes(4, "little"),
        MAGIC + (4).to_bytes(4, "little") + b"{}[]",
        MAGIC + (6).to_bytes(4, "little") + b"[[1,2]",
        MAGIC + (9).to_bytes(4, "little") + b'[["a","b"',
        piece({"a": b"whole"})[:-1],
        MAGIC + (2000).to_bytes(4, "little") + b"[" * 2000,
        MAGIC + (13).to_bytes(4, "little") + b'[["a", 1e999]]'[:13],
        MAGIC + (14).to_bytes(4, "little") + b'[["a", 1e999]]',
        MAGIC + (16).to_bytes(4, "little") + b'{"a":1,"b":[2] }',
    ],
)
def test_a_piece_that_is_not_whole_is_refused_in_words(content):
    with pytest.raises(ValueError, match="did not arrive completely"):
        unbundle(content)


def test_more_files_than_can_be_read_are_refused_in_words():
    with pytest.raises(ValueError, match="at most 20000"):
        unbundle(piece({f"{k}": b"" for k in range(MOST_FILES + 1)}))


def test_names_with_digits_of_other_scripts_are_sorted():
    names = ["1\u00b2", "\u00b2", "a\u0664", "a3", "a10"]
    found = unbundle(piece(dict.fromkeys(names, b"x")))
    assert sorted(found.files) == sorted(names)
    assert list(found.files).index("a3") < list(found.files).index("a10")
