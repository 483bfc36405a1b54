"""Picture, number and Start or Stop are in view at every size, whatever the number; nothing wraps, overlaps or leaves."""

from browsing import IS_FULL, SHOTS, SHOT_SIZES, SIZES, expect
from scripted import ScriptedCase

WINDOWS = [
    (320, 568), (390, 844), (568, 320), (844, 390), (600, 500), (768, 1024), (1024, 768), (1280, 800), (1920, 1080),
    (2160, 3840), (3840, 2160),
]
COUNTS = (0, 9, 10, 47, 100, 999)
# Two phones, one of them on its side, one nearly square and a large one; the least, two that bring cues, and the widest.
FEW_WINDOWS, FEW_COUNTS = [(320, 568), (390, 844), (568, 320), (600, 500), (1920, 1080)], (0, 47, 100, 999)
if not IS_FULL:
    WINDOWS, COUNTS = FEW_WINDOWS, FEW_COUNTS
MODES = ("poses", "count", "coach", "draw", "toss", "classify")

# What is wrong with the layout, in words. Letters are measured as they are inked, not as their lines are high.
FAULTS = """
([mode, source]) => {
    const faults = [];
    const pen = document.createElement("canvas").getContext("2d");
    const edges = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
    const box = (node) => edges(node.getBoundingClientRect());
    const ink = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const style = getComputedStyle(node);
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const { fontBoundingBoxAscent: ascent, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down }
            = pen.measureText(node.textContent);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        return lines.map(({ left, right, top }) => ({ left, right, top: top + ascent - up, bottom: top + ascent + down }));
    };
    const inside = (one, other) => one.left >= other.left - 0.6 && one.right <= other.right + 0.6
        && one.top >= other.top - 0.6 && one.bottom <= other.bottom + 0.6;
    const meet = (one, other) => one.left < other.right - 0.6 && other.left < one.right - 0.6
        && one.top < other.bottom - 0.6 && other.top < one.bottom - 0.6;
    const say = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join(" ");
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const id = (name) => document.getElementById(name);
    const tally = document.querySelector(`.tally[data-readout=${mode}]`);
    const number = tally.querySelector(".big");
    const digits = ink(number);
    const press = ["start", "stop"].map(id).filter((node) => node.checkVisibility());
    if (press.length !== 1) faults.push(`${press.length} of Start and Stop are shown`);
    if (mode !== "classify" && digits.length !== 1) faults.push(`the number is in ${digits.length} pieces`);
    if (number.textContent.length > 0 && digits.length === 0) faults.push("the number is not seen");

    const parts = [["bar", box(document.querySelector(".bar"))], ["stage", box(id("stage"))],
        ...press.map((node) => [node.id, box(node)]), ...digits.map((one) => ["number", one])];
    for (const name of ["label", "phase"]) {
        const node = tally.querySelector(`.${name}`);
        if (node.checkVisibility()) for (const one of ink(node)) parts.push([name, one]);
    }
    // Of several cues those count that are shown: what there is no room for lies beside the list and is cut off.
    const cues = [...tally.querySelectorAll(".cues li")].map(box);
    const list = box(tally.querySelector(".cues") ?? tally);
    if (cues.length > 0 && !inside(cues[0], list)) faults.push("the first cue is cut off");
    for (const one of cues) if (meet(one, list)) parts.push(["cue", one]);
    parts.forEach(([name, one], at) => {
        if (!inside(one, view)) faults.push(`${name} leaves the window: ${say(one)}`);
        if (!["bar", "stage", "start", "stop"].includes(name) && !inside(one, box(tally))) {
            faults.push(`${name} leaves its place: ${say(one)} not in ${say(box(tally))}`);
        }
        for (const [other, two] of parts.slice(at + 1)) {
            if (meet(one, two) && !(name === "number" && other === "number")) {
                faults.push(`${name} ${say(one)} and ${other} ${say(two)} overlap`);
            }
        }
    });
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
    const scrolled = [...document.querySelectorAll("*")].filter((node) => node.scrollTop > 0 && node.id !== "coach-cues");
    if (scrolled.length > 0) faults.push(`${scrolled.map((node) => node.className)} was scrolled`);

    const size = parseFloat(getComputedStyle(number).fontSize);
    // A clock has more letters than a number from 0 to 999.
    const part = number.textContent.length > 3 ? 1 / 12 : 1 / 8;
    const least = mode === "classify" ? 12 : part * Math.min(innerWidth, innerHeight);
    if (size < least) faults.push(`the number is ${size} px high`);
    if (source) {
        const picture = box(id("picture"));
        const [wide, high] = [picture.right - picture.left, picture.bottom - picture.top];
        if (!inside(picture, box(id("stage")))) faults.push("the picture is cropped");
        if (Math.abs(wide / high / (source[0] / source[1]) - 1) > 0.02) faults.push("the picture is out of shape");
        if (say(picture) !== say(box(id("overlay")))) faults.push("the skeleton does not lie on the picture");
        const share = (wide * high) / (innerWidth * innerHeight);
        const upright = source[1] > source[0];
        if (share < (upright ? 0.08 : 0.17)) faults.push(`the picture has ${Math.round(100 * share)} % of the window`);
    }
    return faults;
}
"""


