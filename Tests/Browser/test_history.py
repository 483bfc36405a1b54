"""The history page with many sessions: days, tiles, charts and their tables; each row leads to its review."""

import datetime
import json
import random
import re

from browsing import SIZES, BrowserCase, expect

# What the page takes for now: the dates of its sessions, and so what a search for one finds, are those of every run.
NOW = datetime.datetime(2026, 11, 29, 12, 40, tzinfo=datetime.timezone.utc)
IT_IS_NOW = f"""{{
    const now = {NOW.timestamp() * 1000};
    window.Date = class extends Date {{
        constructor(...values) {{ super(...values.length > 0 ? values : [now]); }}
        static now() {{ return now; }}
    }};
}}"""


def session(number, mode, days, **rest):
    date = (NOW - datetime.timedelta(days=days, minutes=number)).isoformat().replace("+00:00", "Z")
    return {"id": f"00000000-0000-4000-8000-{number:012}", "date": date, "mode": mode, "source": "camera",
            "duration": 40.0, "count": 0, "people": 1, "repetitions": [], "holds": [], "throws": [], "pinches": [], "segments": [],
            "hasPoses": False, "exports": ["json"], **rest}


def repetition(index, chance, depth):
    out, back = chance.uniform(0.6, 0.9), chance.uniform(0.6, 0.9)
    fault = {"code": "shallow", "joint": "leftKnee", "phase": "bottom", "measured": 0.7,
             "expected": 0.9}
    return {"id": 1, "number": index + 1, "start": index * 2.5, "end": index * 2.5 + out + back + 0.2, "confidence": 0.9, "depth": depth,
            "tempo": {"eccentric": out, "pause": 0.2, "concentric": back}, "faults": [fault] if chance.random() < 0.2 else []}


def many():
    chance = random.Random(7)
    sessions = []
    for days in range(12):
        for _ in range(chance.choice([1, 2, 2])):
            count = chance.randint(6, 14)
            depth = 0.97 - days * 0.01
            repetitions = [repetition(at, chance, depth + chance.uniform(0, 0.1)) for at in range(count)]
            sessions.append(session(len(sessions), "coach", days, count=count, repetitions=repetitions,
                                    exercise=chance.choice(["squat", "push_up"])))
    for days in (2, 5):
        throws = [{"type": "underhand", "speed_mps": chance.uniform(5, 8), "speed_mph": 14.0, "angle": 41.0,
                   "landing": "board", "score": chance.choice([0, 1, 3]), "start": at * 4.0, "end": at * 4 + 1.0}
                  for at in range(8)]
        sessions.append(session(len(sessions), "toss", days, count=8, throws=throws, source="toss.mp4"))
    return sorted(sessions, key=lambda one: one["date"], reverse=True)


