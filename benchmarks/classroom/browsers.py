"""A few real browsers in the class: they open the page, move its slider, and see pixels."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LEAD = """[...(window.Bokeh?.documents[0]?._all_models.values() ?? [])]
  .find((m) => m.name === "lead" || (m.tags || []).includes("lead"))"""
STANDS = f"() => {{ const lead = {LEAD}; return lead && Bokeh.index.roots.length > 0 }}"
MOVE = f"""(value) => new Promise((done) => {{
  const all = [...Bokeh.documents[0]._all_models.values()]
  const has = (s) => s.data.get ? s.data.get("image") : s.data.image
  const source = all.find((m) => m.type === "ColumnDataSource" && has(m))
  const began = performance.now()
  const painted = () => {{
    source.properties.data.change.disconnect(painted)
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
  }}
  source.properties.data.change.connect(painted)
  const lead = {LEAD}
  lead.value = value
}})"""


@asynccontextmanager
async def visiting(address: str, n: int) -> AsyncIterator[list[Any]]:
    """n pages in one Chromium; none if there is no Chromium."""
    if not n or not CHROMIUM:
        yield []
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = [await (await browser.new_context()).new_page() for _ in range(n)]
        try:
            yield pages
        finally:
            await browser.close()


async def come(page: Any, address: str) -> float:
    """Open the page; the seconds until its slider is there."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await page.goto(address, timeout=120_000)
    await page.wait_for_function(STANDS, timeout=120_000)
    return loop.time() - begun


async def move(page: Any, value: float) -> float:
    """The seconds from a move of the slider to pixels."""
    return float(await asyncio.wait_for(page.evaluate(MOVE, value), 60)) / 1000
