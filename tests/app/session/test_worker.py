"""Whatever the order in which results arrive, the newest request has the last word."""

import inspect
import random
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from own_loop import run

from app.screen import leave, screen_of
from explorer.app.session.events import Failed, MapsDrawn
from explorer.app.session.mailbox import Mailbox
from explorer.app.session.session import Session
from explorer.app.session.worker import Worker
from explorer.app.work.cache import Cache
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import Pictures

FEW = "&model=RF~n_tree:5&model=oRF-ridge~n_tree:5"


class ByHand:
    """A scheduler that does nothing by itself: tests publish results when they please.

    It lets cancelled requests publish, too: a result may be on its way when a newer request comes.
    """

    def __init__(self):
        self.asked = []

    def submit(self, session, kind, steps, publish, fail, *, long=False):
        self.asked.append(SimpleNamespace(kind=kind, steps=steps, publish=publish, fail=fail))
        return len(self.asked)

    def stop(self, session, kind=None):
        pass

    def busy(self, session):
        return False

    def maps(self):
        """The requests for maps, oldest first."""
        return [one for one in self.asked if one.kind == "maps"]


class LateMailbox:
    """A mailbox that delivers when told, and what is done beside the loop in any order."""

    def __init__(self):
        self.slots, self.beside = {}, []

    def post(self, slot, act):
        self.slots[slot] = act

    def aside(self, act):
        self.beside.append(act)

    def deliver(self, rng):
        """One of the things that wait."""
        waiting = [*self.slots, *range(len(self.beside))]
        if waiting:
            one = rng.choice(waiting)
            (self.slots.pop(one) if isinstance(one, str) else self.beside.pop(one))()


@pytest.mark.parametrize("seed", range(50))
def test_the_last_result_delivered_is_the_last_one_of_the_newest_request(seed):
    rng, hand, mail, got = random.Random(seed), ByHand(), LateMailbox(), []
    worker = Worker(hand, Cache(), mail)
    for number in range(5):
        worker.ask(
            "maps",
            lambda cancel: iter(()),
            lambda value: got.append(value),
            lambda error: got.append((error.args[0], "failed")),
            slow=lambda value: rng.random() < 0.5,
        )
        for one in hand.asked[-2:]:  # the one before may still be publishing
            for result in range(rng.randrange(3)):
                one.publish((hand.asked.index(one), number, result))
            if rng.random() < 0.2:
                one.fail(ValueError(hand.asked.index(one)))
        while rng.random() < 0.6:
            mail.deliver(rng)
    hand.asked[-1].publish((4, 9, "first"))
    hand.asked[-1].publish((4, 9, "last"))
    while mail.slots or mail.beside:
        mail.deliver(rng)
    assert got[-1] == (4, 9, "last")
    assert [value[0] for value in got] == sorted(value[0] for value in got)


def test_work_of_one_kind_does_not_hold_back_another():
    hand, mail, got = ByHand(), LateMailbox(), []
    worker = Worker(hand, Cache(), mail)
    for kind in ("maps", "nodes"):
        worker.ask(kind, lambda cancel: iter(()), got.append, got.append)
    hand.asked[1].publish("nodes")
    hand.asked[0].publish("maps")
    while mail.slots:
        mail.deliver(random.Random(0))
    assert sorted(got) == ["maps", "nodes"]


@pytest.fixture
def opened():
    sessions = []

    def make(query):
        hand = ByHand()
        session = Session(query, None, Cache(), hand)
        session.drawn, session.failed = [], []
        screen_of(session)
        session.subscribe(MapsDrawn, lambda event: session.drawn.append(event.maps.request))
        session.subscribe(Failed, lambda event: session.failed.append(event.sentence))
        sessions.append(session)
        return session, hand

    yield make
    for session in sessions:
        leave(session)


def results(request):
    """Everything that a request for maps makes, without rests."""
    made = request.steps(threading.Event())
    return [value for value in made if isinstance(value, Pictures)]


def image(session, card=0):
    return screen_of(session).cards[card].map.image.data["image"][0]


