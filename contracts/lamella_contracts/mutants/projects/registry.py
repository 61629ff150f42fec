"""Faults in the registry: places, names, merges and splits."""

from collections.abc import Callable
from datetime import datetime
from unicodedata import normalize

from attrs import evolve

from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.fixtures.project import START
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutants
from lamella_contracts.mutants.threads import Meeting

MUTANTS = Mutants()


_SWITCH, _SWITCH_MERGED = "memory_is_switched_off_and_on", "a_merged_project_is_switched_where_it_is"


@MUTANTS.add("a switch is answered and not noted", trips={_SWITCH, _SWITCH_MERGED})
class ForgetsSwitches(InMemoryRegistry):
    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        return self.named(project).switched(on=on, now=now)


@MUTANTS.add("a switch forgets earlier times", trips={_SWITCH})
class ForgetsPeriods(InMemoryRegistry):
    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        switched = super().switch(project, on=on, now=now)
        self.projects[switched.id] = evolve(switched, off=switched.off[-1:])
        return self.projects[switched.id]


@MUTANTS.add("a repeated switch begins anew", trips={_SWITCH})
class BeginsAnew(InMemoryRegistry):
    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        if project in self.projects and not on:
            super().switch(project, on=True, now=now)
        return super().switch(project, on=on, now=now)


@MUTANTS.add("a merged project is switched itself", trips={_SWITCH_MERGED})
class SwitchesTheMerged(InMemoryRegistry):
    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        self.projects[project] = self.known(project).switched(on=on, now=now)
        return self.projects[project]


@MUTANTS.add("a restart switches memory on", trips={"switches_survive_a_restart"})
class SwitchesOn(DurableStorage):
    """Says that it keeps things, and forgets what was switched off."""

    def restarted(self) -> None:
        projects = self.registry.projects
        projects.update({id: evolve(each, off=()) for id, each in projects.items()})


@MUTANTS.add("a project's id is made up", trips={"a_new_place_is_a_new_project"})
class MakesUpIds(InMemoryRegistry):
    def at(self, location: Location, *, now: datetime) -> Project:
        known = [each for each in self.projects.values() if location.key in each.aliases]
        made = super().at(location, now=now)
        if known or made.id != location.project_id:
            return made
        id = f"project-{len(self.projects)}"
        self.projects[id] = evolve(self.projects.pop(made.id), id=id)
        self.shelves[id] = self.shelves.pop(made.id)
        return self.projects[id]


@MUTANTS.add("a place renames its project", trips={"a_place_keeps_its_project"})
class Renames(InMemoryRegistry):
    def at(self, location: Location, *, now: datetime) -> Project:
        found = super().at(location, now=now)
        if location.key in found.aliases:
            self.projects[found.id] = evolve(found, name=location.name)
        return self.projects[found.id]


@MUTANTS.add("a look-up makes a project", trips={"looking_makes_nothing"})
class LooksByMaking(InMemoryRegistry):
    def living_at(self, location: Location) -> Project | None:
        return self.at(location, now=START)


@MUTANTS.add(
    "look-ups don't follow a merge",
    trips={"merges_are_followed_all_the_way", "everything_of_the_old_leads_to_the_new"},
)
class LookUpsDontFollow(InMemoryRegistry):
    def living_at(self, location: Location) -> Project | None:
        key = stored_key(location.key)
        return next((each for each in self.projects.values() if key in each.aliases), None)


@MUTANTS.add(
    "projects are told apart by name",
    trips={
        "the_same_name_elsewhere_is_another_project",
        "projects_are_listed_by_name_and_id",
        "a_name_of_several_is_ambiguous",
        "the_old_name_leads_to_the_new",
    },
)
class GoesByName(InMemoryRegistry):
    def at(self, location: Location, *, now: datetime) -> Project:
        named = [each for each in self.projects.values() if each.name == location.name]
        return self.catalogue.home(named[0].id) if named else super().at(location, now=now)


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
    def all(self) -> tuple[Project, ...]:
        return tuple(self.projects.values())


class Naming(InMemoryRegistry):
    """Knows projects by a rule of its own, written out in full."""

    same: Callable[[str, str], bool] = staticmethod(lambda asked, name: asked == name)

    def candidates(self, asked: str) -> list[Project]:
        """Return the projects that `asked` can mean."""
        projects = self.all()
        found = [each for each in projects if each.id == asked]
        found = found or [each for each in projects if stored_key(asked) in each.aliases]
        return found or [each for each in projects if type(self).same(asked, each.name)]

    def named(self, asked: str) -> Project:
        ids = sorted({self.catalogue.home(each.id).id for each in self.candidates(asked)})
        if not ids:
            raise UnknownProjectError(asked=asked)
        return self.chosen(asked, ids)

    def chosen(self, asked: str, ids: list[str]) -> Project:
        """Return the project that `asked` means."""
        if len(ids) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=ids)
        return self.projects[ids[0]]


@MUTANTS.add(
    "aliases are not looked at",
    trips={
        "id_alias_and_name_lead_to_a_project",
        "everything_of_the_old_leads_to_the_new",
        "an_id_goes_before_a_name",
        "hostile_places_are_projects_too",
        "a_split_project_is_itself_again",
    },
)
class NoAliases(Naming):
    def candidates(self, asked: str) -> list[Project]:
        return [each for each in self.all() if asked in (each.id, each.name)]


@MUTANTS.add("names go before ids", trips={"an_id_goes_before_a_name"})
class NamesFirst(Naming):
    def candidates(self, asked: str) -> list[Project]:
        return [each for each in self.all() if asked == each.name] or super().candidates(asked)


@MUTANTS.add("the first of several is taken", trips={"a_name_of_several_is_ambiguous"})
class TakesTheFirst(Naming):
    def chosen(self, asked: str, ids: list[str]) -> Project:
        del asked
        return self.projects[ids[0]]


@MUTANTS.add("names have no case", trips={"names_are_taken_exactly"})
class NamesHaveNoCase(Naming):
    same = staticmethod(lambda asked, name: asked.lower() == name.lower())


@MUTANTS.add("merged names are forgotten", trips={"the_old_name_leads_to_the_new"})
class LiveNamesOnly(Naming):
    def candidates(self, asked: str) -> list[Project]:
        found = super().candidates(asked)
        return [
            each
            for each in found
            if each.moved_to is None or each.id == asked or stored_key(asked) in each.aliases
        ]


@MUTANTS.add("keys are normalised", trips={"hostile_places_are_projects_too"})
class NormalisesKeys(InMemoryRegistry):
    def at(self, location: Location, *, now: datetime) -> Project:
        return super().at(evolve(location, key=normalize("NFC", location.key)), now=now)


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
