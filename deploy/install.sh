#!/bin/sh
# The steps of the container image: a virtual environment with Forest Explorer in it, kernels compiled
# for a generic CPU, and the scripts that start and watch the server. A test runs the same steps.
#
#   deploy/install.sh FOLDER SOURCE [FAMILY ...]
#
# FOLDER: where all of it goes. SOURCE: a checkout or a wheel. FAMILY: compile for these only.
# PIP_OPTIONS: further options of pip. PYTHON: the interpreter to begin with.
set -eu
folder=$1
source=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
[ -x "$folder/venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$folder/venv"
# shellcheck disable=SC2086 (several options)
"$folder/venv/bin/python" -m pip install --quiet --no-cache-dir ${PIP_OPTIONS:-} "$source"
cp "$here/start.sh" "$here/health.py" "$folder/"
chmod 755 "$folder/start.sh"
# the machine that runs the image may have an older CPU than the one that builds it
export NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= EXPLORER_CACHE_DIR="$folder/kernels"
"$folder/venv/bin/forest-explorer" warm "$@"
