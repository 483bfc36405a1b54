"""What a coach says of sets: names, people, loads; plans of several exercises."""

import json
import re

from browsing import expect
from reviewing import ReviewCase
from scripted import ScriptedCase


WORKOUT = "00000000-0000-4000-8000-000000000009"


class Details(ReviewCase):
    recorded = [("count", "eleven", True)]
    first = "history.html"

    def put(self, session, **details):
        answer = self.context.request.put(f"{self.studio.address}api/history/{session}/details", data=details)
        self.assertEqual(answer.status, 200, answer.text())
        return answer.json()

    def plant_set(self, **details):
        recorded = self.sessions[0]
        return self.put(self.plant(recorded, recorded["repetitions"])["id"], **details)

    def test_a_set_is_named_once_and_then_by_a_press(self):
        before = self.plant_set(name="Goblet squat", person="Ada", load={"value": 12.5, "unit": "kg"})
        session = self.plant_set()
        page = self.open()
        self.page = page
        show = "it.showAfter({ reason: 'stopped', kept: true, session: given.id, summary: given }, null)"
        self.call("after.js", show, session)
        expect(page.locator("#after-loops canvas")).to_have_count(2)
        expect(page.locator("#after-facts dd").first).to_have_text(re.compile(r"^\d+°$"))
        self.assertEqual(page.locator("#after .primary").count(), 1)
        # On a small laptop nothing of the card is cut off.
        page.set_viewport_size({"width": 1280, "height": 800})
        out = """[...document.querySelectorAll("#after-loops li")].flatMap((li) => [...li.querySelectorAll("b, small")].map((words) => {
            const range = document.createRange();
            range.selectNodeContents(words);
            return range.getBoundingClientRect().right - li.getBoundingClientRect().right;
        }))"""
        self.assertLessEqual(max(page.evaluate(out)), 0)
        last, start = page.locator("#after-person").bounding_box(), page.locator("#start").bounding_box()
        self.assertLess(last["y"] + last["height"], start["y"])
        page.locator("#after-person").fill("Ada")
        page.locator("#after-person").press("Enter")
        page.locator(".chip", has_text="Goblet squat").click()
        page.locator("#after-effort").select_option("8")
        expect(page.locator("#after-load")).to_have_value("12.5")
        expected = {"name": "Goblet squat", "person": "Ada", "load": before["details"]["load"], "effort": 8}
        for _ in range(1200):
            details = self.studio.ask(f"api/history/{session['id']}").get("details", {})
            if details == expected:
                break
            page.wait_for_timeout(50)
        self.assertEqual(details, expected)

    def test_a_slip_is_put_right_in_the_review(self):
        page = self.page
        page.evaluate("localStorage.setItem('kinema', JSON.stringify({ person: 'Dora', loadUnit: 'kg' }))")
        session = self.plant_set(name="Squat", person="Ada", load={"value": 12.5, "unit": "kg"}, effort=8, workout=WORKOUT)
        self.review(session)
        expect(page.locator("#when")).to_have_text(re.compile(r"^Ada · 12.5 kg · effort 8 · .*" + re.escape(session["source"]) + "$"))
        self.tab("report")
        for name, value in (("name", "Squat"), ("person", "Ada"), ("load", "12.5"), ("effort", "8"), ("pain", "")):
            expect(page.locator(f"#after-{name}")).to_have_value(value)
        page.locator("#after-person").fill("Eva")
        page.locator("#after-load").fill("40")
        page.locator("#after-pain").select_option("2")
        expect(page.locator("#when")).to_have_text(re.compile("^Eva · 40 kg · effort 8 · pain 2 · "))
        expect(page.locator("#sheet header")).to_contain_text("Eva · 40 kg")
        told = {"name": "Squat", "person": "Eva", "load": {"value": 40, "unit": "kg"}, "effort": 8, "pain": 2, "workout": WORKOUT}
        self.assertEqual(self.studio.ask(f"api/history/{session['id']}")["details"], told)
        # Whose the next set is has not changed.
        self.assertEqual(page.evaluate("JSON.parse(localStorage.kinema).person"), "Dora")
        # A set of which nothing is said is given nothing unasked.
        self.review(self.plant_set(name="Squat"))
        self.tab("report")
        for name in ("person", "load"):
            expect(page.locator(f"#after-{name}")).to_have_value("")

    def test_the_history_is_filtered_by_person_who_can_be_deleted(self):
        for person in ("Ben", "Ben", "Cleo/2"):
            kept = self.plant_set(person=person, name="Squat", workout="00000000-0000-4000-8000-00000000000" + str(len(person)))
        page = self.page
        page.reload()
        page.locator("#filter-person").select_option("Ben")
        expect(page.locator("a.session")).to_have_count(2)
        expect(page.locator(".workout a.session")).to_have_count(2)
        expect(page.locator("#person-title")).to_have_text("Ben")
        page.locator("#filter-person").select_option("Cleo/2")
        expect(page.locator("a.session")).to_have_count(1)
        archive = self.context.request.get(self.studio.address + page.locator("#person-export").get_attribute("href"))
        self.assertEqual(archive.status, 200)
        self.assertIn(kept["id"].encode(), archive.body())
        page.locator("#person-delete").click()
        expect(page.locator("#confirm-text")).to_contain_text("Cleo/2")
        page.locator("#confirm-delete").click()
        expect(page.locator("#message")).to_have_text("All data of Cleo/2 was deleted.")
        expect(page.locator("#filter-person option")).not_to_contain_text(["Cleo/2"])
        names = [one["name"] for one in self.studio.ask("api/people")["people"]]
        self.assertTrue("Ben" in names and "Cleo/2" not in names, names)

    def test_names_are_text_wherever_they_stand(self):
        evil = "<img src=x onerror=alert(1)>\"'"
        session = self.plant_set(person=evil, name=f"=1+1 {evil}")
        exercise = {"name": "evil", "title": evil, "motion": {"measure": "knee", "rest": 170, "full": 90}}
        answer = self.context.request.post(f"{self.studio.address}api/exercises/file", data=exercise)
        self.assertEqual(answer.status, 201, answer.text())
        page = self.page
        page.reload()
        page.locator("#filter-person").select_option(evil)
        expect(page.locator("#person-title")).to_have_text(evil)
        self.assertEqual(page.locator("img[src=x]").count(), 0)
        self.review(session)
        self.assertEqual(page.locator("img[src=x]").count(), 0)
        page.goto(self.studio.address)
        self.choose("coach")
        expect(page.locator("option", has_text=evil)).not_to_have_count(0)
        self.choose("teach")
        self.assertEqual(page.locator("img[src=x]").count(), 0)
        table = self.context.request.get(f"{self.studio.address}api/history/{session['id']}/export?format=csv").text()
        self.assertNotRegex(table, r'(?m)(^|,)"?=')
        self.assertEqual(self.context.request.delete(f"{self.studio.address}api/exercises/evil").status, 204)

    def test_bests_are_of_one_exercise_each(self):
        self.plant_set(name="Curl")
        self.plant_set(name="Lunge", load={"value": 30, "unit": "kg"})
        self.plant_set()
        self.page.reload()
        expect(self.page.locator("#bests")).to_be_visible()
        rows = {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in self.page.locator("#bests tbody tr").all()}
        self.assertIn("Curl", rows)
        self.assertEqual(rows["Lunge"][-1], "30 kg")
        self.assertNotIn("Repetitions", rows)


