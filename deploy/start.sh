#!/bin/sh
# Start the server of the container image: check the compiled kernels, then serve until SIGTERM.
#
# PORT: 5006 if not set. ORIGIN: the address that browsers open, such as https://class.example.org;
# localhost:PORT if not set. FRAME: an origin whose pages may show the app in a frame.
# FOREST_EXPLORER_PASSWORD: one password for all visitors. Arguments are passed on.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
export NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= EXPLORER_CACHE_DIR="$folder/kernels"
port=${PORT:-5006}
origin=${ORIGIN:-${SPACE_HOST:+https://$SPACE_HOST}}
# shellcheck disable=SC2086 (several families)
"$folder/venv/bin/forest-explorer" warm --check ${FAMILIES:-RF oRF-ridge} ||
    echo "Kernels had to be compiled again; build the image with the same versions." >&2
exec "$folder/venv/bin/forest-explorer" --no-show --public --port "$port" \
    --origin "${origin:-localhost:$port}" ${FRAME:+--frame "$FRAME"} "$@"
