"""What a phone does when its network goes, with a studio in the page that answers as the test wants it."""

from browsing import expect
from handheld import HandheldCase

# Answers as Documentation/studio.md lays down. `server.cut()` takes the network away without a word, `mend()` gives it back.
SERVER = """{
    const limits = { frameBytes: 2e6, framesPerSecond: 60, width: 1920, height: 1080, uploadBytes: 1e9 };
    const server = window.server = { isCut: false, remembers: true, refusesSockets: false, isFull: false, isSlow: false, frames: [], starts: [], keys: [], stops: 0,
        most: 0, cut() { this.isCut = true; }, mend() { this.isCut = false; } };
    let unanswered = 0;
    const result = (sequence, time) => ({ type: "result", sequence, time, width: 480, height: 640, people: [], hands: [], milliseconds: 9,
        arrived: server.frames.length, analysed: server.frames.length, dropped: 0, count: { count: Math.floor(server.frames.length / 5), people: [] } });
    const session = "00000000-0000-4000-8000-000000000001";
    /** What the studio says to a message; results come a little later. */
    const hear = (data, tell) => {
        if (typeof data !== "string") {
            const header = new DataView(data);
            const [sequence, time] = [header.getUint32(4, true), header.getFloat64(8, true)];
            server.frames.push({ sequence, time });
            server.most = Math.max(server.most, unanswered += 1);
            return setTimeout(() => (unanswered -= 1, tell(result(sequence, time))), 20);
        }
        const message = JSON.parse(data);
        if (message.type === "start" && server.isFull) return tell({ type: "error", code: "busy", message: "2 phones", fatal: false });
        if (message.type === "start") {
            server.starts.push(message);
            return tell({ type: "started", session, mode: message.mode, source: "browser", history: true });
        }
        server.stops += 1;
        return tell({ type: "ended", reason: "stopped", session, kept: true, arrived: 0, analysed: 0, dropped: 0,
            summary: { mode: "count", count: Math.floor(server.frames.length / 5) } });
    };
    window.WebSocket = class {
        static OPEN = 1;
        readyState = 0;
        constructor(address) {
            const key = new URL(address).searchParams.get("key");
            server.keys.push(key);
            setTimeout(() => {
                if (server.refusesSockets || server.isCut) return this.onclose?.({});
                this.readyState = 1;
                return this.tell({ type: "hello", protocol: 2, limits, key: "k".repeat(32), resumed: key !== null && server.remembers, resumeSeconds: 60 });
            }, 20);
        }
        tell(message) { if (!server.isCut && this.readyState === 1) this.onmessage({ data: JSON.stringify(message) }); }
        send(data) { if (!server.isCut) hear(data, (message) => this.tell(message)); }
        close() { this.readyState = 3; }
    };
    const { fetch } = window;
    const told = [];
    window.fetch = async (path, { method = "GET", body } = {}) => {
        const place = String(path);
        if (server.isCut && !server.isSlow) throw new TypeError("no network");
        if (!place.startsWith("api/live")) return fetch(path, { method, body });
        if (place === "api/live") return Response.json({ key: "r".repeat(32), messages: [{ type: "hello", protocol: 2, limits, key: "r".repeat(32), resumed: false }] }, { status: 201 });
        if (method === "DELETE") return new Response(null, { status: 204 });
        if (body) hear(body, (message) => told.push(message));
        for (let waits = 0; told.length === 0 && waits < 40; waits += 1) await new Promise((done) => setTimeout(done, 25));
        if (server.isCut) throw new TypeError("no network");
        return Response.json({ messages: told.splice(0) });
    };
}"""


class LinkCase(HandheldCase):
    clip = "empty"

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(SERVER)
        return context

    def server(self, phone, expression):
        return phone.page.evaluate(f"(() => {{ const {{ server }} = window; return {expression}; }})()")

    def until_server(self, phone, condition):
        self.until(f"(() => {{ const {{ server }} = window; return {condition}; }})()", page=phone.page)

    def set_that_lost_its_network(self):
        """A set of which some frames were sent, and some wait."""
        phone = self.phone()
        phone.begin("now")
        self.until_server(phone, "server.frames.length > 10")
        self.server(phone, "server.cut()")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).waiting > 12", page=phone.page)
        expect(phone.page.locator("#line")).to_contain_text("Go on: what you do is sent later")
        return phone

    def check_frames(self, phone):
        frames = self.server(phone, "server.frames")
        for name in ("sequence", "time"):
            values = [frame[name] for frame in frames]
            self.assertEqual(values, sorted(set(values)), name)
        return frames


