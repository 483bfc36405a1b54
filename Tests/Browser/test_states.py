"""What the page says when something is missing, wrong or lost."""

from browsing import BrowserCase, expect
from studio import Studio

CAMERA_FAILS = """
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "%s"));
"""
TOKEN = "a-token-of-the-tests-0123456789"
CAMERA_ASKS = "navigator.mediaDevices.getUserMedia = () => new Promise(() => {});"


class Notices(BrowserCase):
    def notice(self, page=None):
        return (page or self.page).locator("#notice-title")

    def start_without_waiting(self, page=None):
        (page or self.page).locator("#start").click()


class WithoutPermission(Notices):
    clip = "jacks"
    is_live = False
    allowed = False

    def test_a_denied_camera_is_explained_and_can_be_allowed(self):
        self.start_without_waiting()
        expect(self.notice()).to_have_text("Camera access was denied")
        expect(self.page.locator("#notice-text")).to_contain_text("Allow it")
        expect(self.page.locator("#start")).to_be_visible()
        self.shoot("state-denied")
        self.context.grant_permissions(["camera"])
        self.page.locator("#notice-action").click()
        self.wait_for_result()
        expect(self.page.locator("#notice")).to_be_hidden()
        self.stop()

    def test_it_says_that_the_browser_asks(self):
        context = self.make_context()
        context.add_init_script(CAMERA_ASKS)
        page = self.open(context=context)
        self.start_without_waiting(page)
        expect(self.notice(page)).to_have_text("May I use the camera?")
        self.shoot("state-asking", page)
        context.close()

    def test_a_camera_in_use_is_told_apart(self):
        context = self.make_context()
        context.add_init_script(CAMERA_FAILS % "NotReadableError")
        page = self.open(context=context)
        self.start_without_waiting(page)
        expect(self.notice(page)).to_have_text("The camera is in use")
        self.shoot("state-in-use", page)
        context.close()


class WithoutCamera(Notices):
    clip = None

    def test_no_camera_is_said_and_other_sources_remain(self):
        self.shoot("idle")
        self.start_without_waiting()
        expect(self.notice()).to_have_text("No camera found")
        self.shoot("state-no-camera")
        self.page.locator("#source-kind").select_option("stream")
        expect(self.page.locator("#stream-url")).to_be_visible()

    def test_a_stream_needs_an_address(self):
        self.page.locator("#source-kind").select_option("stream")
        self.page.locator("#stream-url").fill("camera.local")
        self.start_without_waiting()
        expect(self.page.locator("#source-error")).to_contain_text("rtsp://")
        expect(self.page.locator("#stream-url")).to_be_focused()
        self.shoot("state-address-missing")

    def test_a_stream_that_does_not_answer_ends_with_the_studios_words(self):
        self.page.locator("#source-kind").select_option("stream")
        self.page.locator("#stream-url").fill("http://127.0.0.1:9/none.mjpeg")
        self.start_without_waiting()
        expect(self.notice()).to_have_text("That did not work")
        expect(self.page.locator("#notice-text")).to_contain_text("connection refused")
        expect(self.page.locator("#start")).to_be_visible()
        self.shoot("state-stream-gone")


class OnAnotherHost(Notices):
    clip = None
    is_known = False
    options = ("--token", TOKEN, "--allow-host", "studio.test")
    flags = ("--host-resolver-rules=MAP studio.test 127.0.0.1",)
    # The browser notes that it heeds no opener policy there.
    expected = r"Cross-Origin-Opener-Policy"

    def open(self, path="", context=None):
        return super().open(path or f"?token={TOKEN}", context)

    def test_https_is_asked_for_where_the_browser_demands_it(self):
        self.page.goto(f"http://studio.test:{self.studio.port}/?token={TOKEN}")
        self.ready()
        self.start_without_waiting()
        expect(self.notice()).to_have_text("The camera needs HTTPS here")
        self.shoot("state-insecure")


class OverTheNetwork(Notices):
    """A name of its own that browsers trust as they trust HTTPS: the page takes the studio for another machine."""

    clip = "jacks"
    is_known = False
    options = ("--token", TOKEN, "--allow-host", "studio.localhost")

    def open(self, path="", context=None):
        page = super().open(path or f"?token={TOKEN}", context)
        page.add_init_script("""{
            window.marks = new Set();
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (data) {
                if (data instanceof ArrayBuffer) window.marks.add(new TextDecoder().decode(new Uint8Array(data, 0, 4)));
                return send.call(this, data);
            };
        }""")
        return page

    def marks_at(self, host):
        self.page.goto(f"http://{host}:{self.studio.port}/?token={TOKEN}")
        self.until("document.querySelectorAll('#source-kind option').length > 1")
        self.choose("poses")
        self.start()
        self.wait_for_result(after=0.5)
        self.stop()
        return self.page.evaluate("[...window.marks]")

    def test_frames_go_as_jpeg_there_and_as_the_camera_has_them_here(self):
        self.assertEqual(self.marks_at("studio.localhost"), ["KFR1"])
        self.assertEqual(self.marks_at("localhost"), ["KFI1"])


class NobodyThere(Notices):
    clip = "empty"
    is_live = False

    def test_an_empty_room_is_said(self):
        self.choose("count")
        self.start()
        expect(self.page.locator("#hint")).to_contain_text("Nobody")
        self.shoot("state-nobody")
        self.stop()


