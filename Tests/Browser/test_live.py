"""The live page before and during a set: the preview's framing, words of the movement, scores, the goal's bar, teaching."""

import json
import re

import clips
from browsing import SHOTS, BrowserCase, expect


def settings(**values):
    return f"localStorage.setItem('kinema', {json.dumps(json.dumps({'preview': False, **values}))})"


def upload(page, clip):
    """Starts with a rendered clip as a file, which no slow machine loses frames of."""
    page.locator("#source-kind").select_option("upload")
    page.locator("#upload-file").set_input_files(clips.video(clip))
    page.locator("#start").click()


class Preview(BrowserCase):
    clip = "jacks-round"
    preview = True

    def test_the_picture_is_shown_with_its_framing_before_the_start(self):
        page, before = self.page, len(self.studio.sessions())
        expect(page.locator("#strip")).to_be_hidden()
        expect(page.locator("#hud")).to_be_hidden()
        self.shoot("live-first")
        # The camera is allowed, so nobody is asked and nothing need be pressed.
        expect(page.locator("#hint")).to_have_text("You are fully in view")
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("#welcome")).to_be_hidden()
        self.shoot("live-preview")
        # Start goes on with the same camera; nothing of the preview is kept.
        page.locator("#start").click()
        expect(page.locator("#studio")).to_have_attribute("data-running", "true")
        self.until("document.getElementById('count-number').textContent !== '0'")
        self.stop()
        self.assertEqual([one["mode"] for one in self.studio.sessions()[:-before or None]], ["count"])
        # Who switches it off is met by the welcome.
        page.locator("#settings-open").click()
        page.locator("[data-setting=preview]").uncheck(force=True)
        page.reload()
        expect(page.locator("#welcome")).to_be_visible()
        expect(page.locator("#hint")).to_be_hidden()

    def test_a_film_that_is_started_while_the_picture_is_shown_is_what_is_analysed(self):
        page = self.page
        expect(page.locator("#hint")).to_have_text("You are fully in view")
        before = len(self.studio.sessions())
        page.locator("#upload-file").set_input_files(clips.video("shallow"))
        # In one go, so that the picture has not ended yet.
        page.evaluate("""() => {
            const kind = document.getElementById("source-kind");
            kind.value = "upload";
            kind.dispatchEvent(new Event("change", { bubbles: true }));
            document.getElementById("start").click();
        }""")
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        self.assertEqual(len(self.studio.sessions()), before + 1)

    def test_instruments_are_behind_one_switch(self):
        self.page.locator("#settings-open").click()
        self.page.locator("[data-setting=instruments]").check(force=True)
        expect(self.page.locator("#hud")).to_be_visible()
        self.page.reload()
        expect(self.page.locator("#hud")).to_be_visible()


class CloseView(BrowserCase):
    clip = "close"

    def test_who_is_too_near_is_asked_to_step_back(self):
        self.page.locator("#preview").click()
        expect(self.page.locator("#hint")).to_contain_text("Step back so that")
        self.shoot("live-close")


class DarkView(BrowserCase):
    clip = "dark"

    def test_a_dark_picture_is_reported(self):
        self.page.locator("#preview").click()
        expect(self.page.locator("#hint")).to_contain_text("Too dark")


class SquatWords(BrowserCase):
    clip = None
    is_live = False

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(settings(mode="coach", exercise="squat"))
        context.add_init_script("""{
            window.seen = { phase: new Set(), cues: new Set() };
            addEventListener("DOMContentLoaded", () => {
                for (const [name, words] of Object.entries(window.seen)) {
                    const node = document.getElementById(`coach-${name}`);
                    new MutationObserver(() => words.add(node.textContent))
                        .observe(node, { childList: true, characterData: true, subtree: true });
                }
            });
        }""")
        return context

    def test_a_squat_is_lowered_and_raised_and_scored_with_its_angle(self):
        page = self.page
        upload(page, "shallow")
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        words = page.evaluate("[...window.seen.phase]")
        self.assertLessEqual({"lowering", "raising"}, set(words))
        self.assertFalse({"out", "back", "up", "down"} & set(words))
        self.assertTrue(any(re.search(r"\d+Knee \d+°: ", cue) for cue in page.evaluate("[...window.seen.cues]")))
        rows = page.locator("#coach-repetitions li").all_inner_texts()
        self.assertTrue(rows and all(re.search(r"Knee \d+°", row) for row in rows), rows)
        self.shoot("live-scores")


