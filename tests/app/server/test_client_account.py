"""One session's browser has so many bytes and so much time."""

import asyncio
import time

import pytest
from bokeh.document import Document
from bokeh.models import Slider
from own_loop import run

from explorer.app.server import client_account as accounts
from explorer.app.server.client_account import BURST, HELD_BYTES, SHARE, ClientAccount, Timed


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def account(clock):
    return ClientAccount(clock)


@pytest.fixture
def document():
    made = Document()
    for _ in range(5):
        made.add_root(Slider(start=0, end=1, value=0))
    return made


def test_the_same_property_set_again_takes_the_room_it_had(account, document):
    pair = [(document.roots[0].id, "value")]
    for _ in range(100):
        assert account.has_room(pair, 1 << 20, document.models)
    assert account.held == 1 << 20


def test_many_properties_together_have_one_bound(account, document):
    pairs = [(document.roots[k % 5].id, f"name {k}") for k in range(40)]
    fitted = [account.has_room([pair], 1 << 20, document.models) for pair in pairs]
    assert fitted.count(True) == HELD_BYTES >> 20
    assert fitted.index(False) == HELD_BYTES >> 20


def test_models_that_are_gone_hold_nothing(account, document):
    for k in range(15):
        assert account.has_room([(f"gone {k}", "value")], 1 << 20, document.models)
    assert account.has_room([(document.roots[0].id, "value")], 2 << 20, document.models)
    assert account.held == 2 << 20


def test_a_message_counts_for_every_property_that_it_changes(account, document):
    pairs = [(root.id, "value") for root in document.roots]
    assert not account.has_room(pairs, 4 << 20, document.models)


def test_messages_beyond_the_share_of_time_wait(account, clock):
    assert account.pause() == 0
    account.spend(BURST)
    assert account.pause() == 0
    account.spend(0.1)
    assert account.pause() == pytest.approx(0.1 / SHARE)
    clock.now += 0.1 / SHARE
    assert account.pause() == pytest.approx(0.0, abs=1e-9)


def test_somebody_who_drags_a_slider_all_day_never_waits(account, clock):
    for _ in range(60 * 3600):  # sixty moves a second, 2 ms each, twice what they take
        account.spend(0.002)
        assert account.pause() == 0
        clock.now += 1 / 60


def test_a_long_rest_saves_no_more_than_the_burst(account, clock):
    clock.now += 1e6
    account.spend(0.0)
    account.spend(BURST + 0.5)
    assert account.pause() == pytest.approx(0.5 / SHARE)


def test_lines_in_the_log_are_few_and_come_back_with_time(account, clock):
    written = sum(account.may_log() for _ in range(1000))
    assert written == accounts.MOST_LOGGED
    clock.now += 2 * accounts.LOG_SECONDS
    assert [account.may_log() for _ in range(3)] == [True, True, False]


def test_all_connections_of_a_session_share_one_account():
    class Session:
        pass

    one, other = Session(), Session()
    assert accounts.account_of(one) is accounts.account_of(one)
    assert accounts.account_of(one) is not accounts.account_of(other)


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_time_of_others_meanwhile_is_not_counted():
    async def mine():
        burn(0.01)
        await asyncio.sleep(0.01)
        return "done"

    async def others():
        burn(0.2)

    async def both():
        work = Timed(mine())

        async def wait():
            return await work

        answer, _ = await asyncio.gather(wait(), others())
        return answer, work.seconds

    answer, seconds = run(both())
    assert answer == "done"
    assert 0.01 <= seconds < 0.15


def test_an_error_and_a_cancellation_pass_through():
    async def fails():
        await asyncio.sleep(0)
        raise ValueError("no")

    async def waits(told):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            told.append("cancelled")
            raise

    async def of(work):
        return await Timed(work)

    async def cancel(told):
        task = asyncio.create_task(of(waits(told)))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    with pytest.raises(ValueError, match="no"):
        run(of(fails()))
    told: list[str] = []
    assert run(cancel(told))
    assert told == ["cancelled"]
