"""The link: a session's state as a URL query of less than 4 kB, and back.

Only what differs from the first screen is written. Reading never fails: what is wrong falls
back to its default, and a sentence says so. Values are checked by the state itself.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np

from explorer.app.state.chain_choice import added, parsed, written
from explorer.app.state.plane_choice import FIRST, KINDS, MOST_FIXED
from explorer.app.state.setting_names import LONGEST as LONGEST_SETTING
from explorer.app.state.setting_names import NAMES, REFUSED
from explorer.app.state.visitor import (
    DEFAULT_LAYERS,
    FORMER_PAGES,
    LAYERS,
    MOST_BANDS,
    MOST_MODELS,
    MOST_POINTS,
    MOST_ROWS,
    OWN,
    PAGES,
    PAINT,
    ModelState,
    Point,
    State,
)
from explorer.data import catalogue
from explorer.data.chain import MOST_STEPS
from explorer.data.transforms import TRANSFORMS

LONGEST = 4000  # characters of a query
# what stays out of a link that would be longer: first the selection, then the pages' settings too
SPARED: tuple[tuple[str, ...], ...] = (("picked",), ("picked", "s."))
LONGEST_ROWS = 1000  # of them for the selected samples; a larger selection stays out of the link
_POINT = np.dtype([("x", "<i2"), ("y", "<i2"), ("k", "u1")])
_GRID = 1000.0  # painted coordinates keep three decimals, within +-32
_WORDS = {"True": True, "False": False}
MINE = ("theme", "present")  # the visitor's own, whatever a lesson says


def write(state: State) -> str:
    """The query, without a question mark; empty for the first screen."""
    pairs: list[tuple[str, str]] = []
    data, view = state.data, state.view
    if data.source != "clouds":
        pairs.append(("data", data.source))
    if data.source != PAINT:
        pairs += [(f"d.{k}", _text(v)) for k, v in sorted(data.knobs.items())]
    if data.source == PAINT or (data.painting and data.begun):
        pairs.append(("points", _pack(data.points) if data.points else ""))
    if data.source != PAINT:
        pairs += [("step", written(step)) for step in data.chain]
    if data.transform != "none":
        pairs.append(("transform", data.transform))
        pairs += [(f"t.{k}", _text(v)) for k, v in sorted(data.transform_knobs.items())]
    if data.source != PAINT:
        pairs += [
            ("band", f"{'keep' if k else 'drop'},{_text(a)},{_text(b)}") for k, a, b in data.bands
        ]
    models = [model_text(m) for m in state.models.models]
    if models != ["RF", "oRF-ridge"]:
        pairs += [("model", text) for text in models]
    if state.models.linked:
        pairs.append(("linked", "1"))
    if view.page != PAGES[0]:
        pairs.append(("page", view.page))
    if not view.soft:
        pairs.append(("soft", "0"))
    if sorted(view.layers) != sorted(DEFAULT_LAYERS):
        pairs.append(("layers", ".".join(view.layers)))
    if view.trees:
        pairs.append(("trees", str(view.trees)))
    if view.plane == "features" or (view.across, view.up) != (0, 1):
        pairs.append(("plane", f"{view.across},{view.up}"))
    if view.plane not in (FIRST, "features"):
        pairs.append(("look", view.plane))
    if view.at != "median" or view.sample:
        pairs.append(("at", f"{view.at},{view.sample}" if view.sample else view.at))
    if view.plane == "tour" and view.frame:
        pairs.append(("frame", ",".join(f"{v:.4f}" for v in view.frame)))
    if view.plane == "tour" and view.depth:
        pairs.append(("depth", _text(float(view.depth))))
    if view.at == "values":
        pairs += [("fix", f"{f},{_text(v)}") for f, v in view.fixed]
    chosen = (state.selection.model, state.selection.tree, state.selection.node)
    if chosen != (0, 0, 0):
        pairs.append(("node", ",".join(map(str, chosen))))
    if state.selection.why >= 0:
        pairs.append(("why", str(state.selection.why + 1)))
    picked = _pack_rows(state.selection.rows)
    if 0 < len(picked) <= LONGEST_ROWS:
        pairs.append(("picked", f"{state.selection.how}.{picked}"))
    if view.page == "Papers" and view.study:
        pairs.append(("study", view.study))
    if view.measure != "anova":
        pairs.append(("measure", view.measure))
    if view.flipped:
        pairs.append(("flipped", "1"))
    pairs += [(f"s.{k}", v) for k, v in sorted(view.settings.items())]
    if view.theme != "light":
        pairs.append(("theme", view.theme))
    if view.present:
        pairs.append(("present", "1"))
    query = urlencode(pairs)
    for spare in SPARED:
        if len(query) > LONGEST:
            query = urlencode([(k, v) for k, v in pairs if not k.startswith(spare)])
    return query


def read(query: str, state: State) -> list[str]:
    """Bring a state to what a query says. Returns sentences about what could not be read."""
    notices: list[str] = []
    if len(query) > 2 * LONGEST:
        return ["The link is too long to be valid; the start page is shown instead."]
    try:
        # a blank value says something: no layer at all
        pairs = parse_qsl(
            query.removeprefix("?"), keep_blank_values=True, max_num_fields=200, errors="replace"
        )
    except ValueError:
        return ["The link could not be read; the start page is shown instead."]
    first = dict(reversed(pairs))
    bands = [v for k, v in pairs if k == "band"]
    if first.get("data") == OWN and state.data.upload is None:
        first = {k: v for k, v in first.items() if k not in ("data", "transform")}
        bands = []
        notices.append(
            "The link shows somebody's own file, which is not in the link; the first data are "
            "shown. Drop the file here to see it."
        )
    _read_data(first, state, notices)
    for text in [v for k, v in pairs if k == "step"][:MOST_STEPS]:
        _try(notices, "preparation step", _add_step, state, text)
    for text in bands[:MOST_BANDS]:
        _try(notices, "band", _add_band, state, text)
    _read_models([v for k, v in pairs if k == "model"], first, state, notices)
    _read_view(first, state, notices)
    _read_rest(first, [v for k, v in pairs if k == "fix"], state, notices)
    return notices


def _read_data(first: Mapping[str, str], state: State, notices: list[str]) -> None:
    data = state.data
    source = first.get("data", "clouds")
    if source == PAINT or "points" in first:
        # a painting that no page of the link shows is the visitor's own: it stays
        data.param.update(points=_unpack(first.get("points", ""), notices), begun=True)
    if source == PAINT:
        data.choose(PAINT)
    elif source == OWN or source in catalogue():
        data.choose(source)
        for key, text in first.items():
            if key.startswith("d."):
                _try(notices, "data knob", data.turn_knob, key[2:], _value(text))
    else:
        data.choose("clouds")
        notices.append("The link names a data set that is not here; the first one is shown.")
    transform = first.get("transform", "none")
    if transform in data.param.transform.objects:
        data.param.update(transform=transform, transform_knobs={})
        if transform in TRANSFORMS:
            for key, text in first.items():
                if key.startswith("t."):
                    _try(notices, "transform", data.turn_transform_knob, key[2:], _value(text))
    else:
        data.param.update(transform="none", transform_knobs={})
        notices.append("The link names a transform that is not here; none is used.")


def _add_step(state: State, text: str) -> None:
    name, knobs = parsed(text)
    if state.data.source == PAINT or state.data.chosen_recipe().load().axis is None:
        raise ValueError
    state.data.change_chain(lambda steps: added(steps, name, knobs))


def _add_band(state: State, text: str) -> None:
    word, low, high = text[:100].split(",")
    if word not in ("keep", "drop") or state.data.source == PAINT:
        raise ValueError
    state.data.add_band(word == "keep", float(low), float(high))


def _read_models(
    texts: list[str], first: Mapping[str, str], state: State, notices: list[str]
) -> None:
    models = []
    for text in texts[:MOST_MODELS]:
        family, *knobs = text.split("~")
        model = ModelState()
        if not _try(notices, "model", model.choose, family):
            continue
        for knob in knobs:
            name, _, value = knob.partition(":")
            _try(notices, "model knob", model.turn_knob, name, _value(value))
        models.append(model)
    if len(texts) > MOST_MODELS:
        notices.append("The link names more than six models; the first six are shown.")
    if not models:
        models = [ModelState(family="RF"), ModelState(family="oRF-ridge")]
    state.models.param.update(models=models, linked=first.get("linked") == "1")


def _read_view(first: Mapping[str, str], state: State, notices: list[str]) -> None:
    view = state.view
    values: dict[str, Any] = {
        "page": FORMER_PAGES.get(first.get("page", ""), first.get("page", PAGES[0])),
        "soft": first.get("soft") != "0",
        "layers": [w for w in first["layers"].split(".") if w] if "layers" in first else None,
        "trees": _value(first.get("trees", "0")),
        "measure": first.get("measure", "anova"),
        "study": re.sub("[^a-z0-9-]", "", first.get("study", "")[:40]),
        "flipped": first.get("flipped") == "1",
        "theme": first.get("theme", "light"),
        "present": first.get("present") == "1",
    }
    if values["layers"] is None:
        values["layers"] = list(DEFAULT_LAYERS)
    else:
        values["layers"] = [w for w in LAYERS if w in values["layers"]]
    across, _, up = first.get("plane", "0,1").partition(",")
    values["across"], values["up"] = _value(across), _value(up)
    for name in ("trees", "across", "up"):
        if isinstance(values[name], bool):  # Python takes True for 1
            values[name] = None
    chosen = _value(first.get("node", "0,0,0"))
    node = dict(zip(("model", "tree", "node"), chosen, strict=False)) if _three(chosen) else {}
    if not _try(notices, "node", state.selection.param.update, **node) or not node:
        state.selection.param.update(model=0, tree=0, node=0)
    state.selection.why = -1
    if "why" in first:
        _try(notices, "sample", _read_why, state, first["why"])
    how, _, packed = first.get("picked", ".").partition(".")
    if not _try(notices, "selection", lambda: _read_rows(state, how, packed)):
        state.selection.param.update(rows=[], how="")
    named = {k[2:]: v for k, v in first.items() if k.startswith("s.")}
    view.settings = {k: v for k, v in named.items() if k in NAMES and len(v) <= LONGEST_SETTING}
    if len(view.settings) < len(named):
        notices.append(REFUSED)
    for name, value in values.items():
        if not _try(notices, "view", view.param.update, **{name: value}):
            view.param.update(**{name: view.param[name].default})
    if view.across == view.up:
        view.param.update(across=0, up=1)


def _read_why(state: State, text: str) -> None:
    state.selection.why = int(text[:9]) - 1


def _read_rows(state: State, how: str, packed: str) -> None:
    state.selection.param.update(rows=_unpack_rows(packed), how=how)


def _read_rest(
    first: Mapping[str, str], fixed: list[str], state: State, notices: list[str]
) -> None:
    """Where the features that are not seen are fixed."""
    view = state.view
    # a link that says nothing about the plane leaves it to the data
    told = "plane" in first or "at" in first
    view.param.update(
        plane="features" if told else FIRST, at="median", sample=0, fixed=[], frame=[], depth=0.0
    )
    if first.get("frame"):
        _try(notices, "plane", _read_frame, view, first["frame"])
    if "depth" in first:
        _try(notices, "plane", view.param.update, depth=_value(first["depth"]))
    if "look" in first:
        _try(notices, "plane", _choose_kind, view, first["look"])
    at, _, sample = first.get("at", "median").partition(",")
    if _try(notices, "plane", view.param.update, at=at) and sample:
        _try(notices, "plane", view.param.update, sample=_value(sample))
    for text in fixed[:MOST_FIXED] if at == "values" else ():
        feature, _, value = text.partition(",")
        _try(notices, "plane", view.fix, _value(feature), _value(value))


def _choose_kind(view: Any, kind: str) -> None:
    if kind not in KINDS:
        raise ValueError
    view.plane = kind


def _read_frame(view: Any, text: str) -> None:
    numbers = [float(part) for part in text[:600].split(",")]
    if not all(abs(v) <= 1 for v in numbers):
        raise ValueError
    view.frame = numbers


def _three(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and not any(v is True for v in value)


def _try(notices: list[str], what: str, do: Any, *args: Any, **named: Any) -> bool:
    """Do it; if the state refuses, note one sentence that repeats nothing of the link."""
    try:
        do(*args, **named)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        sentence = f"A {what} in the link could not be used; its default is shown."
        if sentence not in notices:
            notices.append(sentence)
        return False
    return True


def model_text(model: ModelState) -> str:
    """A model as the link writes it: its family and the knobs that differ."""
    return "~".join([model.family, *(f"{k}:{_text(v)}" for k, v in sorted(model.knobs.items()))])


def _text(value: Any) -> str:
    """A value so that reading gives back the same, to the last bit: whole numbers stay short."""
    if isinstance(value, tuple):
        return ",".join(_text(v) for v in value)
    if isinstance(value, float) and abs(value) < 1e6 and value == int(value):
        return str(int(value))
    return repr(float(value)) if isinstance(value, float) else str(value)


def _value(text: str) -> Any:
    """A number, a list of numbers, True, False or the text itself; never longer than 300."""
    text = text[:300]
    if text in _WORDS:
        return _WORDS[text]
    if "," in text:
        parts = [_value(part) for part in text.split(",")]
        return tuple(parts)
    try:
        return int(text) if len(text) < 20 else text
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _pack(points: list[Point]) -> str:
    table = np.zeros(min(len(points), MOST_POINTS), _POINT)
    for row, (x, y, k) in zip(table, points, strict=False):
        row["x"], row["y"], row["k"] = round(_GRID * x), round(_GRID * y), k
    return _letters(table.tobytes())


def _pack_rows(rows: list[int]) -> str:
    """Rows as a bit each, packed; empty for none."""
    if not rows:
        return ""
    bits = np.zeros(max(rows) + 1, bool)
    bits[rows] = True
    return _letters(np.packbits(bits).tobytes())


def _unpack_rows(text: str) -> list[int]:
    if not text:
        return []
    raw = base64.urlsafe_b64decode(text[:LONGEST_ROWS] + "=" * (-len(text[:LONGEST_ROWS]) % 4))
    most = MOST_ROWS // 8
    try:
        flat = zlib.decompressobj().decompress(raw, most + 1)
    except zlib.error as error:
        raise ValueError from error
    if len(flat) > most:
        raise ValueError
    found: list[int] = np.flatnonzero(np.unpackbits(np.frombuffer(flat, np.uint8))).tolist()
    return found


def _letters(raw: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


def _unpack(text: str, notices: list[str]) -> list[Point]:
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text else b""
        most = MOST_POINTS * _POINT.itemsize
        flat = zlib.decompressobj().decompress(raw, most + 1) if raw else b""
        if len(flat) > most or len(flat) % _POINT.itemsize:
            raise ValueError
        table = np.frombuffer(flat, _POINT)
        if table.size and int(table["k"].max()) > 9:
            raise ValueError
    except (ValueError, binascii.Error, zlib.error):
        notices.append("The painted points in the link could not be read; start a new painting.")
        return []
    return [(float(p["x"]) / _GRID, float(p["y"]) / _GRID, int(p["k"])) for p in table]


# ---- links within a lesson


@dataclass(frozen=True)
class StepLink:
    """The step of a lesson in a link. short: its own link; state: the query that it sets."""

    short: str
    state: str

    def joined_with(self, query: str) -> str:
        """The link of a state in a lesson: short while it is the step's own."""
        state, mine = apart(query)
        if state == self.state:
            return joined(self.short, mine)
        return joined(state, self.short, "own=1", mine)


def apart(query: str) -> tuple[str, str]:
    """A query without the visitor's theme and present mode, and those."""
    pairs = parse_qsl(query)
    return (
        urlencode([(k, v) for k, v in pairs if k not in MINE]),
        urlencode([(k, v) for k, v in pairs if k in MINE]),
    )


def with_mine(state: str, query: str) -> str:
    """A step's state with the theme and present mode of another query."""
    return joined(state, apart(query)[1])


def joined(*parts: str) -> str:
    """One query of several; empty ones are left out."""
    return "&".join(part for part in parts if part)
