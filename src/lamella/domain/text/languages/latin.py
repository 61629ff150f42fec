"""Languages in Latin script, which are told apart by their stop words.

To add one, write its table and name it in `OTHERS`.
"""

import re

from lamella.domain.text.languages.language import Language

# Words in running lines can be read and mended; a list of 170 literals cannot.
ENGLISH = Language(
    stemmer="",  # the index itself has English stems
    synonyms="english_synonyms.txt",
    stop_words=frozenset(
        """
        a about after again all also am an and any are aren as at be because been before being both but by can
        could couldn d did didn do does doesn doing don down during each few from further had hadn has hasn have
        haven having he her here hers herself him himself his how i in into is isn it its itself just ll m ma me
        might more most much must my myself no nor not now of off on once only or other our ours ourselves out
        over own re s same shall she should shouldn so some such t than that the their theirs them themselves
        then there these they this those through to too under until up upon us ve very was wasn we were weren
        what when where which who whom whose why will with won would wouldn you your yours yourself yourselves
        """.split()  # noqa: SIM905 - see above
    ),
)

GERMAN = Language(
    stemmer="german",
    compounds=True,
    stop_words=frozenset(
        """
        aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da
        dabei dadurch dafür dagegen daher damit danach dann daran darauf daraus darf darin darum das dass davon
        davor dazu dein deine dem den denn der deren des deshalb dessen die dies diese diesem diesen dieser
        dieses doch dort du durch eher ein eine einem einen einer eines er es etwas euch für fürs gab gegen gibt
        hab habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede
        jedem jeden jeder jedes jetzt kann kein keine keinen können könnte konnte man mehr mein meine meinem
        meinen meiner mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine
        seinem seinen seiner seit selbst sich sie sind so soll sollen sollte sollten sondern sowie über um und
        uns unser unsere unserem unseren unserer unter vom von vor wann war waren warum was weil welche welchem
        welchen welcher welches wem wen wenn wer werde werden weshalb wie wieder wieso wir wird wo wobei wofür
        wogegen woher wohin womit woran worauf woraus worin wozu wurde wurden würde zu zum zur zwischen
        """.split()  # noqa: SIM905 - as above
    ),
)

FRENCH = Language(
    stemmer="french",
    stop_words=frozenset(
        """
        à ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons c car
        ce cela celle celui ces cet cette ceux chaque chez comme comment d dans de depuis des donc dont du elle
        elles en encore entre es est et était étaient été être eu eux fait faut il ils j je jusqu l la laquelle
        le lequel les lesquels leur leurs lors lorsque lui m ma mais me même mes moi mon n ne ni nos notre nous
        on ont ou où par parce pas peut pour pourquoi qu quand que quel quelle quelles quels quelque qui quoi s
        sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une va
        vers vos votre vous y
        """.split()  # noqa: SIM905 - as above
    ),
)

SPANISH = Language(
    stemmer="spanish",
    stop_words=frozenset(
        """
        a adónde al algo alguna alguno algunos ante antes aquel aquella así aún aunque cada como cómo con cuál
        cuáles cual cuando cuándo cuánta cuántas cuánto cuántos de del desde donde dónde dos durante e el él
        ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos estaba
        fue fueron ha había hace hacer hacia hasta hay he la las le les lo los más me mi mis mucho muy nada ni
        no nos nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero por porque puede
        que qué quién quiénes se sea según ser si sí sido sin sobre solo son su sus también tan tras te tiene
        todo todos tu tus un una unas uno unos usted y ya yo
        """.split()  # noqa: SIM905 - as above
    ),
)

ITALIAN = Language(
    stemmer="italian",
    stop_words=frozenset(
        """
        a ad ai al alla alle allo anche avere c che chi ci come con contro cosa così cui d da dagli dai dal
        dalla dalle degli dei del dell della delle dello di dopo dove e è ed era erano essere fa fino fra già
        gli ha hanno ho i il in io l la le lei li lo loro lui ma me mi mia mio molto ne negli nei nel nell nella
        nelle nello noi non nostra nostre nostri nostro o ogni per perché perchè più poi prima può qual quale
        quali quando quanta quanti quanto quella quelle quelli quello questa queste questi questo qui se senza
        si sia siamo sono sopra sotto stata stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutte
        tutti tutto un una uno va viene vi voi
        """.split()  # noqa: SIM905 - as above
    ),
)

