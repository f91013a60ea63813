"""NetCDF 3 (also ANDI), through `scipy.io.netcdf_file`, from memory."""

from __future__ import annotations

import io

import numpy as np

from explorer.data.readers.instruments.arrays import NamedArray, blocks_of
from explorer.data.readers.instruments.block import Block, Given, clean


def read_netcdf(given: Given) -> list[Block]:
    from scipy.io import netcdf_file

    with netcdf_file(io.BytesIO(given.content), "r", mmap=False) as file:
        arrays = []
        for name, variable in file.variables.items():
            values = np.array(variable.data)
            if values.dtype.kind not in "fiu" or values.size < 1:
                continue
            unit = clean(getattr(variable, "units", b""))
            arrays.append(NamedArray("", name, values.astype(values.dtype.newbyteorder("=")), unit))
    return blocks_of(arrays, given)
