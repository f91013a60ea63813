"""Requests are sent ahead of the answers: order, shared axes, and what one bad file costs."""

from __future__ import annotations

import dataclasses

import instrument_files as files
import numpy as np

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.packing import Answer, AxisSlots, pack, unpack
from explorer.data.readers.instruments.pool import ReaderProcess
from explorer.data.readers.refused import Limits


def _text(k: int) -> Given:
    rows = "".join(f"{x:.1f}\t{k + x / 7:.6f}\n" for x in np.arange(400.0, 420.0))
    return Given(f"a{k}.txt", rows.encode(), Limits())


def test_answers_come_in_the_order_of_the_files_and_answers_among_them_pass_through():
    refused = Answer(refused="'b' is empty.")
    with ReaderProcess() as worker:
        found = list(worker.answers([_text(0), refused, *(_text(k) for k in range(1, 150))]))
    assert found[1] is refused
    values = [a.blocks[0].y[0, 0] for k, a in enumerate(found) if k != 1]
    np.testing.assert_allclose(values, np.arange(150) + 400 / 7, atol=1e-6)


def test_equal_axes_arrive_as_one_array():
    with ReaderProcess() as worker:
        found = list(worker.answers([_text(k) for k in range(5)]))
    assert len({id(a.blocks[0].x) for a in found}) == 1
    assert not found[0].blocks[0].x.flags.writeable


def test_a_file_that_is_given_up_costs_only_its_own_answer():
    slow = Given("slow.spc", files.spc(), dataclasses.replace(Limits(), seconds=0.0))
    with ReaderProcess() as worker:
        found = list(worker.answers([_text(0), slow, _text(1), _text(2)]))
    assert "took longer" in found[1].refused
    assert [round(a.blocks[0].y[0, 0] - 400 / 7) for a in (found[0], *found[2:])] == [0, 1, 2]


def test_axes_that_fall_out_of_the_slots_are_sent_again():
    out, back = AxisSlots(), AxisSlots()
    order = [*range(AxisSlots.COUNT + 3), 0, 1, 5, AxisSlots.COUNT]
    for k in order:
        x = np.arange(4.0) + k
        answer = unpack(pack(Answer("t", (Block(x, 2 * x),)), out), back)
        np.testing.assert_array_equal(answer.blocks[0].x, x)
        np.testing.assert_array_equal(answer.blocks[0].y[0], 2 * x)