class Score(BrowserCase):
    clip = None
    shares_page = True

    def verdict(self, depth, faults=(), seen=(), **angle):
        given = {"repetition": {"start": 0, "end": 2, "depth": depth, "faults": [{"code": code} for code in faults]},
                 "angle": {"measure": "knee", "rest": 170, "full": 80, **angle}, "seen": list(seen)}
        return self.call("score.js", "[it.scoreOf(given.repetition), it.verdictOf(given.repetition, given.angle, given.seen, true).words]", given)

    def test_deep_and_shallow_squats_read_differently(self):
        seen = [{"time": 1, "degrees": 102}, {"time": 3, "degrees": 71}]
        self.assertEqual(self.verdict(0.75, ["shallow"], seen), [83 - 0, "Knee 102°: go 22° deeper"])
        self.assertEqual(self.verdict(1.1, [], [{"time": 1, "degrees": 71}]), [100, "Knee 71°: full range"])
        self.assertEqual(self.verdict(0.9, ["leaning"], [{"time": 1, "degrees": 89}]), [81, "Knee 89°: Keep your chest up"])

    def test_words_of_the_movement_follow_the_person(self):
        said = self.call("movement.js", """(() => {
            const one = new it.Movement();
            const person = (height) => ({ keypoints: Object.fromEntries([["Hip", height], ["Shoulder", height + 0.3], ["Wrist", height + 0.1]]
                .flatMap(([name, y]) => [["left" + name, [0.5, y, 1]], ["right" + name, [0.5, y, 1]]])) });
            const words = (phase, height, now, more = {}) => one.words(phase, { person: person(height), now, ...more });
            return [words("rest", 0.5, 0), words("out", 0.49, 100), words("out", 0.35, 200), words("back", 0.4, 300),
                words("rest", 0.5, 400), words("rest", 0.5, 4000, { hasCounted: true }),
                words("down", 0.5, 4100, { lowersFirst: true }), words("up", 0.5, 4200, { lowersFirst: false })];
        })()""")
        self.assertEqual(said, ["rest", "moving", "lowering", "raising", "rest", "rest", "lowering", "raising"])


class GoalBar(BrowserCase):
    clip = "jacks-round"

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(settings(
            plan={"on": True, "sets": 1, "target": 9, "unit": "repetitions", "rest": 6, "ready": 3}))
        return context

    def test_a_bar_fills_towards_the_goal(self):
        self.page.locator("#start").click()
        self.until("document.getElementById('studio').dataset.training === 'work'")
        self.until("document.getElementById('goal-bar').value > 0.2")
        expect(self.page.locator("#goal-words")).to_contain_text(re.compile(r"[2-8] of 9"))
        self.shoot("live-goal")


