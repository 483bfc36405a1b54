"""The review of a session: its film steps and plays, its repetitions, numbers, corrections, marks and report are right."""

import json
import math
import re
import statistics

import access
import clips
from browsing import SCHEMES, SHOTS, expect
from reviewing import ReviewCase

SIZES = [(1440, 900), (1024, 768), (768, 1024), (390, 844), (844, 390), (320, 640)]
TABS = ("repetitions", "numbers", "measure", "compare", "correct", "marks", "report")

# Whether anything is drawn: pixels of the film that are not clear, and those of the red of a fault.
INK = """() => {
    const film = document.getElementById("film");
    const { data } = film.getContext("2d").getImageData(0, 0, film.width, film.height);
    let [drawn, red] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] > 0) drawn += 1;
        if (data[at + 3] > 200 && data[at] > 220 && data[at + 1] < 70 && data[at + 2] < 60) red += 1;
    }
    return { drawn, red };
}"""

# What overlaps, is cut off or leaves the window.
FAULTS = """() => {
    const faults = [];
    // On a phone the film stays in view above what is scrolled.
    scrollTo(0, 0);
    const shown = (node) => node.checkVisibility({ visibilityProperty: true });
    const name = (node) => node.id || `${node.className?.baseVal ?? node.className} ${node.textContent.trim().slice(0, 20)}`;
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
    const selector = "main button, main select, main input, main textarea, main summary, main a, main h1, main h2, main p, main canvas";
    const parts = [...document.querySelectorAll(selector)].filter((node) => shown(node) && !node.closest(".unseen"));
    const box = (node) => node.getBoundingClientRect();
    for (const node of parts) {
        const { left, right } = box(node);
        const scrolled = node.closest(".table-room, .repetitions, .angles, .tabs");
        if (!scrolled && (left < -0.6 || right > innerWidth + 0.6)) faults.push(`${name(node)} leaves the window`);
        if (node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0 && !node.matches("canvas, select, input")) {
            faults.push(`${name(node)} is cut off`);
        }
        // Words in the middle of a button leave it on both sides.
        if (node.matches("button, a, summary") && !scrolled) {
            const range = document.createRange();
            range.selectNodeContents(node);
            const ink = range.getBoundingClientRect();
            if (ink.left < left - 0.6 || ink.right > right + 0.6) faults.push(`the words of ${name(node)} leave it`);
        }
    }
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const isPart = (one, other) => one.contains(other) || other.contains(one);
    // On a phone the tabs lie over what is scrolled, at the foot of the window; in a row that scrolls some are out of sight.
    const isAside = (tabs) => tabs && (getComputedStyle(tabs).position === "fixed" || tabs.scrollWidth > tabs.clientWidth);
    const over = (node) => node.matches(".plate") || node.closest(".screen") || isAside(node.closest(".tabs"));
    parts.forEach((one, at) => parts.slice(at + 1).forEach((other) => {
        if (isPart(one, other) || over(one) || over(other) || one.closest("label")?.contains(other)) return;
        if (one.closest(".angles") || other.closest(".angles") || one.closest(".repetitions") || other.closest(".repetitions") || one.closest("#train-sessions") || other.closest("#train-sessions")) return;
        if (meet(box(one), box(other))) faults.push(`${name(one)} and ${name(other)} overlap`);
    }));
    return faults;
}"""


def angle(frame, joints, shape):
    points = [frame["people"][0]["keypoints"][name] for name in joints]
    if min(point[2] for point in points) < 0.5:
        return None
    a, b, c = [(x * shape, y) for x, y, _ in points]
    one, two = math.atan2(a[1] - b[1], a[0] - b[0]), math.atan2(c[1] - b[1], c[0] - b[0])
    turn = abs(math.degrees(one - two))
    return min(turn, 360 - turn)


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


