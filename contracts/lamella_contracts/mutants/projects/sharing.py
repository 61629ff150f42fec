"""Faults in projects that several machines share."""

from datetime import datetime

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.fixtures.project import START
from lamella_contracts.mutants.broken_storage import Mutant, declaring
from lamella_contracts.mutants.threads import Meeting

SHARED = declaring(frozenset(Capability) - {Capability.DURABLE})


class Misplacing(InMemoryRegistry):
    """Looks for another place than the one that is asked for."""

    def at(self, location: Location, *, now: datetime) -> Project:
        return super().at(self.misplaced(location), now=now)

    def living_at(self, location: Location) -> Project | None:
        return super().living_at(self.misplaced(location))

    def misplaced(self, location: Location) -> Location:
        """Return the place that is looked for."""
        return location


class GoesByKeyAlone(Misplacing):
    def misplaced(self, location: Location) -> Location:
        return evolve(location, repository=None)


class ForgetsMachines(Misplacing):
    def misplaced(self, location: Location) -> Location:
        parts = location.key.split(":", 2)
        return evolve(location, key=parts[2]) if parts[0] == "machine" else location


class GoesByRoot(Misplacing):
    def misplaced(self, location: Location) -> Location:
        known = [alias for each in self.projects.values() for alias in each.aliases]
        root = (location.repository or "").rpartition(":")[0]
        same = [alias for alias in known if root and alias.startswith(root)]
        return evolve(location, repository=same[0]) if same else location


class LearnsNothing(InMemoryRegistry):
    def at(self, location: Location, *, now: datetime) -> Project:
        known = self.living_at(location)
        return super().at(location, now=now) if known is None else known


class LearnsByLooking(InMemoryRegistry):
    def living_at(self, location: Location) -> Project | None:
        known = super().living_at(location)
        return known and self.at(location, now=START)


class ByPlace(Catalogue):
    def owner(self, location: Location) -> Project | None:
        return super().owner(location) or super().owner(evolve(location, repository=None))


class TakesPlacesOver(InMemoryRegistry):
    @property
    def catalogue(self) -> Catalogue:
        whole = super().catalogue
        return ByPlace(whole.projects, whole.homes)


class ClonesMakeTwice(InMemoryRegistry):
    """Takes each machine that comes at once for the first."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        thread = self.meeting.wait()
        made = location if thread == 0 else evolve(location, repository=f"{location.repository} {thread}")
        return super().at(made, now=now)


MUTANTS = (
    Mutant(fault="a shared storage keeps its promises", storage=SHARED, trips=()),
    Mutant(
        fault="clones are not looked up by their repository",
        storage=SHARED,
        registry=GoesByKeyAlone,
        trips={
            "clones_are_one_project",
            "a_fork_is_another_project",
            "a_remote_that_comes_later_is_an_alias",
            "another_repository_takes_no_place_over",
            "clones_that_meet_make_one_project",
        },
    ),
    Mutant(
        fault="machines are not told apart",
        storage=SHARED,
        registry=ForgetsMachines,
        trips={"a_path_on_two_machines_is_two_projects", "a_remote_that_comes_later_is_an_alias"},
    ),
    Mutant(
        fault="repositories are told apart by their first commit",
        storage=SHARED,
        registry=GoesByRoot,
        trips={"a_fork_is_another_project", "another_repository_takes_no_place_over"},
    ),
    Mutant(
        fault="a remote that comes later is not learnt",
        storage=SHARED,
        registry=LearnsNothing,
        trips={"a_remote_that_comes_later_is_an_alias", "another_repository_takes_no_place_over"},
    ),
    Mutant(
        fault="a look-up learns a remote",
        storage=SHARED,
        registry=LearnsByLooking,
        trips={"a_remote_that_comes_later_is_an_alias"},
    ),
    Mutant(
        fault="another repository takes a place over",
        storage=SHARED,
        registry=TakesPlacesOver,
        trips={"another_repository_takes_no_place_over"},
    ),
    Mutant(
        fault="clones that meet make several projects",
        storage=SHARED,
        registry=ClonesMakeTwice,
        trips={"clones_that_meet_make_one_project"},
    ),
)