class Layout(ScriptedCase):
    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})
        # Canvases follow the size at the next refresh.
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def check(self, mode, source, **about):
        with self.subTest(mode=mode, **about):
            self.assertEqual(self.page.evaluate(FAULTS, [mode, source]), [])

    def test_any_count_in_any_mode_at_any_size(self):
        for mode in MODES:
            self.begin(mode)
            for width, height in WINDOWS:
                self.resize(width, height)
                for count in COUNTS:
                    self.show(mode, count)
                    self.check(mode, (1280, 720), window=f"{width}x{height}", count=count)
                    if (mode, count) in (("count", 100), ("coach", 47), ("classify", 47)):
                        self.page.screenshot(path=SHOTS / f"layout-{mode}-{count}-{width}x{height}.png")
            self.page.locator("#stop").click()
            expect(self.page.locator("#after")).to_be_visible()

    def test_the_number_stands_large_beside_the_picture(self):
        self.begin("count")
        self.show("count", 7)
        expect(self.page.locator("#count-number")).to_have_text("7")
        self.shoot("count")

    def test_what_to_change_can_be_read_from_afar(self):
        self.begin("coach")
        self.show("coach", 47)
        cue = self.page.locator("#coach-cues li[data-code=shallow]")
        cue.wait_for()
        self.assertGreaterEqual(cue.evaluate("node => parseFloat(getComputedStyle(node).fontSize)"), 24)
        self.shoot("coach")

    def test_an_upright_picture_is_whole_as_well(self):
        self.begin("count")
        for width, height in WINDOWS:
            self.resize(width, height)
            self.show("count", 47, (480, 640))
            self.check("count", (480, 640), window=f"{width}x{height}")

    def test_before_and_after_a_run_too(self):
        windows = WINDOWS if IS_FULL else [*WINDOWS, (3840, 2160)]
        for mode in MODES:
            self.reload()
            self.choose(mode)
            for width, height in windows:
                self.resize(width, height)
                self.check(mode, None, window=f"{width}x{height}", when="before")
            if mode == "classify":
                continue
            self.begin(mode)
            self.show(mode, 47)
            self.end(count=47)
            for width, height in windows:
                self.resize(width, height)
                self.check(mode, None, window=f"{width}x{height}", when="after")

    def test_many_repetitions_with_faults_push_nothing_out(self):
        self.begin("coach")
        fault = {"code": "shallow", "joint": "leftKnee", "phase": "far", "measured": 1, "expected": 2}
        for number in range(1, 41):
            self.page.evaluate("message => window.studio.tell(message)", {
                "type": "repetition", "repetition": {
                    "id": 1, "exercise": "squat", "number": number, "start": number, "end": number + 0.9, "depth": 0.8,
                    "tempo": {"eccentric": 0.4, "pause": 0.1, "concentric": 0.4}, "faults": [fault]}})
        for width, height in WINDOWS:
            self.resize(width, height)
            self.show("coach", 40)
            self.check("coach", (1280, 720), window=f"{width}x{height}")

    def test_in_the_dark_nothing_moves(self):
        self.begin("count")
        for width, height in WINDOWS[:4]:
            self.resize(width, height)
            self.show("count", 100)
            spots = []
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                self.page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
                self.check("count", (1280, 720), window=f"{width}x{height}", scheme=scheme)
                spots.append(self.page.locator("#count-number").bounding_box())
                self.page.screenshot(path=SHOTS / f"layout-{scheme}-{width}x{height}.png")
            self.assertEqual(*spots)

    def test_a_plan_is_written_on_a_phone_on_its_side(self):
        self.page.locator("#plan summary").first.click()
        self.page.locator("#plan-on").check()
        self.resize(740, 360)
        for name in ("plan-exercise", "plan-sets", "plan-target", "plan-load", "plan-rest", "start"):
            self.assertTrue(self.page.evaluate("""(name) => {
                const node = document.getElementById(name), { left, right, top, bottom } = node.getBoundingClientRect();
                return [top + 9, bottom - 9].every((y) => document.elementFromPoint((left + right) / 2, y) === node);
            }""", name), name)
        self.assertLessEqual(*self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]"))

    def test_what_is_hidden_or_not_kept_is_said_on_the_picture(self):
        line = self.page.locator("#privacy-line")
        self.begin("count")
        self.show("count", 1)
        expect(line).to_be_hidden()
        self.page.evaluate("localStorage.setItem('kinema', JSON.stringify({ hideFaces: true, keep: false }))")
        self.reload()
        expect(line).to_be_hidden()
        self.begin("count")
        self.show("count", 1)
        expect(line).to_be_visible()
        expect(line).to_have_text("Faces hidden · Nothing is kept")
        self.page.evaluate("localStorage.clear()")

    def test_a_count_held_as_a_clock_fits(self):
        self.begin("coach")
        for width, height in WINDOWS:
            self.resize(width, height)
            self.page.evaluate("""() => window.studio.tell({ type: "result", sequence: 9999, time: 1, width: 1280, height: 720,
                people: [], hands: [], coach: { exercise: "plank", title: "Plank", count: 0, phase: "holding", held: 754,
                cues: [], signal: 0 } })""")
            expect(self.page.locator("#coach-number")).to_have_text("12:34")
            self.check("coach", None, window=f"{width}x{height}")

    def test_stop_stays_in_reach_in_full_screen(self):
        self.begin("count")
        self.show("count", 100)
        self.page.locator("#full").click()
        self.until("document.fullscreenElement !== null")
        for selector in ("#stop", "#count-number", "#full"):
            box = self.page.locator(selector).bounding_box()
            view = self.page.evaluate("({ width: innerWidth, height: innerHeight })")
            self.assertGreaterEqual(min(box["x"], box["y"]), 0, selector)
            self.assertLessEqual(box["x"] + box["width"], view["width"], selector)
            self.assertLessEqual(box["y"] + box["height"], view["height"], selector)
        self.page.screenshot(path=SHOTS / "layout-full-screen.png")
        self.page.locator("#stop").click()
        expect(self.page.locator("#after")).to_have_attribute("id", "after")
        self.page.evaluate("document.exitFullscreen()")
        self.page.set_viewport_size(SIZES["desktop"])


