"""A phone for the tests: the phone's page in Chromium with a phone's size, touch and camera."""

import json

from browsing import BrowserCase, expect

UPRIGHT, SIDEWAYS = {"width": 390, "height": 844}, {"width": 844, "height": 390}
DEVICE = {"viewport": UPRIGHT, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}

# A phone has two cameras; the film plays in either. A hidden page is one whose screen is off.
CAMERAS = """{
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    window.opened = [];
    mediaDevices.enumerateDevices = async () => ["front", "back"].map((deviceId) => ({ kind: "videoinput", deviceId, label: deviceId }));
    mediaDevices.getUserMedia = (wanted) => {
        window.opened.push(wanted.video.facingMode?.ideal ?? wanted.video.deviceId?.exact);
        return open(wanted);
    };
    let isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    window.turnScreen = (isOn) => {
        isHidden = !isOn;
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    };
    // What the voice says, in order.
    window.said = [];
    const speak = speechSynthesis.speak.bind(speechSynthesis);
    speechSynthesis.speak = (words) => (window.said.push(words.text), speak(words));
}"""


class Handheld:
    """What a person does with the phone's page, and what it shows."""

    def __init__(self, case, page):
        self.case, self.page = case, page

    def until(self, condition, argument=None, seconds=240):
        self.case.until(condition, argument, self.page, seconds)

    def ready(self):
        self.until("document.getElementById('phone').dataset.isReady === 'true'")

    def begin(self, how="still", exercise="", name=""):
        """Presses Start, and waits until the set has begun by itself."""
        self.choose(how, exercise, name)
        self.page.locator("#start").tap()
        self.until("document.getElementById('phone').dataset.phase === 'set'")

    def choose(self, how="still", exercise="", name=""):
        self.page.locator("#name").fill(name)
        self.page.locator("#exercise").select_option(exercise)
        self.page.locator("#begin").select_option(how)

    @property
    def phase(self):
        return self.page.locator("#phone").get_attribute("data-phase")

    @property
    def reading(self):
        return json.loads(self.page.locator("#phone").get_attribute("data-reading") or "{}")

    @property
    def count(self):
        return int(self.page.locator("#count").text_content())

    def wait_for_count(self, least, seconds=240):
        self.until("least => Number(document.getElementById('count').textContent) >= least", least, seconds)

    def wait_for_film(self, seconds):
        """Waits until results have come of so many more seconds of the film, however long that takes."""
        self.until("JSON.parse(document.getElementById('phone').dataset.reading ?? '{}').time !== undefined")
        at = self.reading["time"] + seconds
        self.until("at => JSON.parse(document.getElementById('phone').dataset.reading).time >= at", at)

    def stop(self):
        self.page.locator("#stop").tap()
        # What waits is sent first, which takes as long as the machine is busy.
        expect(self.page.locator("#after")).to_be_visible(timeout=300_000)
        return int(self.page.locator("#after-count").text_content())


class HandheldCase(BrowserCase):
    """The phone's page on this machine, where no certificate is needed."""

    clip = "ten-upright"
    first = None

    def make_context(self, **options):
        context = super().make_context(**DEVICE | options)
        context.add_init_script(CAMERAS)
        return context

    def phone(self, context=None):
        phone = Handheld(self, self.open("phone.html", context))
        phone.ready()
        return phone