class Counted(ReviewCase):
    recorded = [("count", "eleven", True), ("count", "four", False)]

    def setUp(self):
        super().setUp()
        self.session = self.sessions[0]
        self.review(self.session)

    def test_the_film_plays_and_steps_by_buttons_and_keys(self):
        page = self.page
        self.assertGreater(page.evaluate(INK)["drawn"], 500)
        self.assertAlmostEqual(page.evaluate("film.clientWidth / film.clientHeight"), 640 / 480, delta=0.02)
        page.locator("#step-on").click()
        self.assertEqual(self.frame, 1)
        page.keyboard.press(".")
        page.keyboard.press(".")
        page.keyboard.press(",")
        self.assertEqual(self.frame, 2)
        self.assertAlmostEqual(self.time, self.poses(self.session)[2]["time"], places=2)
        page.locator("#title").click()
        page.keyboard.press("Space")
        self.until("Number(film.dataset.time) > 0.5")
        page.keyboard.press("Space")
        expect(page.locator("#play")).to_have_attribute("data-playing", "false")
        still = self.time
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(self.time, still)
        # At the end it stops by itself, and begins anew.
        page.locator("#speed").select_option("2")
        self.seek(self.session["duration"] - 0.3)
        page.locator("#play").click()
        expect(page.locator("#play")).to_have_attribute("data-playing", "false")
        self.assertAlmostEqual(self.time, self.session["duration"], delta=0.2)

    def test_arrow_keys_go_from_repetition_to_repetition(self):
        starts = [one["start"] for one in self.session["repetitions"]]
        self.page.locator("#title").click()
        for start in starts[:3]:
            self.page.keyboard.press("ArrowRight")
            self.assertAlmostEqual(self.time, start, delta=0.01)
        expect(self.page.locator("#film-repetition")).to_have_text(f"Repetition 3 of {len(starts)}")
        self.page.keyboard.press("ArrowLeft")
        self.assertAlmostEqual(self.time, starts[1], delta=0.01)

    def test_all_of_more_than_ten_repetitions_are_listed_shaded_and_reached(self):
        page, found = self.page, self.session["repetitions"]
        self.assertEqual(len(found), clips.truth("eleven")["count"])
        self.assertGreater(len(found), 9)
        expect(page.locator("#repetition-list .place")).to_have_text([str(at + 1) for at in range(len(found))])
        expect(page.locator("#curve .band")).to_have_count(len(found))
        expect(page.locator("#curve .place")).to_have_text([str(at + 1) for at in range(len(found))])
        page.locator("#repetition-list button").nth(9).click()
        self.assertAlmostEqual(self.time, found[9]["start"], delta=0.01)
        expect(page.locator("#repetition-list .current .place")).to_have_text("10")
        page.locator("#speed").select_option("0.25")
        page.locator("#play").click()
        self.until("document.querySelector('#repetition-list .current .place')?.textContent === '11'")
        page.locator("#play").click()
        page.locator("#speed").select_option("1")
        # A click on the curve goes there.
        box = page.locator("#curve .band").nth(4).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.assertAlmostEqual(self.time, (found[4]["start"] + found[4]["end"]) / 2, delta=0.1)
        page.locator("#zoom").click()
        expect(page.locator("#curve .band.current")).to_have_count(1)
        self.assertLessEqual(page.locator("#curve .band").count(), 3)
        page.locator("#zoom").click()
        expect(page.locator("#curve .band")).to_have_count(len(found))

    def test_the_range_is_that_of_the_kept_poses(self):
        page = self.page
        frames, first = self.poses(self.session), self.session["repetitions"][0]
        name = page.locator("#angles input:checked").get_attribute("value")
        self.assertIn(name, ("leftShoulder", "rightShoulder"))
        side = "left" if name == "leftShoulder" else "right"
        joints = [f"{side}{joint}" for joint in ("Hip", "Shoulder", "Elbow")]
        shape = frames[0]["width"] / frames[0]["height"]
        every = [angle(one, joints, shape) if one["people"] else None for one in frames]
        # One frame is not believed: the median of three.
        near = [[one for one in every[max(0, at - 1):at + 2] if one is not None] for at in range(len(every))]
        seen = [statistics.median(near[at]) for at, one in enumerate(frames)
                if first["start"] <= one["time"] <= first["end"] and every[at] is not None]
        told = page.locator("#repetition-list .fact", has_text="Range").first.inner_text()
        self.assertAlmostEqual(int(re.search(r"(\d+)°", told)[1]), max(seen) - min(seen), delta=1.01)

    def test_what_is_not_sure_is_a_gap_and_no_number(self):
        """Joints below half confidence in one repetition: nothing is computed there, and the page says why."""
        rows = self.session["repetitions"]
        page = self.page
        answer = self.poses(self.session)
        for line in answer:
            if rows[2]["start"] <= line["time"] <= rows[2]["end"]:
                for body in line["people"]:
                    for point in body["keypoints"].values():
                        point[2] = min(point[2], 0.49)
        self.review(self.plant(self.session, rows, poses=answer))
        facts = page.locator("#repetition-list li")
        expect(facts.nth(2)).to_contain_text("not sure")
        expect(facts.nth(1)).not_to_contain_text("not sure")
        expect(page.locator("#curve-why")).to_contain_text("less than half certain")
        self.assertEqual(page.locator("#curve .curve-line").get_attribute("d").count("M"), 2)
        self.tab("numbers")
        expect(page.locator("#numbers .tile", has_text="range of motion")).to_contain_text("1 left out")

    def test_what_was_not_seen_is_a_gap_everywhere_and_no_number(self):
        """Frames, or the person in them, are missing within the third repetition: nothing is made up across the hole."""
        page, third = self.page, self.session["repetitions"][2]
        middle = (third["start"] + third["end"]) / 2
        is_missing = lambda line: abs(line["time"] - middle) < 0.35
        whole = self.poses(self.session)
        without_frames = [line for line in whole if not is_missing(line)]
        without_person = [line | {"people": []} if is_missing(line) else line for line in whole]
        for name, answer in (("frames", without_frames), ("person", without_person)):
            with self.subTest(missing=name):
                self.review(self.plant(self.session, self.session["repetitions"], poses=answer))
                facts = page.locator("#repetition-list li")
                expect(facts.nth(2)).to_contain_text("partly out of view")
                for fact in ("°", "%", "Tempo", "Depth"):
                    expect(facts.nth(2)).not_to_contain_text(fact)
                    if fact == "°":
                        expect(facts.nth(1)).to_contain_text(fact)
                self.assertEqual(page.locator("#curve .curve-line").get_attribute("d").count("M"), 2)
                self.shoot(f"review-gap-{name}")
                # The film shows nobody there.
                self.seek(middle)
                self.assertEqual(self.inked(), 0)
                self.seek(third["start"])
                self.assertGreater(self.inked(), 0)
                self.tab("numbers")
                expect(page.locator("#numbers .tile", has_text="range of motion")).to_contain_text("1 left out")
                self.tab("compare")
                page.locator("#compare-a").select_option("2")
                lines = page.locator("#compare-curve .compare-line")
                self.assertEqual([lines.nth(at).get_attribute("d").count("M") for at in (0, 1)], [2, 1])
                expect(page.locator("#compare-figures tr").first.locator("td").first).to_have_text("–")
                self.tab("report")
                cells = page.locator("#sheet tbody tr").nth(2).locator("td")
                self.assertEqual([cells.nth(at).text_content() for at in (3, 4, 5, 6)], ["–"] * 4)
                self.assertEqual(page.locator("#sheet .curve-line").get_attribute("d").count("M"), 2)

    def inked(self):
        return self.page.evaluate(INK)["drawn"]

    def test_a_kept_video_lies_under_the_skeleton_in_step(self):
        """As a browser records it, without a length."""
        page = self.page
        film = clips.recording("eleven")
        session = self.plant(self.session, self.session["repetitions"])
        sent = self.context.request.put(f"{self.studio.address}api/history/{session['id']}/video", data=film.read_bytes(),
                                        headers={"Content-Type": "video/webm"})
        self.assertEqual(sent.status, 200, sent.text())
        self.review(session)
        expect(page.locator("#video")).to_be_visible()
        # At the end and back to know the length; then it stands where the film stands.
        self.until("video.readyState > 1 && !video.seeking && video.currentTime < 0.1")
        page.locator("#title").click()
        page.keyboard.press("ArrowRight")
        self.until("start => !video.seeking && Math.abs(video.currentTime - start) < 0.05", self.session["repetitions"][0]["start"])
        page.keyboard.press("Space")
        self.until("video.currentTime > 2.5")
        # While the video plays, there is half a second without a frame in which skeleton and video are two frames apart.
        apart = page.evaluate("""() => new Promise((done) => {
            const found = [], end = performance.now() + 60_000, play = document.getElementById("play");
            const look = () => {
                if (play.dataset.playing === "false") {
                    // On a busy machine it may need another round.
                    found.length = 0;
                    play.click();
                } else found.push(Math.abs(video.currentTime - Number(film.dataset.time)));
                const most = found.length < 30 ? Infinity : Math.max(...found.slice(-30));
                if (most < 0.07 || performance.now() > end) done(most);
                else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        })""")
        self.assertLess(apart, 0.07)
        page.keyboard.press("Space")
        self.until("video.paused")
        self.shoot("review-video")
        page.locator("#bones").uncheck()
        self.assertEqual(page.evaluate(INK)["drawn"], 0)

    def test_several_angles_are_drawn_with_a_legend_and_a_table(self):
        page = self.page
        page.locator("#angles input[value=leftKnee]").check()
        page.locator("#angles input[value=trunk]").check()
        expect(page.locator("#curve .curve-line")).to_have_count(3)
        self.tab("numbers")
        page.locator("#curve-table summary").click()
        expect(page.locator("#curve-rows thead th")).to_have_count(5)
        expect(page.locator("#curve-rows tbody tr")).to_have_count(len(self.session["repetitions"]))

    def test_two_repetitions_play_side_by_side(self):
        page = self.page
        self.tab("compare")
        expect(page.locator("#compare-a option")).to_have_count(len(self.session["repetitions"]))
        page.locator("#compare-b").select_option("9")
        expect(page.locator("#compare-curve .compare-line")).to_have_count(2)
        # At the turn both are as far as they go: the arms are up in both pictures.
        phase = "Number(document.getElementById('compare-picture').dataset.phase)"
        page.locator("#compare-play").click()
        self.until(f"{phase} > 0.1")
        page.locator("#compare-play").click()
        page.locator("#compare-over").check()
        page.locator("#compare-phase").fill("0.5")
        self.assertEqual(page.evaluate(phase), 0.5)
        # The time of a repetition stands below, as in its row of the list.
        third = self.session["repetitions"][9]
        took = page.locator("#compare-figures tr", has_text="Duration").locator("td").nth(1).inner_text()
        self.assertAlmostEqual(float(took.split()[0]), third["end"] - third["start"], delta=0.06)

    def test_another_session_is_compared_with(self):
        other = self.plant(self.session, self.session["repetitions"][:3])
        self.review(self.session)
        self.tab("compare")
        self.page.locator("#compare-session").select_option(other["id"])
        expect(self.page.locator("#compare-b option")).to_have_count(3)
        expect(self.page.locator("#compare-figures tr")).to_have_count(3)
        curves = self.page.locator(".compare-line")
        self.assertEqual(curves.nth(0).get_attribute("d"), curves.nth(1).get_attribute("d"))

    def test_another_camera_of_the_set_goes_with_it(self):
        # The other camera began 0.8 s later; its clock says half a second.
        late = 0.8
        lines = [line | {"time": round(line["time"] - late, 6)} for line in self.poses(self.session) if line["time"] >= late]
        other = self.plant(self.session, [], poses=lines)
        with self.history() as store:
            store.execute("INSERT INTO annotation VALUES (?, 'view', ?)", [other["id"], json.dumps({"of": self.session["id"], "offset": 0.5})])
        self.assertNotIn(other["id"], [one["id"] for one in self.studio.sessions()])
        page = self.page
        self.review(self.session)
        second = page.locator("#second")
        expect(second).to_be_visible()
        self.assertAlmostEqual(float(second.get_attribute("data-offset")), late, delta=0.04)
        self.seek(5)
        here, there = (int(page.locator(place).get_attribute("data-frame")) for place in ("#film", "#second-film"))
        self.assertAlmostEqual(self.poses(self.session)[here]["time"], lines[there]["time"] + late, delta=0.08)
        expect(page.locator("#second-name")).to_contain_text("Other camera")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(200)
            self.assertEqual(page.evaluate(FAULTS), [], (width, height))
        self.shoot("review-two-cameras")
        page.set_viewport_size({"width": 1440, "height": 900})
        # One set is deleted with both.
        self.studio.ask(f"api/history/{other['id']}", method="DELETE")
        self.review(self.session)
        expect(second).to_be_hidden()

    def test_a_session_without_poses_says_so_and_has_its_list(self):
        page = self.page
        self.review(self.sessions[1])
        expect(page.locator("#no-poses")).to_contain_text("settings")
        expect(page.locator("#screen")).to_be_hidden()
        expect(page.locator("#repetition-list li")).to_have_count(clips.truth("four")["count"])
        expect(page.locator("#curve .band")).to_have_count(clips.truth("four")["count"])
        self.tab("numbers")
        expect(page.locator("#numbers-why")).to_contain_text("No skeleton was kept")
        self.tab("compare")
        expect(page.locator("#compare-none")).to_be_visible()

    def test_a_session_without_repetitions_is_no_error(self):
        self.review(self.plant(self.session, []))
        expect(self.page.locator("#no-repetitions")).to_be_visible()
        expect(self.page.locator("#tally")).to_have_text("0 repetitions")
        for name in TABS:
            self.tab(name)
        self.review(self.plant(self.session, [], poses=False))
        for name in ("numbers", "compare", "correct", "report"):
            self.tab(name)

    def test_a_session_that_is_gone_is_told(self):
        self.expected = "404"
        self.page.goto(self.studio.address + "review.html#00000000-0000-4000-8000-000000000000")
        self.page.reload()
        expect(self.page.locator("#title")).to_have_text("No such session")

    def test_the_count_is_corrected_kept_and_taken_back(self):
        page = self.page
        session = self.plant(self.session, self.session["repetitions"])
        count = len(session["repetitions"])
        self.review(session)
        self.tab("correct")
        expect(page.locator("#correct-sum")).to_have_text(f"Counted {count}")
        # Before the first repetition there is time for one more.
        self.seek(0)
        page.locator("#correct-add").click()
        expect(page.locator("#correct-sum")).to_have_text(f"Counted {count}, corrected {count + 1}")
        page.locator("#correct-add").click()
        expect(page.locator("#correct-message")).to_contain_text("already")
        # The one that the film shows is the one to correct.
        self.tab("numbers")
        self.seek(session["repetitions"][4]["start"] + 0.1)
        self.tab("correct")
        expect(page.locator("#correct-which")).to_have_value("5")
        # The last goes, the second and the third are one.
        page.locator("#correct-which").select_option(str(count))
        page.locator("#correct-remove").click()
        page.locator("#correct-which").select_option("2")
        page.locator("#correct-merge").click()
        expect(page.locator("#curve .band")).to_have_count(count - 1)
        page.locator("#correct-undo").click()
        expect(page.locator("#curve .band")).to_have_count(count)
        page.locator("#correct-merge").click()
        # An end by its field, another by dragging.
        page.locator("#correct-which").select_option("0")
        end = round(session["repetitions"][0]["start"] + 0.4, 2)
        page.locator("#correct-end").fill(str(end))
        page.locator("#correct-end").press("Enter")
        knob = page.locator(".handle[data-side=start] .grip-knob").bounding_box()
        x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 12, y, steps=4)
        page.mouse.up()
        start = float(page.locator("#correct-start").input_value())
        self.assertGreater(start, 0.05)
        end = float(page.locator("#correct-end").input_value())
        self.assertGreater(end, start)
        page.locator("#correct-save").click()
        expect(page.locator("#correct-message")).to_contain_text("Saved")

        kept = self.studio.ask(f"api/history/{session['id']}")
        found = session["repetitions"]
        self.assertEqual(len(kept["corrections"]), count - 1)
        self.assertEqual(kept["count"], count)
        self.assertAlmostEqual(kept["corrections"][0]["start"], start, places=2)
        self.assertAlmostEqual(kept["corrections"][0]["end"], end, places=2)
        self.assertAlmostEqual(kept["corrections"][2]["start"], found[1]["start"], places=2)
        self.assertAlmostEqual(kept["corrections"][2]["end"], found[2]["end"], places=2)
        page.reload()
        expect(page.locator("#tally")).to_have_text(f"Counted {count}, corrected {count - 1}")
        expect(page.locator("#repetition-list li")).to_have_count(count - 1)
        expect(page.locator("#repetition-list li").first).to_contain_text("added by you")
        self.tab("report")
        link = page.locator("#exports a[href*='labels.csv']").get_attribute("href")
        labels = self.context.request.get(self.studio.address + link).text().splitlines()
        self.assertEqual(labels[0], "file,reps")
        self.assertTrue(labels[1].endswith(f",{count - 1}"), labels)
        zipped = page.locator("#exports a[href*='labels.zip']").get_attribute("href")
        self.assertEqual(self.context.request.get(self.studio.address + zipped).body()[:2], b"PK")

        self.tab("correct")
        page.locator("#correct-back").click()
        expect(page.locator("#tally")).to_have_text(f"{count} repetitions")
        self.assertNotIn("corrections", self.studio.ask(f"api/history/{session['id']}"))

    def test_on_a_phone_the_film_stays_in_view_while_correcting(self):
        page = self.page
        page.set_viewport_size({"width": 390, "height": 844})
        self.tab("correct")
        page.evaluate("document.querySelector('#correct-start-here').scrollIntoView({ block: 'end' })")
        boxes = {name: page.locator(name).bounding_box() for name in ("#film", "#play", "#correct-start-here")}
        for name, box in boxes.items():
            self.assertGreaterEqual(box["y"], -0.5, name)
            self.assertLessEqual(box["y"] + box["height"], 844.5, name)
        self.assertLessEqual(boxes["#film"]["y"] + boxes["#film"]["height"], boxes["#play"]["y"])
        self.assertLessEqual(boxes["#play"]["y"] + boxes["#play"]["height"], boxes["#correct-start-here"]["y"])
        # The film moves, and is seen to.
        page.locator("#step-on").click()
        self.assertEqual(self.frame, 1)

    def test_the_note_is_kept(self):
        session = self.plant(self.session, self.session["repetitions"][:1])
        self.review(session)
        self.tab("report")
        self.page.locator("#note").fill("Felt easy; <b>left knee</b> & “shoulder” fine.")
        self.page.locator("#note-keep").click()
        expect(self.page.locator("#note-message")).to_have_text("Note saved.")
        self.page.reload()
        self.until("document.getElementById('note').value.startsWith('Felt easy; <b>')")

    def test_the_report_keeps_everything_however_long_the_set(self):
        page, rows = self.page, self.session["repetitions"]
        long = self.session["duration"]
        fault = {"code": "shallow", "joint": "leftKnee", "phase": "far", "measured": 70, "expected": 90, "tolerance": 5, "unit": "degrees"}
        codes = ["shallow", "not_locked_out", "knees_in", "hips_sagging", "leaning", "uneven", "too_fast"]

        def coached(one, at):
            half = (one["end"] - one["start"]) / 2
            return {"id": 1, "exercise": "jumping_jack", "number": at + 1, "start": one["start"], "end": one["end"], "depth": 0.9, "side": None,
                    "tempo": {"eccentric": half, "pause": 0, "concentric": half}, "symmetry": 0.9,
                    "faults": [fault | {"code": code} for code in codes[at % 7:at % 7 + 2]]}

        many = [one | {"start": one["start"] + at * long, "end": one["end"] + at * long} for at in range(11) for one in rows]
        many = [coached(one, at) for at, one in enumerate(many)][:120]
        for repetitions, times, language in ((rows[:1], 1, "en"), (rows, 1, "en"), (many, 11, "en"), (rows, 1, "de"), (many, 11, "de")):
            session = self.plant(self.session, repetitions, times=times)
            page.goto(self.studio.address)
            page.evaluate("language => localStorage.setItem('kinema', JSON.stringify({ language, preview: false }))", language)
            self.review(session)
            self.tab("report")
            page.locator("#note").fill("A sentence with some words in it. " * 14)
            page.locator("#note-keep").click()
            expect(page.locator("#note-message")).to_have_text({"en": "Note saved.", "de": "Notiz gespeichert."}[language])
            with self.subTest(count=len(repetitions), language=language):
                pdf = page.pdf(path=SHOTS / f"report-{len(repetitions)}-{language}.pdf", prefer_css_page_size=True, print_background=True)
                self.assertEqual(pages(pdf), page.locator(".sheet").count())
                (self.assertGreater if len(repetitions) == 120 else self.assertEqual)(pages(pdf), 1)
                page.emulate_media(media="print")
                for cut in page.locator(".sheet").evaluate_all("all => all.map(one => one.scrollHeight - one.clientHeight)"):
                    self.assertLessEqual(cut, 0, "a page is cut off")
                expect(page.locator("#sheet .sheet-count")).to_contain_text(str(len(repetitions)))
                note = page.locator(".sheet .sheet-note").all_text_contents()
                self.assertEqual("".join(note).count("A sentence"), 14)
                # Each repetition once, in order, with each of its findings.
                self.assertEqual(page.locator(".sheet tbody tr td:first-child").all_text_contents(),
                                 [str(at + 1) for at in range(len(repetitions))])
                told = page.locator(".sheet tbody tr td:last-child").all_text_contents()
                self.assertEqual([len(one.split(", ")) if one != "–" else 0 for one in told],
                                 [len(one.get("faults", [])) for one in repetitions])
                kinds = {one["code"] for row in repetitions for one in row.get("faults", [])}
                self.assertEqual(page.locator(".sheet .sheet-faults li").count(), len(kinds))
                expect(page.locator(".sheet .sheet-gaps")).to_have_count(1)
                expect(page.locator(".sheet .sheet-lines")).to_have_count(1)
                # Numbers are written as the language has it.
                self.assertRegex(" ".join(page.locator(".sheet tbody").all_text_contents()), {"en": r"\d\.\d+\ss", "de": r"\d,\d+\ss"}[language])
                page.emulate_media(media="null")

    def test_it_is_read_and_corrected_without_a_mouse(self):
        page = self.page

        def press_until(reached, most=60):
            for _ in range(most):
                page.keyboard.press("Tab")
                focus = page.evaluate(access.FOCUS)
                self.assertGreaterEqual(focus["width"], 2, f"no ring on {focus['name']}")
                self.assertTrue(focus["isInView"], focus["name"])
                if page.evaluate("reached => document.activeElement.matches(reached)", reached):
                    return
            self.fail(f"{reached} is not reached")

        session = self.plant(self.session, self.session["repetitions"])
        self.review(session)
        press_until("#scrub")
        page.keyboard.press("ArrowRight")
        self.assertAlmostEqual(self.time, 0.5, delta=0.01)
        press_until("#play")
        page.keyboard.press("Space")
        self.until("Number(film.dataset.time) > 0.8")
        page.keyboard.press("Space")
        press_until("#tab-repetitions")
        press_until(".repetition")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        self.assertAlmostEqual(self.time, session["repetitions"][2]["start"], delta=0.01)
        page.keyboard.press("Shift+Tab")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#tab-correct")).to_be_focused()
        press_until("#correct-remove")
        page.keyboard.press("Enter")
        press_until("#correct-save")
        page.keyboard.press("Enter")
        expect(page.locator("#correct-message")).to_contain_text("Saved")

    def test_nothing_overlaps_or_is_cut_at_any_size(self):
        self.look_at_every_size("en")

    def test_nothing_overlaps_or_is_cut_in_german_with_its_longer_words(self):
        self.page.evaluate("localStorage.setItem('kinema', JSON.stringify({ language: 'de' }))")
        self.review(self.session)
        expect(self.page.locator("html")).to_have_attribute("lang", "de")
        self.look_at_every_size("de")

    def look_at_every_size(self, language):
        page = self.page
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for name in TABS:
                self.tab(name)
                self.seek(self.session["repetitions"][9]["start"] + 0.2)
                with self.subTest(size=(width, height), tab=name, language=language):
                    self.assertEqual(page.evaluate(FAULTS), [])
                    small = [one for one in page.evaluate(access.TARGETS) if min(one["width"], one["height"]) < 44]
                    self.assertEqual(small, [])
                    if name == "repetitions":
                        box = page.locator("#screen").bounding_box()
                        self.assertLessEqual(box["height"], height)

    def test_contrast_and_names_in_both_appearances(self):
        page = self.page
        for name in TABS:
            self.tab(name)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
                poor = [one for one in page.evaluate(access.CONTRAST) if round(one["ratio"], 2) < one["needed"]]
                self.assertEqual(poor, [], (name, scheme))
            self.assertEqual([role for role, said in access.names(page) if not said], [], name)

    def test_a_german_reader_finds_german_words(self):
        context = self.make_context(locale="de-DE")
        self.addCleanup(context.close)
        german = self.open("review.html", context)
        self.review(self.session, german)
        for name in TABS:
            german.locator(f"#tab-{name}").click()
            self.assertNotIn("review.", german.locator("main").inner_text())
        expect(german.locator("#tab-correct")).to_have_text("Korrektur")
        expect(german.locator("html")).to_have_attribute("lang", "de")

    def test_how_it_looks(self):
        for name in TABS:
            self.tab(name)
            self.shoot(f"review-{name}", whole=True)