class AfterASet(ScriptedCase):
    """What a set came to, with as many links as there can be."""

    ended = {"mode": "coach", "count": 12, "exercise": "squat", "duration": 61, "exports": ["json", "csv", "png"],
             "repetitions": [{"id": 1, "number": at + 1, "start": at * 2.0, "end": at * 2.0 + 1.5, "depth": 0.9,
                              "tempo": {"eccentric": 0.7, "pause": 0.1, "concentric": 0.7},
                              "faults": [{"code": "shallow", "joint": None, "phase": "far", "measured": 1, "expected": 2}]}
                             for at in range(12)]}

    def test_the_card_is_whole_on_a_phone(self):
        for language in ("en-GB", "de-DE"):
            context = self.make_context(locale=language, viewport={"width": 390, "height": 844})
            self.addCleanup(context.close)
            self.page = self.open(context=context)
            self.begin("coach")
            self.show("coach", 12)
            self.end(**self.ended)
            for width, height in ((390, 844), (412, 915), (360, 740)):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                card, go = self.page.locator("#after").bounding_box(), self.page.locator("#start").bounding_box()
                where = f"{language} {width}x{height}"
                self.assertLessEqual(card["y"] + card["height"], go["y"], where)
                self.assertTrue(self.page.evaluate("after.scrollHeight <= after.clientHeight + 1"), where)
                self.page.screenshot(path=SHOTS / f"after-{language[:2]}-{width}.png")

    def test_the_way_to_its_review_is_in_view_at_every_size(self):
        self.begin("count")
        self.show("count", 12)
        self.end(**{**self.ended, "mode": "count", "exercise": None})
        for name, size in {**SHOT_SIZES, "small and sideways": {"width": 740, "height": 360}}.items():
            self.page.set_viewport_size(size)
            self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            # Not only on the window: nothing lies over any of its corners, and nothing cuts it off.
            self.assertEqual(self.page.evaluate("""() => {
                const button = document.getElementById("after-review");
                const { left, right, top, bottom } = button.getBoundingClientRect();
                return [[left + 9, top + 9], [right - 9, top + 9], [left + 9, bottom - 9], [right - 9, bottom - 9]]
                    .every(([x, y]) => document.elementFromPoint(x, y) === button);
            }"""), True, name)
