import csv
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bokeh.layouts import gridplot
from toy import Toy

from explorer.studies import Local, Result, UnitLog, find
from explorer.studies.account import Account, account_of, read_accounts, write_accounts
from explorer.studies.export import browser, page, pictures, safe, save_figures
from explorer.studies.output import claims_table, csv_text, markdown_table, write_output
from explorer.studies.report import reproduction, saved_results
from explorer.studies.study import Cause, Claim
from explorer.views.study_charts import Series, lines


@pytest.fixture(scope="module")
def result() -> Result:
    return Toy().run("tiny", Local(0))


def _accounts(results: dict[str, Result]) -> dict[str, Account]:
    return {name: account_of(result) for name, result in results.items()}


def test_a_folder_holds_tables_claims_recipe_and_the_whole_result(result, tmp_path) -> None:
    write_output(Toy(), result, tmp_path, draw=False)
    with (tmp_path / "tables" / "sums.csv").open(newline="") as lines_:
        rows = list(csv.DictReader(lines_))
    assert [float(r["sum"]) for r in rows] == result.column("sums", "sum")
    assert Result.load(tmp_path / "result.json").digest() == result.digest()
    recipe = json.loads((tmp_path / "recipe.json").read_text())
    assert recipe["settings and seeds"] == {"columns": 6, "seed": 0, "trip": ""}
    assert recipe["versions"]["numpy"]
    assert json.loads((tmp_path / "claims.json").read_text())[0]["holds"] is True
    text = (tmp_path / "README.md").read_text()
    assert "BSE 1" in text
    assert "holds" in text


def test_figures_are_pages_that_need_no_network(result, tmp_path) -> None:
    assert save_figures(Toy().draw(result), tmp_path, None) == []
    text = (tmp_path / "toy.html").read_text(encoding="utf-8")
    assert "cdn.bokeh.org" not in text
    assert len(text) > 500_000  # BokehJS is inside


@pytest.mark.browser
def test_a_browser_makes_png_and_svg_of_a_layout(tmp_path) -> None:
    program = browser()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("there is no browser")
        pytest.skip("needs Chrome, Chromium or Edge")

    def plot():
        return lines([Series("RF", [1, 2], [0.1, 0.2])], x_label="λ & <m>", y_label="error")

    found = pictures(page(gridplot([[plot(), plot()]], toolbar_location=None), ""), program)
    assert found["png"].startswith(b"\x89PNG")
    assert found["svg"].startswith(b"<svg")
    assert "λ &amp; &lt;m&gt;" in found["svg"].decode()


def test_a_browser_that_cannot_draw_is_complained_about_once(result, tmp_path) -> None:
    both = {**Toy().draw(result), "again": Toy().draw(result)["toy"]}
    (complaint,) = save_figures(both, tmp_path, sys.executable)
    assert "EXPLORER_BROWSER" in complaint
    assert (tmp_path / "again.html").exists()


def test_tables_keep_every_digit_in_csv_and_few_in_markdown() -> None:
    rows = [{"a": 0.1 + 0.2, "b": None}, {"a": 1, "c": "x|y"}]
    assert csv_text(rows).splitlines() == ["a,b,c", "0.30000000000000004,,", "1,,x|y"]
    assert "| 0.3 |  |  |" in markdown_table(rows)
    assert "x\\|y" in markdown_table(rows)
    assert safe("bias and variance") == "bias_and_variance"


def test_a_page_is_whole_html(result) -> None:
    assert page(Toy().draw(result)["toy"], "t").lstrip().startswith("<!DOCTYPE html>")


def test_the_report_tells_every_claim_of_what_was_run(tmp_path) -> None:
    study = find("menze-fig2")
    result = study.run("tiny", Local(0))
    write_output(study, result, tmp_path / study.name, draw=False)
    text = reproduction(_accounts(saved_results(tmp_path)))
    for claim in study.claims(result):
        assert claim.sentence in text
    assert "menze-table1" in text.partition("## Not run")[2]


def test_the_report_says_first_what_does_not_hold_and_why(tmp_path) -> None:
    study = find("do-table9")
    result = study.run("tiny", Local(0))
    write_output(study, result, tmp_path / study.name, draw=False)
    first = reproduction(_accounts(saved_results(tmp_path))).partition("## Do,")[0]
    (claim,) = [c for c in study.claims(result) if "0.0547" in c.sentence]
    assert claim.why == "the paper's own numbers"
    assert f"{claim.sentence} ({claim.where}) | {claim.why} | {claim.remark}" in first