PORTUGUESE = Language(
    stemmer="portuguese",
    stop_words=frozenset(
        """
        a à ao aos as às antes após até cada com como contra da das de dela dele deles depois desde do dos e é
        ela elas ele eles em entre era eram essa essas esse esses esta está estão estas este estes eu foi foram
        há isso isto já lhe mais mas me mesmo meu meus minha muito na não nas nem nenhum no nos nós nossa nossas
        nosso nossos num numa o onde os ou para pela pelas pelo pelos pode podemos por porque porquê qual quais
        quando quanta quantas quanto quantos que quê quem se sem ser seu seus sido são só sob sobre sua suas
        também tem tinha toda todas todo todos tu um uma umas uns você
        """.split()  # noqa: SIM905 - as above
    ),
)

DUTCH = Language(
    stemmer="dutch",
    compounds=True,
    stop_words=frozenset(
        """
        aan al alle alles als altijd andere ben bij daar daarom dan dat de der deze die dit doen door dus een en
        er ging geen had heb hebben heeft hem het hier hij hoe hoeveel hun iets ik in is ja je jij jou jouw kan
        kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat ons onze ook
        op over te tegen ten toch toen tot u uit uw van vanaf veel voor waar waarom waarin waarmee waarop
        wanneer want waren was wat we wel welk welke werd werden wie wij word worden wordt zal ze zei zelf zich
        zij zijn zo zonder zou
        """.split()  # noqa: SIM905 - as above
    ),
)

OTHERS = (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)

_ENGLISH_TOO = frozenset(
    """
    ad al ante bin car chez com come con contra da dan de del dell den des die dies door du e el en era es est
    et eu fait fine han hat ja la las le les lo los man mes mi mi min mit mon na ne ni num nun o ob om op os par
    pas per pro qui san se sea sera si sin solo son soy su sub sui sur ta te ten tot ton trap tu um un van vi
    via vie von want war wear wel word y ya ze zero über ai aux ben comment dit dove elle fra gab hem hoe kan
    men mich nada poi pour uno wo
    """.split()  # noqa: SIM905 - as above
)
"""Words of other languages that English texts hold too, as words, names or abbreviations."""

LEAST_EVIDENCE = 1.5
"""Minimum of its stop words in a text of a language, see `language_of`; one is a name, a quotation or a typo."""

MOST_WORDS_PER_STOP_WORD = 12
"""Maximum of different words in a text for each stop word: in prose it is 3 to 6."""

_LETTERS = re.compile(r"[^\W\d_]+")
_ACCENT = re.compile("[\xc0-\xd6\xd8-\xf6\xf8-\u024f]")
_OWN = {
    language: frozenset(word for word in language.stop_words - ENGLISH.stop_words if len(word) > 1)
    for language in OTHERS
}
_TELLING = {language: words - _ENGLISH_TOO for language, words in _OWN.items()}
_ALL_TELLING = frozenset[str]().union(*_TELLING.values())


def language_of(text: str) -> Language:
    """Return the language in Latin script that `text` holds most stop words of: English unless others prevail.

    A word that English texts hold too counts half, a letter that is a word not at all, and an accent as one more
    word.
    """
    if text.isascii() and text.count(" the ") > 1:
        return ENGLISH  # spares most English texts the rest
    words = frozenset(_LETTERS.findall(text.lower()))
    if words.isdisjoint(_ALL_TELLING):
        return ENGLISH
    halves = {language: len(words & _TELLING[language]) + len(words & _OWN[language]) for language in OTHERS}
    likeliest = max(OTHERS, key=halves.__getitem__)
    evidence = halves[likeliest] / 2 + bool(_ACCENT.search(text))
    english = len(words & (ENGLISH.stop_words - likeliest.stop_words))
    enough = evidence >= max(LEAST_EVIDENCE, len(words) / MOST_WORDS_PER_STOP_WORD)
    return likeliest if enough and evidence > english else ENGLISH
