import sys
from pathlib import Path

# the toy study is sent to other processes, which must find it by name
sys.path.insert(0, str(Path(__file__).parent))
