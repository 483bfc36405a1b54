"""What every test of the page starts from: a studio, Chromium with a clip for a camera, and a page."""

import os
import re
import time
import unittest
from pathlib import Path

import clips
from playwright.sync_api import expect, sync_playwright
from studio import Studio

SHOTS = Path(os.environ["KINEMA_STUDIO_TESTS"]) / "shots"
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
SHOT_SIZES = {
    "wide": {"width": 1920, "height": 1080}, "desktop": SIZES["desktop"], "laptop": {"width": 1024, "height": 768},
    "tablet": {"width": 768, "height": 1024}, "phone": SIZES["phone"], "sideways": {"width": 844, "height": 390},
}
# How every state is photographed: in six windows in both appearances, or not at all where time is short (KINEMA_SHOTS=none).
VIEWS = [] if os.environ.get("KINEMA_SHOTS") == "none" else [(scheme, size) for scheme in SCHEMES for size in SHOT_SIZES]
# Whole sweeps over sizes and numbers run in `script/test full`; a part of each runs always.
IS_FULL = os.environ.get("KINEMA_TESTS") == "full"

# Keeps every VideoFrame the page comes to hold, so that those nobody closed can be counted: left to the collector, they
# hold up the camera.
FRAMES = """{
    const held = [];
    const remember = (frame) => (held.push(frame), frame);
    const Frame = window.VideoFrame;
    window.VideoFrame = new Proxy(Frame, { construct: (it, values) => remember(new it(...values)) });
    const { clone } = Frame.prototype;
    Frame.prototype.clone = function () { return remember(clone.call(this)); };
    const { read } = ReadableStreamDefaultReader.prototype;
    ReadableStreamDefaultReader.prototype.read = async function () {
        const answer = await read.call(this);
        if (answer.value instanceof Frame) remember(answer.value);
        return answer;
    };
    window.openFrames = () => held.filter((frame) => frame.format !== null).length;
    // On a busy machine the studio may say how a run ended later than a person would wait for it.
    const later = window.setTimeout.bind(window);
    window.setTimeout = (act, wait, ...rest) => later(act, wait === 5000 ? 60_000 : wait, ...rest);
}"""

# A browser without a window asks nobody; as in one with a window, the camera is refused for as long as it is not allowed.
DENIED = """{
    const { mediaDevices, permissions } = navigator, open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (wanted) => {
        if ((await permissions.query({ name: "camera" })).state !== "granted") throw new DOMException("Permission denied", "NotAllowedError");
        return open(wanted);
    };
}"""

REFRESHED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

_playwright, _browsers = None, {}


CHROMIUM = os.environ["KINEMA_CHROMIUM"]


def browser(flags, program=CHROMIUM):
    """The browser of these flags, started once: each test has a context, which shares nothing with another's."""
    global _playwright
    if (flags, program) not in _browsers:
        _playwright = _playwright or sync_playwright().start()
        _browsers[flags, program] = _playwright.chromium.launch(executable_path=program, args=list(flags))
    return _browsers[flags, program]


def close_browsers():
    """Ends what `browser` started."""
    for one in _browsers.values():
        one.close()
    _browsers.clear()
    if _playwright:
        _playwright.stop()


# Machines are slow at times; a test waits for what must happen, and how long that takes proves nothing.
expect.set_options(timeout=30_000)