class History(BrowserCase):
    clip = None
    first = None

    def setUp(self):
        super().setUp()
        self.sessions = many()
        self.page.add_init_script(IT_IS_NOW)
        self.page.route("**/api/history?*", lambda route: route.fulfill(json={"sessions": self.sessions}))
        self.page.goto(self.studio.address + "history.html")
        self.page.locator("#trend").wait_for()

    def test_german_on_a_phone_is_whole_with_large_numbers_and_long_names(self):
        for one in self.sessions[::3]:
            one["details"] = {"name": "Bulgarische Kniebeuge mit Kurzhanteln und sehr langem Namen", "person": "Anna-Katharina Sonnenschein-Müller"}
        page = self.blank(self.make_context(locale="de-DE", viewport=SIZES["phone"]))
        page.add_init_script(IT_IS_NOW)
        page.route("**/api/history?*", lambda route: route.fulfill(json={"sessions": self.sessions}))
        page.goto(self.studio.address + "history.html")
        expect(page.locator("a.session").first).to_be_visible()
        for half in ("sets", "progress"):
            page.locator(f"label:has(#half-{half})").click()
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
            cut = page.evaluate("""[...document.querySelectorAll(".tiles div, .session, .workout h3, #bests-room, .trend")]
                .filter((room) => room.clientWidth > 0 && [...room.querySelectorAll("dd, .much, .what, td, figcaption")].some((one) =>
                    one.getBoundingClientRect().right > room.getBoundingClientRect().right + 0.5)).map((room) => room.innerText)""")
            self.assertEqual(cut, [])

    def test_days_tiles_and_charts_agree_with_the_sessions(self):
        page = self.page
        self.assertEqual(page.locator("a.session").count(), len(self.sessions))
        days = {datetime.datetime.fromisoformat(one["date"].replace("Z", "+00:00")).astimezone().date()
                for one in self.sessions}
        self.assertEqual(page.locator("section.day").count(), len(days))
        total = sum(one["count"] for one in self.sessions if one["mode"] == "coach")
        expect(page.locator("#tiles dd").nth(1)).to_have_text(str(total))
        self.shoot("history", whole=True)

        # The trend of every measure has a name, and its numbers as a table.
        for measure, has in (("count", True), ("range", True), ("tempo", True), ("symmetry", False), ("load", False), ("angle", False),
                             ("score", True), ("points", True), ("speed", True)):
            page.locator("#trend-measure").select_option(measure)
            expect(page.locator("#trend figure")).to_have_count(int(has))
            if has:
                self.assertRegex(page.locator("#trend svg").get_attribute("aria-label"), r"values, the last")
                page.locator("#trend summary").click()
                self.assertGreaterEqual(page.locator("#trend tbody tr").count(), 2)
        page.locator("#trend-measure").select_option("count")
        most = max(one["count"] for one in self.sessions if one["mode"] == "coach")
        page.locator("#trend summary").click()
        weeks = page.locator("#trend tbody td:nth-child(2)").all_inner_texts()
        self.assertEqual(max(map(int, weeks)), most)
        page.locator("#trend-goal").fill("20")
        page.keyboard.press("Tab")
        expect(page.locator("#trend svg")).to_contain_text("Goal 20")
        page.reload()
        expect(page.locator("#trend-goal")).to_have_value("20")

    def test_on_a_phone_it_begins_short_and_its_chart_is_read(self):
        page = self.page
        page.set_viewport_size({"width": 360, "height": 740})
        page.reload()
        expect(page.locator("a.session")).to_have_count(6)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollHeight"), 2000)
        page.locator("#older").click()
        expect(page.locator("a.session")).to_have_count(len(self.sessions))
        page.locator("#half-progress").check(force=True)
        # Upright and on its side a letter of the chart is as large as one of the page.
        for width, height in ((360, 740), (740, 360)):
            page.set_viewport_size({"width": width, "height": height})
            self.until("(() => { const svg = document.querySelector('#trend svg'); return Math.abs(svg.clientWidth - svg.viewBox.baseVal.width) < 1; })()")

    def test_it_is_filtered_by_mode_and_exercise(self):
        page = self.page
        page.locator("#filter-mode").select_option("toss")
        expect(page.locator("a.session")).to_have_count(2)
        page.locator("#filter-mode").select_option("")
        page.locator("#filter-exercise").select_option("Push-up")
        expect(page.locator("a.session")).to_have_count(
            sum(one.get("exercise") == "push_up" for one in self.sessions))

    def test_it_is_searched_in_any_case_and_without_accents(self):
        page = self.page
        toss = sum(one["mode"] == "toss" for one in self.sessions)
        for words, found in (("TÓSS", toss), ("squat camera", sum(one.get("exercise") == "squat" for one in self.sessions)),
                             ("nothing like it", 0), ("", len(self.sessions))):
            page.locator("#filter-words").fill(words)
            expect(page.locator("a.session")).to_have_count(found)
        # Another Thursday of that month is in 2026 as well.
        day = page.locator("section.day").nth(3)
        date, of_day = day.locator("h2").inner_text(), day.locator("a.session").count()
        self.assertEqual(date, "Thursday, 26 November 2026")
        page.locator("#filter-words").fill(date)
        expect(page.locator("section.day h2")).to_have_text([date])
        expect(page.locator("a.session")).to_have_count(of_day)
        page.locator("#filter-words").fill("nothing like it")
        expect(page.locator("#message")).to_have_text("No matching session.")

    def test_bests_are_those_of_the_sessions(self):
        page = self.page
        rows = page.locator("#bests tbody tr")
        expect(rows).to_have_count(2)
        for row in rows.all():
            name = "squat" if row.locator("th").inner_text() == "Squat" else "push_up"
            counts = [one["count"] for one in self.sessions if one.get("exercise") == name]
            cells = row.locator("td").all_inner_texts()
            self.assertEqual((int(cells[0]), int(cells[1])), (max(counts), len(counts)))
        # Nothing was held, and no load given.
        self.assertEqual(page.locator("#bests thead th").all_inner_texts(), ["Exercise", "Most", "Sets", "Deepest"])

    def test_a_row_leads_to_its_review_by_keyboard_and_the_way_back_to_the_list(self):
        page = self.page
        page.route("**/api/history/*", lambda route: route.fulfill(
            body=json.dumps(next(one for one in self.sessions if one["id"] in route.request.url)),
            content_type="application/json"))
        first = page.locator("a.session").first
        self.assertEqual(first.get_attribute("href"), f"review.html#{self.sessions[0]['id']}")
        first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#repetition-list li")).to_have_count(self.sessions[0]["count"])
        page.go_back()
        expect(page.locator("a.session").first).to_be_visible()

    def test_no_page_weighs_more_than_four_hundred_kilobytes(self):
        for path in ("", "review.html", "history.html"):
            page = self.open(path)
            self.until("document.querySelector('[data-t]').textContent !== ''", page=page)
            files = page.evaluate("""[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                .filter(({ name }) => !new URL(name).pathname.startsWith("/api/")).map(({ name, decodedBodySize }) => [name, decodedBodySize])""")
            self.assertGreater(len(files), 25)
            self.assertLess(sum(size for _, size in files), 400_000, path)
            # The words of one language alone.
            self.assertEqual([name for name, _ in files if name.endswith("de.json")], [])
            page.close()

    def test_it_can_be_installed(self):
        manifest = self.page.evaluate("(async () => (await fetch('manifest.webmanifest')).json())()")
        self.assertEqual((manifest["display"], manifest["start_url"]), ("standalone", "./"))
        for icon in manifest["icons"]:
            size = self.page.evaluate("""async (source) => {
                const image = new Image();
                image.src = source;
                await image.decode();
                return [image.naturalWidth, image.naturalHeight];
            }""", icon["src"])
            if icon["sizes"] != "any":
                self.assertEqual("x".join(map(str, size)), icon["sizes"])


