"""The day as data: what is saved, what is asked for in other words, and what the user says.

Questions and prompts are not changed because an answer is poor.
"""

from attrs import frozen


@frozen
class Memory:
    """Something that the model saves; the day calls it by `key`."""

    key: str
    text: str
    source: str = ""
    paths: tuple[str, ...] = ()
    everywhere: bool = False

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of `save_memory`."""
        given = {
            "text": self.text,
            "source": self.source,
            "paths": list(self.paths),
            "everywhere": self.everywhere,
        }
        return {name: value for name, value in given.items() if value}


def _decision(key: str, text: str, *paths: str) -> Memory:
    return Memory(key, text, "decision", paths)


PAYMENTS = (
    _decision(
        "retries",
        "charge() never retries: the bank books each attempt, and two customers paid twice in March. "
        "A failed payment goes back to the customer.",
        "ferry/payments.py",
    ),
    Memory("cents", "Prices are integers of cents everywhere, because floats lost a cent on child fares."),
    _decision(
        "refunds",
        "Refunds are vouchers by default, because the bank takes 1.20 for each transfer. "
        "Cash goes back only where we cancel the sailing.",
    ),
    Memory(
        "idempotency", "Each booking sends its own id as Idempotency-Key, so that the provider drops duplicates."
    ),
    _decision("currency", "We charge in euros only. The Danish partner converts at the desk."),
    Memory("sandbox", "The sandbox of the provider takes only cards that end in 4242, and is down on Sundays."),
    Memory(
        "webhook", "The provider's webhook may come before charge() returns, so mark_paid() has to stand both."
    ),
    Memory(
        "invoices",
        "Invoices are numbered without gaps, as the tax office demands. A voided one keeps its number.",
    ),
    Memory(
        "timeout",
        "The bank answers within 20 seconds or never; PAYMENT_TIMEOUT stays at 25.",
        "",
        ("ferry/payments.py",),
    ),
    _decision(
        "scalpers",
        "More than five bookings from one phone number within an hour wait for a human since the scalper in June.",
    ),
)
"""Saved in the first session."""

SEATS = (
    _decision(
        "holds",
        "A seat is held for 15 minutes, because the ticket machines on the quay need up to twelve.",
        "ferry/seats.py",
    ),
    _decision("overbooking", "We never overbook, not even by one: the coast guard counts heads."),
    Memory(
        "zones",
        "Departure times are local wall time with the name of the zone, since the islands switch to summer on "
        "another day.",
    ),
    Memory("cars", "Cars are counted in metres of deck, not in places; a camper takes seven."),
    _decision("weather", "Only the captain cancels for weather, by radio. Software must never do so by itself."),
    Memory("winter", "The port office maintains data/winter.csv, which holds from the last Sunday of October."),
    Memory("bicycles", "Bicycles ride free but need a ticket of their own, for the fire plan."),
    Memory("dogs", "Dogs are in the manifest like passengers, but have no fare."),
    Memory(
        "partial_index",
        "seat_hold has a partial index on expires_at; without it release_expired() locked the table for 40 s.",
        "",
        ("ferry/seats.py",),
    ),
    _decision(
        "standby", "Stand-by passengers board in the order in which they came to the gate; the crew insisted."
    ),
)
"""Saved in the second session."""

OPERATIONS = (
    _decision(
        "plain_mail",
        "Tickets are mailed as plain text with a link, because the PDF landed in spam at two large providers.",
        "ferry/mail.py",
    ),
    _decision(
        "cache",
        "Departures are cached for ten minutes, because the line to the office is slow and drops at high tide.",
        "ferry/timetable.py",
    ),
    Memory("deploys", "We deploy between 22:00 and 5:00 only, when no ship sails."),
    Memory("backups", "Backups go to tape on Fridays. Restoring was rehearsed in May and took three hours."),
    _decision("logs", "Log lines never hold names or phone numbers of passengers; the auditor looks."),
    Memory(
        "languages", "Texts for passengers are Danish, German and English; the German one counts before a court."
    ),
    Memory("rate", "The public API allows 60 calls a minute for each key; the tourist board has 600."),
    Memory("flags", "Feature flags are read once, when a worker starts."),
    Memory("sms", "SMS leave through our own modem, one every two seconds: at most 200 before a sailing."),
    Memory("test_database", "Tests run on SQLite in memory, but test_seats.py needs SKIP LOCKED of PostgreSQL."),
)
"""Saved in the third session."""

REST = (
    Memory("early_returns", "The user likes early returns better than nested ifs."),
    Memory("queues", "The queues are called abfahrt and ankunft; nobody renames them while consumers listen."),
    Memory("importer", "The old Perl importer still writes the partner's bookings, at 3:15; it goes in spring."),
    Memory("screenshots", "Screenshots in the manual are taken at 1280 pixels, in the light theme."),
    Memory("ticket_ids", "Ticket ids have no 0, O, 1 or I, because people read them out over the phone."),
    Memory("holidays", "CI breaks on the first of January: holidays.csv is by year. Add the new one in December."),
    Memory("qr", "The QR code is signed, so that gates work offline; the key rotates each quarter."),
    _decision("redis", "We tried Redis for holds and dropped it: after a power cut it had forgotten them."),
    Memory(
        "deletion", "Passenger lists are deleted 30 days after the sailing, by law; statistics keep counts only."
    ),
    Memory("commits", "The user wants commit subjects in the imperative, and no emoji anywhere.", everywhere=True),
)
"""Saved in the fourth session."""

MEMORIES = (*PAYMENTS, *SEATS, *OPERATIONS, *REST)

CORRECTED = _decision(
    "cache_since",
    "Departures are cached for one minute: the office has fibre since autumn, and passengers missed new gates.",
    "ferry/timetable.py",
)
"""What takes the place of the memory `cache`."""

QUESTIONS = (
    ("What happens when a payment is declined, do we try again?", "retries"),
    ("Which numeric type do prices have, and why?", "cents"),
    ("Do people get their money back when they withdraw?", "refunds"),
    ("How does the gateway recognise a booking that it has already seen?", "idempotency"),
    ("Can somebody pay in kroner?", "currency"),
    ("Is there a test credit card number for development?", "sandbox"),
    ("The callback shows up too early, is that a race?", "webhook"),
    ("May we delete an invoice?", "invoices"),
    ("How long do we wait until the bank reacts?", "timeout"),
    ("Is there a protection against bots that buy up everything?", "scalpers"),
    ("How much time does a customer have before the seat is free again?", "holds"),
    ("May we sell more tickets than there is room aboard?", "overbooking"),
    ("Should departures be stored in UTC?", "zones"),
    ("How is the capacity for vehicles calculated?", "cars"),
    ("Could we call off trips automatically when the weather is bad?", "weather"),
    ("Who edits the off-season plan?", "winter"),
    ("Does a cyclist have to buy a ticket?", "bicycles"),
    ("Pets on board", "dogs"),
    ("Why was freeing stale reservations blocking the table?", "partial_index"),
    ("Who boards first from the waiting list?", "standby"),
    ("Why do confirmation e-mails come without an attachment?", "plain_mail"),
    ("How stale may the departures on the website be?", "cache"),
    ("At what time of day can a release go out?", "deploys"),
    ("How long would restoring the database take?", "backups"),
    ("Personal data in log files", "logs"),
    ("Which translation is legally binding?", "languages"),
    ("I switched a feature on and nothing happened", "flags"),
    ("Limit for bulk text messages to mobiles", "sms"),
    ("Which tests require a real database server?", "test_database"),
    ("How long may we retain what we know about passengers?", "deletion"),
)
"""Questions in other words, and the key of the memory that answers each."""

UNRELATED = "How do I centre a div in the footer of the brochure?"
"""A question that no memory answers."""

PROMPTS = (
    ("Add a retry to charge() for the case that the bank does not answer.", "retries"),
    ("Let people pay in Swedish kronor too.", "currency"),
    ("Attach the ticket to the mail as a PDF, people ask for it.", "plain_mail"),
    ("The deck is sold out although half of it is empty. Look at how cars are counted.", "cars"),
    ("Let us use Redis for the holds of seats, it is faster.", "redis"),
    ("Log the name of the passenger when a booking fails, so that support finds it.", "logs"),
    ("Ship the fix now, it is noon and everybody waits.", "deploys"),
    ("Rename the queue abfahrt to departures.", "queues"),
    ("Cancel sailings by itself where the forecast says more than nine Beaufort.", "weather"),
    ("Send an SMS to all 900 passengers of the late ferry.", "sms"),
    ("Make the suite faster: run everything on SQLite.", "test_database"),
    ("Places come free too late when nobody pays. Give them back sooner.", "holds"),
    ("Store fares as floats, the discount has fractions.", "cents"),
    ("Pay refunds out in cash, people ask for it.", "refunds"),
    ("Renumber the invoices so that the voided ones disappear.", "invoices"),
    ("Lower PAYMENT_TIMEOUT to 10 seconds.", "timeout"),
    ("Convert all departure times to UTC.", "zones"),
    ("release_expired() is slow again, look at its query.", "partial_index"),
    ("Let bicycles board without a ticket, they are free anyway.", "bicycles"),
    ("Run the payment tests next Sunday with my own card.", "sandbox"),
)
"""Prompts of somebody who doesn't know what was decided, and the key of the memory that would tell."""

OTHER_PROMPTS = (
    "Rename the variable n in the main function to count.",
    "Write a docstring for the function that parses the command line.",
    "Which versions of Python do we support?",
    "Add a dark theme to the start page.",
    "Why is the import of this module so slow?",
    "Format the code and run the linter.",
    "Make the menu of the website usable on small phones.",
    "Update the dependencies and tell me what has changed.",
    "Show me how many lines each module has.",
    "Explain to me what a context manager is good for.",
    "The build is red since this morning, have a look.",
    "Split this file in two, it has become too long.",
    "Put the constants at the top of each module.",
    "Commit what you have and push the branch.",
    "Why does the linter complain about this line?",
    "Write a test for the case that the list is empty.",
    "Replace the print statements by a logger.",
    "How do I run one test only?",
    "Use a dataclass instead of the dictionary here.",
    "The start page shows the old logo, replace it.",
)
"""Prompts that no memory helps with."""
