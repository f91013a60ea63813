"""Uploads and downloads of one visitor do not hold up those of another, on a real server."""

import base64
import functools
import gzip
import io
import time
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from app.folders import folder, piece, spectrum

from explorer.app.export.menu import REPORT

from . import raw
from .client import Client, Server, run

CODE = (
    "from explorer.app.server import startup; startup.UNUSED_MS = startup.CHECK_MS = 500; "
    "from explorer.app.state import uploads; uploads.LEDGER.most = 20_000_000; "
    "from explorer.cli import main; main()"
)
TABLE = b"a,b,class\n" + b"1,2,x\n2,1,y\n3,5,x\n4,4,y\n" * 10
REQUESTS = 300


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Sessions end half a second after their client left; all files together have 20 MB."""
    server = Server(tmp_path_factory.mktemp("desk"), code=CODE).wait()
    yield server
    server.stop()


def has_read(client, name):
    return lambda: f"{name}: 40 samples" in client.text()


def children(pid):
    """Processes that a process has started."""
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        found += file.read_text().split()
    return found


@functools.cache
def slow_workbook():
    """A small Excel file of a million cells: a reader takes many seconds."""
    row = "<row>" + "<c><v>1</v></c>" * 100 + "</row>"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    space = "http://schemas.openxmlformats.org/"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{space}package/2006/content-types"><Override '
        f'PartName="/xl/workbook.xml" ContentType="{kinds}sheet.main+xml"/><Override '
        f'PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{space}package/2006/relationships"><Relationship '
        f'Id="r1" Type="{space}officeDocument/2006/relationships/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{space}spreadsheetml/2006/main" '
        f'xmlns:r="{space}officeDocument/2006/relationships"><sheets><sheet name="a" '
        'sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{space}package/2006/relationships">'
        f'<Relationship Id="r1" Type="{space}officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}spreadsheetml/2006/main">'
        f"<sheetData>{row * 20_000}</sheetData></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def zipped(name, content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def test_slow_files_of_others_do_not_hold_up_a_table_and_end_with_their_session(desk):
    slow = slow_workbook()
    assert len(slow) < 2_000_000

    async def visit():
        hogs = [await Client(desk.address).come() for _ in range(3)]
        honest = await Client(desk.address).come()
        for hog in hogs:
            await hog.upload(1, "slow.xlsx", slow)
        await hogs[0].until(lambda: "Reading slow.xlsx" in hogs[0].text())
        begun = time.monotonic()
        await honest.upload(1, "mine.csv", TABLE)
        await honest.until(has_read(honest, "mine.csv"), 40)
        took = time.monotonic() - begun
        assert any("Reading slow.xlsx" in hog.text() for hog in hogs), "they should be slow"
        assert children(desk.process.pid)
        for hog in hogs:
            await hog.leave()
        await honest.leave()
        return took

    assert run(visit()) < 25  # two of the quick readers' turns at most; it was 110 s
    raw.until(lambda: not children(desk.process.pid), 15)  # and not the 30 s of each file


def test_slow_folders_of_others_do_not_hold_up_a_folder_and_end_with_their_session(desk):
    slow = piece({"a/slow.xlsx": slow_workbook(), "a/b.txt": spectrum(0, 1)})

    async def visit():
        hogs = [await Client(desk.address).come() for _ in range(3)]
        honest = await Client(desk.address).come()
        for hog in hogs:
            await hog.upload(1, "files:slow", slow)
        await hogs[0].until(lambda: "of 2 files read slow.xlsx" in hogs[0].text(), 60)
        await honest.upload(1, "files:trees", piece(folder(2, 1)))
        await honest.until(lambda: "6 spectra from 6 files" in honest.text(), 60)
        assert all("spectrum from" not in hog.text() for hog in hogs), "they should be slow"
        assert children(desk.process.pid)
        for client in [*hogs, honest]:
            await client.leave()

    run(visit())
    raw.until(lambda: not children(desk.process.pid), 30)


def test_a_folder_of_hostile_names_and_archives_holds_up_nobody_and_takes_little_memory(desk):
    """Names that regular expressions take years for; archives of a thousand times their size;
    spectra of five points that would be put on an axis of fifteen thousand."""
    names = {f"a_b_c_d_e_f_g_h_{k}.txt": spectrum(k % 2, k, points=3) for k in range(20)}
    names |= {"_" * 900 + f"{k}\n.txt": spectrum(k, k, points=3) for k in range(5)}
    bombs = {f"{k}.zip": zipped("zeros.txt", bytes(20_000_000)) for k in range(10)}
    axes = ([0, 1, 2, 3, 15_000 + k / 100] for k in range(700))
    wide = {
        f"{k}.txt": "\n".join(["Wavenumber (cm-1)\tA", *(f"{x}\t{x}" for x in axis)]).encode()
        for k, axis in enumerate(axes)
    }
    before = raw.resident_bytes(desk.process.pid)

    async def visit():
        honest = await Client(desk.address).come()
        await honest.until(lambda: "OOB error" in honest.text(), 60)
        seen = {
            "25 spectra from 25": names,
            "10 files were not read": bombs,
            "at most 10000000": wide,
        }
        for number, (words, files) in enumerate(seen.items(), 1):
            hostile = await Client(desk.address).come()
            await hostile.upload(1, "files:hostile", piece(files))
            await honest.move("lead", 10.0 * number, 60)
            await hostile.until(lambda hostile=hostile, words=words: words in hostile.text(), 60)
            assert hostile.errors == []
            await hostile.leave()
        await honest.leave()

    run(visit())
    assert raw.resident_bytes(desk.process.pid) - before < 300 << 20


def test_files_that_are_announced_and_not_sent_take_no_room(desk):
    async def visit():
        hoarders = [await Client(desk.address).come() for _ in range(3)]
        for one in hoarders:
            inbox = one.named("inbox")
            part = {"type": "bytes", "data": base64.b64encode(gzip.compress(b"a")).decode()}
            await one.change(inbox, tags=[1, "big.csv", 19_900_000, 0, part])
            await one.until(
                lambda one=one, inbox=inbox: one.attribute(inbox, "name") == "inbox 1 1"
            )
        honest = await Client(desk.address).come()
        table = TABLE + b"\n" * 2_000_000  # blank lines at the end are no rows
        await honest.upload(1, "mine.csv", table)
        await honest.until(
            lambda: has_read(honest, "mine.csv")() or "has room for" in honest.text(), 40
        )
        assert "has room for" not in honest.text()
        for client in [*hoarders, honest]:
            await client.leave()

    run(visit())


def test_a_small_file_of_a_huge_table_is_refused_and_adds_little_memory(desk):
    column = pa.DictionaryArray.from_arrays(
        pa.array(bytearray(30_000_000), pa.int8()), pa.array([1.5])
    )
    out = io.BytesIO()
    pa.parquet.write_table(pa.table({"a": column, "b": column}), out)
    assert len(out.getvalue()) < 300_000
    before = raw.resident_bytes(desk.process.pid)

    async def visit():
        client = await Client(desk.address).come()
        await client.upload(1, "small.parquet", out.getvalue())
        await client.until(lambda: "small.parquet" in client.text() and "wrong" in client.text())
        await client.leave()

    run(visit())
    assert raw.resident_bytes(desk.process.pid) - before < 150 << 20


# ---- downloads


class Reader(Client):
    """Counts the reports that it is sent."""

    reports = 0

    def _apply(self, event, buffers):
        super()._apply(event, buffers)
        about = event.get("model") or event.get("column_source") or {}
        if about.get("id") == self.outbox and "data" in (event.get("attr", "data"),):
            self.reports += 1

    @property
    def outbox(self):
        for key in self.of_type("CustomJS"):
            if "fx_export(source, outbox, items)" in self.attribute(key, "code", ""):
                entries = self.attribute(key, "args")["entries"]
                return next(value["id"] for name, value in entries if name == "outbox")
        return None

    async def ask_for_report(self, number):
        await self.change(self.outbox, tags=[REPORT, number])


def test_many_requests_for_reports_do_not_hold_up_another_s(desk):
    async def visit():
        greedy, honest = [await Reader(desk.address).come() for _ in range(2)]
        for client in (greedy, honest):
            await client.until(lambda client=client: "OOB error" in client.text(), 60)
        begun = time.monotonic()
        await honest.ask_for_report(1)
        await honest.until(lambda: honest.reports == 1)
        alone = time.monotonic() - begun
        for number in range(REQUESTS):
            await greedy.ask_for_report(number)
        begun = time.monotonic()
        await honest.ask_for_report(2)
        await honest.until(lambda: honest.reports == 2)
        beside = time.monotonic() - begun
        await greedy.leave()
        await honest.leave()
        return alone, beside, greedy.reports

    alone, beside, made = run(visit())
    assert made < REQUESTS / 2  # what was asked for twice while it waited was made once
    assert beside < 5 * alone + 5
