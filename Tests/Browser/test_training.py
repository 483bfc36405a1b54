"""Training by a plan: sets, rests, the voice, raised hands, two people, another camera."""

import json
import re

import clips
from browsing import IS_FULL, BrowserCase, expect
from scripted import ScriptedCase

# What the page would say aloud.
VOICE = """{
    window.spoken = [];
    const voice = { cancel() {}, speak({ text, lang }) { window.spoken.push([text, lang]); } };
    Object.defineProperty(window, "speechSynthesis", { value: voice });
}"""
# A second camera, which is the first one under another name.
SECOND_CAMERA = """{
    const devices = navigator.mediaDevices;
    const [list, open] = [devices.enumerateDevices.bind(devices), devices.getUserMedia.bind(devices)];
    devices.enumerateDevices = async () => {
        const found = (await list()).filter(({ kind }) => kind === "videoinput");
        const { deviceId, label } = found[0];
        return [{ kind: "videoinput", deviceId, label }, { kind: "videoinput", deviceId: "second", label: "second" }];
    };
    window.opened = [];
    devices.getUserMedia = (wanted) => {
        window.opened.push(wanted.video.deviceId?.exact ?? "");
        delete wanted.video.deviceId;
        return open(wanted);
    };
}"""


def settings(**values):
    return f"localStorage.setItem('kinema', {json.dumps(json.dumps({'preview': False, **values}))})"


class Prescribed(BrowserCase):
    clip = None

    def test_a_plan_begins_with_what_the_chosen_exercise_prescribes(self):
        page = self.page

        def dosed(route):
            answer = route.fetch()
            found = answer.json()
            for one in found["exercises"]:
                if one["name"] == "squat":
                    one["dose"] = {"sets": 4, "repetitions": 12}
            route.fulfill(response=answer, json=found)

        page.route("**/api/exercises", dosed)
        with page.expect_response("**/api/exercises"):
            self.reload()
        self.choose("coach")
        page.locator("#plan summary").first.click()
        for exercise, amount in (("lunge", "3 sets of 10"), ("squat", "4 sets of 12")):
            page.locator("#exercise").select_option(exercise)
            page.locator("#plan-on").check()
            expect(page.locator("#plan-outline")).to_have_text(f"{amount} repetitions, 60 s rest")
            page.locator("#plan-on").uncheck()
        # What was planned of an exercise by name stays.
        page.locator("#plan-on").check()
        page.locator("#plan-exercise").fill("Squat")
        page.locator("#plan-sets").fill("2")
        page.keyboard.press("Tab")
        page.locator("#plan-on").uncheck()
        page.locator("#plan-on").check()
        expect(page.locator("#plan-outline")).to_have_text("Squat, 2 sets of 12 repetitions, 60 s rest")


