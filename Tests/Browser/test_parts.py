"""The page's own sums, tried by themselves."""

from browsing import BrowserCase


class Parts(BrowserCase):
    clip = None
    shares_page = True

    def test_a_quantile_is_the_nearest_rank(self):
        values = list(range(1, 101))
        self.assertEqual(self.call("meter.js", "it.quantile(given, 0.95)", values), 95)
        self.assertEqual(self.call("meter.js", "it.quantile(given, 0.5)", [3, 1, 2]), 2)
        self.assertIsNone(self.call("meter.js", "it.quantile(given, 0.5)", []))

    def test_rates_come_from_times_not_from_counts(self):
        reading = self.call("meter.js", """(() => {
            const meter = new it.Meter();
            for (let at = 0; at < 90; at += 1) meter.capture(at * 1000 / 30);
            for (let at = 0; at < 45; at += 1) {
                meter.account({ arrived: 90, analysed: at + 1, dropped: 89 - at }, at * 1000 / 15);
            }
            meter.drawn(100, 130);
            return meter.reading(2990);
        })()""")
        self.assertAlmostEqual(reading["capture"], 30, 6)
        self.assertAlmostEqual(reading["analysis"], 15, 6)
        self.assertEqual((reading["arrived"], reading["analysed"], reading["dropped"]), (90, 45, 45))
        self.assertEqual(reading["median"], 30)

    def test_a_frame_comes_back_as_it_was_packed(self):
        back = self.call("frames.js", """(async () => {
            const buffer = it.packFrame(
                { sequence: 4000000000, taken: 12500, width: 640, height: 480 }, new Uint8Array([255, 216, 7]).buffer);
            const frame = it.unpackFrame(buffer);
            return { ...frame, jpeg: [...new Uint8Array(await frame.jpeg.arrayBuffer())],
                head: [...new Uint8Array(buffer, 0, 4)], bytes: buffer.byteLength,
                width: new DataView(buffer).getUint32(16, true) };
        })()""")
        self.assertEqual(bytes(back["head"]), b"KFR1")
        self.assertEqual((back["sequence"], back["time"], back["width"]), (4000000000, 12.5, 640))
        self.assertEqual((back["jpeg"], back["bytes"]), ([255, 216, 7], 27))
        self.assertIsNone(self.call("frames.js", "it.unpackFrame(new ArrayBuffer(40))"))

    def test_the_tracks_times_are_put_on_the_pages_clock(self):
        # Taken at 1000 + 33 n, known to the track as 33 n; seen 2 to 9 ms later, and shown up to 16 ms after that.
        times = self.call("camera-frames.js", """(() => {
            const clock = new it.CaptureClock();
            const times = [];
            for (let n = 0; n < 30; n += 1) {
                times.push(clock.timeOf(33 * n, 1000 + 33 * n + 2 + (7 * n) % 8));
                if (n % 3 === 2) clock.saw(1000 + 33 * (n - 1));
            }
            return times;
        })()""")
        self.assertEqual(times[0], 1002, "nothing is known yet but when it came")
        self.assertEqual(times[3:], [1000 + 33 * n for n in range(3, 30)])

    def test_chroma_that_alternates_becomes_two_planes(self):
        planes = self.call("frames.js", "(() => { const chroma = new Uint8Array(given); it.separate(chroma);"
                           " return [...chroma]; })()", [1, 11, 2, 12, 3, 13])
        self.assertEqual(planes, [1, 2, 3, 11, 12, 13])

    def test_a_number_hides_no_face(self):
        found = self.call("figures.js", """(() => {
            const body = (x, top) => new Map(Object.entries({
                nose: [x, top + 20], leftEar: [x + 12, top + 18], rightEar: [x - 12, top + 18], neck: [x, top + 50],
                leftWrist: [x + 60, top + 120], rightAnkle: [x - 20, top + 300],
            }).map(([name, [left, down]]) => [name, { x: left, y: down, confidence: 1 }]));
            const room = { width: 640, height: 480 };
            const size = { width: 24, height: 26 };
            const face = { left: 285, top: 60, width: 30, height: 30 };
            const over = it.placeNumber(body(300, 100), size, room, []);
            const above = it.placeNumber(body(300, 100), size, room, [face]);
            const edge = it.placeNumber(body(300, 0), size, room, []);
            const crowd = it.placeNumber(body(2, -40), size, room, [{ left: 0, top: 0, width: 640, height: 480 }]);
            return { over, above, edge, crowd };
        })()""")
        self.assertLess(found["over"]["top"] + 26, 110, "over the head")
        for name in ("above", "edge"):
            self.assertGreater(found[name]["top"], 60 if name == "edge" else 150, f"{name}: on the chest")
        self.assertGreaterEqual(min(found["crowd"]["left"], found["crowd"]["top"]), 0)

    def test_what_can_be_taken_away_fits_what_was_done(self):
        listed = ["json", "jsonl", "csv", "svg", "png"]
        offered = self.call("after.js", """given.map((session) => {
            it.showAfter({ reason: "stopped", kept: true, session: "1", summary: session }, session.upload ?? null);
            return [...document.querySelectorAll("#after-review, #after-links a")].map((link) => link.textContent);
        })""", [
            {"mode": "toss", "throws": [{"score": 1}], "exports": listed},
            {"mode": "count", "count": 1, "repetitions": [{}], "exports": listed},
            {"mode": "draw", "pinches": [{}], "exports": listed},
            {"mode": "classify", "segments": [{}], "exports": listed}, {"mode": "poses", "exports": ["json"]},
            {"mode": "coach", "repetitions": [], "exports": ["json"]},
            {"mode": "draw", "pinches": [], "exports": ["json"],
             "upload": {"upload": "7", "files": ["overlay.mp4", "poses.jsonl", "poses.csv", "poses.coco.json"]}},
            {"mode": "poses", "exports": ["json"],
             "upload": {"upload": "7", "files": ["poses.jsonl", "poses.csv", "poses.coco.json", "poses.new"]}},
            {"mode": "count", "count": 1, "repetitions": [{}], "exports": listed,
             "upload": {"upload": "7", "files": ["poses.jsonl", "overlay.mp4", "poses.csv"]}}])
        self.assertEqual(offered, [
            ["Review", "Throws, CSV", "Chart"], ["Review", "Repetitions, CSV", "Chart"],
            ["Review", "Pinches, CSV", "Chart"], ["Review", "Actions, CSV", "Chart"],
            ["Review"], ["Review"],
            ["Review", "Overlay video", "Poses, JSON Lines"],
            ["Review", "Poses, JSON Lines", "Poses, CSV", "COCO", "poses.new"],
            # Film, table and chart first; what other programs read stands in a group of its own.
            ["Review", "Overlay video", "Repetitions, CSV", "Chart", "Poses, JSON Lines", "Poses, CSV"]])
        self.assertEqual(self.page.locator("#after-links .others a").all_text_contents(), ["Poses, JSON Lines", "Poses, CSV"])

    def test_one_is_told_in_the_singular(self):
        words = self.call("after.js", "given.map((summary) => it.summaryWords({ duration: 61, ...summary }))", [
            {"mode": "count", "count": 1}, {"mode": "draw", "pinches": [{}]},
            {"mode": "toss", "throws": [{"score": 1}]}, {"mode": "classify", "segments": [{}]}, {"mode": "count"}])
        self.assertEqual(words, ["1 repetition · 1:01", "1 pinch · 1:01", "1 throw · 1 point · 1:01",
                                 "1 action · 1:01", "0 repetitions · 1:01"])

    def test_speeds_and_lengths_are_in_the_units_chosen(self):
        one = {"speed_mps": 8.94, "speed_mph": 20, "distance_m": 7.0, "distance_ft": 23.0}
        write = "['metric', 'british', 'imperial'].map((units) => { settings.settings.units = units; return [it.speedOf(given, 'speed')," \
                " it.lengthOf(given, 'distance'), it.speedOf({ speed_mps: 10 }, 'speed'), it.lengthOf({}, 'distance')]; })"
        told = self.call("units.js", f"(async () => {{ const settings = await import('/js/settings.js'); return {write}; }})()", one)
        self.assertEqual(told, [["8.9 m/s", "7.0 m", "10.0 m/s", ""], ["20.0 mph", "7.0 m", "22.4 mph", ""], ["20.0 mph", "23.0 ft", "22.4 mph", ""]])

    def test_a_depth_far_past_full_range_is_no_number(self):
        self.assertEqual(self.call("words.js", "given.map((depth) => it.depthWords(depth))", [0.96, 1.06, 1.35]),
                         ["96 % of the full range", "106 % of the full range", "more than the full range"])
        self.assertEqual(self.call("words.js", "given.map((depth) => it.depthWords(depth, 'after.share'))", [0.96, 1.35]), ["96 %", "more than the full range"])

    def test_a_british_reader_has_metres_and_miles(self):
        self.assertEqual(self.call("settings.js", "it.settings.units"), "british")

    def test_pain_and_effort_are_followed_over_the_weeks(self):
        sets = [{"mode": "count", "date": f"2026-11-{day:02}T10:00:00Z", "details": {"pain": pain, "effort": 7}} for day, pain in ((2, 4), (9, 2), (10, 0))]
        read = "['pain', 'effort'].map((name) => it.trend(given, name).rows.map(({ value }) => value))"
        self.assertEqual(self.call("history/sums.js", read, [*sets, {"mode": "count", "date": "2026-11-10T11:00:00Z"}]), [[4, 1], [7, 7]])

    def test_what_differs_from_what_was_shown_is_said_with_its_amount(self):
        shown = {"code": "different", "text": "right knee 14 degrees less bent at the turn", "joint": "rightKnee",
                 "unit": "degrees", "measured": 76, "expected": 90}
        taught = {"code": "taught", "text": "knees-in (by left knee 80 %, right knee 20 %)", "joint": "leftKnee", "unit": "share",
                  "measured": 1.2, "expected": 0}
        faults = [shown, taught, {"code": "shallow"}]
        self.assertEqual(self.call("words.js", "given.map(it.faultWords)", faults), [shown["text"], "knees-in", "shallow"])
        self.assertEqual(self.call("words.js", "given.map(it.kindOf)", faults), ["different rightKnee", "taught knees-in", "shallow"])
        self.assertEqual(self.call("words.js", "given.map(it.kindWords)", faults),
                         ["Right knee: unlike the movement shown", "knees-in", "shallow"])
        ways = [{**shown, "measured": measured, "measure": "knee", "side": "right", "phase": "turn"} for measured in (104, 76)]
        self.assertEqual(self.call("words.js", "given.map(it.faultWords)", ways),
                         ["right knee 14° less bent at the turn", "right knee 14° more bent at the turn"])
        # What a fault's own words say is not said again.
        self.assertEqual(self.call("review/names.js", "given.map((one) => [it.adviceName(one), it.comparison(one)])", faults[:2]),
                         [[None, ""], [None, ""]])

    def test_a_depth_that_was_not_seen_is_not_full_range(self):
        verdict = "given.map((one) => it.verdictOf({ start: 0, end: 1, ...one.repetition }, one.angle, one.seen, true).words)"
        angle = {"measure": "leftKnee", "rest": 170, "full": 80}
        words = self.call("score.js", verdict, [
            {"repetition": {"depth": None}, "angle": angle, "seen": []}, {"repetition": {"depth": None}, "angle": None, "seen": []},
            {"repetition": {"depth": 0.7}, "angle": None, "seen": []}, {"repetition": {}, "angle": None, "seen": []}])
        self.assertEqual(words, ["range not seen", "range not seen", "70 % of the full range", "100 % of the full range"])

    def test_a_joint_is_shown_with_its_position_and_angle(self):
        keypoints = {"leftShoulder": [0.5, 0.5, 1], "leftElbow": [0.5, 0.25, 1], "leftWrist": [0.69, 0.25, 0.4]}
        pixels = {"leftShoulder": {"x": 320, "y": 240}, "leftElbow": {"x": 320, "y": 360}, "leftWrist": {"x": 440, "y": 360}}
        words = self.call("figures.js", "['leftElbow', 'leftWrist'].map((name) => it.readoutOf(name, given[0],"
                          " new Map(Object.entries(given[1]))))", [keypoints, pixels])
        self.assertEqual(words, ["0.50 0.25 90\u00b0", "0.69 0.25"])

    def test_a_glowing_skeleton_has_white_joints_and_rings_around_doubtful_ones(self):
        drawn = self.call("figures.js", """(async () => {
            const { settings } = await import("/js/settings.js");
            const person = { id: 0, keypoints: { leftElbow: [0.25, 0.5, 1], leftWrist: [0.75, 0.5, 0.4] } };
            const look = (name) => {
                settings.look = name;
                const context = new OffscreenCanvas(400, 400).getContext("2d");
                it.drawBodies({ context, width: 400, height: 400, short: 400, place: (x, y) => [x * 400, (1 - y) * 400] }, [person]);
                return (x, y) => [...context.getImageData(x, y, 1, 1).data];
            };
            const [glow, plain] = [look("glow"), look("plain")];
            settings.look = "plain";
            const row = (of) => Array.from({ length: 40 }, (_, down) => of(300, 200 - down));
            return { joint: glow(100, 200), lamp: glow(200, 203)[3], rings: row(glow), none: row(plain), dark: plain(200, 203)[3] };
        })()""")
        self.assertEqual(drawn["joint"], [255, 255, 255, 255])
        is_red = lambda pixel: pixel[0] > 150 and pixel[1] < 100 and pixel[2] < 100 and pixel[3] > 150
        self.assertTrue(any(map(is_red, drawn["rings"])))
        self.assertFalse(any(map(is_red, drawn["none"])))
        self.assertTrue(drawn["lamp"] > 0 and drawn["dark"] == 0)

    def test_a_listed_session_and_a_whole_one_come_to_the_same_words(self):
        whole = {"mode": "coach", "exercise": "squat", "count": 2, "duration": 61,
                 "repetitions": [{"faults": [{}], "depth": 1, "start": 0, "end": 2}, {"faults": [], "start": 2, "end": 3}]}
        listed = {"mode": "coach", "exercise": "squat", "count": 2, "duration": 61, "outline": {
            "repetitions": 2, "faulty": 1, "throws": 0, "score": 0, "pinches": 0, "segments": 0, "speeds": []}}
        words = self.call("after.js", "given.map(it.summaryWords)", [whole, listed])
        self.assertEqual(words[0], words[1])
        self.assertIn("2 repetitions", words[0])

    def test_a_gap_is_half_a_second_or_three_frames(self):
        gaps = self.call("review/angles.js", "given.map((times) => it.withGaps(times.map((time) => "
                         "({ time, people: [], hands: [] }))).length - times.length)",
                         [[at / 10 for at in range(10)], [0, 0.1, 0.2, 0.3, 0.75, 0.85], [0, 0.1, 0.2, 0.3, 0.9, 1.0],
                          [0, 1, 2, 3, 4], [0, 1, 2, 3, 7, 8]])
        self.assertEqual(gaps, [0, 0, 1, 0, 1])

    def test_pauses_between_attempts_grow(self):
        pauses = self.call("connection.js", "it.pauses")
        self.assertEqual(pauses, sorted(pauses))
        self.assertGreater(pauses[-1], 4 * pauses[0])

    def test_days_in_a_row_end_with_a_gap(self):
        count = "it.streak(new Set(given), new Date(2026, 2, 10))"
        self.assertEqual(self.call("history/sums.js", count, ["2026-03-10", "2026-03-09", "2026-03-07"]), 2)
        self.assertEqual(self.call("history/sums.js", count, ["2026-03-09"]), 1)
        self.assertEqual(self.call("history/sums.js", count, ["2026-03-07"]), 0)

    def test_a_drawing_is_saved_as_it_is_seen(self):
        saved = self.call("modes/draw.js", """(() => {
            it.draw.result({ width: 200, height: 100, draw: { strokes: [
                { id: 1, colour: "#56b4e9", width: 0.02, points: [[0.1, 0.9], [0.5, 0.5], [0.9, 0.1]] },
                { id: 2, colour: "red\\"/><script>", width: 0.02, points: [[0.1, 0.1], [0.2, 0.2]] }] } }, { send() {} });
            return [it.drawingText(false), it.drawingText(true)];
        })()""")
        self.assertIn('d="M20.0 10.0Q100.0 50.0 140.0 70.0L180.0 90.0" stroke="#56b4e9"', saved[0])
        self.assertIn("M180.0 10.0", saved[1])
        self.assertNotIn("script", saved[0])

    def test_a_dragged_box_stays_in_the_picture_and_may_be_drawn_in_any_direction(self):
        near = lambda box, wanted: [self.assertAlmostEqual(*pair, 6) for pair in zip(box, wanted)]
        near(self.call("board-box.js", "it.between([0.6, 0.5], [0.2, 0.1])"), [0.2, 0.1, 0.4, 0.4])
        near(self.call("board-box.js", "it.dragged([0.5, 0.5, 0.2, 0.2], undefined, 0.9, -0.9)"), [0.8, 0, 0.2, 0.2])
        near(self.call("board-box.js", "it.dragged([0.4, 0.4, 0.2, 0.2], 'ne', 0.1, 0.2)"), [0.4, 0.4, 0.3, 0.4])
        near(self.call("board-box.js", "it.dragged([0.4, 0.4, 0.2, 0.2], 'sw', 0.3, 0.3)"), [0.6, 0.6, 0.1, 0.1])
        near(self.call("board-box.js", "it.within([0.5, 0.5, 0, 0])"), [0.5, 0.5, 0.02, 0.02])
