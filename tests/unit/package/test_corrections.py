"""Corrections through the front door."""

import pytest

import lamella
from lamella import Memory

NOTE = "Staging is reset every night."


def test_a_memory_is_corrected_and_keeps_its_history(memory: Memory) -> None:
    old = memory.save(NOTE, keywords="wiped").observation
    unchanged = memory.replace(str(old.id)[:8], NOTE)
    assert (unchanged.observation, unchanged.added) == (old, lamella.Added.DUPLICATE)
    new = memory.replace(old.id, "Staging is reset on Sundays.", title="Staging").observation
    assert (new.title, new.keywords) == ("Staging", "wiped")
    assert [each.content for each in memory.history(new.id)] == [new.content, NOTE]
    assert [each.id for each in memory.history(str(old.id)[:8])] == [old.id]
    (edit,) = memory.log(str(new.id)[:8])
    assert (edit.name, edit.entry.added, edit.entry.purged) == ("1", (new.id,), (old.id,))
    assert memory.undo(edit.name, dry_run=True).restored == memory.undo().restored == (old.id,)
    assert [each.name for each in memory.log(limit=1)] == ["2"]
    assert memory.get([str(old.id)[:8]]).observations[0].content == NOTE
    with pytest.raises(lamella.NothingFoundError):
        memory.history("00000000")


def test_a_refused_replacement_names_the_latest_version_unless_it_is_purged(memory: Memory) -> None:
    first = memory.save(NOTE, title="Staging").observation
    second = memory.replace(first.id, "Staging is reset on Sundays.").observation
    third = memory.replace(second.id, "Staging is never reset.").observation
    with pytest.raises(lamella.NotReplaceableError, match=r"Its latest version is \w{8} \(Staging\)") as refused:
        memory.replace(first.id, "Staging is gone.")
    assert refused.value.by is not None
    assert str(third.id).startswith(refused.value.by.id)
    memory.purge([third.id])
    with pytest.raises(lamella.NotReplaceableError, match=r"already purged\. Give ids"):
        memory.save("Staging is gone.", replaces=[second.id])
