"""Guessing passwords is slow; the right password is not held up by others' guesses."""

import asyncio

import pytest
from own_loop import run

from explorer.app.server import guessing
from explorer.app.server.guessing import FORGIVEN_AFTER, FREE_CHECKS, LONGEST_DELAY, Guessing


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(guessing, "SECONDS_PER_CHECK", 0.01)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_wrong_guesses_take_longer_and_longer_and_are_forgiven_in_time():
    clock = Clock()
    guesses = Guessing(clock)
    delays = [guesses.delay("a") for _ in range(7)]
    assert delays == sorted(delays)
    assert delays[0] == 0.5
    assert delays[-1] == LONGEST_DELAY
    assert guesses.delay("b") == 0.5  # another address is not held up
    clock.now = FORGIVEN_AFTER + 1
    assert guesses.delay("a") == 0.5


def test_checks_beyond_the_free_ones_wait_for_their_turn():
    async def guess():
        guesses = Guessing(Clock())  # time stands still: no check becomes free
        assert all([await guesses.turn("a", "") for _ in range(FREE_CHECKS)])
        waits = asyncio.create_task(guesses.turn("a", ""))
        await asyncio.sleep(0)
        assert not waits.done()
        assert await guesses.turn("b", "")  # another address has its own
        waits.cancel()
        guesses._addresses["a"].serving.cancel()

    run(guess())


def test_a_right_password_costs_nothing():
    async def class_comes():
        guesses = Guessing(Clock())
        for _ in range(10 * FREE_CHECKS):
            assert await guesses.turn("a", "")
            guesses.was_right("a")

    run(class_comes())


def test_another_browser_is_checked_after_one_guess_of_a_program_that_guesses_on():
    async def guess():
        guesses = Guessing()
        order = []

        async def ask(who):
            if await guesses.turn("a", who):
                order.append(who)

        for _ in range(FREE_CHECKS):
            await ask("")
        order.clear()
        flood = [asyncio.create_task(ask("")) for _ in range(20)]
        await asyncio.sleep(0)
        await ask("student")
        assert order.index("student") <= 1
        await asyncio.gather(*flood)
        assert len(order) == 1 + guessing.MOST_IN_LINE  # the others were refused at once

    run(guess())


def test_only_so_many_browsers_of_one_address_may_wait():
    async def guess():
        guesses = Guessing(Clock())
        for _ in range(FREE_CHECKS):
            await guesses.turn("a", "")
        waiting = [
            asyncio.create_task(guesses.turn("a", f"browser {i}"))
            for i in range(guessing.MOST_LINES)
        ]
        await asyncio.sleep(0)
        assert not await guesses.turn("a", "one more")
        for task in waiting:
            task.cancel()
        guesses._addresses["a"].serving.cancel()

    run(guess())


def test_addresses_that_are_long_forgiven_are_removed(monkeypatch):
    monkeypatch.setattr(guessing, "_TIDY", 3)
    clock = Clock()
    guesses = Guessing(clock)
    for name in "abc":
        guesses.delay(name)
    clock.now = FORGIVEN_AFTER + 1
    guesses.delay("d")
    assert list(guesses._addresses) == ["d"]
