"""treeple's oblique forest, in the environment that has it; benchmarks/peers.py talks to it.

    python treeple_apart.py DATA.npz OPTIONS

Reads lines "fit" or "predict" and answers each with the seconds, and the seconds of processor,
that it took. Uses nothing of this project: its environment has another scikit-learn.
"""

import json
import sys
import time

import numpy as np
from treeple import ObliqueRandomForestClassifier

data = np.load(sys.argv[1])
X, y, rows = data["X"], data["y"], data["rows"]
model = ObliqueRandomForestClassifier(**json.loads(sys.argv[2]))
for line in sys.stdin:
    wall, processor = time.perf_counter(), time.process_time()
    if line.strip() == "fit":
        model.fit(X, y)
    else:
        model.predict_proba(rows)
    answer = (time.perf_counter() - wall, time.process_time() - processor)
    print(json.dumps(answer), flush=True)
