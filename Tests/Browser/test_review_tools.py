"""What the review draws, measures, hides and saves is right: against the truth of rendered films, and as files."""

import json
import math
import re
import shutil
import subprocess
import unittest

import clips
from browsing import IS_FULL, SHOTS
from playwright.sync_api import expect
from reviewing import ReviewCase

LIMBS = {"leftKnee": ("leftHip", "leftAnkle"), "leftElbow": ("leftShoulder", "leftWrist"), "rightShoulder": ("rightHip", "rightElbow")}
PHONES = [(390, 844), (360, 640)]


def angle(points, vertex, shape):
    """Degrees at a joint between its limbs, of keypoints."""
    x, y = points[vertex][:2]
    turns = [math.atan2(points[end][1] - y, (points[end][0] - x) * shape) for end in LIMBS[vertex]]
    turn = abs(math.degrees(turns[0] - turns[1]))
    return min(turn, 360 - turn)


def apart(points, one, other, shape):
    return math.hypot((points[one][0] - points[other][0]) * shape, points[one][1] - points[other][1])


def probe(path, *entries):
    words = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", f"stream={','.join(entries)}", "-of", "json", path]
    return json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)["streams"][0]


def pixels(path, number=0):
    """A picture of a file as rows of grey values, and its width and height."""
    size = probe(path, "width", "height")
    raw = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-vf", f"select=eq(n\\,{number})", "-frames:v", "1", "-pix_fmt", "rgb24",
                          "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
    return raw, size["width"], size["height"]


def roughness(path, body):
    """The share of neighbouring pixels of a head that differ, from the joints of the face."""
    raw, width, height = pixels(path)
    face = [body[name] for name in ("nose", "leftEye", "rightEye", "leftEar", "rightEar")]
    x, y = [sum(point[axis] for point in face) / len(face) for axis in (0, 1)]
    reach = 0.8 * (y - sum(body[name][1] for name in ("leftShoulder", "rightShoulder")) / 2)
    rows = range(max(0, int((1 - y - reach) * height)), min(height, int((1 - y + reach) * height)))
    columns = range(int(x * width - reach * height), int(x * width + reach * height))
    places = [3 * (row * width + column) for row in rows for column in columns]
    return sum(max(abs(raw[at + part] - raw[at + part + 3]) for part in range(3)) > 1 for at in places) / len(places)


class ToolCase(ReviewCase):
    recorded = [("count", "eleven", True)]

    def setUp(self):
        super().setUp()
        self.session = self.plant(self.sessions[0], self.sessions[0]["repetitions"])
        self.review(self.session)

    def keep_film(self):
        film = clips.recording(self.recorded[0][1])
        sent = self.context.request.put(f"{self.studio.address}api/history/{self.session['id']}/video", data=film.read_bytes(),
                                        headers={"Content-Type": "video/webm"})
        self.assertEqual(sent.status, 200, sent.text())
        self.review(self.session)
        self.until("video.readyState > 1 && !video.seeking")

    def save(self, button, menu=True):
        if menu:
            self.page.locator("#save-menu summary").click()
        with self.page.expect_download(timeout=120_000) as download:
            self.page.locator(button).click()
        path = self.studio.data / download.value.suggested_filename
        download.value.save_as(path)
        return path