class Long(BrowserCase):
    clip = None

    def setUp(self):
        super().setUp()
        self.asked = []
        outline = {"repetitions": 8, "holds": 0, "throws": 0, "pinches": 0, "segments": 0, "marks": 0, "faults": 0, "faulty": 0,
                   "score": 0, "depth": 0.9, "deepest": 1.0, "seconds": 2.0, "speeds": [], "actions": [], "labels": []}
        self.sessions = [session(number, "coach", number, count=8, exercise="squat", outline=outline)
                         for number in range(1250)]
        for one in self.sessions:
            for name in ("repetitions", "holds", "throws", "pinches", "segments", "exports"):
                del one[name]
        self.page.route("**/api/history?*", self.answer)
        self.page.goto(self.studio.address + "history.html")
        self.page.locator("#trend").wait_for()

    def answer(self, route):
        self.asked.append(route.request.url)
        at = int(re.search(r"after=(\d+)", route.request.url)[1]) if "after" in route.request.url else 0
        part = {"sessions": self.sessions[at:at + 100]}
        if at + 100 < len(self.sessions):
            part["next"] = str(at + 100)
        route.fulfill(json=part)

    def test_a_long_history_is_read_and_shown_part_by_part(self):
        page = self.page
        self.assertEqual(len(self.asked), 10)
        expect(page.locator("a.session")).to_have_count(100)
        expect(page.locator("#tiles dd").nth(2)).to_have_text("1,000")
        older = page.locator("#older")
        for shown in range(200, 1100, 100):
            older.click()
            expect(page.locator("a.session")).to_have_count(shown)
        self.assertEqual(len(self.asked), 10)
        older.click()
        expect(page.locator("a.session")).to_have_count(1100)
        expect(page.locator("#tiles dd").nth(2)).to_have_text("1,250")
        self.shoot("history-long")
        older.click()
        older.click()
        expect(page.locator("a.session")).to_have_count(1250)
        expect(older).to_be_hidden()


class Offline(BrowserCase):
    clip = None
    expected = r"net::ERR|Failed to fetch|Failed to load resource"

    def test_after_the_first_load_the_page_opens_without_the_studio(self):
        page = self.page
        self.until("navigator.serviceWorker.controller !== null")
        self.until("async () => (await (await caches.open('kinema-page')).keys()).length > 30")
        self.studio.stop()
        for path in ("", "history.html"):
            page.goto(self.studio.address + path)
            self.assertTrue(page.locator(".brand").is_visible())
        expect(page.locator("#message")).to_have_text("The studio does not answer. Is it still running?")
        page.goto(self.studio.address)
        expect(page.locator("#start")).to_have_text("Start")
        # In the other language too, which was not read yet.
        page.evaluate("localStorage.setItem('kinema', JSON.stringify({ language: 'de' }))")
        page.goto(self.studio.address + "history.html")
        expect(page.locator("#message")).to_have_text("Das Studio antwortet nicht. Läuft es noch?")