class BrowserCase(unittest.TestCase):
    """`clip` names the camera's film, None is a machine without camera; `options` are the studio's.

    `is_known` says whether the browser has the studio's cookie from before. `is_live = False` where a test only waits for
    what a film shows, so that it may be slow.
    """

    clip = "jacks"
    options = ()
    allowed = True
    is_known = True
    #: What is opened first: the page itself, another by its path, or none.
    first = ""
    #: Whether the camera's picture is shown before Start, as it is to those who allowed the camera: a film would begin with it.
    preview = False
    #: Whether all tests of the class take one page, as what they try leaves nothing behind.
    shares_page = False
    shared = None
    flags = ()
    #: What a page may say on its console without the test failing.
    expected = r"^$"

    @classmethod
    def setUpClass(cls):
        flags = ["--disable-dev-shm-usage", "--use-fake-ui-for-media-stream", *cls.flags]
        if cls.clip is not None:
            film = clips.camera(cls.clip)
            flags += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
        cls.studio = Studio(*[option() if callable(option) else option for option in cls.options])
        cls.addClassCleanup(cls.studio.remove)
        cls.status = cls.studio.start()
        cls.browser = cls.launch(tuple(flags))

    @classmethod
    def launch(cls, flags):
        return browser(flags)

    def setUp(self):
        kind = type(self)
        if kind.shared is None:
            self.complaints = []
            self.context = self.make_context()
            (kind.addClassCleanup if self.shares_page else self.addCleanup)(self.context.close)
            self.page = self.blank() if self.first is None else self.open(self.first)
            if self.shares_page:
                kind.shared = self.complaints, self.context, self.page
        else:
            self.complaints, self.context, self.page = kind.shared

    def tearDown(self):
        # Chromium says this of frames of its own too, with all that the page ever got closed: see `stop`.
        said = [text for text in self.complaints if "VideoFrame was garbage collected" not in text]
        wrong = [text for text in said if not re.search(self.expected, text)]
        self.assertEqual(wrong, [], "the page complained on its console")

    def make_context(self, **options):
        options.setdefault("viewport", SIZES["desktop"])
        options.setdefault("permissions", ["camera"] if self.allowed else [])
        options.setdefault("locale", "en-GB")
        context = self.browser.new_context(**options)
        if not self.allowed:
            context.add_init_script(DENIED)
        if self.is_known:
            context.add_cookies([self.studio.cookie])
        if not self.preview:
            # An empty page has no storage.
            context.add_init_script("try { localStorage.kinema ??= JSON.stringify({ preview: false }); } catch {}")
        return context

    def blank(self, context=None):
        """A page that is still empty."""
        page = (context or self.context).new_page()
        page.set_default_timeout(30_000)
        page.add_init_script(FRAMES)
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def open(self, path="", context=None):
        page = self.blank(context)
        page.goto(self.studio.address + path)
        if not path:
            self.ready(page)
        return page

    def ready(self, page=None):
        """Waits until the first page can be used: its words and its list of sources come after it is loaded."""
        self.until("document.querySelectorAll('#source-kind option').length > 1", page=page)

    def reload(self):
        self.page.reload()
        self.ready()

    # ---- what a person does

    def choose(self, mode, page=None):
        (page or self.page).locator(f"#modes input[value={mode}]").check(force=True)

    def start(self, page=None):
        page = page or self.page
        page.locator("#start").click()
        self.wait_for_result(page)

    def prepare_to_count(self):
        """Has the models loaded and the page small, so that from the first moment on few frames are lost."""
        self.page.set_viewport_size({"width": 420, "height": 420})
        self.choose("poses")
        self.start()
        self.wait_for_result(after=0.1)
        self.stop()

    def stop(self, page=None):
        page = page or self.page
        page.locator("#stop").click()
        expect(page.locator("#after")).to_be_visible()
        self.until("window.openFrames() === 0", page=page)

    # ---- what is there to see

    def until(self, condition, argument=None, page=None, seconds=60):
        """Waits for a condition; Playwright's own waiting needs `eval`, which the page's policy forbids."""
        end = time.monotonic() + seconds
        while not (page or self.page).evaluate(condition, argument):
            if time.monotonic() > end:
                self.fail(f"never came true: {condition}")
            time.sleep(0.02)

    def wait_for_result(self, page=None, after=0):
        """Waits for a drawn frame of a time, seconds of the session."""
        self.until("after => Number(document.getElementById('overlay').dataset.time ?? -1) > after", after, page)

    def call(self, module, expression, argument=None):
        """What an expression gives of one of the page's modules, which it calls `it`; the argument is `given`."""
        return self.page.evaluate(
            f"async (given) => {{ const it = await import('/js/{module}'); return ({expression}); }}", argument)

    def reading(self, page=None):
        """The measurements as numbers."""
        return (page or self.page).evaluate("JSON.parse(document.getElementById('hud').dataset.reading ?? '{}')")

    def number(self, name):
        return int(self.page.locator(f"#{name}-number").inner_text())

    def shoot(self, name, page=None, whole=False):
        """Screenshots in each of the views; then back to the desktop's size."""
        page = page or self.page
        for scheme, size in VIEWS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(SHOT_SIZES[size])
            # A sticky bar, canvases that follow the size: two refreshes settle them.
            page.evaluate(REFRESHED)
            time.sleep(0.1)
            page.screenshot(path=SHOTS / f"{name}-{size}-{scheme}.png", full_page=whole)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(SIZES["desktop"])
        page.evaluate(REFRESHED)