class WholePlan(BrowserCase):
    clip = "jacks-round"

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(VOICE)
        context.add_init_script(settings(
            voice="count", plan={"on": True, "sets": 2, "target": 2, "unit": "repetitions", "rest": 6, "ready": 6}))
        return context

    def test_two_sets_with_a_rest_are_counted_said_and_kept(self):
        page = self.page
        before = len(self.studio.sessions())
        expect(page.locator("#plan-outline")).to_have_text("2 sets of 2 repetitions, 6 s rest")
        page.locator("#start").click()
        expect(page.locator("#training-title")).to_have_text("Set 1 of 2")
        self.until("document.getElementById('training').dataset.phase === 'countdown'")
        self.shoot("plan-countdown")
        self.until("document.getElementById('studio').dataset.training === 'work'")
        expect(page.locator("#goal")).to_contain_text("Set 1 of 2")
        self.shoot("plan-work")
        self.until("document.getElementById('training').dataset.phase === 'rest'")
        expect(page.locator("#training-text")).to_have_text("Next: set 2 of 2")
        self.shoot("plan-rest")
        self.until("document.getElementById('studio').dataset.training === 'work'")
        expect(page.locator("#goal")).to_contain_text("Set 2 of 2")
        # The plan ends by itself.
        expect(page.locator("#after")).to_be_visible(timeout=60_000)
        self.shoot("plan-after")

        sessions = self.studio.sessions()[:len(self.studio.sessions()) - before]
        self.assertEqual([one["mode"] for one in sessions], ["count", "count"], "rests are not kept")
        self.assertEqual([one["plan"]["set"] for one in reversed(sessions)], [1, 2])
        counts = [one["count"] for one in reversed(sessions)]
        # A repetition that is under way when the goal is reached may be counted too.
        self.assertTrue(all(count in (2, 3) for count in counts), counts)
        self.assertIn(f"2 sets: {counts[0]}, {counts[1]}", page.locator("#after-text").inner_text())
        page.locator("#after-menu summary").click()
        links = page.locator("#after-links a").all_inner_texts()
        self.assertEqual(links[:2], ["Review set 1", "Review set 2"])

        said = [text for text, _ in page.evaluate("window.spoken")]
        for words in ("Go", "Set 1 done. Rest 6 seconds.", "Plan done. Well done."):
            self.assertIn(words, said)
        # A page that stood still for a second leaves a number out; the rules of the plan have tests of their own.
        down = said[:said.index("Go")]
        self.assertTrue(down and set(down) <= {"3", "2", "1"}, said)
        # The counter may report the first two at once, and then only the higher number is spoken.
        counted = said[said.index("Go") + 1:said.index("Set 1 done. Rest 6 seconds.")]
        self.assertIn(counted, (["1", "2"], ["2"], ["3"], ["1", "3"]))
        # The end may count the repetition that is under way, and says it last.
        self.assertIn(said[said.index("Plan done. Well done.") + 1:], ([], [str(counts[1])]))
        self.assertEqual({lang for _, lang in page.evaluate("window.spoken")}, {"en"})

    def test_a_rest_is_skipped_and_a_plan_given_up(self):
        page = self.page
        page.locator("#start").click()
        self.until("document.getElementById('training').dataset.phase === 'countdown'")
        page.locator("#plan-skip").click()
        self.until("document.getElementById('studio').dataset.training === 'work'")
        page.locator("#plan-skip").click()
        self.until("document.getElementById('training').dataset.phase === 'rest'")
        page.locator("#stop").click()
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("#training")).to_be_hidden()


class Film(BrowserCase):
    clip = "pair"

    def test_two_people_have_a_number_each(self):
        truth = clips.people("pair")
        self.page.evaluate(settings(people="all"))
        self.reload()
        self.prepare_to_count()
        self.choose("count")
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.start()
        self.wait_for_result(after=truth["filmed"])
        shown = self.page.locator("#count-beside li b").all_inner_texts()
        self.shoot("count-two-people")
        self.assertEqual(sorted(map(int, shown)), sorted(truth["counts"]))
        names = self.page.locator("#count-beside li span").all_inner_texts()
        self.assertEqual(len(set(names)), 2, names)
        self.stop()


class OtherCamera(BrowserCase):
    clip = "jacks"

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(SECOND_CAMERA)
        return context

    def test_it_is_flipped_to_while_the_session_goes_on(self):
        page = self.page
        self.choose("count")
        self.start()
        expect(page.locator("#flip")).to_be_visible()
        before = self.reading()["arrived"]
        page.locator("#flip").click()
        self.until("window.opened.at(-1) === 'second'")
        self.until("before => JSON.parse(document.getElementById('hud').dataset.reading).arrived > before + 20", before)
        expect(page.locator("#studio")).to_have_attribute("data-running", "true")
        self.stop()
        reading = self.reading()
        self.assertGreater(reading["arrived"], before + 20, "the account goes on: it is one session")