class Lost(LinkCase):
    # A set that the studio does not have is asked for.
    expected = r"404"

    def test_what_was_taken_without_a_network_is_sent_in_order_once_it_is_back(self):
        phone = self.set_that_lost_its_network()
        before = len(self.server(phone, "server.frames"))
        self.server(phone, "server.mend()")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).waiting === 0", page=phone.page)
        frames = self.check_frames(phone)
        self.assertGreater(len(frames), before + 12)
        # No gap is longer than what is on its way when a network breaks.
        gaps = [two["time"] - one["time"] for one, two in zip(frames, frames[1:])]
        self.assertLess(max(gaps), 2)
        self.assertLessEqual(self.server(phone, "server.most"), 4)
        self.assertEqual(self.server(phone, "[server.starts.length, server.keys[0], server.keys.at(-1)]"), [1, None, "k" * 32])
        said = phone.page.evaluate("window.said")
        self.assertLess(said.index("No connection. Go on"), said.index("Connected"))

    def test_stop_sends_the_rest_first(self):
        phone = self.set_that_lost_its_network()
        phone.page.locator("#stop").tap()
        self.assertEqual(phone.phase, "ending")
        before = self.server(phone, "server.frames.length")
        self.server(phone, "server.mend()")
        expect(phone.page.locator("#after")).to_be_visible()
        self.assertGreater(self.server(phone, "server.frames.length"), before + 12)
        self.assertEqual(int(phone.page.locator("#after-count").inner_text()), self.server(phone, "Math.floor(server.frames.length / 5)"))
        self.check_frames(phone)

    def test_stop_twice_ends_at_once_and_says_what_was_not_counted(self):
        phone = self.set_that_lost_its_network()
        phone.page.locator("#stop").tap()
        phone.page.locator("#stop").tap()
        expect(phone.page.locator("#after-note")).to_contain_text("not counted")

    def test_a_set_that_did_not_wait_is_over(self):
        phone = self.set_that_lost_its_network()
        shown = phone.count
        self.server(phone, "server.remembers = false")
        self.server(phone, "server.mend()")
        expect(phone.page.locator("#after-note")).to_contain_text("did not come back in time")
        self.assertEqual(int(phone.page.locator("#after-count").inner_text()), shown)

    def test_a_studio_that_is_only_slow_keeps_its_connection(self):
        phone = self.phone()
        phone.begin("now")
        self.until_server(phone, "server.frames.length > 10")
        # Nothing comes over the socket, but the studio answers otherwise.
        self.server(phone, "(server.isSlow = true, server.cut())")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).frames > 18", page=phone.page)
        self.assertFalse(phone.reading["isLost"])
        self.server(phone, "server.mend()")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).waiting < 3", page=phone.page)
        self.assertEqual(self.server(phone, "[server.keys.length, server.starts.length]"), [1, 1])

    def test_no_room_for_another_camera_is_told(self):
        phone = self.phone()
        self.server(phone, "server.isFull = true")
        phone.page.locator("#start").tap()
        expect(phone.page.locator("#notice-title")).to_have_text("No room for another camera")
        self.server(phone, "server.isFull = false")
        phone.page.locator("#notice-action").tap()
        self.until_server(phone, "server.frames.length > 2")


class Refuses(LinkCase):
    def test_where_sockets_are_refused_requests_do(self):
        phone = self.phone()
        self.server(phone, "server.refusesSockets = true")
        phone.begin("now")
        self.until_server(phone, "server.frames.length > 10")
        self.assertEqual(phone.reading["way"], "requests")
        self.server(phone, "server.cut()")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).waiting > 12", page=phone.page)
        before = self.server(phone, "server.frames.length")
        self.server(phone, "server.mend()")
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).waiting === 0", page=phone.page)
        self.assertGreater(len(self.check_frames(phone)), before + 12)
        phone.stop()
        self.assertEqual(self.server(phone, "[server.starts.length, server.stops]"), [1, 1])
