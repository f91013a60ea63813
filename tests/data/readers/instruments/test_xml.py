"""Documents that declare entities are refused before they are parsed, in any encoding."""

import instrument_files as files
import pytest

from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.worker import answered
from explorer.data.readers.refused import Limits

LAUGHS = "".join(
    f'<!ENTITY a{k} "{f"&a{k - 1};" * 10 if k else "ha"}">' for k in range(9)
)  # 10^8 words of two letters
BOMB = f'<!DOCTYPE x [{LAUGHS}<!ENTITY a "&a8;">]>'
FILE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
NAMES = {
    "mzML": ("a.mzML", {}),
    "AnIML": ("a.animl", {}),
    "imzML": ("a.imzML", {"a.ibd": b"\x00" * 64}),
    "LSX_Data": ("a.xml", {}),
    "TriVista": ("a.tvf", {}),
}


def document(root: str, declared: str, encoding: str, before: int) -> bytes:
    """An entity that is used; before: letters of a comment before its declaration."""
    comment = f"<!-- <{root} imaging {'x' * before} -->"
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n{comment}{declared}<{root}>&a;</{root}>'
    return text.encode(encoding)


@pytest.mark.parametrize("before", [0, 10_000])
@pytest.mark.parametrize("declared", [BOMB, FILE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
@pytest.mark.parametrize("root", NAMES)
def test_a_document_that_declares_entities_is_refused(root, encoding, declared, before):
    name, beside = NAMES[root]
    content = document(root, declared, encoding, before)
    answer = answered(Given(name, content, Limits(), beside))
    assert "declares XML entities" in answer.refused


def test_a_document_without_declarations_is_read():
    for key in ("mzml", "animl"):
        for name, content, beside in files.GOOD[key]:
            assert not answered(Given(name, content, Limits(), beside)).refused