class Coached(ReviewCase):
    recorded = [("coach", "shallow", True)]

    def test_a_fault_lights_its_joint_with_what_was_measured(self):
        session = self.sessions[0]
        faulty = next(one for one in session["repetitions"] if one["faults"])
        self.review(session)
        page = self.page
        self.seek(faulty["start"])
        self.assertEqual(page.evaluate(INK)["red"], 0)
        expect(page.locator("#film-fault")).to_have_text("")
        self.seek((faulty["start"] + faulty["end"]) / 2)
        self.assertGreater(page.evaluate(INK)["red"], 50)
        fault = faulty["faults"][0]
        expect(page.locator("#film-fault")).to_contain_text(f"{fault['measured']:.2f}, expected {fault['expected']:.2f}")
        row = page.locator("#repetition-list li").nth(session["repetitions"].index(faulty))
        expect(row.locator(".fault").first).to_contain_text("shallow")
        expect(row).to_contain_text("Depth")
        self.tab("numbers")
        expect(page.locator("#numbers .tile", has_text="Depth").locator("small")).to_contain_text("of full depth")
        self.tab("repetitions")
        expect(page.locator("#curve .band.faulty")).to_have_count(sum(bool(one["faults"]) for one in session["repetitions"]))
        self.shoot("review-fault")

    def test_it_is_deleted_only_when_confirmed(self):
        session = self.plant(self.sessions[0], self.sessions[0]["repetitions"])
        self.review(session)
        self.tab("report")
        self.page.locator("#delete").click()
        expect(self.page.locator("#confirm-keep")).to_be_focused()
        self.page.keyboard.press("Escape")
        self.assertIn(session["id"], [one["id"] for one in self.studio.sessions()])
        self.page.locator("#delete").click()
        self.page.locator("#confirm-delete").click()
        expect(self.page.locator("#message")).to_have_text("Deleted.")
        self.assertNotIn(session["id"], [one["id"] for one in self.studio.sessions()])