class ThreeExercises(ScriptedCase):
    """A plan of three exercises, written on the page."""

    # What the page asks the studio for.
    SENT = """{
        window.asked = [];
        const { send } = window.WebSocket.prototype;
        window.WebSocket.prototype.send = function (text) {
            if (typeof text === "string") window.asked.push(JSON.parse(text));
            return send.call(this, text);
        };
    }"""

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(self.SENT)
        return context

    def write(self, name, **values):
        page = self.page
        page.locator("#plan-exercise").fill(name)
        for field, value in values.items():
            page.locator(f"#plan-{field}").fill(str(value))
        page.keyboard.press("Tab")

    def test_its_sets_come_with_their_exercise_and_load(self):
        page = self.page
        page.locator("#plan summary").first.click()
        page.locator("#plan-on").check()
        self.write("Squat", sets=2, target=5, load=40, rest=600, ready=60)
        page.locator("#plan-add").click()
        self.write("Farmer's walk", sets=1, target=20, load=16, rest=0)
        page.locator("#plan-unit").select_option("seconds")
        page.locator("#plan-add").click()
        self.write("Push-up", sets=1, target=8)
        expect(page.locator("#plan-steps li")).to_have_count(3)
        page.locator("#plan-name").fill("Monday")
        page.locator("#plan-save").click()
        expect(page.locator("#plan-outline")).to_have_text("Monday, 3 exercises, 4 sets")
        with page.expect_download() as saved:
            page.locator("#plan-more summary").click()
            page.locator("#plan-export").click()
        plan = json.loads(saved.value.path().read_text())
        self.assertEqual([step["exercise"] for step in plan["steps"]], ["squat", "Farmer's walk", "push_up"])
        page.locator("#plan-copy").click()
        expect(page.locator("#plan-saved option")).to_have_text(["Saved plans", "Monday", "Monday, copy"])
        page.locator("#plan-file").set_input_files(saved.value.path())
        expect(page.locator("#plan-told")).to_have_text("“Monday” was imported and saved.")

        self.begin("coach")
        for _ in range(4):
            self.page.wait_for_timeout(300)
            page.locator("#plan-skip").click()
            page.wait_for_timeout(300)
            page.locator("#plan-skip").click()
        asked = [one for one in page.evaluate("window.asked") if one["type"] == "start" and one["mode"] == "coach"]
        told = [(one["exercise"], one["details"].get("name"), (one["details"].get("load") or {}).get("value"),
                 one["plan"]["set"], one["plan"]["target"]) for one in asked]
        self.assertEqual(told, [("squat", None, 40, 1, 5), ("squat", None, 40, 2, 5), ("auto", "Farmer's walk", 16, 3, 20),
                                ("push_up", None, None, 4, 8)])
        # The studio finds the workout.
        self.assertNotIn("workout", asked[0]["details"])
