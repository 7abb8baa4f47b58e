"""Dates and times of day: when time 0 is, and how long a unit is."""

from __future__ import annotations

import datetime
import pathlib
import pickle

import numpy as np
import pytest

import pfss

TIMES = [[4, 3], [2, 5]]
START = "2026-11-16T06:00"


def test_dates_of_all_kinds_become_units() -> None:
    day = datetime.datetime(2026, 11, 16, 14, 30)
    for written in ("2026-11-16T14:30", "16.11.2026 14:30", "14:30", day, day.time(), np.datetime64(day), 8.5):
        for start in (START, datetime.datetime(2026, 11, 16, 6), np.datetime64(START)):
            line = pfss.Instance(TIMES, due=[written, None], release={1: written}, start_at=start, unit="h")
            assert line.due == [8.5, None] and line.release == [0, 8.5], written
            assert line.start_at == datetime.datetime(2026, 11, 16, 6) and line.unit == "h"
    for written in ("2026-11-17", datetime.date(2026, 11, 17), np.datetime64("2026-11-17")):
        line = pfss.Instance(TIMES, due=[written, np.datetime64("NaT")], release=[written, None], start_at=START, unit="h")
        assert line.due == [42, None] and line.release == [18, 0]
    before = pfss.Instance(TIMES, release=["2026-11-15", 3], due=["2026-11-15T06:00", 3], start_at="2026-11-16", unit="d")
    assert before.release == [0, 3] and before.due == [-0.75, 3]
    exact = pfss.Instance(TIMES, due=[day.replace(microsecond=250_000), 1], start_at=START, unit="s")
    assert exact.due == [8.5 * 3600 + 0.25, 1]


def test_machines_have_clocks_too() -> None:
    line = pfss.Instance(
        TIMES,
        machines=["cut", "weld"],
        available_from={"cut": "07:00"},
        breaks={"cut": [("2026-11-15", "2026-11-15T12:00"), ("12:00", "13:00")], "weld": [("22:00", "06:00"), (60, 61)]},
        start_at=START,
        unit="h",
    )
    assert '"available_from":1' in line.to_json() and '"breaks":[[6,7]]' in line.to_json()
    assert '"breaks":[[16,24],[60,61]]' in line.to_json()


def test_schedules_and_charts_have_dates(tmp_path: pathlib.Path) -> None:
    plain = pfss.Instance(TIMES, start_at=START, unit="min")
    late = pfss.Instance(TIMES, due=["06:05", "06:09"], start_at=START, unit="min")
    assert plain.is_plain and not late.is_plain
    for line in (plain, late):
        result = pfss.solve(line)
        schedule = result.schedule
        assert schedule["start"].dtype == np.dtype("datetime64[ms]")
        assert schedule["start"].min() == np.datetime64(START)
        assert result.done_at == datetime.datetime(2026, 11, 16, 6, 10) == schedule["end"].max()
        assert result.makespan == 10 and "2026-11-16 06:10:00" in result._repr_html_()
        assert "done 2026-11-16 06:10" in result.plot().svg and "2026-11-16 06:10" in result.plot().html
        again = pickle.loads(pickle.dumps(result))
        assert again.instance == line and (again.schedule == schedule).all() and again.plot().svg == result.plot().svg
        assert pfss.solve(line, objective="total-completion").done_at is not None
    assert plain != pfss.Instance(TIMES) and pfss.solve(TIMES).done_at is None
    assert pfss.solve(TIMES, start_at=START, unit="min").instance == plain
    assert pfss.solve(pfss.Instance(TIMES), start_at=START, unit="min").instance == plain
    thirds = pfss.solve(np.asarray(TIMES) / 3, start_at=START, unit="min")
    assert thirds.done_at == datetime.datetime(2026, 11, 16, 6, 3, 20) and thirds.plot().svg.startswith("<svg")


def test_tables_with_dates() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"cut": [4, 2], "weld": [3, 5], "due": pandas.to_datetime(["2026-11-16 06:08", None])}, index=["hood", "door"]
    )
    result = pfss.solve(frame, start_at=pandas.Timestamp(START), unit="min", objective="total-tardiness")
    assert result.instance.due == [8, None] and result.order == ["hood", "door"]
    table = result.to_pandas()
    assert table["start"].min() == pandas.Timestamp(START) and str(table["end"].dtype).startswith("datetime64")
    with pytest.raises(pfss.InputError, match="has a time zone"):
        pfss.solve(frame.assign(due=frame["due"].dt.tz_localize("UTC")), start_at=START, unit="min")


def test_other_charts_have_dates() -> None:
    pyplot = pytest.importorskip("matplotlib.figure")
    result = pfss.solve(TIMES, start_at=START, unit="min")
    axes = pyplot.Figure().subplots()
    result.plot(ax=axes)
    days = np.datetime64(START).astype("datetime64[s]").astype(float) / 86_400
    assert axes.dataLim.x1 == pytest.approx(days + 10 / 1440)
    pytest.importorskip("plotly")
    figure = result.to_plotly()
    assert figure.layout.xaxis.type == "date" and max(figure.data[0].x) <= 5 * 60_000


def test_files_with_dates(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "jobs.csv"
    file.write_text("job,cut,weld,due\nhood,4,3,06:08\ndoor,2,5,2026-11-16T06:30\n")
    assert pfss.read(file, start_at=START, unit="min").due == [8, 30]
    assert pfss.read_all(file, start_at=START, unit="min")[0].unit == "min"
    with pytest.raises(pfss.InputError, match=r"time 0 is with start_at 2026-11-16T06:00 and .* unit min"):
        pfss.read(file)
    text = '{"jobs": [{"times": [4, 3], "due": "06:08"}, {"times": [2, 5]}]}'
    line = pfss.Instance.from_json(text, start_at=START, unit="min")
    assert line.due == [8, None]
    # The clock is not part of the file, the units are.
    assert pfss.Instance.from_json(line.to_json()).due == [8, None]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"start_at": START}, "`start_at` and `unit` go together"),
        ({"unit": "min"}, "`start_at` and `unit` go together"),
        ({"start_at": START, "unit": "week"}, "`unit`: there is no unit `week`; known are s, min, h and d"),
        ({"start_at": "tomorrow", "unit": "h"}, "`start_at`: `tomorrow` is no date"),
        ({"start_at": 7, "unit": "h"}, "`start_at` is 7; expected a date"),
        ({"due": ["14:30", 1]}, "`due` number 0 .counted from 0. is '14:30'.*need a clock"),
        ({"due": [1, "soon"], "start_at": START, "unit": "h"}, "`due` number 1 .* is 'soon'; .* a time of day"),
        ({"weight": ["14:30", 1], "start_at": START, "unit": "h"}, "`weight` number 0 .* expected a number"),
        ({"breaks": [[("12:00", "x")], []], "start_at": START, "unit": "h"}, "machine 0 .*: the end of a break is 'x'"),
        (
            {"breaks": [[("2026-11-15", "2026-11-14")], []], "start_at": START, "unit": "h"},
            "2026-11-15 to 2026-11-14 has no length",
        ),
        ({"breaks": [[(-5, -3)], []], "start_at": START, "unit": "h"}, "break"),
    ],
)
def test_what_is_no_date_is_told(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(pfss.InputError, match=told):
        pfss.Instance(TIMES, **arguments)  # type: ignore[arg-type]


def test_one_clock_is_enough() -> None:
    with pytest.raises(pfss.InputError, match="already"):
        pfss.solve(pfss.Instance(TIMES, start_at=START, unit="h"), start_at=START, unit="h")