# The studio's answers take their time, as over a slow network.
SLOW_ANSWERS = """() => {
    const ask = window.fetch;
    window.awaited = 0;
    window.fetch = async (...request) => {
        window.awaited += 1;
        const answer = await ask(...request);
        await new Promise((done) => setTimeout(done, 300));
        // What awaits the answer goes on first.
        setTimeout(() => { window.awaited -= 1; }, 50);
        return answer;
    };
}"""


class Trained(ReviewCase):
    recorded = [("count", "eleven", True), ("coach", "shallow", True)]

    def mark(self, session, stretches):
        self.review(session)
        self.page.evaluate(SLOW_ANSWERS)
        self.tab("marks")
        for number, (start, end, label) in enumerate(stretches):
            self.page.locator("#title").click()
            self.seek(start)
            self.page.keyboard.press("i")
            self.seek(end)
            self.page.keyboard.press("o")
            # What is marked, and added, while the stretch before is being saved stays.
            if number % 2 == 0:
                self.until("window.awaited === 0")
            self.page.locator("#mark-label").fill(label)
            self.page.locator("#mark-add").click()
        expect(self.page.locator("#marks li")).to_have_count(len(stretches))

    def test_a_model_is_trained_from_marks_and_tried(self):
        page = self.page
        jacks, squats = self.sessions
        self.mark(jacks, [(one["start"], one["end"] + 0.3, "jacks") for one in jacks["repetitions"][:8:2]])
        self.mark(squats, [(one["start"], one["end"], "squats") for one in squats["repetitions"]])
        self.assertEqual({one["label"] for one in self.studio.ask(f"api/history/{jacks['id']}")["marks"]}, {"jacks"})
        # A label is needed, and what was marked by mistake goes.
        page.locator("#title").click()
        page.keyboard.press("i")
        self.seek(self.time + 1)
        page.keyboard.press("o")
        page.locator("#mark-label").fill("")
        page.locator("#mark-add").click()
        expect(page.locator("#mark-message")).to_contain_text("Name the action")
        expect(page.locator("#train-sessions input")).to_have_count(2)
        page.locator("#train-go").click()
        expect(page.locator("#train-result")).to_have_text("Name the model first.")
        page.locator("#train-name").fill("Jacks or squats")
        page.locator("#train-go").click()
        link = page.locator("#train-result a")
        expect(link).to_be_visible(timeout=120_000)
        expect(page.locator("#train-result")).to_contain_text(f"jacks (4), squats ({len(squats['repetitions'])})")
        expect(page.locator("#train-result")).to_contain_text(f"from {4 + len(squats['repetitions'])} clips")
        self.shoot("review-trained", whole=True)
        made = self.studio.ask("api/status")["classifiers"]
        model = next(one for one in made if one["name"] == "Jacks or squats")
        self.assertEqual(link.get_attribute("href"), f"./#classify={model['id']}")
        link.click()
        # The studio comes with the mode and the model chosen, and the model knows what it was taught.
        expect(page.locator("#studio")).to_have_attribute("data-mode", "classify")
        expect(page.locator("#classifier")).to_have_value(model["id"])
        page.locator("#source-kind").select_option("upload")
        page.locator("#upload-file").set_input_files(clips.video("four"))
        page.locator("#start").click()
        expect(page.locator("#after")).to_be_visible(timeout=120_000)
        seconds = {}
        for one in self.studio.sessions()[0]["segments"]:
            seconds[one["label"]] = seconds.get(one["label"], 0) + one["end"] - one["start"]
        self.assertEqual(max(seconds, key=seconds.get), "jacks", seconds)


