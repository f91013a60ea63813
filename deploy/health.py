"""Exit with 0 if the server on this machine takes visitors: the health check of the image."""

import os
import sys
import urllib.request

address = f"http://127.0.0.1:{os.environ.get('PORT', '5006')}/health"
try:
    with urllib.request.urlopen(address, timeout=5) as answer:
        sys.exit(answer.status != 200)
except OSError as error:
    sys.exit(f"{address}: {error}")
