"""Readers of the files that instruments write: one module per format, one line each in `formats`.

    bytes --recognise--> format --read_NAME(Given)--> list of Block        (in the worker process)

A reader gets the content of a file and of the files that belong to it (`Given`) and returns blocks
of spectra that share an axis (`Block`). Whatever is wrong with a file is a `FileRefused`. Readers
run in a process of their own (`worker`), which `pool` starts, watches and replaces.
"""
