"""Small files in the formats of instruments, written from the layouts that the readers read.

`GOOD` is format key -> list of (name, content, companions). X and Y are what they hold.
"""

from __future__ import annotations

import base64
import io
import re
import struct
import zlib

import numpy as np

X = np.linspace(400.0, 419.0, 20)
Y = 0.5 + 0.25 * np.sin(np.arange(20.0))
f4, f8 = np.float32, np.float64


def _put(content: bytearray, at: int, form: str, *values) -> None:
    struct.pack_into(form, content, at, *values)


def spc(end: str = "<", rows: int = 1, own_x: bool = False, integers: bool = False) -> bytes:
    """The new form: one spectrum, several, or several with axes of their own."""
    flags = (4 if rows > 1 or own_x else 0) | (0xC0 if own_x else 0)
    head = bytearray(512)
    head[0], head[1] = flags, 0x4B if end == "<" else 0x4C
    exponent = 1 if integers else -128
    _put(head, 3, "b", exponent)
    _put(head, 4, end + "i", 0 if own_x else X.size)
    _put(head, 8, end + "dd", X[0], X[-1])
    _put(head, 24, end + "i", rows)
    head[28], head[29] = 3, 2
    head[88:100] = b"a test file "
    out = [bytes(head)]
    for k in range(rows):
        sub = bytearray(32)
        _put(sub, 1, "b", exponent)
        _put(sub, 2, end + "h", k)
        _put(sub, 4, end + "f", float(k))
        _put(sub, 16, end + "i", X.size)
        out.append(bytes(sub))
        if own_x:
            out.append((X + k).astype(end + "f4").tobytes())
        y = Y * (k + 1)
        if integers:
            out.append(np.round(y * 2.0**31).astype(end + "i4").tobytes())
        else:
            out.append(y.astype(end + "f4").tobytes())
    return b"".join(out)


def spc_old(rows: int = 2) -> bytes:
    """The old form: the halves of each number the wrong way round."""
    head = bytearray(256)
    head[0], head[1] = 4 if rows > 1 else 0, 0x4D
    _put(head, 2, "<h", 1)
    _put(head, 4, "<fff", X.size, X[0], X[-1])
    head[16], head[17] = 3, 2
    out = []
    for k in range(rows):
        sub = bytearray(32)
        _put(sub, 1, "b", 1)
        _put(sub, 4, "<f", float(k))
        if k == 0:
            head[224:256] = sub
            out.append(bytes(head))
        else:
            out.append(bytes(sub))
        whole = np.round(Y * 2.0**31 / (k + 1)).astype("<i4").view("<u2").reshape(-1, 2)
        out.append(whole[:, ::-1].tobytes())
    return b"".join(out)


