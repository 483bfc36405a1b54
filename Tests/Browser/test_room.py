"""The room with its tiles and phones, and the count for a television, with a studio that says what the test tells it."""

import json

from access import CUT
from browsing import SHOTS, VIEWS, BrowserCase, expect

EVENTS = """{
    window.EventSource = class {
        static CLOSED = 2;
        readyState = 1;
        constructor(path) {
            this.path = path;
            window.stream = this;
        }
        tell(message) { this.onmessage({ data: JSON.stringify(message) }); }
    };
}"""
WINDOWS = [(320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080)]


def entry(place, **more):
    return {"id": f"entry-{place}", "session": f"00000000-0000-4000-8000-00000000000{place}", "name": f"Anna {place}",
            "phone": f"phone-{place}", "mode": "coach", "exercise": "squat", "title": "Squat", "count": 7, "held": 0, "target": None,
            "state": "live", "message": "", "cues": [], "began": "2026-01-01T10:00:00Z", "seconds": 31.2, "framesPerSecond": 14.2,
            "milliseconds": 83.1, "width": 480, "height": 640} | more


class TellingCase(BrowserCase):
    """`phones` is what the studio says of its phones; what the page asks it to do is in `asked`."""

    clip = None
    first = None
    locale = "en-GB"

    def make_context(self, **options):
        context = super().make_context(locale=self.locale, **options)
        context.add_init_script(EVENTS)
        self.asked = []
        self.phones = {"on": True, "port": 8788, "addresses": ["https://192.168.1.7:8788/"], "fingerprint": "AB:CD:" * 15 + "EF",
                       "most": 4, "phones": [
                           {"id": "phone-1", "name": "iPhone", "paired": "", "seen": None, "connected": True, "history": False},
                           {"id": "phone-2", "name": "A phone with a name of forty letters, yes", "paired": "", "seen": None,
                            "connected": False, "history": True}]}
        self.codes = 0
        context.route("**/api/phones**", self.answer)
        context.route("**/api/room/now", self.answer)
        return context

    def answer(self, route):
        request = route.request
        path = request.url.split("/api/")[1].split("?")[0]
        if request.method != "GET":
            self.asked.append((request.method, path, json.loads(request.post_data or "null")))
        if path.endswith(".svg"):
            return route.fulfill(content_type="image/svg+xml",
                                 body='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1z"/></svg>')
        if path == "phones/pairing":
            self.codes += 1
            urls = [f"https://{host}:8788/phone#pair={'0' * 32}" for host in ("192.168.1.7", "10.0.0.3")]
            body = {"id": str(self.codes), "url": urls[0], "urls": urls, "expires": "", "seconds": 600, "image": f"/api/phones/pairing/{self.codes}.svg"}
            return route.fulfill(status=201, json=body)
        if path.startswith("phones/pairing/"):
            return route.fulfill(json={"state": "waiting" if path.endswith(f"/{self.codes}") and not self.is_used else "used", "phone": None})
        if request.method == "DELETE":
            self.phones["phones"] = [one for one in self.phones["phones"] if one["id"] != path.split("/")[1]]
            return route.fulfill(status=204)
        if request.method == "POST":
            self.phones["on"] = json.loads(request.post_data)["on"]
        return route.fulfill(json=self.phones if path == "phones" else {})

    is_used = False

    def tell(self, message):
        self.page.evaluate("message => window.stream.tell(message)", message)

    def look(self, name):
        for width, height in WINDOWS:
            self.page.set_viewport_size({"width": width, "height": height})
            with self.subTest(name=name, window=f"{width}x{height}", language=self.locale):
                self.assertEqual(self.page.evaluate(CUT), [])
                if VIEWS:
                    self.page.screenshot(path=SHOTS / f"{name}-{self.locale}-{width}x{height}.png", full_page=True)


