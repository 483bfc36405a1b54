"""Everything the server can say has words in every language of the page."""

import re
from pathlib import Path

from browsing import BrowserCase, expect
from scripted import ScriptedCase

SOURCES = Path(__file__).parents[2] / "Sources"
STUDIO = SOURCES / "KinemaStudio"


def source(*names):
    files = [STUDIO / name for name in names] if names else sorted(STUDIO.rglob("*.swift"))
    return "\n".join(file.read_text() for file in files)


def cases(text, enum):
    """The raw values of an enumeration of Swift."""
    body = re.search(rf"enum {enum}: String[^{{]*{{(.*?)\n(?:    )?}}", text, re.S)[1]
    lines = [line.split("//")[0].strip() for line in body.splitlines()]
    parts = [part.strip() for line in lines if line.startswith("case ") for part in line[5:].split(",")]
    return {re.sub(r'^\w+ = "(.*)"$', r"\1", part) for part in parts if re.fullmatch(r'\w+( = ".*")?', part)}


def states():
    """The states of a session, each with its detail where it has one."""
    text = source("Live/SessionState.swift")
    names = cases(text, "Name")
    details = re.findall(r'name: \.(\w+), message: "[^"]*", detail: "(\w+)"', text)
    raw = dict(re.findall(r'case (\w+) = "([^"]*)"', text))
    return names | {f"{raw.get(name, name)}-{detail}" for name, detail in details}


def problems():
    """The codes of problems on the socket and over HTTP."""
    http = re.findall(r'HTTPError\(\s*\.\w+, "([a-z-]+)"', source())
    inner = re.findall(r'self\.init\(\.\w+, "([a-z-]+)"', source("Server/HTTPError.swift"))
    own = re.findall(r'HTTPError\(\.\w+, "([a-z-]+)", error\.message\)', source("Server/HistoryRoutes.swift"))
    return cases(source("Live/LiveProblem.swift"), "Code") | set(http) | set(inner) | set(own)


class ServerWords(BrowserCase):
    clip = None

    def missing(self, keys):
        return self.call("i18n.js", """(async () => {
            const [{ en }, { de }] = [await import("/js/words/en.js"), await import("/js/words/de.js")];
            const find = (table, key) => key.split(".").reduce((node, name) => node?.[name], table);
            return given.flatMap((key) => Object.entries({ en, de })
                .filter(([, table]) => typeof find(table, key) !== "string").map(([name]) => `${name}: ${key}`));
        })()""", sorted(keys))

    def test_every_state_and_every_problem_has_words_in_every_language(self):
        self.assertGreater(len(states()), 14)
        self.assertGreater(len(problems()), 25)
        self.assertEqual(self.missing([f"hints.{name}" for name in states()] + [f"problems.{code}" for code in problems()]), [])

    def test_every_fault_exercise_and_source_has_words_in_every_language(self):
        motion = SOURCES / "KinemaMotion/Exercises"
        faults = cases((motion / "Fault.swift").read_text(), "FaultCode")
        self.assertGreater(len(faults), 8)
        exercises = {one["name"] for one in self.status["exercises"]}
        sources = {"camera", "stream", "upload", "browser"}
        self.assertEqual(self.missing([f"faults.{code}" for code in faults] + [f"exercises.{name}" for name in exercises]
                                      + [f"sources.{name}" for name in sources]), [])


class German(ScriptedCase):
    def make_context(self, **options):
        return super().make_context(locale="de-DE", **options)

    def tell(self, **message):
        self.page.evaluate("message => window.studio.tell(message)", message)

    def test_states_are_told_in_german(self):
        self.begin("count")
        for state, said in (("nobody", "Niemand im Bild"), ("reconnecting", "Die Kamera ist weg. Neuer Versuch …"),
                            ("calibrating", "Das Brett ist gefunden; tritt zum Werfen ins Bild")):
            self.tell(type="state", state=state, message="Nobody is in view")
            expect(self.page.locator("#hint")).to_have_text(said)
        self.tell(type="state", state="nobody", detail="hands", message="Hold a hand up")
        expect(self.page.locator("#hint")).to_have_text("Halte eine Hand hoch, damit die Kamera sie sieht")
        # A state that this page does not know yet is told as it comes.
        self.tell(type="state", state="upside-down", message="Turn the camera")
        expect(self.page.locator("#hint")).to_have_text("Turn the camera")

    def test_problems_are_told_in_german(self):
        self.begin("count")
        self.tell(type="error", code="busy", message="wait for that to end", fatal=True)
        expect(self.page.locator("#notice-text")).to_have_text("Das Studio ist beschäftigt. Versuch es noch einmal.")
        said = self.call("words.js", "it.problemWords('bad-request', 'class squat has 1 clip; at least 2 are needed')")
        self.assertEqual(said, "Das nimmt das Studio nicht an. (Meldung des Studios: class squat has 1 clip; at least 2 are needed)")
