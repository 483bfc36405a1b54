"""A coach's day from the first set to the printed report: two people, a plan of three exercises, last week beside today."""

import re
from datetime import datetime, timedelta, timezone

from browsing import SHOTS, SIZES, expect
from reviewing import ReviewCase

# Name, repetitions of its set, load in kg.
EXERCISES = [("Jumping jack", 2, 4), ("Press", 1, 12.5), ("Farmer's walk", 1, 16)]


class Day(ReviewCase):
    clip = "jacks-round"
    recorded = [("count", "four", True)]
    first = ""

    def plant_last_week(self):
        """Ada's set of last week, as the studio counted it then."""
        recorded = self.sessions[0]
        session = self.plant(recorded, recorded["repetitions"])
        date = (datetime.now(timezone.utc) - timedelta(days=7)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        with self.history() as store:
            store.execute("UPDATE session SET date = ? WHERE id = ?", [date, session["id"]])
        details = {"person": "Ada", "name": "Jumping jack", "load": {"value": 2, "unit": "kg"}}
        answer = self.context.request.put(f"{self.studio.address}api/history/{session['id']}/details", data=details)
        self.assertEqual(answer.status, 200, answer.text())
        return session

    def write_plan(self):
        page = self.page
        page.locator("#plan summary").first.click()
        page.locator("#plan-on").check()
        for at, (name, target, load) in enumerate(EXERCISES):
            if at > 0:
                page.locator("#plan-add").click()
            page.locator("#plan-exercise").fill(name)
            for field, value in {"sets": 1, "target": target, "load": load, "rest": 0, "ready": 3}.items():
                page.locator(f"#plan-{field}").fill(str(value))
            page.keyboard.press("Tab")
        expect(page.locator("#plan-outline")).to_have_text("3 exercises, 3 sets")

    def details_of(self, person):
        return [one for one in self.studio.sessions() if one.get("details", {}).get("person") == person]

    def test_a_day(self):
        page, earlier = self.page, self.plant_last_week()
        page.reload()
        # Before Start the page says whose sets they will be; one tap chooses.
        expect(page.locator("#whose option")).to_have_text(["No name", "Ada"])
        page.locator("#whose").select_option("Ada")
        self.write_plan()
        self.shoot("day-plan")
        page.set_viewport_size({"width": 420, "height": 420})
        page.locator("#start").click()
        expect(page.locator("#whose")).to_be_disabled()
        expect(page.locator("#after")).to_be_visible(timeout=150_000)
        self.shoot("day-after-plan")
        sets = sorted(self.details_of("Ada"), key=lambda one: one["date"])
        self.assertEqual(sets[0]["id"], earlier["id"])
        self.assertEqual([(one["details"]["name"], one["details"]["load"]["value"]) for one in sets[1:]],
                         [(name, load) for name, _, load in EXERCISES])
        self.assertEqual(len({one["details"]["workout"] for one in sets[1:]}), 1)
        today = sets[1]

        # Ben's turn: a set without a plan, named once it is done; the next would be his, too.
        page.locator("#plan summary").first.click()
        page.locator("#plan-on").uncheck()
        page.locator("#whose").select_option("")
        self.start()
        self.until("Number(document.getElementById('count-number').textContent) > 0")
        self.stop()
        page.locator("#after-person").fill("Ben")
        page.locator("#after-person").press("Enter")
        expect(page.locator("#after-saved")).to_have_text("Saved")
        expect(page.locator("#whose")).to_have_value("Ben")
        self.assertEqual(len(self.details_of("Ben")), 1)
        self.shoot("day-after-ben")

        page.goto(self.studio.address + "history.html")
        page.locator("#filter-person").select_option("Ada")
        expect(page.locator(".workout a.session")).to_have_count(3)
        expect(page.locator("a.session")).to_have_count(4)
        # How far the joint that moves most went, in degrees, read from the poses of each set.
        page.locator("#trend-measure").select_option("angle")
        expect(page.locator("#trend figcaption")).to_contain_text(re.compile("shoulder", re.IGNORECASE))
        expect(page.locator("#trend svg .place")).to_have_text(re.compile(r"^\d+°$"))
        expect(page.locator("#trend svg .dot-mark")).to_have_count(2)
        self.shoot("day-history", whole=True)
        page.locator(f"a.session[data-session='{today['id']}']").click()
        page.wait_for_url("**/review.html*")
        self.until("id => document.getElementById('review')?.dataset.ready === id", today["id"])
        self.review_set(today, earlier)

    def review_set(self, today, earlier):
        page = self.page
        # The count is corrected: the last was not a whole one.
        self.tab("correct")
        count = len(today["repetitions"])
        page.locator("#correct-which").select_option(str(count - 1))
        page.locator("#correct-remove").click()
        page.locator("#correct-save").click()
        expect(page.locator("#correct-sum")).to_have_text(f"Counted {count}, corrected {count - 1}")
        # Beside last week's.
        self.tab("compare")
        page.locator("#compare-session").select_option(earlier["id"])
        expect(page.locator("#compare-curve .compare-line")).to_have_count(2)
        expect(page.locator("#compare-b option")).to_have_count(len(earlier["repetitions"]))
        self.shoot("day-compare", whole=True)
        # An angle on the picture, which is saved with it.
        self.tab("measure")
        self.seek(today["repetitions"][0]["start"] + 0.5)
        page.locator("#measure-joint").select_option("leftShoulder")
        page.locator("#measure-angle").click()
        expect(page.locator("#readings td").first).to_have_text(re.compile(r"^\d+°$"))
        self.shoot("day-measure", whole=True)
        page.locator("#save-menu summary").click()
        with page.expect_download() as picture:
            page.locator("#save-picture").click()
        picture.value.save_as(SHOTS / "day-angle.png")
        self.assertGreater((SHOTS / "day-angle.png").stat().st_size, 5_000)
        # The report: one page, with whose it is, the load, the correction, and something of last week.
        self.tab("report")
        sheet = page.locator("#sheet")
        for words in ("Ada", "4 kg", "Jumping jack", f"{count - 1}"):
            expect(sheet).to_contain_text(words)
        pdf = page.pdf(path=SHOTS / "day-report.pdf", prefer_css_page_size=True, print_background=True)
        self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", pdf)), 1)
        page.emulate_media(media="print")
        self.assertLessEqual(*page.evaluate("[sheet.scrollHeight, sheet.clientHeight]"), "the page is cut off")
        page.set_viewport_size({"width": 703, "height": 1032})
        page.screenshot(path=SHOTS / "day-report.png")
        page.emulate_media(media="null")
        page.set_viewport_size(SIZES["desktop"])
