"""A client that openapi-python-client made from the description of the API does all that a user does, typed.

    python generated.py URL WORKBOOK
"""

import io
import json
import pathlib
import sys

from pfss_client import Client
from pfss_client.api.jobs import (
    continue_job,
    delete_job,
    export_gantt_html,
    export_gantt_json,
    export_gantt_svg,
    export_instance_json,
    export_schedule_csv,
    export_schedule_json,
    export_schedule_xlsx,
    list_jobs,
    show_job,
    stop_job,
    submit_job,
    watch_job,
)
from pfss_client.api.plans import evaluate, read
from pfss_client.api.server import health, list_algorithms, list_examples, metrics
from pfss_client.models import (
    Accepted,
    AlgorithmName,
    AssignmentMap,
    Chart,
    Detail,
    EvaluateRequest,
    Evaluation,
    Instance,
    JobList,
    JobRequest,
    Problem,
    ResultRecord,
    Round,
    Schedule,
    SolveOptions,
    State,
    StateEvent,
    Status,
    TableText,
    UnitName,
)
from pfss_client.types import File

CSV = "job,cut,weld,due\nA,3,4,9\nB,2,1,4\nC,5,2,20\n"


def hard() -> Instance:
    """Fifty jobs on twenty machines, which take as long as they may."""
    state = 12345
    times = []
    for _ in range(50):
        row = []
        for _ in range(20):
            state = (state * 6364136223846793005 + 1) % 2**64
            row.append(float(1 + (state >> 33) % 99))
        times.append(row)
    return Instance(times=times)


def last_state(client: Client, id: str) -> StateEvent:
    """Reads the stream of a job to its end."""
    text = watch_job.sync(id, client=client)
    assert isinstance(text, str)
    events = [dict(line.split(": ", 1) for line in part.splitlines() if ": " in line) for part in text.split("\n\n")]
    states = [json.loads(event["data"]) for event in events if event.get("event") == "state"]
    return StateEvent.from_dict(states[-1])


def main(url: str, workbook: str) -> None:
    client = Client(base_url=url, timeout=60)
    assert health.sync(client=client).status == "ok"
    names = [algorithm.name for algorithm in list_algorithms.sync(client=client)]
    assert AlgorithmName.ITERATED_GREEDY in names
    assert len(list_examples.sync(client=client)) > 2

    # A CSV file and a workbook, as files.
    table = File(payload=io.BytesIO(CSV.encode()))
    ids = []
    book = File(payload=io.BytesIO(pathlib.Path(workbook).read_bytes()))
    for name, payload in [("jobs.csv", table), ("jobs.xlsx", book)]:
        accepted = submit_job.sync(
            client=client,
            body=payload,
            name=name,
            objective="total-tardiness,makespan",
            time_limit="1s",
            seed=1,
            unit=UnitName.MIN,
            start_at="2026-11-16T06:00",
        )
        assert isinstance(accepted, Accepted), accepted
        assert last_state(client, accepted.id).state == State.DONE
        ids.append(accepted.id)
    job = show_job.sync(ids[0], client=client)
    assert isinstance(job, Detail) and isinstance(job.result, ResultRecord)
    assert job.status == Status.OPTIMAL and job.objective == "total-tardiness,makespan", job.objective
    assert job.result.job_names == ["B", "A", "C"], job.result.job_names
    understood = read.sync(client=client, body=File(payload=io.BytesIO(CSV.encode())), name="jobs.csv")
    assert isinstance(understood, TableText) and understood.num_jobs == 3

    # Every file of a job.
    id = ids[0]
    schedule = export_schedule_json.sync(id, client=client)
    assert isinstance(schedule, Schedule) and len(schedule.operations) == 6
    assert schedule.operations[0].start == "2026-11-16T06:00", schedule.operations[0]
    assert schedule.summary["jobs"] == 3
    assert export_schedule_csv.sync(id, client=client).startswith("job,machine,start,end")
    assert export_schedule_xlsx.sync(id, client=client).payload.read()[:2] == b"PK"
    assert export_gantt_svg.sync(id, client=client).startswith("<svg")
    assert "<html" in export_gantt_html.sync(id, client=client)
    chart = export_gantt_json.sync(id, client=client)
    assert isinstance(chart, Chart) and chart.jobs == ["B", "A", "C"]
    instance = export_instance_json.sync(id, client=client)
    assert isinstance(instance, Instance) and [one.name for one in instance.jobs] == ["A", "B", "C"]

    # A job is moved by hand.
    moved = evaluate.sync(client=client, body=EvaluateRequest(job=id, order=["A", "B", "C"], chart=True))
    assert isinstance(moved, Evaluation) and moved.value == 4.0 and isinstance(moved.chart, Chart), moved
    other = evaluate.sync(client=client, body=EvaluateRequest(instance=instance, order=[2, 1, 0], schedule=False))
    assert isinstance(other, Evaluation) and other.value > moved.value

    # A search is stopped, goes on, and is stopped again.
    settings = AssignmentMap.from_dict({"destruction-size": 2})
    options = SolveOptions(algorithm=AlgorithmName.ITERATED_GREEDY, time_limit=60.0, seed=7, threads=1, set_=settings)
    accepted = submit_job.sync(client=client, body=JobRequest(instance=hard(), options=options))
    assert isinstance(accepted, Accepted), accepted
    while not isinstance(show_job.sync(accepted.id, client=client).result, ResultRecord):
        pass
    stopped = stop_job.sync(accepted.id, client=client)
    assert isinstance(stopped, Detail) and stopped.state == State.STOPPED and stopped.options.seed == 7
    again = continue_job.sync(accepted.id, client=client, body=Round(time_limit="60s"))
    assert isinstance(again, Detail) and again.state in (State.QUEUED, State.RUNNING), again
    refused = continue_job.sync(accepted.id, client=client)
    assert isinstance(refused, Problem) and refused.status == 409, refused
    assert stop_job.sync(accepted.id, client=client).state == State.STOPPED
    assert last_state(client, accepted.id).value <= stopped.value

    # The list, page by page; then all are forgotten.
    before = None
    seen = []
    while True:
        page = list_jobs.sync(client=client, limit=2, **({"before": before} if before else {}))
        assert isinstance(page, JobList), page
        for one in page.jobs:
            seen.append(one.id)
            delete_job.sync_detailed(one.id, client=client)
        if not page.next_:
            break
        before = page.next_
    assert sorted(seen) == sorted([*ids, accepted.id])
    missing = show_job.sync(id, client=client)
    assert isinstance(missing, Problem) and missing.status == 404
    assert 'pfss_searches_given_up_total 0' in metrics.sync(client=client)
    print("the generated client did all that a user does")


main(*sys.argv[1:])