class Room(TellingCase):
    def arrive(self):
        self.page.goto(self.studio.address + "room.html")
        self.until("window.stream !== undefined")
        self.tell({"now": "entry-1", "chosen": None, "sessions": [
            entry(1), entry(2, name="", phone=None, mode="count", exercise=None, title=None, count=112, state="step-back"),
            entry(3, state="lost", count=3, target=10), entry(4, name="A name that takes forty letters, or more so", state="ended", exercise="plank",
                                                               count=0, held=73.4),
            entry(5, mode="poses", exercise=None, title=None, count=0, state="ended")]})
        expect(self.page.locator("#code")).to_be_visible()

    def test_every_session_is_a_tile_with_its_name_count_exercise_and_state(self):
        self.arrive()
        tiles = self.page.locator("#tiles li")
        expect(tiles).to_have_count(4)
        told = [tile.inner_text() for tile in tiles.all()]
        for words, text in zip([("Anna 1", "7", "Squat", "14 frames a second, 83 ms"), ("This computer", "112", "Step back"),
                                ("Connection lost", "of 10"), ("1:13", "Ended")], told):
            for word in words:
                self.assertIn(word, text)
        expect(tiles.nth(0).locator("button")).to_have_attribute("aria-pressed", "true")
        tiles.nth(2).locator("button").click()
        self.until("document.querySelector('#problem').textContent === ''")
        self.assertIn(("PUT", "room/now", {"session": "entry-3"}), self.asked)
        self.look("room")

    def test_a_phone_is_paired_named_allowed_and_removed(self):
        self.arrive()
        page = self.page
        expect(page.locator("#address")).to_have_text("https://192.168.1.7:8788/phone")
        self.assertNotIn("pair=", page.content())
        page.locator("#addresses").select_option("1")
        expect(page.locator("#code")).to_have_attribute("src", "api/phones/pairing/1.svg?address=1")
        self.is_used = True
        expect(page.locator("#pair-said")).to_have_text("Paired. The next phone can scan.")
        self.is_used = False
        expect(page.locator("#code")).not_to_have_attribute("src", "api/phones/pairing/1.svg?address=1")
        first = page.locator("[data-phone=phone-1]")
        first.locator("input[type=text]").fill("Anna's phone")
        first.locator("input[type=text]").blur()
        first.locator("input[type=checkbox]").check()
        first.locator("select").select_option("phone-2")
        page.locator("[data-phone=phone-2] button").click()
        page.locator("#confirm-delete").click()
        expect(page.locator("#list li")).to_have_count(1)
        for one in (("PATCH", "phones/phone-1", {"name": "Anna's phone"}), ("PATCH", "phones/phone-1", {"history": True}),
                    ("PATCH", "phones/phone-1", {"with": "phone-2"}),
                    ("DELETE", "phones/phone-2", None)):
            self.assertIn(one, self.asked)

    def test_phones_are_let_in_and_shut_out(self):
        self.arrive()
        self.page.locator("#on").uncheck()
        expect(self.page.locator("#pair")).to_be_hidden()
        self.page.locator("#on").check()
        expect(self.page.locator("#pair")).to_be_visible()
        self.assertEqual([body for method, path, body in self.asked if path == "phones"], [{"on": False}, {"on": True}])


class GermanRoom(TellingCase):
    locale = "de-DE"
    arrive = Room.arrive

    def test_nothing_is_cut_in_german(self):
        self.arrive()
        self.look("room")


class Television(TellingCase):
    def test_one_count_fills_the_screen(self):
        self.page.goto(self.studio.address + "now.html")
        self.until("window.stream !== undefined")
        self.assertEqual(self.page.evaluate("window.stream.path"), "api/room/now/events")
        self.tell({"session": None})
        expect(self.page.locator("#what")).to_have_text("Waiting for a set")
        for count in (0, 7, 48, 112):
            self.tell({"session": entry(1, count=count, target=120)})
            expect(self.page.locator("#count")).to_have_text(str(count))
            for width, height in WINDOWS:
                self.page.set_viewport_size({"width": width, "height": height})
                size = self.page.locator("#count").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
                self.assertGreater(size, 0.28 * min(width, height), f"{count} at {width}x{height}")
        self.assertIn("of 120", self.page.locator("#what").inner_text())
        self.look("now")
        self.tell({"session": entry(1, state="lost")})
        expect(self.page.locator("#state")).to_have_text("· Connection lost")
