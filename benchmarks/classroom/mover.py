"""One who is at work already while a class opens the page: moves the slider all the time.

    python mover.py ADDRESS       prints "here", then seconds per move, until its input is closed

A process of its own, so that it measures the server and not those who load it: a client that
reads thirty pages is as busy as the server that sends them.
"""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from classroom.client import Client

EVERY = 0.2


async def main() -> None:
    client = await Client(sys.argv[1]).come()
    await client.move("lead", 30.0, 60)
    print("here", flush=True)
    over = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    value = 10.0
    while not over.done():
        value = value % 80 + 1
        print(await client.move("lead", value, 120))
        await asyncio.sleep(EVERY)
    await client.leave()


asyncio.run(main())
