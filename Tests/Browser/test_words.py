"""Everything the server can say has words in every language of the page."""

import json
import re
import unittest
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
    text = source("Live/SessionRunner.swift")
    names = cases(text, "Name")
    details = re.findall(r'name: \.(\w+), message: "[^"]*", detail: "(\w+)"', text)
    raw = dict(re.findall(r'case (\w+) = "([^"]*)"', text))
    return names | {f"{raw.get(name, name)}-{detail}" for name, detail in details}


def problems():
    """The codes of problems on the socket and over HTTP."""
    transport = "".join(path.read_text() for path in sorted((SOURCES / "KinemaHTTP").glob("*.swift")))
    http = re.findall(r'HTTPError\(\s*\.\w+, "([a-z-]+)"', source() + transport)
    inner = re.findall(r'self\.init\(\.\w+, "([a-z-]+)"', (SOURCES / "KinemaHTTP/HTTPError.swift").read_text())
    own = re.findall(r'HTTPError\(\.\w+, "([a-z-]+)", error\.message\)', source("Server/HistoryRoutes.swift"))
    return cases(source("Live/FramingCheck.swift"), "Code") | set(http) | set(inner) | set(own)


PAGE = STUDIO / "Page"
LANGUAGES = ("en", "de")
FORMS = {"zero", "one", "two", "few", "many", "other"}


def table(language):
    """All words of a language, each under its key, as the pages have them."""
    words = json.loads((PAGE / f"words/{language}.json").read_text())
    return words | {part: json.loads((PAGE / f"words/{part}.{language}.json").read_text()) for part in ("review", "phone")}


def entries(table, key=""):
    """What a table has under each key; forms of a number are one entry."""
    if isinstance(table, str) or table.keys() <= FORMS:
        return {key: table}
    return {name: entry for part, inner in table.items() for name, entry in entries(inner, f"{key}.{part}".strip(".")).items()}


def named():
    """The keys that the page names, as regular expressions; where it puts in a name, any name of the sources may stand."""
    page = "\n".join(file.read_text() for kind in ("*.js", "*.html") for file in sorted(PAGE.rglob(kind)))
    whole = {re.escape(key) for key in re.findall(r'"([a-z]\w*(?:\.[\w-]+)+)(?<!\.html)(?<!\.jsonl)"', page)}
    tables = {rf"{key}\.(.+)" for key in re.findall(r'entry\("(\w+)"\)', page)}
    holes = re.findall(r"`([a-z]\w*\.(?:[\w.-]|\$\{[^`]*?\})+)`", page)
    filled = {"(.+)".join(map(re.escape, re.split(r"\$\{.*?\}(?=[.-]|$)", hole))) for hole in holes}
    return whole, tables | filled


class Tables(unittest.TestCase):
    def test_languages_have_the_same_entries_with_the_same_forms_and_values(self):
        first, *others = [entries(table(language)) for language in LANGUAGES]
        shape = lambda entry: (sorted(entry) if isinstance(entry, dict) else "", set(re.findall(r"\{\w+\}", str(entry))))
        for other in others:
            self.assertEqual(list(first), list(other))
            self.assertEqual([key for key in first if shape(first[key]) != shape(other[key])], [])

    def test_every_entry_is_used_and_every_key_of_the_page_has_words(self):
        found = entries(table("en"))
        whole, patterns = named()
        self.assertGreater(len(whole), 200)
        words = set(re.findall(r"[\w-]+", "\n".join(
            file.read_text() for kind in ("*.js", "*.html", "*.swift") for file in SOURCES.rglob(kind))))
        is_named = lambda match: all(set(re.findall(r"[\w-]+", name)) <= words | states() for name in match.groups())
        unused = [key for key in found if re.escape(key) not in whole
                  and not any((match := re.fullmatch(pattern, key)) and is_named(match) for pattern in patterns)]
        self.assertEqual(unused, [])
        roots = {key.split(".")[0] for key in found}
        self.assertEqual([key for key in whole if key.split("\\.")[0] in roots and not any(
            re.match(rf"{key}(\.|$)", one) for one in found)], [])
        self.assertEqual([pattern for pattern in patterns if pattern.split("\\.")[0] in roots
                          and not any(re.fullmatch(pattern, one) for one in found)], [])

    def test_each_thing_has_one_word(self):
        glossary = json.loads((Path(__file__).parent / "glossary.json").read_text())["things"]
        for language in LANGUAGES:
            told = {key: json.dumps(entry, ensure_ascii=False) for key, entry in entries(table(language)).items()}
            text = "\n".join(told.values()).lower()
            for one in glossary:
                self.assertIn(one[language].lower(), text, f"{language}: {one['thing']}")
                wrong = one["not"].get(language)
                self.assertEqual([f"{key}: {words}" for key, words in told.items() if wrong and re.search(wrong, words)], [], one["thing"])

    def test_every_measure_and_moment_of_a_shown_exercise_has_words_both_ways(self):
        shown = SOURCES / "KinemaCounting/Exercises/Shown"
        rows = re.findall(r"row\(\s*\[([^\]]*)\]", (shown / "Demonstration.swift").read_text())
        parts = set(re.findall(r'row\(\s*\[[^\]]*\],\s*"([a-z ]+)"', (shown / "Demonstration.swift").read_text()))
        names = {re.sub(r"^(left|right)(\w)", lambda match: match[2].lower(), name)
                 for row in rows for name in re.findall(r"\.(\w+)", row)}
        moments = {name for name in cases((shown / "ShownExercise.swift").read_text(), "Moment") if name.isalpha()}
        self.assertEqual((len(names), len(moments)), (24, 5))
        for language in LANGUAGES:
            words = table(language)["shown"]
            self.assertEqual(set(words["measures"]), names)
            self.assertEqual(set(words["moments"]), moments)
            self.assertEqual(set(words["parts"]) - {"the form, which was shown from another view"}, parts)
            for way in words["measures"].values():
                self.assertEqual(len(set(way.values())), 2)