class OtherKinds(ReviewCase):
    """Sessions without repetitions: recognised actions and drawings, as the interface tells them."""

    def setUp(self):
        super().setUp()
        self.page.goto(self.studio.address + "review.html")

    def show(self, mode, **rest):
        told = {"id": "00000000-0000-4000-8000-000000000007", "date": "2026-11-24T10:00:00.000Z", "mode": mode, "source": "film.mp4",
                "duration": 20.0, "count": 0, "people": 1, "repetitions": [], "holds": [], "throws": [], "pinches": [], "segments": [],
                "hasPoses": False, "exports": ["json"], "marks": [], **rest}
        self.page.route(f"**/api/history/{told['id']}", lambda route: route.fulfill(json=told))
        self.review(told)

    def test_actions_stand_on_a_strip_and_in_a_table(self):
        page = self.page
        self.show("classify", segments=[
            {"start": 0.5, "end": 6.0, "label": "squat", "confidence": 0.91}, {"start": 6.0, "end": 9.0, "label": None, "confidence": 0.4},
            {"start": 9.0, "end": 19.5, "label": "<img src=x onerror=alert(1)>", "confidence": 0.7}])
        expect(page.locator("#curve .mark-band")).to_have_count(2)
        expect(page.locator("#extras tbody tr")).to_have_count(3)
        # A label is text and nothing else.
        expect(page.locator("#extras tbody td", has_text="<img src=x onerror=alert(1)>")).to_be_visible()
        expect(page.locator("#tab-repetitions")).to_be_hidden()
        self.assertEqual(page.evaluate(FAULTS), [])
        self.assertEqual(pages(page.pdf(prefer_css_page_size=True)), 1)
        self.shoot("review-actions", whole=True)

    def test_a_game_is_a_table_without_a_hidden_column_in_the_units_chosen(self):
        page = self.page
        throws = [{"number": at + 1, "type": kind, "type_confidence": 0.97, "speed_mps": 6.71 + at / 9, "speed_mph": 15.0 + at / 4,
                   "angle": 41.4, "arm_angle": 30.0, "distance_m": 7.01, "distance_ft": 23.0, "player_distance_m": 7.6,
                   "player_distance_ft": 25.0, "score": score, "landing": landing, "start": at * 4.0, "end": at * 4 + 1.0,
                   "point": [0.8, 0.2], "path": [[at * 4.0, 0.2, 0.4], [at * 4 + 1.0, 0.8, 0.2]]}
                  for at, (kind, landing, score) in enumerate([("underhand", "board", 1), ("overhand", "hole", 3), ("underleg", "off", 0)])]
        game = {"board": None, "line": None, "aspect_ratio": 1.78, "total": 4, "average_speed_mps": 6.8, "average_speed_mph": 15.3,
                "average_angle": 41.0, "average_arm_angle": 30.0, "average_distance_m": 7.01, "average_distance_ft": 23.0,
                "top_speed_mps": 6.93, "top_speed_mph": 15.5}
        foreign = {"metric": ("mph", " ft", ", ft"), "imperial": ("m/s", " m ", ", m,")}
        for units, speed, length in (("imperial", "mph", "ft"), ("metric", "m/s", "m")):
            page.evaluate("units => localStorage.setItem('kinema', JSON.stringify({ units }))", units)
            self.show("toss", count=3, throws=throws, game=game)
            extras = page.locator("#extras")
            expect(extras.locator("th")).to_have_text(["No.", "Throw", "Landed", "Points", f"Speed, {speed}", f"Distance, {length}", "Angle"])
            told = extras.inner_text()
            for word in foreign[units]:
                self.assertNotIn(word, told)
            self.tab("report")
            for word in foreign[units]:
                self.assertNotIn(word, page.locator("#sheet").text_content())
            self.tab("extras")
            for width in (1440, 1280, 1024, 390):
                page.set_viewport_size({"width": width, "height": 800})
                # Where there is no room for all of it, what a throw came to is in view.
                needed = "room.scrollWidth" if width >= 1280 else "room.querySelector('th:nth-child(4)').offsetLeft + 40"
                room = extras.locator(".table-room")
                self.assertLessEqual(room.evaluate(f"room => {needed} - room.clientWidth"), 0, width)
            self.shoot(f"review-toss-{units}", whole=True)

    def test_a_drawing_is_a_picture_and_can_do_nothing(self):
        page = self.page
        self.show("draw", pinches=[{"id": 1, "hand": "right", "start": 1, "end": 3}], drawing="""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><script>parent.document.title = "taken"</script>
            <path d="M10 80 L80 10 L150 80" fill="none" stroke="#0b6b57" stroke-width="4"/></svg>""")
        drawing = page.locator("#extras img.drawing")
        expect(drawing).to_have_attribute("alt", "Drawing of 1 pinch")
        self.until("document.querySelector('#extras img.drawing').naturalWidth > 0")
        self.assertNotEqual(page.title(), "taken")
        self.assertEqual(pages(page.pdf(path=SHOTS / "report-drawing.pdf", prefer_css_page_size=True, print_background=True)), 1)
        self.shoot("review-drawing", whole=True)
