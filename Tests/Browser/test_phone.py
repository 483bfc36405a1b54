"""A phone as the camera: its page from Start to the count that is kept."""

from access import CUT
from browsing import SHOTS, VIEWS, BrowserCase, expect
from handheld import SIDEWAYS, UPRIGHT, HandheldCase


class Set(HandheldCase):
    def test_ten_squats_begin_by_standing_still_and_are_kept(self):
        phone = self.phone()
        page = phone.page
        phone.begin(name="Anna")
        self.assertEqual(page.evaluate("window.said.slice(0, 2)"), ["Step back until you are in view", "3"])
        phone.wait_for_count(4)
        size = page.locator("#count").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        self.assertGreater(size, 0.4 * UPRIGHT["width"])
        # On its side, the picture and the count go on.
        page.set_viewport_size(SIDEWAYS)
        before = phone.reading["time"]
        self.until("before => JSON.parse(document.getElementById('phone').dataset.reading).time > before + 1", before, page)
        page.set_viewport_size(UPRIGHT)
        phone.wait_for_count(9)
        phone.wait_for_film(8)
        self.assertEqual((phone.reading["width"], phone.reading["height"], phone.reading["way"]), (480, 640, "socket"))
        self.assertEqual(phone.stop(), 10)
        said = page.evaluate("window.said")
        self.assertLessEqual({"Go", "4", "5", "10 repetitions"}, set(said))
        kept = self.studio.sessions()[0]
        self.assertEqual((kept["mode"], kept["count"], kept["details"]["person"]), ("count", 10, "Anna"))
        expect(page.locator("#after-note")).to_have_text("Kept in the history.")
        self.assertTrue(page.locator("#review").get_attribute("href").lower().endswith(kept["id"].lower()))
        # What was chosen is still chosen, and the next set begins in the same way.
        page.locator("#again").tap()
        self.until("document.getElementById('phone').dataset.phase === 'watch'", page=page)


class Cameras(HandheldCase):
    def test_another_camera_goes_on_with_the_set_and_is_not_mirrored(self):
        phone = self.phone()
        page = phone.page
        phone.begin("now", "squat")
        phone.wait_for_film(1)
        expect(page.locator("#camera")).to_have_class("mirrored")
        page.locator("#flip").tap()
        expect(page.locator("#camera")).not_to_have_class("mirrored")
        expect(page.locator("#flip")).to_be_enabled()
        phone.wait_for_film(1)
        self.assertEqual(page.evaluate("window.opened"), ["user", "environment"])
        phone.stop()
        # The camera chosen last comes first.
        page.locator("#again").tap()
        self.until("window.opened.length === 3", page=page)
        self.assertEqual(page.evaluate("window.opened[2]"), "environment")

    def test_a_film_goes_to_its_set_unless_the_camera_changed(self):
        phone = self.phone()
        page = phone.page
        for flips, told in ((False, "Kept in the history. With its video."),
                            (True, "Kept in the history. The video has a gap and is not kept.")):
            page.locator("#film").set_checked(True)
            phone.begin("now")
            phone.wait_for_film(3)
            if flips:
                page.locator("#flip").tap()
                expect(page.locator("#flip")).to_be_enabled()
            phone.wait_for_count(2)
            phone.stop()
            expect(page.locator("#after-note")).to_have_text(told)
            kept = self.studio.sessions()[0]
            self.assertEqual("video" in kept, not flips)
            if not flips:
                self.assertGreater(kept["video"]["bytes"], 50_000)
            page.locator("#change").tap()
        # What was chosen is still chosen.
        expect(page.locator("#film")).to_be_checked()

    def test_a_screen_that_was_off_is_told_and_its_camera_comes_back(self):
        phone = self.phone()
        page = phone.page
        phone.begin("now")
        phone.wait_for_film(1)
        page.evaluate("window.turnScreen(false)")
        # Phones end the camera of a page that is not shown.
        page.evaluate("document.getElementById('camera').srcObject.getTracks().forEach(track => track.stop())")
        sent = phone.reading["frames"]
        page.wait_for_timeout(2000)
        page.evaluate("window.turnScreen(true)")
        expect(page.locator("#line")).to_contain_text("The screen was off for")
        self.until("sent => JSON.parse(document.getElementById('phone').dataset.reading).frames > sent + 3", sent, page)
        self.assertEqual(phone.phase, "set")
        self.assertTrue(any("The screen was off for" in words for words in page.evaluate("window.said")))

    def test_instruments_are_shown_when_wanted_and_the_voice_is_silent_when_not(self):
        phone = self.phone()
        page = phone.page
        phone.begin("now")
        phone.wait_for_film(1)
        expect(page.locator("#instruments")).to_be_hidden()
        page.locator("#figures").tap()
        expect(page.locator("#instruments")).to_contain_text("latency")
        page.locator("#voice").tap()
        expect(page.locator("#voice")).to_have_attribute("aria-pressed", "false")
        said = page.evaluate("window.said.length")
        phone.stop()
        self.assertEqual(page.evaluate("window.said.length"), said)