def opus() -> bytes:
    """An absorbance spectrum: a header, a directory of two blocks, status and data."""

    def parameter(name: str, kind: int, value: bytes) -> bytes:
        padded = value + b"\x00" * (len(value) % 2)
        return name.encode() + b"\x00" + struct.pack("<hh", kind, len(padded) // 2) + padded

    status = b"".join([
        parameter("DPF", 0, struct.pack("<i", 1)),
        parameter("NPT", 0, struct.pack("<i", X.size)),
        parameter("FXV", 1, struct.pack("<d", X[-1])),
        parameter("LXV", 1, struct.pack("<d", X[0])),
        parameter("CSF", 1, struct.pack("<d", 1.0)),
        parameter("MXY", 1, struct.pack("<d", 1.0)),
        parameter("MNY", 1, struct.pack("<d", 0.0)),
        parameter("DXU", 3, b"WN\x00\x00"),
        parameter("DAT", 2, b"01/02/2020\x00\x00"),
        parameter("TIM", 2, b"10:11:12.000 (GMT+1)\x00\x00"),
        b"END\x00\x00\x00\x00\x00",
    ])  # fmt: skip
    status += b"\x00" * (-len(status) % 4)
    data = Y[::-1].astype("<f4").tobytes()
    start = 24 + 3 * 12
    entries = [
        (13312, 9, 24),
        (4119, len(status) // 4, start),
        (4103, len(data) // 4, start + len(status)),
    ]
    head = b"\n\n\xfe\xfe" + struct.pack("<diii", 920622.0, 24, 40, 3)
    return head + b"".join(struct.pack("<iii", *e) for e in entries) + status + data


def omnic() -> bytes:
    """A .spa: a directory with the spectrum's header (key 2) and its values (key 3)."""
    content = bytearray(900)
    content[:18] = b"Spectral Data File"
    content[30:38] = b"a sample"
    _put(content, 294, "<H", 2)
    content[304], content[320] = 2, 3
    _put(content, 306, "<I", 400)
    _put(content, 322, "<II", 600, 4 * X.size)
    _put(content, 404, "<I", X.size)
    content[408], content[412] = 1, 17
    _put(content, 416, "<ff", X[-1], X[0])
    values = Y[::-1].astype("<f4").tobytes()
    content[600 : 600 + len(values)] = values
    return bytes(content)


def wdf(count: int = 2) -> bytes:
    head = bytearray(512)
    head[:4] = b"WDF1"
    _put(head, 4, "<iq", 1, 512)
    _put(head, 0x3C, "<Iqq", X.size, count, count)
    _put(head, 0x54, "<III", 1, X.size, 0)
    head[0xF0:0xF6] = b"a map "

    def block(name: bytes, data: bytes) -> bytes:
        return name + struct.pack("<iq", 0, 16 + len(data)) + data

    axis = struct.pack("<ii", 1, 1) + X[::-1].astype("<f4").tobytes()
    rows = b"".join((Y[::-1] * (k + 1)).astype("<f4").tobytes() for k in range(count))
    return bytes(head) + block(b"DATA", rows) + block(b"XLST", axis)


def asd() -> bytes:
    head = bytearray(484)
    head[:3] = b"as7"
    head[186], head[199] = 1, 2
    _put(head, 191, "<ff", X[0], X[1] - X[0])
    _put(head, 204, "<H", X.size)
    reference = struct.pack("<hdd", 1, 0.0, 0.0) + struct.pack("<H", 5) + b"white"
    return bytes(head) + (4 * Y).tobytes() + reference + np.full(X.size, 4.0).tobytes()


def perkinelmer() -> bytes:
    def block(number: int, data: bytes) -> bytes:
        return struct.pack("<hi", number, len(data)) + data

    def text(word: str) -> bytes:
        return b"#u" + struct.pack("<h", len(word)) + word.encode()

    inner = b"".join([
        block(-29838, b"\x1du" + struct.pack("<dd", X[-1], X[0])),
        block(-29835, b"+u" + struct.pack("<i", X.size)),
        block(-29833, text("cm-1")),
        block(-29832, text("A")),
        block(-29828, b"\x16u" + struct.pack("<i", 8 * X.size) + Y[::-1].tobytes()),
    ])  # fmt: skip
    title = b"PEPE" + b"2D constant interval DataSet file".ljust(40, b"\x00")
    return title + struct.pack("<hi", 120, len(inner)) + inner


def jasco_old() -> bytes:
    content = bytearray(0x400)
    content[:4] = b"L~S "
    _put(content, 0x84, "<iddd", X.size, X[-1], X[0], -(X[1] - X[0]))
    _put(content, 0xA0, "<I", 0x10000103)
    return bytes(content) + Y[::-1].astype("<f4").tobytes()


def agilent() -> bytes:
    content = bytearray(1020)
    content[1:3] = b"rG"
    _put(content, 9, "<i", X.size)
    _put(content, 24, "<HH", 2, 1)
    cube = np.stack([Y, 2 * Y], axis=1)
    return bytes(content) + cube.astype("<f4").tobytes()


def agilent_axis() -> bytes:
    return b"abc" + struct.pack("<idiiii", 8, 1.0, 4, 400, 4, X.size) + b"\x00" * 8


def avasoft8() -> bytes:
    head = bytearray(328)
    head[:5] = b"AVS84"
    _put(head, 0x59, "<HH", 0, X.size - 1)
    arrays = (X, 10 + 90 * Y, np.full(X.size, 10.0), np.full(X.size, 100.0))
    return bytes(head) + b"".join(a.astype("<f4").tobytes() for a in arrays)


def avasoft7() -> bytes:
    values = np.zeros(100 + X.size + 3, "<f4")
    values[0] = 70
    values[74], values[75] = X[0], X[1] - X[0]
    values[80] = X.size - 1
    values[100 : 100 + X.size] = Y
    return values.tobytes()


def spe() -> bytes:
    head = bytearray(4100)
    _put(head, 42, "<H", X.size)
    _put(head, 656, "<H", 1)
    _put(head, 1446, "<i", 1)
    _put(head, 108, "<h", 0)
    head[3098], head[3101] = 1, 1
    head[3018:3033] = b"Wavelength [nm]"
    step = X[1] - X[0]
    _put(head, 3263, "<6d", X[0] - step, step, 0, 0, 0, 0)
    return bytes(head) + Y.astype("<f4").tobytes()


def envi() -> tuple[bytes, bytes]:
    wave = ", ".join(f"{v:g}" for v in X)
    head = (
        f"ENVI\nsamples = 2\nlines = 1\nbands = {X.size}\ndata type = 4\ninterleave = bip\n"
        f"byte order = 0\nwavelength units = nm\nwavelength = {{ {wave} }}\n"
    )
    return head.encode(), np.stack([Y, 2 * Y]).astype("<f4").tobytes()


def jcamp(form: str = "AFFN") -> bytes:
    """One spectrum as plain numbers, packed differences, points, or NTUPLES."""
    values = np.round(Y * 1000).astype(int)
    head = (
        "##TITLE= a sample\n##JCAMP-DX= 4.24\n##DATA TYPE= INFRARED SPECTRUM\n##XUNITS= 1/CM\n"
        f"##YUNITS= ABSORBANCE\n##XFACTOR= 1\n##YFACTOR= 0.001\n##FIRSTX= {X[0]}\n"
        f"##LASTX= {X[-1]}\n##NPOINTS= {X.size}\n"
    )
    if form == "points":
        pairs = "\n".join(f"{x}, {y}" for x, y in zip(X, values, strict=True))
        return f"{head}##XYPOINTS= (XY..XY)\n{pairs}\n##END=\n".encode()
    if form == "DIF":
        lines = "".join(_packed(X[k], values[k : k + 7 + (k < 14)]) for k in range(0, 20, 7))
        return f"{head}##XYDATA= (X++(Y..Y))\n{lines}##END=\n".encode()
    rows = "\n".join(
        f"{X[k]:g} " + " ".join(map(str, values[k : k + 5])) for k in range(0, X.size, 5)
    )
    if form == "NTUPLES":
        return (
            "##TITLE= a sample\n##JCAMP-DX= 5.01\n##DATA TYPE= NMR SPECTRUM\n"
            "##DATA CLASS= NTUPLES\n##NTUPLES= NMR SPECTRUM\n##VAR_NAME= FREQUENCY, REAL, IMAG\n"
            f"##SYMBOL= X, R, I\n##VAR_DIM= {X.size}, {X.size}, {X.size}\n##UNITS= PPM, A, A\n"
            f"##FACTOR= 1, 0.001, 0.001\n##FIRST= {X[0]}, 0, 0\n##LAST= {X[-1]}, 0, 0\n"
            f"##PAGE= N=1\n##DATA TABLE= (X++(R..R)), XYDATA\n{rows}\n"
            f"##PAGE= N=2\n##DATA TABLE= (X++(I..I)), XYDATA\n{rows}\n##END NTUPLES=\n##END=\n"
        ).encode()
    return f"{head}##XYDATA= (X++(Y..Y))\n{rows}\n##END=\n".encode()


def _packed(x: float, values: np.ndarray) -> str:
    """A line of squeezed and difference digits; its last value begins the next line as check."""

    def digits(value: int, plus: str, minus: str) -> str:
        text = str(abs(value))
        first = plus[int(text[0])] if value >= 0 else minus[int(text[0]) - 1]
        return first + text[1:]

    out = digits(int(values[0]), "@ABCDEFGHI", "abcdefghi")
    for step in np.diff(values):
        out += digits(int(step), "%JKLMNOPQR", "jklmnopqr")
    return f"{x:g}{out}\n"


def mzml() -> bytes:
    def array(values: np.ndarray, kind: str, term: str, packed: bool) -> str:
        raw = values.astype("<f8").tobytes()
        raw = zlib.compress(raw) if packed else raw
        return (
            '<binaryDataArray><cvParam accession="MS:1000523"/>'
            f'<cvParam accession="{"MS:1000574" if packed else "MS:1000576"}"/>'
            f'<cvParam accession="{term}" name="{kind}"/>'
            f"<binary>{base64.b64encode(raw).decode()}</binary></binaryDataArray>"
        )

    spectra = "".join(
        f'<spectrum id="scan={k}"><cvParam accession="MS:1000511" value="1"/>'
        f"{array(X, 'm/z', 'MS:1000514', k == 1)}{array(Y, 'i', 'MS:1000515', k == 1)}</spectrum>"
        for k in range(2)
    )
    body = f"<mzML><run><spectrumList>{spectra}</spectrumList></run></mzML>"
    return f'<?xml version="1.0"?>{body}'.encode()


def numpress_integers(values: list[int]) -> bytes:
    """32-bit integers in half bytes, as MS-Numpress writes them: slow and plain."""
    halves: list[int] = []
    for value in values:
        word = value & 0xFFFFFFFF
        parts = [(word >> (4 * k)) & 15 for k in range(8)]  # the least significant first
        zeros, ones = 0, 0
        while zeros < 8 and parts[7 - zeros] == 0:
            zeros += 1
        while ones < 7 and parts[7 - ones] == 15:
            ones += 1
        head, kept = (8 + ones, 8 - ones) if ones > zeros else (zeros, 8 - zeros)
        halves += [head, *parts[:kept]]
    if len(halves) % 2:
        halves.append(0)
    return bytes(a << 4 | b for a, b in zip(halves[::2], halves[1::2], strict=True))


def numpress_linear(values: np.ndarray, scale: float = 1e5) -> bytes:
    whole = [round(v * scale) for v in values.tolist()]
    rest = [c - (2 * b - a) for a, b, c in zip(whole, whole[1:], whole[2:], strict=False)]
    return struct.pack(">dII", scale, *whole[:2]) + numpress_integers(rest)


def numpress_mzml(packed: bool = True) -> bytes:
    """m/z by linear prediction, intensities as short logarithms."""
    scale = 6000.0
    logs = np.round(np.log(Y + 1) * scale).astype("<u2").tobytes()
    arrays = (
        ("MS:1000514", "MS:1002746" if packed else "MS:1002312", numpress_linear(X)),
        ("MS:1000515", "MS:1002748" if packed else "MS:1002314", struct.pack(">d", scale) + logs),
    )
    inner = "".join(
        f'<binaryDataArray><cvParam accession="MS:1000523"/><cvParam accession="{packing}"/>'
        f'<cvParam accession="{term}"/><binary>'
        f"{base64.b64encode(zlib.compress(raw) if packed else raw).decode()}"
        "</binary></binaryDataArray>"
        for term, packing, raw in arrays
    )
    spectrum = (
        f'<spectrum id="scan=1"><cvParam accession="MS:1000511" value="1"/>{inner}</spectrum>'
    )
    body = f"<mzML><run><spectrumList>{spectrum}</spectrumList></run></mzML>"
    return f'<?xml version="1.0"?>{body}'.encode()


def labspec_xml() -> bytes:
    axis = " ".join(f"{v:g}" for v in X)
    rows = "".join(f"<LSX_Row>{' '.join(map(repr, (k * Y).tolist()))}</LSX_Row>" for k in (1, 2))
    return (
        '<?xml version="1.0"?><LSX_Data><LSX_Tree><LSX Format="9" ID="0x7B697861">'
        f'<LSX ID="0x1"><LSX ID="0x7D6CD4DB">{axis}</LSX><LSX ID="0x6D707974">Spectr</LSX>'
        '<LSX ID="0x7C696E75">1/cm</LSX></LSX></LSX></LSX_Tree>'
        f"<LSX_Matrix>{rows}</LSX_Matrix></LSX_Data>"
    ).encode()


def trivista() -> bytes:
    axis = "|".join([str(X.size), *(f"{v:g}" for v in X)])
    frame = ";".join(map(repr, Y.tolist()))
    return (
        '<!--TriVista-File--><XmlMain><Documents><Document DataLabel="Counts"><xDim>'
        f'<Calibration Unit="Nanometer" ValueArray="{axis}"/></xDim><Data><Frame>{frame}</Frame>'
        "</Data></Document></Documents></XmlMain>"
    ).encode()


def animl() -> bytes:
    def series(values: np.ndarray, kind: str, unit: str) -> str:
        cells = "".join(f"<D>{float(v)!r}</D>" for v in values)
        return (f'<Series name="s" dependency="{kind}"><IndividualValueSet>{cells}'
                f'</IndividualValueSet><Unit label="{unit}"/></Series>')  # fmt: skip

    return (
        '<?xml version="1.0"?><AnIML><ExperimentStep name="a sample"><Result><SeriesSet '
        f'length="{X.size}">{series(X, "independent", "nm")}{series(Y, "dependent", "")}'
        "</SeriesSet></Result></ExperimentStep></AnIML>"
    ).encode()


def hdf5() -> bytes:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["X"] = np.stack([Y, 2 * Y])
        file["wavelength"] = X
        file["wavelength"].attrs["units"] = "nm"
    return stream.getvalue()


def nexus() -> bytes:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        group = file.create_group("entry/data")
        group.attrs.update({"NX_class": "NXdata", "signal": "counts", "axes": ["energy"]})
        group["counts"], group["energy"] = Y, X
        group["energy"].attrs["units"] = "eV"
    return stream.getvalue()


def imzml() -> tuple[bytes, bytes]:
    """An image of 2 x 2 mass spectra: the description, and the numbers beside it."""
    import tempfile
    import warnings
    from pathlib import Path

    from pyimzml.ImzMLWriter import ImzMLWriter

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "a.imzML"
        with ImzMLWriter(str(path), mode="processed") as writer:
            for k in range(4):
                peaks = np.array([100.0 + k, 150.5, 200.0])
                writer.addSpectrum(peaks, np.array([1.0, 2.0, 3.0 + k]), (k % 2 + 1, k // 2 + 1, 1))
        text, numbers = path.read_bytes(), path.with_suffix(".ibd").read_bytes()
    # an id that is drawn at random, the checksum over it and the folder make every run another
    text = re.sub(rb"[0-9a-fA-F]{40}", lambda found: b"0" * len(found[0]), text)
    text = re.sub(rb"\{[-0-9a-fA-F]{36}\}", b"{00000000-0000-0000-0000-000000000000}", text)
    text = re.sub(rb'(<run [^>]*id=)"[^"]*"', rb'\1"a"', text)
    return text, bytes(16) + numbers[16:]


def matlab() -> bytes:
    from scipy.io import savemat

    stream = io.BytesIO()
    savemat(stream, {"X": np.stack([Y, 2 * Y]), "wavelength": X[None]})
    return stream.getvalue()


def netcdf() -> bytes:
    from scipy.io import netcdf_file

    stream = io.BytesIO()
    file = netcdf_file(stream, "w")
    file.createDimension("sample", 2)
    file.createDimension("wavelength", X.size)
    file.createVariable("wavelength", "f8", ("wavelength",))[:] = X
    file.createVariable("spectra", "f8", ("sample", "wavelength"))[:] = np.stack([Y, 2 * Y])
    file.flush()
    content = stream.getvalue()
    file.close()
    return content


def columns(header: str = "", delimiter: str = "\t", comma: bool = False, end: str = "") -> bytes:
    rows = "\n".join(f"{x:.6g}{delimiter}{float(y)!r}" for x, y in zip(X, Y, strict=True))
    if comma:
        rows = rows.replace(".", ",")
    return f"{header}{rows}\n{end}".encode()


def excel() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["sample (nm)", *map(float, X)])
    for k, name in ((1, "a"), (2, "b")):
        book.active.append([name, *map(float, k * Y)])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def orange() -> bytes:
    head = "\t".join([*(f"{v:g}" for v in X), "kind"])
    types = "\t".join(["continuous"] * X.size + ["discrete"])
    roles = "\t".join([""] * X.size + ["class"])
    rows = "\n".join("\t".join([*map(repr, (k * Y).tolist()), "ab"[k - 1]]) for k in (1, 2))
    return f"{head}\n{types}\n{roles}\n{rows}\n".encode()


def xyz() -> bytes:
    head = "\t\t" + "\t".join(f"{v:g}" for v in X)
    rows = "\n".join("\t".join(["1", str(k), *map(repr, (k * Y).tolist())]) for k in (1, 2, 3))
    return f"{head}\n{rows}\n".encode()


def portable_raman() -> bytes:
    """Three axes, blanks before the first measured pixel, decimal commas, columns of zeros."""
    rows = [f"{k};   ;   ;   ;1038,28;65535,0;1044,0;5,7;0,0;" for k in range(2)]
    rows += [
        f"{k + 2};{530 + k:.2f};{18000 - k:.2f};{a:.2f};1038,28;65535,0;{1038 + b:.5f};{b:.5f};0,0;"
        for k, (a, b) in enumerate(zip(X, Y, strict=True))
    ]
    head = "File Version;BWRam4\nDate;2022-01-21\nlaser_wavelength;532,02\n"
    names = "Pixel;Wavelength;Wavenumber;Raman Shift;Dark;Reference;Raw data #1;Dark Subtracted #1;"
    body = "\n".join(row.replace(".", ",") for row in rows)
    return f"{head}{names}%TR #1;\n{body}\n".encode()


def emsa() -> bytes:
    values = "\n".join(", ".join(f"{v:.6f}" for v in Y[k : k + 5]) for k in range(0, Y.size, 5))
    return (
        "#FORMAT      : EMSA/MAS Spectral Data File\n#TITLE       : a\n#NPOINTS     : 20.\n"
        "#XUNITS      : eV\n#YUNITS      : counts\n#DATATYPE    : Y\n#XPERCHAN    : 1.0\n"
        f"#OFFSET      : 400.0\n#SPECTRUM    : Spectral Data Starts Here\n{values}\n#ENDOFDATA :\n"
    ).encode()


def separate_axis() -> bytes:
    points = " ".join(f"P{k + 1}" for k in range(X.size))
    rows = "\n".join(
        f"S{k} {10 + k}.5 " + " ".join(f"{v * (k + 1):.6f}" for v in Y) for k in range(3)
    )
    return (
        "Calibration export\nRange (nm): 400-419\n\nWavelengths:\n"
        f"{' '.join(f'{v:.1f}' for v in X)}\n\nSample Protein {points}\n{rows}\n"
    ).encode()


TEXTS = {
    "plain.txt": columns(),
    "portable.txt": portable_raman(),
    "a.msa": emsa(),
    "separate.txt": separate_axis(),
    "labspec.txt": columns("#Acq. time (s)=\t1\n#Range (cm-\u00b9)=\tOff\n"),
    "ocean.txt": columns("SpectraSuite Data File\n+++\nDate: today\n>>>>>Begin Processed Spectral "
                         "Data<<<<<\n", comma=True, end=">>>>>End Processed Spectral Data<<<<<\n"),
    "avantes.txt": columns("Integration time: 5 ms\nWave   ;Sample\n[nm]   ;[counts]\n", ";"),
    "a.sig": columns("/*** Spectra Vista SIG Data ***/\nname= a\ndata= \n", "  "),
    "a.sed": columns("Foreoptic: PROBE\nColumns [2]:\nData:\nWvl\tReflect. %\n"),
    "a.dpt": columns("", ",", end="# a comment\n; another\n"),
    "a.asp": ("\n".join([str(X.size), str(X[-1]), str(X[0]), "1", "1", "4",
                         *map(repr, Y[::-1].tolist())])).encode(),
    "eco.txt": columns("Name: Oak\nClass: tree\nX Units: Wavelength (micrometers)\n"
                       "Y Units: Reflectance\nFirst X Value: 400\n\n"),
    "jasco.csv": columns("TITLE,\u30ab\u30bf\u30ab\u30ca\nORIGIN,JASCO\nXUNITS,1/CM\nXYDATA\n", ",",
                         end="\nshift,1\n").decode().encode("cp932"),
    "orange.tab": orange(),
    "map.xyz": xyz(),
    "utf16.txt": columns("Wavenumber (cm-1)\tA\n").decode().encode("utf-16"),
}  # fmt: skip

_HEADER, _IMAGE = envi()
_IMZML = imzml()
GOOD: dict[str, list[tuple[str, bytes, dict[str, bytes]]]] = {
    "spc": [
        ("a.spc", spc(), {}), ("big.spc", spc(">"), {}), ("many.spc", spc(rows=3), {}),
        ("own.spc", spc(rows=2, own_x=True), {}), ("int.spc", spc(integers=True), {}),
        ("old.spc", spc_old(), {}),
    ],
    "opus": [("a.0", opus(), {})],
    "omnic": [("a.spa", omnic(), {})],
    "wdf": [("a.wdf", wdf(), {})],
    "asd": [("a.asd", asd(), {})],
    "pe": [("a.sp", perkinelmer(), {})],
    "jasco": [("a.jws", jasco_old(), {})],
    "agilent": [("a.dat", agilent(), {"a.bsp": agilent_axis()})],
    "avantes": [("a.rfl8", avasoft8(), {})],
    "roh": [("a.roh", avasoft7(), {})],
    "spe": [("a.spe", spe(), {})],
    "envi": [("a.hdr", _HEADER, {"a.dat": _IMAGE})],
    "jcamp": [(f"{form}.jdx", jcamp(form), {}) for form in ("AFFN", "DIF", "points", "NTUPLES")],
    "mzml": [("a.mzml", mzml(), {}), ("numpress.mzml", numpress_mzml(), {})],
    "imzml": [("a.imzml", _IMZML[0], {"a.ibd": _IMZML[1]})],
    "labspecxml": [("a.xml", labspec_xml(), {})],
    "trivista": [("a.tvf", trivista(), {})],
    "animl": [("a.animl", animl(), {})],
    "hdf5": [("a.h5", hdf5(), {}), ("a.nxs", nexus(), {})],
    "mat": [("a.mat", matlab(), {})],
    "netcdf": [("a.nc", netcdf(), {})],
    "excel": [("a.xlsx", excel(), {})],
    "text": [(name, content, {}) for name, content in TEXTS.items()],
}  # fmt: skip