class Teaching(BrowserCase):
    clip = None
    is_live = False

    def test_an_exercise_is_shown_named_and_trained_with(self):
        page = self.page
        self.choose("teach")
        self.shoot("teach-first")
        upload(page, "four")
        expect(page.locator("#teach-form")).to_be_visible(timeout=180_000)
        expect(page.locator("#strip")).to_have_attribute("data-repetitions", "4")
        self.shoot("teach-form")
        page.locator("#teach-name").fill("Star jump of mine")
        page.locator("#teach-form button").click()
        expect(page.locator("#teach-phase")).to_contain_text("Star jump of mine is in the list")
        self.assertIn("Star jump of mine", page.locator("#exercise").inner_html())
        self.assertEqual(len(self.studio.ask("api/exercises/star_jump_of_mine/figure")["frames"]), 21)
        page.locator("#teach-train").click()
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        self.assertEqual(self.number("coach"), 4)
        self.assertEqual(self.studio.sessions()[0]["exercise"], "star_jump_of_mine")
        self.shoot("teach-train")
        # One set is compared with what was shown; a second one is something to follow.
        page.goto(f"{self.studio.address}review.html#{self.studio.sessions()[0]['id']}")
        page.locator("#tab-numbers").click()
        page.locator("#progress summary").click()
        expect(page.locator("#progress-note")).to_have_text("Mean of this set, measured in the image plane.")
        expect(page.locator("#progress-tiles")).to_contain_text(re.compile(r"shown \d+°"))
        page.goto(self.studio.address)
        self.ready()
        self.choose("coach")
        page.locator("#exercise").select_option("star_jump_of_mine")
        upload(page, "four")
        self.until("document.getElementById('after').hidden")
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        self.check_progress(page)
        page.goto(self.studio.address)
        self.ready()
        self.choose("teach")
        exercise = self.studio.ask("api/exercises/star_jump_of_mine/file")
        self.check_list(page)
        # Of an imported one, the figure tells what was shown, less exactly.
        given = {"name": "a.exercise.json", "mimeType": "application/json", "buffer": json.dumps(exercise).encode()}
        page.locator("#teach-import").set_input_files(given)
        expect(page.locator("#teach-list li")).to_have_count(1)
        self.assertNotIn("session", self.studio.ask("api/exercises")["exercises"][0])
        self.check_progress(page, about="≈\u00a0", within=25)

    def check_progress(self, page, about="", within=10):
        """What was shown beside what was done, by joint, over the two sets of one film."""
        page.goto(f"{self.studio.address}review.html#{self.studio.sessions()[0]['id']}")
        expect(page.locator("#review")).to_have_attribute("data-ready", re.compile("."))
        expect(page.locator("#title")).to_have_text("Star jump of mine")
        page.locator("#tab-numbers").click()
        page.locator("#progress summary").click()
        tiles = page.locator("#progress-tiles .tile")
        expect(page.locator("#progress-note")).to_contain_text("last 2 sets")
        told = {one.locator("dt").inner_text(): one for one in tiles.all()}
        for name in ("Left shoulder", "Right shoulder"):
            done = float(told[name].locator("b").inner_text().rstrip("°"))
            shown = float(re.search(rf"shown {about}(\d+)°", told[name].locator("small").inner_text())[1])
            self.assertGreater(done, 60)
            self.assertLess(abs(done - shown), within, name)
            expect(told[name].locator("line.goal-mark")).to_have_count(1)
        # Both are of one film, so that a line joins two equal values.
        for one in told.values():
            expect(one.locator("path.curve-line")).to_have_attribute("d", re.compile(r"^M[\d.]+ ([\d.]+)L[\d.]+ \1$"))
        likeness = told["Similarity to the demonstration, out of 100"]
        self.assertGreater(float(likeness.locator("b").inner_text()), 80)
        number = page.locator("#numbers .tile", has_text="Similarity to the demonstration, out of 100")
        self.assertGreater(float(number.locator("b").inner_text()), 80)
        page.locator("#progress").scroll_into_view_if_needed()
        self.shoot("review-progress")
        page.locator("#tab-report").click()
        charts = page.locator("#sheet .sheet-progress figure")
        expect(charts).to_have_count(6)
        for at, words in enumerate(("Repetitions", "range of these sets", "Depth", "Similarity", "Duration of a repetition", "Symmetry")):
            expect(charts.nth(at).locator("figcaption")).to_contain_text(words)
            expect(charts.nth(at).locator("path.curve-line")).to_have_count(1)
        expect(page.locator("#sheet .sheet-figures")).to_contain_text("Similarity to the demonstration")
        line = page.locator("#sheet .sheet-progress p").first
        expect(line).to_contain_text(re.compile(rf"shoulder: shown {about}\d+°, done \d+° on average$"))
        shown, done = re.findall(r"(\d+)°", line.text_content())
        self.assertLess(abs(int(shown) - int(done)), within)
        page.emulate_media(media="print")
        self.assertLessEqual(*page.evaluate("[sheet.scrollHeight, sheet.clientHeight]"), "the page is cut off")
        page.locator("#sheet").screenshot(path=SHOTS / "review-shown.png")
        page.emulate_media(media="null")

    def check_list(self, page):
        """Renamed, duplicated and deleted from the page."""
        rows, names = page.locator("#teach-list li"), page.locator("#teach-list input")
        names.fill("Mine")
        names.blur()
        self.until("document.getElementById('exercise').innerHTML.includes('>Mine<')")
        rows.get_by_role("button", name="Duplicate").click()
        expect(rows).to_have_count(2)
        expect(names.nth(1)).to_have_value("Mine 2")
        # It is called otherwise at once.
        expect(names.nth(1)).to_be_focused()
        page.keyboard.type("Yours")
        page.keyboard.press("Tab")
        self.until("document.getElementById('exercise').innerHTML.includes('>Yours<')")
        self.shoot("teach-list")
        first, second = ("star_jump_of_mine", "Mine"), ("mine_2", "Yours")
        for (name, title), answer, left in ((first, "keep", 2), (first, "delete", 1), (second, "delete", 0)):
            page.locator(f"#teach-list [data-name={name}]").get_by_role("button", name="Delete").click()
            expect(page.locator("#confirm-title")).to_have_text(f"Delete “{title}”?")
            expect(page.locator("#confirm-keep")).to_be_focused()
            self.shoot("teach-delete")
            page.locator(f"#confirm-{answer}").click()
            expect(page.locator("#confirm")).to_be_hidden()
            expect(rows).to_have_count(left)
            taught = [one for one in self.studio.ask("api/exercises")["exercises"] if one["origin"] == "taught"]
            self.assertEqual(len(taught), left)
