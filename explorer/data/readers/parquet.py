"""Parquet files, through pyarrow, in the child process."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, counted_from, objects


def read_parquet(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """Columns of numbers, bools and text; dates as text; nested ones are refused."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise FileRefused(
            "Reading Parquet files needs pyarrow: install forest-explorer[files], or save as CSV."
        ) from None
    file = pq.ParquetFile(pa.BufferReader(content))
    limits.check_shape(file.metadata.num_rows, file.metadata.num_columns)
    table = file.read(use_threads=False)
    if table.num_columns == 0 or table.num_rows == 0:
        raise FileRefused(f"{shown(name)} is a Parquet file without rows or columns.")
    columns = []
    for column_name, column in zip(table.column_names, table.columns, strict=True):
        columns.append(_column(column_name, column))
    return Table.of_columns(table.column_names, columns, counted_from(1))


def _column(name: str, column: Any) -> NDArray[Any]:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_boolean(kind) and column.null_count == 0:
        return column.to_numpy().astype(bool)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind):
        return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64()).to_numpy()
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise FileRefused(
            f"Column {shown(name)} holds {kind}, not numbers or text. Leave it out of the file."
        )
    return objects([None if v is None else str(v) for v in column.to_pylist()])