class ByTheClock(HandheldCase):
    clip = "empty"

    def test_ten_seconds_to_walk_into_view(self):
        phone = self.phone()
        phone.choose("clock")
        phone.page.locator("#start").tap()
        expect(phone.page.locator("#clock")).to_be_visible()
        expect(phone.page.locator("#hint")).to_have_text("Nobody in view")
        self.until("document.getElementById('phone').dataset.phase === 'set'", page=phone.page)


class Refused(HandheldCase):
    allowed = False

    def test_what_to_do_about_a_refused_camera(self):
        phone = self.phone()
        phone.page.locator("#start").tap()
        expect(phone.page.locator("#notice-title")).to_have_text("Camera access was denied")
        expect(phone.page.locator("#notice-text")).to_contain_text("Website Settings")
        self.context.grant_permissions(["camera"])
        phone.page.locator("#notice-action").tap()
        self.until("document.getElementById('phone').dataset.phase === 'watch'", page=phone.page)


# Shows a state of the page without a camera: its phase, its count, and the words that stand on it.
SHOW = """([phase, count, cue, hint, line, clock]) => {
    const $ = (id) => document.getElementById(id);
    const put = (id, text) => { $(id).hidden = text === ""; $(id).textContent = text; $(id).style.setProperty("--letters", String(text).length); };
    $("notice").hidden = true;
    $("phone").dataset.phase = phase;
    put("count", phase === "set" ? count : "");
    for (const [id, text] of Object.entries({ cue, hint, clock })) put(id, text);
    $("line").textContent = line;
    $("after").hidden = phase !== "after";
    $("review").hidden = false;
    $("after-count").textContent = count;
    $("after-text").textContent = line;
}"""
WORDS = {
    "en-GB": ("Keep your chest up", "Step back so that your feet are in view", "No connection for 23 s. Go on: what you do is sent later"),
    "de-DE": ("Halte die Brust oben und die Knie auseinander", "Stell dich so, dass du ganz im Bild bist",
              "Seit 23 s keine Verbindung. Mach weiter: Es wird nachgesendet"),
}


class Fits(HandheldCase):
    clip = None

    def test_nothing_is_cut_on_small_phones_in_either_language(self):
        for locale, (cue, hint, line) in WORDS.items():
            context = self.make_context(locale=locale, color_scheme="dark" if locale == "de-DE" else "light")
            self.addCleanup(context.close)
            page = self.phone(context).page
            states = {"welcome": ["welcome", 0, "", "", "", ""], "waiting": ["watch", 0, "", hint, "", ""], "counting-down": ["watch", 0, "", "", "", "3"],
                      "set": ["set", 7, "", hint, "", ""], "cue": ["set", 147, cue, "", line, ""], "after": ["after", 12, "", "", line, ""]}
            for width, height in ((390, 844), (320, 568), (844, 390), (568, 320)):
                page.set_viewport_size({"width": width, "height": height})
                for name, state in states.items():
                    with self.subTest(state=name, window=f"{width}x{height}", language=locale):
                        page.evaluate(SHOW, state)
                        self.assertEqual(page.evaluate(CUT), [])
                        self.assertEqual(page.evaluate(INSIDE), [])
                        if VIEWS:
                            page.screenshot(path=SHOTS / f"phone-{name}-{locale}-{width}x{height}.png")