class Filmed(BrowserCase):
    clip = "jacks"

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(settings(keepVideo=True))
        return context

    def test_the_film_of_a_session_lies_in_its_review(self):
        page = self.page
        self.choose("count")
        self.start()
        self.until("Number(document.getElementById('count-number').textContent) > 1")
        self.stop()
        self.until("""async () => {
            const [listed] = (await (await fetch('api/history')).json()).sessions;
            return Boolean(listed && (await (await fetch(`api/history/${listed.id}`)).json()).video);
        }""")
        [session] = self.studio.sessions()
        self.assertEqual(session["video"]["type"], "video/webm")
        self.assertGreater(session["video"]["bytes"], 20_000)
        page.get_by_role("link", name="Review", exact=True).click()
        self.until("document.getElementById('video')?.readyState > 1")
        self.until("seconds => document.getElementById('video').duration > seconds / 2", session["duration"])
        expect(page.locator("#source-error")).to_have_count(0)

    def test_without_being_asked_no_picture_is_kept(self):
        self.page.evaluate(settings(keepVideo=False))
        self.page.context.add_init_script(settings(keepVideo=False))
        self.reload()
        self.choose("poses")
        self.start()
        self.stop()
        self.assertNotIn("video", self.studio.sessions()[0])


# Squares of 8 pixels of one colour, which no camera's picture has: what covers a head is made of larger ones.
FLAT = """async () => {
    const picture = document.getElementById('picture');
    const { width, height } = picture;
    const { data } = picture.getContext('2d').getImageData(0, 0, width, height);
    const colour = (x, y) => [0, 1, 2].map((one) => data[4 * (y * width + x) + one]).join();
    let found = 0;
    for (let y = 0; y + 8 <= height; y += 4) for (let x = 0; x + 8 <= width; x += 4) {
        let same = true;
        for (let k = 0; same && k < 64; k += 1) same = colour(x + k % 8, y + (k >> 3)) === colour(x, y);
        found += same;
    }
    return found;
}"""


class SidewaysCamera(BrowserCase):
    clip = "sideways"

    def test_a_camera_mounted_sideways_is_turned(self):
        page = self.page
        page.context.add_init_script(settings(turn="270"))
        self.reload()
        self.choose("count")
        self.start()
        self.until("Number(document.getElementById('count-number').textContent) > 0")
        self.assertEqual(page.evaluate("(({ width, height }) => [width, height])(document.getElementById('picture'))"), [480, 640])
        # Turned while it runs; the camera is let go with the end of the run.
        page.locator("#settings-open").click()
        page.locator("#set-turn").select_option("0")
        self.until("document.getElementById('picture').width === 640")
        page.keyboard.press("Escape")
        self.shoot("sideways-camera")
        self.stop()


class HiddenFaces(BrowserCase):
    clip = "jacks"

    def test_hidden_faces_are_hidden_on_the_picture_and_in_its_film(self):
        page = self.page
        self.choose("count")
        # The person stands still for two seconds, so both pictures are alike.
        self.start()
        self.wait_for_result(after=0.5)
        plain = page.evaluate(FLAT)
        self.stop()
        page.context.add_init_script(settings(keepVideo=True, hideFaces=True))
        self.reload()
        self.choose("count")
        self.start()
        self.wait_for_result(after=0.5)
        # A picture without a result in time is covered as a whole.
        covered = min(page.evaluate(FLAT) for _ in range(5))
        self.until("Number(document.getElementById('count-number').textContent) > 0")
        self.shoot("hidden-face")
        self.stop()
        self.assertGreater(covered, plain + 20)
        total = page.evaluate("(({ width, height }) => width * height / 16)(document.getElementById('picture'))")
        self.assertLess(covered, total / 3, "the rest of the picture is as it was")
        self.until("""async () => {
            const [listed] = (await (await fetch('api/history')).json()).sessions;
            return Boolean(listed && (await (await fetch(`api/history/${listed.id}`)).json()).video);
        }""")
        session = self.studio.sessions()[0]
        self.assertEqual(session["video"]["type"], "video/webm")
        self.assertGreater(session["video"]["bytes"], 20_000)

    def test_where_no_body_is_seen_the_whole_picture_is_covered(self):
        page = self.page
        page.context.add_init_script(settings(hideFaces=True))
        self.reload()
        self.choose("draw")
        self.start()
        self.until("JSON.parse(document.getElementById('hud').dataset.reading ?? '{}').arrived > 5")
        covered = page.evaluate(FLAT)
        total = page.evaluate("(({ width, height }) => width * height / 16)(document.getElementById('picture'))")
        self.stop()
        self.assertGreater(covered, total * 2 / 3)