class TooClose(Notices):
    clip = "close"
    is_live = False

    def test_feet_out_of_the_picture_are_asked_for(self):
        self.choose("count")
        self.start()
        expect(self.page.locator("#hint")).to_contain_text("Step back")
        self.shoot("state-step-back")
        self.stop()


class ServerGone(Notices):
    clip = "jacks-round"
    # The browser itself notes each attempt that finds nobody.
    expected = r"WebSocket connection to .* failed|Failed to load resource|ERR_CONNECTION"

    def test_it_reconnects_by_itself_and_counts_on(self):
        self.choose("count")
        self.start()
        # The first is enough: of the film's four some are left for afterwards.
        self.until("Number(document.getElementById('count-number').textContent) >= 1")
        before = self.number("count")
        self.studio.stop()
        expect(self.notice()).to_have_text("Connection lost")
        self.shoot("state-lost")
        self.studio.start()
        expect(self.page.locator("#notice")).to_be_hidden()
        # The camera's film goes on, so the number must rise above what it was, never begin anew.
        self.until(
            "before => Number(document.getElementById('count-number').textContent) > before", before)
        expect(self.page.locator("#studio")).to_have_attribute("data-running", "true")
        # The strip shows both parts of the set, and so does the history: it is one.
        self.until("before => Number(document.getElementById('strip').dataset.repetitions) > before", before)
        self.stop()
        counted = self.number("count")
        [session] = self.studio.sessions()
        self.assertEqual(session["count"], counted)
        self.assertEqual([one["number"] for one in session["repetitions"]], list(range(1, counted + 1)))
        starts = [one["start"] for one in session["repetitions"]]
        self.assertEqual(starts, sorted(starts))


class Hidden(Notices):
    clip = "jacks"

    def test_no_frame_leaves_while_the_tab_is_hidden(self):
        self.start()
        self.page.evaluate("""() => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }""")
        expect(self.page.locator("#hint")).to_contain_text("Paused")
        self.shoot("state-hidden")
        frames = "count => new Promise(done => {\
            const video = document.getElementById('camera');\
            const next = () => (count-- > 0 ? video.requestVideoFrameCallback(next) : done());\
            next(); })"
        time = "Number(document.getElementById('overlay').dataset.time)"
        # Once what was on the way has come, many frames of the camera go by without a result.
        for _ in range(5):
            before = self.page.evaluate(time)
            self.page.evaluate(frames, 30)
            if self.page.evaluate(time) == before:
                break
        else:
            self.fail("results keep coming")
        self.page.evaluate("""() => {
            delete document.hidden;
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }""")
        self.wait_for_result(after=before)
        expect(self.page.locator("#hint")).to_be_hidden()
        self.stop()


class TwoTabs(Notices):
    clip = "jacks"

    def test_both_are_served(self):
        second = self.open()
        for page in (self.page, second):
            self.choose("count", page)
            self.start(page)
        for page in (self.page, second):
            self.wait_for_result(page, after=3)
        # Neither has to wait until the other is done.
        for page in (self.page, second):
            self.until("JSON.parse(document.getElementById('hud').dataset.reading ?? '{}').analysed > 5", page=page)
        for page in (self.page, second):
            self.stop(page)
            reading = self.reading(page)
            self.assertEqual(reading["arrived"], reading["analysed"] + reading["dropped"])


class WithToken(Notices):
    clip = None
    is_known = False
    # The browser notes the page that it may not see, and the icon it asks for besides.
    expected = r"401|WebSocket connection to .* failed|ERR_CONNECTION"

    def open(self, path="", context=None):
        return super().open(path or f"?token={self.studio.token}", context)

    def test_the_address_with_the_token_opens_the_studio(self):
        self.assertNotIn("token", self.page.url)
        self.assertIn(f"http://127.0.0.1:{self.studio.port}/?token={self.studio.token}", self.studio.said())
        self.until("document.querySelectorAll('#exercise option').length > 1")

    def test_without_the_token_a_page_says_what_to_open(self):
        page = self.make_context().new_page()
        answer = page.goto(self.studio.address)
        self.assertEqual(answer.status, 401)
        for heading in ("The studio needs its token", "Das Studio braucht sein Token"):
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.context.close()

    def test_two_studios_of_a_machine_keep_their_tokens_apart(self):
        other = Studio()
        self.addCleanup(other.remove)
        other.start()
        self.page.goto(f"{other.address}?token={other.token}")
        self.page.goto(self.studio.address)
        self.until("document.querySelectorAll('#exercise option').length > 1")
        names = {cookie["name"] for cookie in self.context.cookies()}
        self.assertEqual(names, {f"kinema-token-{one.port}" for one in (self.studio, other)})


class AnotherToken(Notices):
    clip = "jacks"
    is_live = False
    expected = r"401|WebSocket connection to .* failed|Failed to load resource|ERR_CONNECTION"

    def test_a_studio_started_with_another_token_asks_for_the_new_address(self):
        self.start()
        self.studio.stop()
        expect(self.notice()).to_have_text("Connection lost")
        self.studio.token = "another-token-0123456789"
        self.studio.start()
        expect(self.page.locator("#notice-text")).to_contain_text("open the address that the studio printed")
