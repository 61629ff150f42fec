"""Tables of the comparison of PostgreSQL and SQLite."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from bench.support.timing import percentile
from bench.tables import Table
from bench.team.cost import Cost
from bench.team.fairness import Fairness
from bench.team.load import Work
from bench.team.population import Home
from bench.team.tenants import Crowd


@frozen(kw_only=True)
class Setting:
    """Some projects, and the measurements in them on PostgreSQL and SQLite.

    Attributes:
        homes: The two engines with their projects.
        work: Kind of call, and the work of the clients on each engine, SQLite first.
        costs: Cost of a call on each engine.
    """

    homes: Sequence[Home]
    work: Sequence[tuple[str, Sequence[Work]]]
    costs: Sequence[Mapping[str, Cost]]


def tables(setting: Setting) -> list[Table]:
    """Return the tables of one setting."""
    numbers = setting.homes[0].sizes
    about = f"{sum(numbers):,} memories in {len(numbers):,} projects of up to {max(numbers):,}"
    if len(numbers) == 1:
        about = f"a project of {sum(numbers):,} memories beside others"
    built = ", ".join(
        f"{home.name} in {home.built_in[0]:.0f} + {home.built_in[1]:.0f} s" for home in setting.homes
    )
    return [
        Table(
            title=f"{about[0].upper()}{about[1:]} (all made on {built})",
            head=[
                "calls",
                "clients",
                "engine",
                "a second",
                "p50 ms",
                "p95 ms",
                "CPU ms a call",
                "errors",
                "backends",
            ],
            rows=[
                _row(kind, home, work)
                for kind, works in setting.work
                for home, work in zip(setting.homes, works, strict=True)
            ],
        ),
        Table(
            title=f"One call at a time, {about}: CPU ms of client and server",
            head=["call", "engine", "round trips", "sent bytes", "received bytes", "wall ms", "CPU ms"],
            rows=[
                _cost_row(name, home, costs[name])
                for name in setting.costs[0]
                for home, costs in zip(setting.homes, setting.costs, strict=True)
            ],
        ),
    ]


def crowd_table(crowd: Crowd) -> Table:
    """Return the table about many tenants in one process."""
    return Table(
        title="Tenants that share a process and its connections",
        head=["tenants", "operations", "seconds", "leaks", "empty answers", "errors"],
        rows=[
            [
                f"{crowd.tenants:,}",
                f"{crowd.operations:,}",
                f"{crowd.seconds:.0f}",
                str(crowd.leaks),
                str(crowd.missed),
                _named(crowd.errors),
            ]
        ],
    )


def fairness_table(found: Fairness) -> Table:
    """Return the table about the recalls of a quiet tenant beside a busy tenant."""
    alone, beside = (percentile(times, 95) for times in (found.alone, found.beside))
    return Table(
        title="A quiet tenant beside a busy one, over HTTP",
        head=["busy clients", "their recalls", "quiet p95 alone, ms", "beside them, ms", "times"],
        rows=[[str(found.clients), f"{found.busy:,}", f"{alone:.1f}", f"{beside:.1f}", f"{beside / alone:.1f}"]],
    )


def _row(kind: str, home: Home, work: Work) -> list[str]:
    times = work.milliseconds or [float("nan")]
    cpu = (work.own_cpu + (work.server_cpu or 0)) * 1000 / max(len(work.milliseconds), 1)
    return [
        kind,
        str(work.clients),
        home.name,
        f"{len(work.milliseconds) / work.seconds:.0f}",
        f"{percentile(times, 50):.1f}",
        f"{percentile(times, 95):.1f}",
        f"{cpu:.2f}",
        _named(work.errors),
        str(work.backends or ""),
    ]


def _cost_row(name: str, home: Home, cost: Cost) -> list[str]:
    if home.location is None:
        return [name, home.name, "", "", "", f"{cost.wall:.2f}", f"{cost.own_cpu:.2f}"]
    trips, sent, received = (f"{each:,.0f}" for each in (cost.round_trips, cost.sent, cost.received))
    cpu = f"{cost.own_cpu:.2f} + {cost.server_cpu:.2f}"
    return [name, home.name, trips, sent, received, f"{cost.wall:.2f}", cpu]


def _named(errors: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in errors.items()) or "0"
