"""Faults in the registry: places, names, merges and splits."""

from datetime import datetime
from unicodedata import normalize

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue
from lamella.domain.transactions.registry import KeepOff, LeadTo, ProjectLook, RegistryWrite
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutants
from lamella_contracts.mutants.threads import Meeting

MUTANTS = Mutants()


_SWITCH = "memory_is_switched_off_and_on"


class Writing(InMemoryRegistry):
    """Changes each write before it carries it out."""

    def changed(self, write: RegistryWrite) -> RegistryWrite | None:
        """Return the write to carry out."""
        return write

    def _write(self, write: RegistryWrite) -> None:
        changed = self.changed(write)
        if changed is not None:
            super()._write(changed)


@MUTANTS.add("a switch is answered and not noted", trips={_SWITCH})
class ForgetsSwitches(Writing):
    def changed(self, write: RegistryWrite) -> RegistryWrite | None:
        return None if isinstance(write, KeepOff) else write


@MUTANTS.add("a switch forgets earlier times", trips={_SWITCH})
class ForgetsPeriods(Writing):
    def changed(self, write: RegistryWrite) -> RegistryWrite:
        return KeepOff(evolve(write.project, off=write.project.off[-1:])) if isinstance(write, KeepOff) else write


@MUTANTS.add(
    "aliases are forgotten",
    trips={
        "a_new_place_is_a_new_project",
        "a_place_keeps_its_project",
        "id_alias_and_name_lead_to_a_project",
        "hostile_places_are_projects_too",
    },
)
class ForgetsAliases(Writing):
    def changed(self, write: RegistryWrite) -> RegistryWrite | None:
        return None if isinstance(write, LeadTo) else write


@MUTANTS.add("a restart switches memory on", trips={"switches_survive_a_restart"})
class SwitchesOn(DurableStorage):
    """Says that it keeps things, and forgets what was switched off."""

    def restarted(self) -> None:
        projects = self.registry.projects
        projects.update({id: evolve(each, off=()) for id, each in projects.items()})


@MUTANTS.add(
    "projects are listed as they were made",
    trips={
        "projects_are_listed_by_name_and_id",
        "a_new_place_is_a_new_project",
        "a_place_keeps_its_project",
        "a_merged_project_stays_in_the_list",
    },
)
class ListsAsMade(InMemoryRegistry):
    @property
    def catalogue(self) -> Catalogue:
        return Catalogue(self.projects, super().catalogue.homes)


class Finding(InMemoryRegistry):
    """Finds some projects, and those that they were merged into."""

    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        """Return the projects that are found."""
        asked = (
            (each.id in look.ids or {*each.aliases} & {*look.aliases} or each.name in look.names, each)
            for each in known.projects.values()
        )
        return [each for wanted, each in asked if wanted or look.every]

    def look(self, look: ProjectLook) -> Catalogue:
        known = super().look(look)
        found = self.found(look, known)
        ids = {id for each in found for id in (each.id, known.homes[each.id])}
        return Catalogue({id: each for id, each in known.projects.items() if id in ids}, known.homes)


@MUTANTS.add(
    "aliases are not looked at",
    trips={
        "a_place_keeps_its_project",
        "id_alias_and_name_lead_to_a_project",
        "everything_of_the_old_leads_to_the_new",
        "hostile_places_are_projects_too",
        "a_split_project_is_itself_again",
        "memory_is_switched_off_and_on",
    },
)
class NoAliases(Finding):
    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        return super().found(evolve(look, aliases=()), known)


@MUTANTS.add("the first of several is taken", trips={"a_name_of_several_is_ambiguous"})
class TakesTheFirst(Finding):
    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        return super().found(look, known)[: None if look.every or not look.names else 1]


@MUTANTS.add("merged names are forgotten", trips={"the_old_name_leads_to_the_new"})
class LiveNamesOnly(Finding):
    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        live = [each for each in known.projects.values() if each.moved_to is None]
        by_name = super().found(ProjectLook(names=look.names), Catalogue.of(live))
        return by_name + super().found(evolve(look, names=()), known)


@MUTANTS.add("keys are normalised", trips={"hostile_places_are_projects_too"})
class NormalisesKeys(Writing):
    def changed(self, write: RegistryWrite) -> RegistryWrite:
        if isinstance(write, LeadTo):
            return LeadTo(write.project, tuple(normalize("NFC", each) for each in write.aliases))
        return write


@MUTANTS.add("threads that meet make several", trips={"threads_that_meet_at_a_place_agree"})
class MakesTwice(InMemoryRegistry):
    """Looks first and makes later."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        known = self.living_at(location)
        thread = self.meeting.wait()
        if known is not None:
            return known
        made = location if thread == 0 else evolve(location, key=f"{location.key} {thread}")
        return super().at(made, now=now)
