"""Languages with a script of their own, which are told apart by it.

To add one, write its table and name it in `SCRIPTS`.
"""

import re
from functools import cache

from lamella.domain.text.languages.language import Language

RUSSIAN = Language(
    stemmer="russian",
    first="\u0400",
    last="\u052f",
    stop_words=frozenset(
        """
        а без более бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже для до
        его ее если есть ещё еще её же за зачем здесь и из или им их к как какая какие каким какими каких какого
        какое какой каком какую когда кого кому кто куда ли либо лишь меня мне можно мой моя мы на над надо нам
        нами нас наш наша наше наши не него нее неё нельзя нет ни них но ну о об он она они оно от откуда отчего
        очень по под после потому почему при про с сам сколько со так также такая такие такое такой там тебя тем
        то того тоже той только том тот ту ты у уже хотя чего чей чем через что чтобы чья эта эти это этого этой
        этом этот эту я
        """.split()  # noqa: SIM905 - running lines can be read and mended
    ),
)

GREEK = Language(
    stemmer="greek",
    first="\u0370",
    last="\u03ff",
    stop_words=frozenset(
        """
        αλλά αν από αυτά αυτές αυτή αυτό αυτός γιατί για δεν εγώ εδώ εκεί είμαι είναι εμείς ένα έναν ένας έχει
        έχουμε η ή θα και κάθε με μας μετά μη μην μια μία μου να ο οι όπου όταν ότι πιο ποια ποιες ποιο ποιοι
        ποιος πολύ πότε που πού πριν προς πώς πως σας σε στα στη στην στις στο στον στους τα τη την της τι τις
        το τον του τους των ως
        """.split()  # noqa: SIM905 - as above
    ),
)

ARMENIAN = Language(stemmer="armenian", first="\u0531", last="\u0588", stop_words=frozenset())

ARABIC = Language(
    stemmer="arabic",
    first="\u0620",
    last="\u06d3",
    stop_words=frozenset(
        """
        أم أن أنا أنت أنه أنها أو أي أية أيضا أين إذا إلا إلى إن إنه إنها الآن التي الذي الذين اللذين ب بأي بعد
        بعض بل بها به بين تكون تلك ثم حتى حيث ذلك ذا ضد ظل عد عليه عليها على عن عند عندما غير ف فقط في فيم فيما
        فيه فيها قبل قد ك كان كانت كل كم كما كيف ل لأن لا لدى لدينا لكن لكي لم لماذا لن له لها لو ليس ليست ما
        ماذا متى مع مما من منذ منه منها نحن هؤلاء هذا هذه هل هم هنا هناك هو هي و وهو وهي ولا وما يكون
        """.split()  # noqa: SIM905 - as above
    ),
)

HINDI = Language(
    stemmer="hindi",
    first="\u0900",
    last="\u0963",
    stop_words=frozenset(
        """
        अब आप इस इसे उस उसे एक और कब कहाँ कहां का कि किस किसी की कुछ के केवल को कौन कौनसा क्या क्यों गया जब जो
        तक तब तो था थी थे ने नहीं पर फिर भी में मैं यह या ये लिए वह वे से हम हमने हमारा हमारे है हैं हो कैसे
        """.split()  # noqa: SIM905 - as above
    ),
)

TAMIL = Language(stemmer="tamil", first="\u0b80", last="\u0bff", stop_words=frozenset())

KOREAN = Language(
    stemmer="",  # its particles stand behind words: pairs of syllables find what stands before them
    first="\uac00",
    last="\ud7a3",
    stop_words=frozenset(
        """
        것 것은 것을 것이 그 그리고 나 나는 내가 너 누가 누구 누구를 때 때문에 또는 뭐 뭐가 뭐였나 뭐였죠 뭐였지
        뭐예요 뭐지 뭔가요 뭘 무슨 무엇 무엇을 무엇이 무엇인가 무엇인가요 무엇입니까 수 어느 어디 어디로 어디서
        어디에 어디에서 어떤 어떻게 언제 언제까지 언제부터 얼마 얼마나 왜 우리 우리가 우리는 우리의 이 있나
        있나요 있는 있습니까 있어 있지 저 제가 하나요 하는 하지 한 할 합니까 해 해야 했나 했나요 했습니까 했어
        했지 가 과 까지 나 는 대로 도 로 로는 를 마다 만 보다 부터 에 에게 에는 에도 에서 와 으로 은 을 의 이나
        처럼
        """.split()  # noqa: SIM905 - as above
    ),
)

SCRIPTS = (GREEK, RUSSIAN, ARMENIAN, ARABIC, HINDI, TAMIL, KOREAN)

STOP_WORDS = frozenset[str]().union(*(language.stop_words for language in SCRIPTS))
"""Stop words of all these languages: their letters tell them apart."""

_RUNS = re.compile(f"[{''.join(f'{language.first}-{language.last}' for language in SCRIPTS)}]+")

_HANGUL = f"[{KOREAN.first}-{KOREAN.last}]"
_BESIDE_KOREAN = re.compile(rf"(?<=[a-zA-Z0-9_])(?={_HANGUL})|(?<={_HANGUL})(?=[a-zA-Z0-9_])")

_UNSPACED_STOP_WORDS = """
        どうしてですか どうして どうすれば どうやって どうなりますか どのように どの どれ どこ どんな なぜですか
        なぜ なんですか 何ですか 何を 何が 何の いくつ いつ 誰が だれが でしょうか ましたか ましょうか ますか
        ですか ません ました ります これは それは この その あの について ために 为什么 为何 什么时候 什么
        怎么样 怎么办 怎么 怎样 如何 哪里 哪儿 哪个 哪些 哪种 多少 谁 是否 是不是 有没有 我们 你们 他们 咱们
        这个 那个 吗 呢 為什麼 為何 什麼時候 什麼 怎麼樣 怎麼辦 怎麼 怎樣 哪裡 哪裏 哪個 哪種 誰 我們 你們 他們
        這個 那個 嗎
"""
"""Question words and endings of Japanese and Chinese."""


def runs(text: str) -> dict[Language, list[str]]:
    """Return the runs of letters of these scripts in `text`, each once, by language."""
    found: dict[Language, list[str]] = {}
    for run in dict.fromkeys(_RUNS.findall(text)):
        found.setdefault(_language(run), []).append(run)
    return found


def with_korean_apart(text: str) -> str:
    """Return `text` with spaces between Korean and the Latin words and numbers that it is joined to."""
    return _BESIDE_KOREAN.sub(" ", text)


def meaningful(run: str) -> list[str]:
    """Return what is left between the stop words of a run of a script without spaces."""
    return [part for part in _unspaced_stop_words().split(run) if part]


def _language(run: str) -> Language:
    return next(language for language in SCRIPTS if run[0] <= language.last)


@cache
def _unspaced_stop_words() -> re.Pattern[str]:
    """Return a pattern of them, each with the particle behind it; made when first needed."""
    return re.compile(f"(?:{'|'.join(_UNSPACED_STOP_WORDS.split())})[はがをにのもでとへ]?")
