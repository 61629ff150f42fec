"""English words that say nothing about what is looked for.

Closed-class words: articles, pronouns, prepositions, conjunctions, auxiliaries, question words, and what the
word splitter leaves of contractions (`don't` gives `don` and `t`). Words that carry meaning in code (`not`
excepted: it is too common to rank by) are not in the list, such as `if`, `for`, `while`, `class`, `null`.
"""

STOP_WORDS = frozenset(
    # Words in running lines can be read and mended; a list of 170 literals cannot.
    """
    a about after again all also am an and any are aren as at be because been before being both but by
    can could couldn d did didn do does doesn doing don down during each few from further had hadn has hasn
    have haven having he her here hers herself him himself his how i in into is isn it its itself just
    ll m ma me might more most much must my myself no nor not now of off on once only or other our ours
    ourselves out over own re s same shall she should shouldn so some such t than that the their theirs
    them themselves then there these they this those through to too under until up upon us ve very was
    wasn we were weren what when where which who whom whose why will with won would wouldn you your yours
    yourself yourselves
    """.split()  # noqa: SIM905 - see above
)