class Language(BrowserCase):
    clip = None

    def make_context(self, **options):
        return super().make_context(locale="de-DE", **options)

    def test_the_browsers_language_is_spoken(self):
        page = self.page
        expect(page.locator("#start")).to_have_text("Start")
        expect(page.locator("#settings-open")).to_have_text("Einstellungen")
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")
        self.assertEqual(page.evaluate(
            "[...document.querySelectorAll('[data-t]')].filter(node => node.textContent === node.dataset.t).length"), 0)
        self.shoot("german")
        page.locator("#settings-open").click()
        self.shoot("german-settings")
        page.locator("#set-language").select_option("en")
        expect(page.locator("#settings-open")).to_have_text("Settings")


class PlanRules(BrowserCase):
    """The rules of a plan and of raised hands, moment by moment."""

    clip = None
    shares_page = True

    def play(self, options, moments):
        """The phases after each moment [seconds, {seen, count, raised}], and what is said."""
        return self.call("plan.js", """(() => {
            const plan = new it.TrainingPlan(given[0]);
            return given[1].map(([seconds, { seen = true, count = 0, held = null, raised = false }]) => {
                const said = plan.step(seconds * 1000, { isSeen: seen, count, held, isRaised: raised });
                return [plan.phase, plan.set, plan.left, said.map(({ key, values }) => [key, values.n ?? null])];
            });
        })()""", [options, moments])

    def test_sets_follow_one_another(self):
        two = {"sets": 2, "target": 3, "rest": 5, "ready": 3}
        heard = self.play(two, [
            [0, {"seen": False}], [5, {}], [6.1, {}], [6.2, {}], [8.2, {}], [9.2, {}], [12, {"count": 2}],
            [13, {"count": 3}], [15, {}], [18.1, {}], [25, {"count": 5}], [30, {}]])
        self.assertEqual([row[:2] for row in heard], [
            ["position", 1], ["position", 1], ["countdown", 1], ["countdown", 1], ["countdown", 1], ["work", 1],
            ["work", 1], ["rest", 2], ["rest", 2], ["work", 2], ["done", 2], ["done", 2]])
        self.assertEqual(heard[3][3], [["plan.countdown", 3]])
        self.assertEqual(heard[7][3], [["plan.saidRest", 5]])
        self.assertEqual(heard[10][3], [["plan.saidDone", None]])

    def test_who_leaves_during_the_countdown_is_waited_for(self):
        heard = self.play({"sets": 1, "target": 3, "ready": 5}, [
            [0, {}], [1, {}], [2, {"seen": False}], [2.5, {"seen": False}], [3.1, {"seen": False}], [9, {}]])
        self.assertEqual([row[0] for row in heard],
                         ["position", "countdown", "countdown", "countdown", "position", "position"])

    def test_a_plank_counts_while_it_is_held(self):
        heard = self.play({"sets": 1, "target": 30, "unit": "seconds", "ready": 3}, [
            [0, {}], [1, {}], [4.1, {}], [40, {"held": 12}], [60, {"held": 30.2}]])
        self.assertEqual([row[0] for row in heard], ["position", "countdown", "work", "work", "done"])

    def test_raised_hands_start_and_stop_without_a_plan(self):
        heard = self.play({"handsUp": True}, [
            [0, {}], [1, {}], [2, {"raised": True}], [5.1, {}], [20, {"count": 8, "raised": True}], [21.1, {}]])
        self.assertEqual([row[:2] for row in heard], [
            ["position", 1], ["raise", 1], ["countdown", 1], ["work", 1], ["position", 2], ["raise", 2]])

    def test_a_broken_plan_becomes_a_sound_one(self):
        for plan in ({"sets": -3, "target": "ten", "rest": 1e9, "unit": "miles", "on": "yes"}, None, {"sets": None}):
            sound = self.call("plan.js", "it.soundPlan(given)", plan)
            [step] = sound["steps"]
            self.assertTrue(1 <= step["sets"] <= 20 and 1 <= step["target"] <= 500 and 0 <= step["rest"] <= 900)
            self.assertEqual((step["unit"], step["load"], sound["on"]), ("repetitions", None, False))

    def test_a_circuit_goes_round_and_says_what_comes_next(self):
        steps = [{"exercise": "squat", "sets": 2, "target": 3, "unit": "repetitions", "rest": 5},
                 {"exercise": "plank", "sets": 1, "target": 20, "unit": "seconds", "rest": 5}]
        heard = self.play({"steps": steps, "circuit": True, "ready": 3}, [
            [0, {}], [1, {}], [4.1, {}], [9, {"count": 3}], [14.1, {}], [20, {"held": 20}], [25.1, {}], [30, {"count": 3}]])
        self.assertEqual([row[:2] for row in heard], [
            ["position", 1], ["countdown", 1], ["work", 1], ["rest", 2], ["work", 2], ["rest", 3], ["work", 3], ["done", 3]])
        self.assertEqual([key for row in heard for key, _ in row[3] if "Rest" in key], ["plan.saidRestNext"] * 2)
        order = self.call("plan.js", "[false, true].map((circuit) => it.orderOf({ steps: given, circuit })"
                          ".map(({ exercise, place }) => exercise + place))", steps)
        self.assertEqual(order, [["squat1", "squat2", "plank1"], ["squat1", "plank1", "squat2"]])

    def test_a_plan_comes_back_from_its_file_and_nothing_else_does(self):
        plan = {"name": "Legs", "circuit": True, "ready": 7, "steps": [
            {"exercise": "squat", "sets": 4, "target": 8, "unit": "repetitions", "rest": 90, "load": {"value": 42.5, "unit": "kg"}},
            {"exercise": "Goblet squat", "sets": 2, "target": 30, "unit": "seconds", "rest": 0, "load": None}]}
        back, *others = self.call("plan.js", """[it.planFile(given), "", "{", "[]", '{"steps": [{}]}', "x".repeat(70000),
            '{"format": "kinema-plan", "version": 2, "steps": [{}]}', '{"format": "kinema-plan", "version": 1, "steps": []}',
            '{"format": "kinema-plan", "version": 1, "steps": [7]}'].map(it.planOf)""", plan)
        self.assertEqual(back, plan | {"on": True})
        self.assertEqual(others, [None] * 8)
        odd = self.call("plan.js", "it.planOf(JSON.stringify({ format: 'kinema-plan', version: 1, steps: given }))",
                        [{"exercise": "a\u0007" + "b" * 99, "sets": 999, "load": {"value": -5, "unit": "stone"}}])
        [step] = odd["steps"]
        self.assertEqual((len(step["exercise"]), step["sets"], step["load"]), (60, 20, {"value": 0, "unit": "kg"}))

    def raised(self, heights, is_stop=False, step=0.1):
        """Whether the sign is given at each of the heights of the wrists, a tenth of a second apart."""
        return self.call("raise.js", """(() => {
            const hands = new it.RaisedHands();
            return given[0].map((y, at) => hands.take([{ keypoints: {
                nose: [0.5, 0.8, 0.9], leftShoulder: [0.6, 0.7, 0.9], rightShoulder: [0.4, 0.7, 0.9],
                leftAnkle: [0.55, 0.05, 0.9], leftWrist: [0.6, y, 0.9], rightWrist: [0.4, y, 0.9] } }],
                at * given[2] * 1000, given[1]));
        })()""", [heights, is_stop, step])

    def test_hands_held_up_are_a_sign_once(self):
        self.assertEqual(sum(self.raised([0.4] * 5 + [0.97] * 30)), 1)
        self.assertEqual(sum(self.raised([0.97] * 30)), 0, "who hangs from a bar gives no sign")
        self.assertEqual(sum(self.raised([0.4] * 5 + [0.97] * 15, is_stop=True)), 0, "stopping takes longer")
        press = ([0.6, 0.7, 0.8, 0.9, 0.97, 0.97, 0.9, 0.8, 0.7, 0.6]) * 6
        self.assertEqual(sum(self.raised([0.4] * 5 + press)), 0, "a press is no sign")