def picture_of(session):
    """What the first map must show in the end, made anew."""
    made = pictures(session.request(), Cache(), threading.Event())
    last = [value for value in made if isinstance(value, Pictures)][-1]
    return last.records[0].index


def test_maps_of_an_older_plane_never_replace_those_of_the_newest(opened):
    session, hand = opened("data=iris" + FEW)
    session.refresh()
    session.plane.choose("components")
    old, new = hand.maps()[0], hand.maps()[-1]
    late, wanted = results(old), results(new)
    old.publish(late[0])  # the sidebar speaks of another plane already
    assert session.drawn == []
    for value in wanted:
        new.publish(value)
    for value in late:
        old.publish(value)
    assert session.latest.request == session.request()
    assert all(request.plane.kind == "components" for request in session.drawn)
    assert np.array_equal(image(session), picture_of(session))


def test_frames_of_a_drag_are_shown_until_a_newer_one_comes(opened):
    session, hand = opened(FEW[1:])
    session.refresh()
    for angle in (10, 20, 30):
        session.data.turn_lead(angle)
    first, *_, before, last = hand.maps()
    made = [results(one) for one in (first, before, last)]
    first.publish(made[0][0])
    before.publish(made[1][0])
    last.publish(made[2][0])
    before.publish(made[1][-1])
    last.publish(made[2][-1])
    first.publish(made[0][-1])
    angles = [dict(request.data.knobs).get("angle", 45) for request in session.drawn]
    assert angles == [45, 20, 30, 30]
    assert session.latest.request == session.request()
    assert np.array_equal(image(session), picture_of(session))


def test_a_late_error_of_an_older_request_is_not_told(opened):
    session, hand = opened(FEW[1:])
    session.refresh()
    session.data.turn_lead(10)
    old, new = hand.maps()
    for value in results(new):
        new.publish(value)
    old.fail(ValueError("These data are no more."))
    assert session.failed == []
    assert "OOB error" in screen_of(session).cards[0].numbers.object


def test_maps_of_other_data_or_fewer_models_are_dropped_and_the_newest_are_drawn(opened):
    session, hand = opened("data=iris" + FEW)
    session.refresh()
    session.models.remove(1)
    session.data.choose("wine")
    *older, newest = hand.maps()
    late = [(one, results(one)) for one in older]
    for one, values in late[:-1]:
        one.publish(values[-1])
    assert session.drawn == []
    for value in results(newest):
        newest.publish(value)
    for one, values in late:
        one.publish(values[-1])
    assert session.latest.source.data.n_samples == 178
    assert np.array_equal(image(session), picture_of(session))


class Served(Document):
    """A document of a server whose next ticks come when told."""

    def __init__(self):
        super().__init__()
        self.ticks, self.browsers = [], 0
        self._session_context = lambda: SimpleNamespace(
            session=SimpleNamespace(connection_count=self.browsers)
        )

    def add_next_tick_callback(self, callback):
        self.ticks.append(callback)

    def tick(self):
        while self.ticks:
            made = self.ticks.pop(0)()
            if inspect.isawaitable(made):
                run(_awaited(made))


async def _awaited(made):
    return await made


def test_what_waited_for_the_page_to_open_does_not_overwrite_what_came_later():
    """Slow results that wait for a page are done a tick later than quick ones that came after."""
    document, hand, got = Served(), ByHand(), []
    worker = Worker(hand, Cache(), Mailbox(document))
    document.browsers = 1  # a browser has taken the page and has not yet said that it stands
    ask = {"take": got.append, "fail": got.append, "slow": lambda value: value == "slow and old"}
    worker.ask("maps", lambda cancel: iter(()), **ask)
    hand.asked[0].publish("slow and old")
    document.tick()
    worker.ask("maps", lambda cancel: iter(()), **ask)
    hand.asked[1].publish("quick and new")
    document.tick()
    assert got == []
    worker.mailbox.open()
    document.tick()
    assert got[-1] == "quick and new"