class Tools(ToolCase):
    def setUp(self):
        super().setUp()
        self.truth = json.loads(clips.video("eleven").with_suffix(".json").read_text())
        self.shape = self.truth["width"] / self.truth["height"]

    def tap(self, x, y):
        """Taps the film at a place, 0 to 1 from the lower left."""
        box = self.page.locator("#film").bounding_box()
        self.page.mouse.click(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"])

    def drag(self, start, end):
        box = self.page.locator("#film").bounding_box()
        places = [(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]) for x, y in (start, end)]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        self.page.mouse.move(*places[1], steps=5)
        self.page.mouse.up()

    def tool(self, name):
        self.page.locator(f"[data-tool={name}]").click()

    def body(self, at):
        return self.truth["people"][0]["frames"][at]["keypoints"]

    def readings(self):
        return [row.locator("td").all_inner_texts() for row in self.page.locator("#readings tr").all()]

    def test_the_angle_of_a_joint_that_is_tapped_is_the_rendered_persons(self):
        page = self.page
        self.tab("measure")
        rate = self.truth["frameRate"]
        for at in (10, 30, 48):
            self.seek(at * rate["ticksPerFrame"] / rate["timescale"])
            body = self.body(at)
            for joint in LIMBS:
                self.tool("angle")
                # What is seen of a joint is not quite where it is: within a finger's reach it is taken.
                self.tap(*body[joint][:2])
                with self.subTest(frame=at, joint=joint):
                    now = self.readings()[-1][0]
                    seen = self.poses(self.session)[at]["people"][0]["keypoints"]
                    self.assertAlmostEqual(float(now.rstrip("°")), angle(seen, joint, self.shape), delta=0.51)
                    self.assertAlmostEqual(float(now.rstrip("°")), angle(body, joint, self.shape), delta=15)
                page.locator("#tool-undo").click()
        # It follows the joint, and its range in a repetition is that of the truth.
        page.locator("#measure-joint").select_option("rightShoulder")
        page.locator("#measure-angle").click()
        self.seek(self.session["repetitions"][3]["start"] + 0.1)
        page.locator("#zoom").click()
        expect(page.locator("#readings-of")).to_have_text("In the looped repetition")
        low, high, reach = [float(cell.rstrip("°")) for cell in self.readings()[0][1:4]]
        frames = [one for one in self.poses(self.session) if self.session["repetitions"][3]["start"] - 1e-3 <= one["time"] <= self.session["repetitions"][3]["end"] + 1e-3]
        true = [angle(self.body(one["frame"]), "rightShoulder", self.shape) for one in frames]
        self.assertAlmostEqual(low, min(true), delta=8)
        self.assertAlmostEqual(high, max(true), delta=8)
        self.assertAlmostEqual(reach, high - low, delta=1.01)

    def test_a_free_angle_and_a_line_are_where_they_were_drawn(self):
        self.tab("measure")
        self.tool("angle")
        for place in ((0.1, 0.1), (0.1, 0.4), (0.3, 0.1)):
            self.tap(*place)
        self.assertEqual(self.readings()[0][0], "90°")
        # An end that is moved changes it, and what was drawn is there again after the page was closed.
        self.drag((0.3, 0.1), (0.1 + 0.3 / self.shape, 0.4))
        self.assertAlmostEqual(float(self.readings()[0][0].rstrip("°")), 45, delta=1.5)
        # The choice of what is seen lies over the film there, and is in nobody's way while a line is drawn.
        self.keep_film()
        self.tab("measure")
        self.tool("line")
        self.drag((0.9, 0.97), (0.8, 0.2))
        self.review(self.session)
        self.tab("measure")
        self.assertEqual(len(self.readings()), 2)
        self.page.locator("#readings button").first.click()
        self.page.locator("#readings button").first.click()
        expect(self.page.locator("#readings-room")).to_be_hidden()
        self.assertEqual(self.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('kinema-drawing'))"), [])

    def test_a_ruler_measures_by_a_known_length_and_by_the_persons_height(self):
        page = self.page
        # British readers measure in feet; those who chose metres, in metres.
        page.evaluate("localStorage.setItem('kinema', JSON.stringify({ units: 'metric' }))")
        self.review(self.session)
        self.tab("measure")
        body = next(one for one in self.poses(self.session) if one["people"])["people"][0]["keypoints"]
        self.tool("ruler")
        self.drag(body["leftHip"][:2], body["leftAnkle"][:2])
        self.assertRegex(self.readings()[0][0], r"^\d+\s%$")
        page.locator("#scale-length").fill("80")
        page.locator("#scale-ruler").click()
        self.assertEqual(self.readings()[0][0], "80 cm")
        self.tool("ruler")
        self.drag(body["leftShoulder"][:2], body["leftHip"][:2])
        expected = 80 * apart(body, "leftShoulder", "leftHip", self.shape) / apart(body, "leftHip", "leftAnkle", self.shape)
        self.assertAlmostEqual(float(self.readings()[1][0].split()[0]), expected, delta=1.01)
        # By height: what lies between eyes and ankles is 0.897 of it (Drillis and Contini).
        page.locator("#scale-length").fill("178")
        page.locator("#scale-height").click()
        still = self.body(0)
        middle = lambda name: [(still[f"left{name}"][axis] + still[f"right{name}"][axis]) / 2 for axis in (0, 1)]
        tall = apart({"eyes": middle("Eye"), "ankles": middle("Ankle")}, "eyes", "ankles", self.shape)
        shown = float(re.search(r"([\d.]+) m ", page.locator("#scale-now").inner_text())[1])
        self.assertAlmostEqual(shown, 1.78 * 0.897 / tall, delta=0.04 * shown)
        self.assertAlmostEqual(float(self.readings()[0][0].split()[0]), 100 * shown * apart(body, "leftHip", "leftAnkle", self.shape), delta=1.01)
        page.locator("#scale-length").fill("")
        page.locator("#scale-height").click()
        expect(page.locator("#measure-message")).to_have_text("Enter the length first.")
        # The next film has the height already.
        self.review(self.session)
        expect(page.locator("#scale-length")).to_have_value("178")

    def test_the_path_of_a_point_follows_the_body(self):
        page = self.page
        self.tab("measure")
        self.seek(self.session["repetitions"][2]["start"] + 0.05)
        page.locator("#zoom").click()
        # Beside the forearm, where a bar would end.
        body = next(one for one in self.poses(self.session) if one["time"] >= self.time - 0.01)["people"][0]["keypoints"]
        self.tool("path")
        self.tap(body["leftWrist"][0] + 0.06, body["leftWrist"][1] - 0.04)
        told = self.readings()[0][0]
        self.assertRegex(told, r"^\d+\s% up and down, \d+\s% across$")
        self.assertGreater(int(told.split()[0]), 40, "the hand goes from the hip to over the head")
        self.tab("report")
        # The sheet is about the whole film, the reading about the repetition that is looped.
        expect(page.locator("#sheet .sheet-figures")).to_have_text(re.compile(r"Path\d+\s%\d+\s% up and down, \d+\s% across"))

    def test_a_loop_is_saved_as_a_film_with_all_its_frames(self):
        self.keep_film()
        one = self.session["repetitions"][4]
        self.seek(one["start"] + 0.2)
        self.page.locator("#zoom").click()
        frames = [line for line in self.poses(self.session) if one["start"] - 1e-3 <= line["time"] < one["end"] - 1e-3]
        gif = self.save("#save-gif")
        self.assertEqual(gif.read_bytes()[:6], b"GIF89a")
        found = probe(gif, "nb_read_frames", "width", "height", "duration")
        self.assertEqual(int(found["nb_read_frames"]), len(frames))
        self.assertEqual((found["width"], found["height"]), (480, 360))
        self.assertAlmostEqual(float(found["duration"]), one["end"] - one["start"], delta=0.1)
        # Different moments are different pictures, of which a later one shows the arms up.
        self.assertNotEqual(pixels(gif, 0)[0], pixels(gif, len(frames) // 2)[0])
        # At a quarter of the pace the browser's encoder keeps up on a busy machine.
        self.page.locator("#speed").select_option("0.25")
        film = self.save("#save-film")
        self.assertIn(film.suffix, (".mp4", ".webm"))
        found = probe(film, "nb_read_frames", "width")
        self.assertAlmostEqual(int(found["nb_read_frames"]), len(frames), delta=1)
        # Half as fast, a loop lasts twice as long.
        self.page.locator("#speed").select_option("0.5")
        slow = probe(self.save("#save-gif"), "duration")
        self.assertAlmostEqual(float(slow["duration"]), 2 * (one["end"] - one["start"]), delta=2 * (frames[1]["time"] - frames[0]["time"]))

    def test_hidden_faces_are_squares_in_every_picture_that_is_saved(self):
        page = self.page
        self.keep_film()
        page.locator("#bones").uncheck()

        times = [0.5 + 1.1 * at for at in range(12)]
        for choice, most in (("film", None), ("faces", 0.1), ("skeleton", 0.35)):
            page.locator("#privacy").select_option(choice)
            for time in times if choice == "faces" else times[:2]:
                self.seek(time)
                self.until("!video.seeking")
                rough = roughness(self.save("#save-picture"), self.body(self.poses(self.session)[self.frame]["frame"]))
                with self.subTest(choice=choice, time=time):
                    if most is None:
                        self.assertGreater(rough, 0.4, "a face that is not hidden is no smooth thing")
                    else:
                        self.assertLess(rough, most)
        # The choice is kept, and what it means is said.
        page.locator("#privacy").select_option("faces")
        self.review(self.session)
        expect(page.locator("#privacy")).to_have_value("faces")
        self.assertFalse(page.locator("#video").is_visible(), "under the picture with squares lies none without")
        self.tab("report")
        expect(page.locator("#privacy-now")).to_contain_text("Heads are covered here and in everything you save")
        expect(page.locator("#kept-studio")).to_contain_text("the video as it was recorded")
        page.locator("#film-delete").click()
        page.locator("#confirm-delete").click()
        expect(page.locator("#kept-studio")).not_to_contain_text("the film")
        expect(page.locator("#privacy-choice")).to_be_hidden()

    def test_films_are_compared_at_the_same_phase(self):
        page = self.page
        self.keep_film()
        self.tab("compare")
        page.locator("#compare-b").select_option("5")
        page.locator("#compare-phase").fill("0.5")
        # Pictures of both films: the wall is no plain ground.
        wall = """() => { const it = document.getElementById("compare-picture"), pen = it.getContext("2d");
            return [0.03, 0.53].map((x) => [...pen.getImageData(x * it.width, it.height / 2, 1, 1).data].slice(0, 3)); }"""
        self.until(f"({wall})().every((one) => Math.min(...one) > 60)")
        gif = self.save("#compare-gif", menu=False)
        self.assertEqual(int(probe(gif, "nb_read_frames")["nb_read_frames"]), 32)
        page.locator("#privacy").select_option("skeleton")
        self.until(f"({wall})().every((one) => Math.max(...one) < 30)")

    def test_bodies_are_compared_whole_though_a_plate_hides_the_trunk_at_first(self):
        stand = """(async () => {
            const { state } = await import("/js/review/state.js");
            const repetition = state.repetitions[0];
            const usual = it.standOf(state, repetition);
            const frames = structuredClone(state.frames);
            for (const { people: [one] } of frames.filter(({ time }) => time <= repetition.start + 0.15)) {
                for (const side of ["left", "right"]) one.keypoints[`${side}Shoulder`][1] = one.keypoints[`${side}Hip`][1] + 0.05;
            }
            const short = it.standOf({ ...state, frames }, repetition);
            return { usual, short, scales: [2, 0.4].map((shape) => it.scalesOf([usual, { ...usual, trunk: usual.trunk / 5 }], shape)) };
        })()"""
        found = self.call("review/compare.js", stand)
        usual = found["usual"]
        self.assertAlmostEqual(found["short"]["trunk"], usual["trunk"], delta=0.03 * usual["trunk"])
        self.assertAlmostEqual(found["short"]["hip"][1], usual["hip"][1], delta=0.01)
        for shape, scales in zip((2, 0.4), found["scales"]):
            # One measured five times too short is shown no larger than it fits, and the other with the same trunk.
            self.assertAlmostEqual(scales[1], 5 * scales[0])
            self.assertLess(scales[1] * usual["up"], 0.56)
            self.assertLess(scales[1] * usual["down"], 0.44)
            self.assertLess(scales[1] * usual["aside"], shape / 2)

    def test_no_screen_of_a_phone_is_longer_than_two_thousand_pixels(self):
        page = self.page
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            for name in ("repetitions", "numbers", "measure", "compare", "correct", "marks", "report"):
                self.tab(name)
                with self.subTest(size=(width, height), tab=name):
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollHeight"), 2000)
                    # The tabs lie under the thumb, and the film stays in view, or the two that are compared.
                    page.evaluate("scrollTo(0, 1e6)")
                    box = page.locator("#tabs").bounding_box()
                    self.assertAlmostEqual(box["y"] + box["height"], height, delta=1)
                    film = "#compare-picture" if name == "compare" else "#film"
                    self.assertGreaterEqual(page.locator(film).bounding_box()["y"], -1)

    def test_on_a_phone_on_its_side_the_two_stay_beside_their_figures(self):
        page = self.page
        page.set_viewport_size({"width": 740, "height": 360})
        self.tab("compare")
        for name in ("picture", "play", "phase", "speed", "save", "gif", "a", "b", "session"):
            expect(page.locator(f"#compare-{name}")).to_be_in_viewport(ratio=1)
        page.evaluate("document.getElementById('panel-compare').scrollTop = 1e4")
        for name in ("picture", "play", "figures"):
            expect(page.locator(f"#compare-{name}")).to_be_in_viewport(ratio=1)
        self.assertEqual(*page.evaluate("[document.documentElement.scrollHeight, innerHeight]"))

    def test_on_a_phone_a_tab_begins_below_the_film(self):
        page = self.page
        self.keep_film()
        page.set_viewport_size({"width": 390, "height": 844})
        self.seek(self.session["repetitions"][2]["start"] + 0.2)
        for name in ("measure", "compare", "correct", "report"):
            self.tab(name)
            expect(page.locator("#curve-part")).to_be_hidden()
            expect(page.locator("[data-tool=angle]")).to_be_visible(visible=name == "measure")
            # Those that are compared take the film's place and are saved by keys of their own.
            expect(page.locator("#compare-save" if name == "compare" else "#save-menu summary")).to_be_visible()
            self.assertLess(page.locator(f"#panel-{name}").bounding_box()["y"], 520, name)
        # All tabs are in view, and nothing lies over the time.
        self.assertLessEqual(*page.evaluate("[tabs.scrollWidth, tabs.clientWidth]"))
        time, choice = page.locator("#time").bounding_box(), page.locator("#privacy-choice").bounding_box()
        self.assertLess(choice["y"] + choice["height"], time["y"])
        expect(page.locator("#film-repetition")).to_be_hidden()
        page.set_viewport_size({"width": 1440, "height": 900})
        plate, choice = page.locator("#film-repetition").bounding_box(), page.locator("#privacy-choice").bounding_box()
        self.assertLess(choice["y"] + choice["height"], plate["y"])

    def test_the_report_shows_best_and_worst_goal_and_gaps(self):
        page = self.page
        for earlier in range(3):
            self.plant(self.sessions[0], self.sessions[0]["repetitions"][:4 + earlier])
        told = self.studio.ask(f"api/history/{self.session['id']}")
        told |= {"details": {"name": "Star jumps", "person": "Anna", "load": {"value": 12.5, "unit": "kg"}, "effort": 7, "pain": 1},
                 "plan": {"plan": "Morning", "set": 2, "sets": 3, "target": 12}}
        listed = self.studio.ask("api/history")
        for at, one in enumerate(listed["sessions"]):
            one |= {"details": {"name": "Star jumps", "person": "Anna"}, "date": f"2026-11-{10 + at:02}T10:00:00.000Z"}
        page.route(f"**/api/history/{self.session['id']}", lambda route: route.fulfill(json=told))
        page.route("**/api/history?*", lambda route: route.fulfill(json=listed))
        self.review(self.session)
        self.tab("report")
        expect(page.locator("#sheet .sheet-turns canvas")).to_have_count(2)
        sheet = page.locator("#sheet")
        for words in ("Star jumps", "Anna", "12.5 kg", "effort 7", "Goal not reached: 11 of 12", "Best: repetition", "Weakest: repetition",
                      "Repetitions in the last", "What could not be judged"):
            expect(sheet).to_contain_text(words)
        # The pictures show the skeleton at its turn.
        inked = page.evaluate("""[...document.querySelectorAll("#sheet canvas")].map((it) => {
            const { data } = it.getContext("2d").getImageData(0, 0, it.width, it.height);
            let n = 0;
            for (let at = 0; at < data.length; at += 4) if (data[at] > 150) n += 1;
            return n;
        })""")
        self.assertGreater(min(inked), 500)
        pdf = page.pdf(path=SHOTS / "report-tools.pdf", prefer_css_page_size=True, print_background=True)
        sheets = page.locator(".sheet").count()
        self.assertLessEqual(sheets, 2)
        self.assertEqual(len([one for one in pdf.split(b"/Type /Page")[1:] if not one.startswith(b"s")]), sheets)
        page.emulate_media(media="print")
        self.assertLessEqual(*page.evaluate("[sheet.scrollHeight, sheet.clientHeight]"), "the page is cut off")
        page.set_viewport_size({"width": 703, "height": 1032})
        page.screenshot(path=SHOTS / "report-tools.png")
        page.emulate_media(media="null")


FACE = "data/repetitions/jacks_blue12.mp4"


@unittest.skipUnless((clips.SHARED / FACE).exists(), f"needs the recording shared/{FACE}")
class RealFace(ToolCase):
    recorded = [("count", FACE, True)]

    def test_a_real_face_is_squares_in_every_picture_that_is_saved(self):
        """The pictures lie in the shots, so that a face detector can look at them too."""
        page = self.page
        self.keep_film()
        page.locator("#bones").uncheck()
        poses = self.poses(self.session)
        count = 300 if IS_FULL else 6
        seen = {}
        for choice, pictures in (("film", 3), ("faces", count)):
            page.locator("#privacy").select_option(choice)
            for number in range(pictures):
                line = poses[int(number * len(poses) / pictures)]
                self.seek(line["time"])
                self.until("!video.seeking && video.readyState > 1")
                picture = self.save("#save-picture")
                picture = shutil.move(picture, SHOTS / f"real-{choice}-{number:03}.png")
                if line["people"]:
                    seen.setdefault(choice, []).append(roughness(picture, line["people"][0]["keypoints"]))
        self.assertGreater(min(seen["film"]), 0.3, "a face that is not hidden is no smooth thing")
        self.assertGreater(len(seen["faces"]), 0.9 * count)
        self.assertLess(max(seen["faces"]), 0.15)