def test_the_report_says_by_how_much_a_run_was_less_than_the_protocol(tmp_path) -> None:
    study = find("menze-fig2")
    full = study.run("full", Local(0))
    less = dataclasses.replace(full, settings={**full.settings, "n": 60})
    assert "| full |" in reproduction(_accounts({study.name: full}))
    text = reproduction(_accounts({study.name: less}))
    assert "| reduced |" in text
    assert "Less than the paper's protocol: n 60 instead of 200." in text


def test_a_report_is_written_from_accounts_and_keeps_those_of_earlier_runs(tmp_path) -> None:
    names = ("menze-fig2", "do-table5", "do-table9")
    results = {n: find(n).run("tiny", Local(0)) for n in names}
    accounts = _accounts(results)
    write_accounts(accounts, tmp_path)
    kept = read_accounts(tmp_path)
    assert list(kept) == list(names)
    assert reproduction(kept) == reproduction(accounts)
    one = results["menze-fig2"]
    again = dataclasses.replace(one, settings={**one.settings, "n": 61}, versions={"numpy": "9.9"})
    text = reproduction(kept | {"menze-fig2": account_of(again)})
    assert "n 61" in text
    assert "; and with numpy 9.9." in text
    assert text.partition("## Do,")[2] == reproduction(accounts).partition("## Do,")[2]


def test_an_account_that_is_damaged_is_named(tmp_path) -> None:
    (tmp_path / "menze-fig2.json").write_text("{}")
    with pytest.raises(ValueError, match=r"menze-fig2\.json: This is not an account of a study"):
        read_accounts(tmp_path)


def test_a_claim_that_holds_under_one_reading_says_which() -> None:
    claim = Claim("It rises.", "s.1", True, {"rise": 2.0}, condition="time is in days")
    account = Account("menze-fig2", "full", "n 1", (claim,))
    assert claim.verdict == "holds if time is in days"
    row = reproduction({"menze-fig2": account}).partition("## Summary")[2]
    assert "| full | 0 | 1 | 0 | 0 |" in row
    assert Account.from_text(account.to_text()).claims == (
        dataclasses.replace(claim, numbers={"rise": "2"}),
    )


def test_a_text_that_stands_already_is_referred_to(tmp_path) -> None:
    one, other = find("do-table4"), find("do-table5")
    results = {s.name: s.run("tiny", Local(0)) for s in (one, other)}
    text = reproduction(_accounts(results))
    assert text.count(one.protocol) == 1
    assert "*Protocol.* As in [do-table4](#do-table4)." in text


def test_claims_stand_with_printed_numbers_beside_measured_ones() -> None:
    numbers = {"measured": 1.5, "gain, printed": 2.5}
    failed = Claim("It rises.", "s.1", False, numbers, "Why not.", Cause.DATA)
    assert claims_table([failed]).splitlines()[-1] == (
        "| It rises. (s.1) | **does not hold**: other data than the paper's | 1.5 | gain: 2.5 "
        "| Why not. |"
    )
    assert Claim("It rises.", "s.1", True, cause=Cause.DATA).why == ""
    assert Claim("It rises.", "s.1", False).why == "not found out"


def test_a_report_of_nothing_is_refused_with_a_sentence(tmp_path) -> None:
    with pytest.raises(ValueError, match="There is no result in"):
        saved_results(tmp_path)


_RUN = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from toy import Toy
from explorer.studies import Local, UnitLog

if __name__ == "__main__":
    Toy().run("tiny", Local(2), log=UnitLog(Path({log!r})), columns=150)
"""


def test_a_run_killed_without_warning_goes_on_and_ends_the_same(tmp_path) -> None:
    """kill -9 of the whole family in the middle; its processes end too."""
    log = UnitLog(tmp_path / "units.log")
    script = tmp_path / "run.py"
    script.write_text(_RUN.format(tests=str(Path(__file__).parent), log=str(log.path)))
    child = subprocess.Popen([sys.executable, str(script)])
    try:
        end = time.monotonic() + 120
        while len(log.outputs()) < 5 and time.monotonic() < end and child.poll() is None:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGKILL)
    finally:
        child.wait()
    first = log.outputs()
    kept = len(first)
    assert 5 <= kept < 150
    resumed = Toy().run("tiny", Local(0), log=log, columns=150)
    assert resumed.digest() == Toy().run("tiny", Local(0), columns=150).digest()
    assert _gone({int(v["seconds"]) for v in first.values()})


def _gone(pids: set[int]) -> bool:
    """Whether processes end by themselves; one that nobody has collected yet has ended too."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        alive = [pid for pid in pids if _state(pid) not in ("", "Z")]
        if not alive:
            return True
        time.sleep(0.1)
    return False


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
