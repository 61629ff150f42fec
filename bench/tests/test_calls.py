"""Tests of the counter of function calls."""

from bench.speed.calls import Way
from lamella.domain.replies.snippets import beginning
from lamella.domain.text.sentences import sentences


def test_a_generator_is_one_call_and_a_comprehension_is_none() -> None:
    way = Way.of(lambda: [beginning(each, 3) for each in sentences("One. Two")])

    named = {(module.rpartition("/")[2], function): count for (module, function), count in way.calls.items()}
    assert named == {
        ("sentences.py", "sentences"): 1,
        ("sentences.py", "sentence_ends"): 1,
        ("snippets.py", "beginning"): 2,
        ("printing.py", "cut_point"): 2,
        ("printing.py", "_joined"): 2,
        ("printing.py", "visible"): 2,
    }
    assert {module.rpartition("/")[2] for module in way.modules} == {"sentences.py", "snippets.py", "printing.py"}


def test_a_change_of_module_is_counted_at_each_call_that_enters_another() -> None:
    way = Way.of(lambda: [beginning("One", 3), beginning("Two", 3)])

    assert (way.calls.total(), way.changes) == (4, 4)


def test_what_other_packages_do_is_not_counted() -> None:
    assert Way.of(lambda: sorted(map(str.lower, "ba"))) == Way()