class TrainingLayout(ScriptedCase):
    """What stands over the picture is whole at any size, and nothing lies over Stop."""

    WINDOWS = [(320, 568), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900), (1920, 1080)]
    if not IS_FULL:
        WINDOWS = WINDOWS[::2]

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(settings(
            plan={"on": True, "sets": 12, "target": 100, "unit": "repetitions", "rest": 600, "ready": 60}))
        return context

    FAULTS = """() => {
        const box = (name) => document.getElementById(name).getBoundingClientRect();
        const inside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
            && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
        const stage = box("stage");
        const shown = ["training-title", "training-number", "training-text", "goal", "plan-skip", "stop", "full"]
            .filter((name) => document.getElementById(name).checkVisibility()
                && (document.getElementById(name).textContent || name === "full"));
        const faults = shown.filter((name) => !["plan-skip", "stop"].includes(name) && !inside(box(name), stage))
            .map((name) => `${name} leaves the picture`);
        shown.forEach((name, at) => shown.slice(at + 1).forEach((other) => {
            const [a, b] = [box(name), box(other)];
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
                faults.push(`${name} and ${other} overlap`);
            }
        }));
        for (const name of ["stop", "plan-skip"]) {
            const { left, right, top, bottom } = box(name);
            if (right - left < 44 || bottom - top < 43 || left < 0 || right > innerWidth || bottom > innerHeight + 1) {
                faults.push(`${name} is not in reach`);
            }
        }
        return faults;
    }"""

    def check(self, state):
        found = {}
        for width, height in self.WINDOWS:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            faults = self.page.evaluate(self.FAULTS)
            if faults:
                found[f"{width}x{height}"] = faults
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.assertEqual(found, {}, state)

    def test_every_phase_fits_every_window(self):
        self.begin("count")
        self.check("position")
        for _ in range(30):
            self.show("poses", 1)
            if self.page.locator("#training").get_attribute("data-phase") == "countdown":
                break
            self.page.wait_for_timeout(200)
        expect(self.page.locator("#training-number")).to_have_text(re.compile(r"^[1-6]\d$"))
        self.check("countdown")
        self.page.locator("#plan-skip").click()
        expect(self.page.locator("#goal")).to_be_visible()
        self.show("count", 47)
        self.check("work")
        self.page.locator("#plan-skip").click()
        expect(self.page.locator("#training-number")).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
        self.check("rest")

    def test_numbers_side_by_side_fit_every_window(self):
        # Everyone is watched, and no plan is followed.
        self.page.context.add_init_script(settings(people="all"))
        self.reload()
        self.begin("count")
        for counts in ((3, 12), (47, 100), (7, 8, 9), (10, 20, 30, 999)):
            people = [{"id": at, "count": count} for at, count in enumerate(counts)]
            self.page.evaluate("""people => window.studio.tell({ type: "result", sequence: 1, time: 1, width: 640,
                height: 480, arrived: 1, analysed: 1, dropped: 0, people: [], hands: [],
                count: { count: 1, phase: "out", signal: 0.1, people } })""", people)
            expect(self.page.locator("#count-beside b")).to_have_text([str(count) for count in counts])
            found = {}
            for width, height in self.WINDOWS:
                self.page.set_viewport_size({"width": width, "height": height})
                faults = self.page.evaluate("""() => {
                    const room = document.querySelector(".tally[data-readout=count] .room").getBoundingClientRect();
                    return [...document.querySelectorAll("#count-beside b")].flatMap((node) => {
                        const range = document.createRange();
                        range.selectNodeContents(node);
                        const ink = range.getBoundingClientRect();
                        const cell = node.parentElement.getBoundingClientRect();
                        return ink.left < cell.left - 1 || ink.right > cell.right + 1 || cell.right > room.right + 1
                            ? [`${node.textContent} is cut off`] : [];
                    }).concat([...document.querySelectorAll("#count-beside span")].flatMap((node) =>
                        node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().bottom > room.bottom + 1
                            ? [`${node.textContent} is cut off`] : []));
                }""")
                if faults:
                    found[f"{width}x{height}"] = faults
            self.assertEqual(found, {}, counts)
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.shoot("count-beside")
