"""A studio that says what it is told to: the page's socket is replaced, so every state of every mode comes at once."""

from browsing import BrowserCase, expect

# Answers as Documentation/studio.md lays down; `studio.show(mode, count, picture)` is a result like any other.
SOCKET = """{
    const limits = { frameBytes: 2e6, framesPerSecond: 60, width: 1920, height: 1080, uploadBytes: 1e9 };
    const joints = {
        nose: [0.5, 0.93], leftEye: [0.52, 0.95], rightEye: [0.48, 0.95], leftEar: [0.54, 0.94], rightEar: [0.46, 0.94],
        neck: [0.5, 0.82], leftShoulder: [0.6, 0.82], rightShoulder: [0.4, 0.82], leftElbow: [0.68, 0.65],
        rightElbow: [0.32, 0.65], leftWrist: [0.72, 0.5], rightWrist: [0.28, 0.5], leftHip: [0.57, 0.5],
        rightHip: [0.43, 0.5], leftKnee: [0.58, 0.27], rightKnee: [0.42, 0.27], leftAnkle: [0.58, 0.05],
        rightAnkle: [0.42, 0.05],
    };
    const body = (id, left, wide, faults = []) => ({ id, confidence: 0.9, box: [left, 0.04, wide, 0.93], faults,
        keypoints: Object.fromEntries(Object.entries(joints).map(([name, [x, y]]) => [name, [left + x * wide, y, 0.95]])),
    });
    const cue = (code) => ({ code, joint: null, phase: "far", measured: 1, expected: 2, tolerance: 0, unit: "s" });
    const labels = { 0: null, 9: "squat", 10: "jumping_jacks", 47: "standing_side_leg_raise", 100: "burpee",
        999: "a_very_long_name_of_an_action_that_somebody_trained" };
    const modes = {
        poses: (count) => ({ people: Array.from({ length: count }, (_, at) => ({ ...body(at + 1, 0.35, 0.3),
            keypoints: at < 2 ? body(1, 0.1 + 0.4 * at, 0.4).keypoints : {} })) }),
        count: (count) => ({ count: { count, phase: count % 2 ? "out" : "back", signal: 0.4,
            people: [{ id: 1, count }] } }),
        coach: (count) => ({ coach: { exercise: "jumping_jack", title: "Jumping jack", count, phase: "arms overhead",
            held: 0, signal: 0.5, cues: count === 47 ? [cue("too_fast"), cue("shallow")] : [],
            ...count === 46 && { unjudged: ["knee", "lower leg"] } } }),
        draw: (count) => ({ draw: { pinching: ["right"], removed: [], cleared: true,
            tips: [{ state: "pinched", tips: [[0.4, 0.5], [0.42, 0.52]] }],
            strokes: Array.from({ length: count }, (_, id) => ({ id, colour: "#52d3b0", width: 0.01,
                points: [[0.1, 0.001 * id], [0.3, 0.001 * id]] })) } }),
        toss: (count) => ({ toss: { state: "trackThrows", count: Math.min(count, 8), total: count, path: [],
            board: { corners: [[0.7, 0.1], [0.9, 0.1], [0.92, 0.2], [0.72, 0.2]], hole: null } } }),
        classify: (count) => ({ classify: { label: labels[count], confidence: 0.83,
            probabilities: { squat: 0.1, jumping_jacks: 0.83, nothing: 0.07 } } }),
    };
    let time = 0;
    let sequence = 0;
    class Socket {
        static OPEN = 1;
        readyState = 0;
        bufferedAmount = 0;

        constructor() {
            window.studio = this;
            setTimeout(() => {
                this.readyState = 1;
                this.tell({ type: "hello", protocol: 2, limits });
            });
        }

        tell(message) {
            this.onmessage({ data: JSON.stringify(message) });
        }

        send(text) {
            const message = JSON.parse(text);
            if (message.type === "start") {
                this.mode = message.mode;
                this.tell({ type: "started", session: "1", mode: message.mode, source: "test", history: true });
            }
            if (message.type === "stop") this.end({});
        }

        close() {
            this.readyState = 3;
        }

        end(summary) {
            this.tell({ type: "ended", reason: "stopped", session: "00000000-0000-4000-8000-000000000001", kept: true,
                arrived: sequence, analysed: sequence, dropped: 0,
                summary: { mode: this.mode, duration: 61, count: 0, repetitions: [], throws: [], pinches: [],
                    segments: [], ...summary } });
        }

        /** A picture of a shape, and its result; done when both are drawn. */
        async show(mode, count, [width, height]) {
            const shape = `${width}x${height}`;
            if (this.shape !== shape) this.jpeg = await picture(width, height);
            this.shape = shape;
            time += 0.5;
            sequence += 1;
            const buffer = new ArrayBuffer(24 + this.jpeg.byteLength);
            const header = new DataView(buffer);
            header.setUint32(0, 0x3152464b, true);
            header.setUint32(4, sequence, true);
            header.setFloat64(8, time, true);
            new Uint8Array(buffer, 24).set(new Uint8Array(this.jpeg));
            this.onmessage({ data: buffer });
            this.tell({ type: "result", sequence, time, width, height, arrived: sequence, analysed: sequence, dropped: 0,
                milliseconds: 9, people: [body(1, 0.3, 0.4)], hands: [], ...modes[mode](count) });
            const overlay = document.getElementById("overlay");
            while (Number(overlay.dataset.time) !== time) await new Promise((done) => setTimeout(done, 1));
        }
    }
    async function picture(width, height) {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext("2d");
        context.fillStyle = "#7d8a86";
        context.fillRect(0, 0, width, height);
        // Head at the upper edge, feet at the lower: who crops it loses one of them.
        context.fillStyle = "#e8c39e";
        context.fillRect(0.45 * width, 0.01 * height, 0.1 * width, 0.12 * height);
        context.fillStyle = "#304a7a";
        context.fillRect(0.4 * width, 0.14 * height, 0.2 * width, 0.85 * height);
        return (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer();
    }
    window.WebSocket = Socket;
}"""


class ScriptedCase(BrowserCase):
    """The page with a studio that plays what the test says."""

    clip = None

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script(SOCKET)
        return context

    def begin(self, mode):
        """Starts a run in a mode, from a stream that the scripted studio makes up."""
        self.choose(mode)
        if mode == "classify":
            # Without a model there is nothing to start.
            self.page.evaluate("document.getElementById('start').disabled = false")
        self.page.locator("#source-kind").select_option("stream")
        self.page.locator("#stream-url").fill("rtsp://camera.local/live")
        self.page.locator("#start").click()
        expect(self.page.locator("#studio")).to_have_attribute("data-running", "true")
        self.until("document.getElementById('notice').hidden")

    def show(self, mode, count, shape=(1280, 720)):
        self.page.evaluate("([mode, count, shape]) => window.studio.show(mode, count, shape)", [mode, count, shape])

    def end(self, **summary):
        self.page.evaluate("summary => window.studio.end(summary)", summary)
        expect(self.page.locator("#after")).to_be_visible()
