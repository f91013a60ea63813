"""How long an event loop leaves somebody waiting: asks for a small file all the time.

    python ticker.py PORT         prints seconds, one a line, until its input is closed

A process of its own, so that it measures the server and not those who load it.
"""

import http.client
import select
import sys
import time

EVERY = 0.02

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=120)
while not select.select([sys.stdin], [], [], EVERY)[0]:
    begun = time.perf_counter()
    connection.request("GET", "/favicon.ico")
    connection.getresponse().read()
    print(time.perf_counter() - begun)
