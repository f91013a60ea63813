"""The sentences of a lesson's step that claim something, and the numbers of its state."""

import re
import threading
from contextlib import contextmanager
from functools import cache

import numpy as np

from explorer.app.lessons.library import Shelf
from explorer.app.session.viewport import FIRST_PIXELS
from explorer.app.state import link
from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.state.visitor import State
from explorer.app.work.cache import Cache
from explorer.app.work.insight_work import ForestQuestion, importances, nearness
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest, Pictures, load_source

LESSONS = Shelf().lessons
CACHE = Cache()
# pixels of a map by the screen it is on, and of one that is alone there; two maps side by side on
# a phone 390 pixels wide are square, and so is the part of the plane that they show
WIDE, PHONE = "wide", "phone"
PIXELS = {
    (WIDE, False): FIRST_PIXELS,
    (WIDE, True): FIRST_PIXELS,
    (PHONE, False): (161, 161),
    (PHONE, True): (312, 137),
}
_screen = [WIDE]

NUMBER = r"\d|\b(?:one|two|three|four|five|ten|twice|half|thirds?|fifth|fold|threefold|both)\b"
SHAPE = r"straight|slant|slope|stairs|stripes?|corners|pale|full colour|dark|inside|coincide"
AMOUNT = (
    r"more than|less than|fewer|smaller|larger|below|above|between|as good|same|alike|worse|"
    r"better|hardly|grows?|falls?|far|near|most|almost|changes?"
)
CLAIM_LIKE = re.compile(f"{NUMBER}|{SHAPE}|{AMOUNT}", re.IGNORECASE)


def sentences(step):
    """What a step tells as true: its text, what to look for, and the right answer with its why."""
    parts = [step.text, step.look]
    if step.kind == "predict":
        right = step.choices[step.answer]
        parts += [right.say, right.why]
    return [s.strip() for part in parts for s in re.split(r"(?<=[.?:!])\s+", part) if s.strip()]


def claim_like(step):
    """Sentences with a number, a shape or a comparison in them; questions claim nothing."""
    looks = set(re.split(r"(?<=[.?:!])\s+", step.look))
    found = [s for s in sentences(step) if not s.endswith("?")]
    return [s for s in found if CLAIM_LIKE.search(s) or s in looks]


@cache
def state_of(query, seed=0):
    """The state of a link, its models grown with another seed."""
    state = State()
    assert link.read(query, state) == []
    if seed:
        for i, model in enumerate(state.models.models):
            if model.has_trees:
                state.models.turn_knob(i, "seed", seed)
    return state


@contextmanager
def on_screen(name):
    """Within it, `seen` gives the maps as this screen shows them."""
    before, _screen[0] = _screen[0], name
    try:
        yield
    finally:
        _screen[0] = before


def seen(query, seed=0, trees=None):
    """The records of the cards of a state, as the app makes them for the screen."""
    return _seen(query, seed, trees, _screen[0])


@cache
def _seen(query, seed, trees, screen):
    state = state_of(query, seed)
    source = load_source(state.data.recipe(), CACHE)
    specs = tuple(m.spec(source.data.n_features) for m in state.models.models)
    pixels = PIXELS[screen, len(specs) == 1]
    if source.data.n_features > 2 and screen == WIDE:
        pixels = (60, 50)  # quicker; no claim about such maps needs more
    shown = state.view.trees if trees is None else trees
    plane = state.view.recipe() if state.view.plane == "tour" else PlaneRecipe()
    request = MapRequest(state.data.recipe(), specs, shown, plane, pixels=pixels)
    return last(pictures(request, CACHE, threading.Event()), Pictures).records


def query_of(name, step):
    return LESSONS[name].steps[step - 1].query


def data_of(name, step):
    return load_source(state_of(query_of(name, step)).data.recipe(), CACHE).data


def near(name, step, seed=0):
    """Proximities at a step."""
    return _look(nearness, name, step, seed)


def important(name, step, seed=0):
    """Importances at a step."""
    return _look(importances, name, step, seed)


def _look(work, name, step, seed):
    state = state_of(query_of(name, step), seed)
    source = load_source(state.data.recipe(), CACHE)
    specs = tuple(m.spec(source.data.n_features) for m in state.models.models)
    return last(work(ForestQuestion(source, specs), CACHE, threading.Event()))


def last(steps, kind=object):
    found = [value for value in steps if isinstance(value, kind)]
    return found[-1]


def bend(record):
    """How far the border of two classes is from one straight line: RMS, in shares of the map.

    Only the part of the map where samples lie counts; a straight border has about 0.
    """
    winner = record.posterior.argmax(axis=2)
    across = np.argwhere(winner[:, 1:] != winner[:, :-1]) + np.array([0, 0.5])
    up = np.argwhere(winner[1:] != winner[:-1]) + np.array([0.5, 0])
    points = np.vstack([across, up])
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return float(np.sqrt(((centred @ axes[1]) ** 2).mean()) / min(winner.shape))