# What of the phone's page leaves the window, or lies under the keys.
INSIDE = """() => {
    const shown = [...document.querySelectorAll("#count, #clock, #cue, #hint, #line, #keys > *, #ready > *, #after > *")]
        .filter((node) => node.checkVisibility() && node.textContent + node.children.length);
    const box = (node) => node.getBoundingClientRect();
    const faults = shown.filter((node) => box(node).top < -0.6 || box(node).bottom > innerHeight + 0.6 || box(node).left < -0.6 || box(node).right > innerWidth + 0.6)
        .map((node) => `${node.id || node.className} leaves the window`);
    const keys = document.getElementById("keys");
    if (!keys.checkVisibility()) return faults;
    const meet = (one, two) => one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1;
    const words = shown.filter((node) => !keys.contains(node));
    const texts = words.filter((node) => node.matches("#cue, #hint, #line"));
    return [...faults, ...words.filter((node) => meet(box(node), box(keys))).map((node) => `${node.id} lies under the keys`),
        ...texts.flatMap((one, at) => texts.slice(at + 1).filter((two) => meet(box(one), box(two))).map((two) => `${one.id} and ${two.id} overlap`))];
}"""


class Parts(BrowserCase):
    clip = None
    shares_page = True

    def test_who_stands_still_for_three_seconds_begins_and_who_moves_does_not(self):
        said = self.call("phone/stillness.js", """(() => {
            const joints = Object.fromEntries(["Shoulder", "Hip", "Knee", "Ankle", "Wrist"].flatMap((pair, place) =>
                ["left", "right"].map((side, at) => [side + pair, [0.4 + 0.1 * at, 0.8 - 0.15 * place, 0.9]])));
            const moved = (name, by) => ({ keypoints: { ...joints, [name]: [joints[name][0] + by, joints[name][1], 0.9] } });
            const without = (pair) => ({ keypoints: Object.fromEntries(Object.entries(joints).filter(([name]) => !name.endsWith(pair))) });
            const run = (frames) => { const one = new it.Stillness(); return frames.map(([person, now]) => one.take(person, now)); };
            const still = { keypoints: joints };
            return [
                run([[still, 0], [moved("leftWrist", 0.01), 1000], [still, 2900], [still, 3000]]),
                run([[still, 0], [still, 2000], [moved("leftWrist", 0.2), 2100], [moved("leftWrist", 0.2), 4000], [moved("leftWrist", 0.2), 5100]]),
                run([[still, 0], [null, 400], [still, 800], [still, 3000]]),
                run([[still, 0], [null, 400], [null, 1000], [still, 1200], [still, 3000]]),
                run([[without("Ankle"), 0], [without("Ankle"), 4000]]),
            ];
        })()""")
        self.assertEqual(said, [[None, 2000, 100, 0], [None, 1000, None, 1100, 0], [None, 3000, 2200, 0],
                                [None, 3000, None, None, 1200], [None, None]])

    def test_a_slow_network_gets_smaller_pictures_and_a_quick_one_large_ones_again(self):
        said = self.call("phone/pace.js", """(() => {
            const pace = new it.Pace();
            const size = () => [pace.sizeOf(1080, 1440).height, pace.room];
            const answers = (times, way) => { for (let at = 0; at < times; at += 1) pace.answered(way + 40, 40, now += 70); };
            let now = 0;
            const found = [size()];
            answers(15, 300); found.push(size());
            answers(15, 300); found.push(size());
            answers(60, 30); found.push(size());
            answers(100, 30); found.push(size());
            for (let at = 0; at < 9; at += 1) pace.leftOut();
            found.push(pace.room);
            answers(20, 30); found.push(pace.room);
            found.push([Math.round(pace.interval(false)), Math.round(pace.interval(true))]);
            return found;
        })()""")
        self.assertEqual(said, [[640, 2], [512, 2], [400, 2], [400, 2], [512, 2], 1, 2, [67, 125]])