class ServerWords(BrowserCase):
    clip = None

    def missing(self, keys):
        found = {language: entries(table(language)) for language in LANGUAGES}
        return [f"{language}: {key}" for key in sorted(keys) for language in found if key not in found[language]]

    def test_every_state_and_every_problem_has_words_in_every_language(self):
        self.assertGreater(len(states()), 14)
        self.assertGreater(len(problems()), 25)
        self.assertEqual(self.missing([f"hints.{name}" for name in states()] + [f"problems.{code}" for code in problems()]), [])

    def test_every_fault_exercise_and_source_has_words_in_every_language(self):
        motion = SOURCES / "KinemaCounting/Exercises"
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
        for state, said in (("nobody", "Niemand im Bild"), ("reconnecting", "Die Kamera wurde getrennt. Neuer Versuch …"),
                            ("calibrating", "Das Brett ist gefunden; tritt zum Werfen ins Bild")):
            self.tell(type="state", state=state, message="Nobody is in view")
            expect(self.page.locator("#hint")).to_have_text(said)
        self.tell(type="state", state="nobody", detail="hands", message="Hold a hand up")
        expect(self.page.locator("#hint")).to_have_text("Halte eine Hand hoch, damit die Kamera sie sieht")
        # A state that this page does not know yet is told as it comes.
        self.tell(type="state", state="upside-down", message="Turn the camera")
        expect(self.page.locator("#hint")).to_have_text("Turn the camera")

    def test_findings_of_a_shown_exercise_are_told_in_german(self):
        of = lambda code, text, measured, expected, unit="degrees", phase="turn", **more: {
            "code": code, "text": text, "measured": measured, "expected": expected, "unit": unit, "phase": phase, **more}
        said = self.call("words.js", "given.map(it.faultWords)", [
            of("different", "right knee 14 degrees less bent at the turn", 104, 90, measure="knee", side="right"),
            of("different", "both elbows 20 degrees more bent on the way back", 70, 90, phase="back", measure="elbow", side="both"),
            of("different", "hands 20 % of the trunk's length closer together throughout", 0.4, 0.6, "torso lengths", "whole", measure="handGap"),
            of("shallow", "reaches 71 % of the range shown", 0.71, 1, "share"),
            of("uneven", "left side moves 20 % less than the other", 0.8, 1, "share", side="left"),
            of("too_fast", "back 1.9 times as fast as shown", 0.5, 0.95, "seconds", "back"),
            of("too_slow", "pause of 1.2 s at the turn, shown 0.3 s", 1.2, 0.3, "seconds"),
            of("taught", "knees in (by left thigh 60 %, knees 40 %)", 1, 0, "share"),
            of("different", "right knee 14 degrees less bent at the turn", 104, 90), {"code": "shallow"}])
        self.assertEqual(said, [
            "Rechtes Knie 14° weniger gebeugt am Wendepunkt", "Beide Ellbogen 20° stärker gebeugt auf dem Rückweg",
            "Hände etwa 10 cm enger zusammen in der ganzen Wiederholung", "erreicht 71 % des gezeigten Bewegungsumfangs",
            "Die linke Seite bewegt sich 20 % weniger", "1,9-mal so schnell wie vorgegeben auf dem Rückweg",
            "Pause von 1,2 s am Wendepunkt, vorgegeben 0,3 s", "knees in", "anders als gezeigt", "nicht tief genug"])

    def test_what_cannot_be_judged_is_a_hint_in_german(self):
        self.begin("coach")
        self.tell(type="state", state="live", message="")
        self.show("coach", 45)
        expect(self.page.locator("#hint")).to_be_hidden()
        self.show("coach", 46)
        expect(self.page.locator("#hint")).to_have_text("In dieser Ansicht nicht beurteilt: Knie, Unterschenkel")

    def test_problems_are_told_in_german(self):
        self.begin("count")
        self.tell(type="error", code="busy", message="wait for that to end", fatal=True)
        expect(self.page.locator("#notice-text")).to_have_text("Das Studio ist beschäftigt. Versuch es noch einmal.")
        said = self.call("words.js", "it.problemWords('bad-request', 'class squat has 1 clip; at least 2 are needed')")
        self.assertEqual(said, "Das nimmt das Studio nicht an. (Meldung des Studios: class squat has 1 clip; at least 2 are needed)")
