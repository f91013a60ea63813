"""Files of people's own: `read` gives a Dataset, `preview` shows what is in one, or a sentence says
what is wrong with it (`FileRefused`). Nothing is unpickled, nothing is left behind.

A new format is a file here that gives a `Table`, and one line in `formats.FORMATS`.
"""

from explorer.data.readers.reading import Preview, preview, read
from explorer.data.readers.refused import DEFAULT_LIMIT, FileRefused

__all__ = ["DEFAULT_LIMIT", "FileRefused", "Preview", "preview", "read"]
