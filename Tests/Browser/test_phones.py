"""Phones in a network of their own, over TLS with the studio's certificate: from the command to a count of ten squats."""

import time
import unittest
from urllib.parse import urlsplit

from browsing import CHROMIUM, IS_FULL, SHOTS, VIEWS, browser, expect
from clips import camera
from handheld import Handheld, HandheldCase
from networks import Network, missing, pinned
from studio import free_port


def told(what, **figures):
    """Prints figures, for Documentation/lab/phones.md."""
    words = ", ".join(f"{name} {value:.1f}" if isinstance(value, float) else f"{name} {value}" for name, value in figures.items())
    print(f"\nphones: {what}: {words}", flush=True)


def rates(reading):
    return {"frames a second": reading["analysis"] or 0.0, "latency ms": reading["median"] or 0.0, "95 % ms": reading["p95"] or 0.0,
            "left out": reading["dropped"], "sent as": reading["way"]}


@unittest.skipUnless(IS_FULL, "a studio, its network and a browser need the machine to themselves: KINEMA_TESTS=full")
class NetworkCase(HandheldCase):
    """A browser in another network, which trusts the studio's certificate and no other."""

    is_known = False
    #: What one may read on the console of a phone whose network is gone.
    expected = r"WebSocket connection to 'wss:|net::ERR_|status of 40[13]"

    @classmethod
    def setUpClass(cls):
        if lack := missing():
            raise unittest.SkipTest(lack)
        cls.network = Network()
        cls.addClassCleanup(cls.network.remove)
        cls.port = free_port()
        cls.options = ("--phone", "--phone-port", cls.port)
        cls.began = time.monotonic()
        super().setUpClass()
        cls.listened = time.monotonic() - cls.began

    @classmethod
    def launch(cls, flags):
        pin = f"--ignore-certificate-errors-spki-list={pinned(cls.network.here, cls.port)}"
        return browser((*flags, pin), str(cls.network.wrap(CHROMIUM, cls.studio.data)))

    def pair(self, context=None):
        """A phone whose camera was pointed at the code."""
        code = self.studio.ask("api/phones/pairing", "POST")
        url = next(url for url in code["urls"] if urlsplit(url).hostname == self.network.here)
        page = self.blank(context)
        page.goto(url)
        phone = Handheld(self, page)
        phone.ready()
        self.assertNotIn("pair", page.url)
        self.assertEqual(self.studio.ask(f"api/phones/pairing/{code['id']}")["state"], "used")
        return phone

    def pull_for(self, phone, seconds):
        """Pulls the cable for a while; back when the phone is connected again."""
        self.network.pull()
        self.addCleanup(self.network.plug)
        self.until("JSON.parse(document.getElementById('phone').dataset.reading).isLost", page=phone.page)
        expect(phone.page.locator("#line")).to_contain_text("No connection for")
        time.sleep(seconds)
        self.network.plug()
        self.until("!JSON.parse(document.getElementById('phone').dataset.reading).isLost", page=phone.page, seconds=120)
        self.assertEqual(phone.phase, "set")

    def check_kept(self, session, count):
        kept = self.studio.ask(f"api/history/{session}")
        self.assertEqual(kept["count"], count)


class OnePhone(NetworkCase):
    def test_from_the_command_to_ten_squats(self):
        began = time.monotonic()
        phone = self.pair()
        paired = time.monotonic()
        phone.begin(name="Anna")
        counting = time.monotonic()
        phone.wait_for_count(1)
        first = time.monotonic()
        phone.wait_for_count(9)
        phone.wait_for_film(8)
        reading = phone.reading
        room = self.studio.ask("api/room")
        [entry] = [one for one in room["sessions"] if one["state"] != "ended" and one["name"] == "Anna"]
        self.assertEqual((entry["name"], entry["state"]), ("Anna", "live"))
        self.assertEqual(room["now"], entry["id"])
        if VIEWS:
            phone.page.screenshot(path=SHOTS / "phones-set.png")
        self.assertEqual(phone.stop(), 10)
        self.check_kept(reading["session"], 10)
        expect(phone.page.locator("#after-note")).to_have_text("Kept in the history.")
        told("from the command to ten squats", **{
            "seconds until the studio listens": self.listened, "until the phone is paired": paired - began,
            "until the set begins by standing still": counting - paired, "until the first count": first - counting}, **rates(reading))
        # Its own set can be reviewed there; what is the owner's cannot be opened.
        phone.page.locator("#review").tap()
        phone.page.wait_for_url("**/review.html*")
        expect(phone.page.locator("#title")).to_be_visible()
        answer = phone.page.goto(f"https://{self.network.here}:{self.port}/index.html")
        self.assertEqual(answer.status, 403)

    def test_a_network_lost_for_five_seconds_loses_no_squat(self):
        phone = self.pair()
        phone.begin()
        phone.wait_for_count(3)
        session = phone.reading["session"]
        self.pull_for(phone, 5)
        self.assertEqual(phone.reading["session"], session)
        phone.wait_for_count(9)
        phone.wait_for_film(8)
        told("network lost for 5 s", **rates(phone.reading))
        self.assertEqual(phone.stop(), 10)
        self.check_kept(session, 10)

    def test_a_network_lost_for_fifty_seconds_loses_no_squat(self):
        phone = self.pair()
        phone.begin()
        phone.wait_for_count(2)
        session = phone.reading["session"]
        self.pull_for(phone, 50)
        waited = phone.reading["waiting"]
        self.assertEqual(phone.stop(), 10)
        told("network lost for 50 s", **{"frames that waited": waited})
        self.assertNotIn("not counted", phone.page.locator("#after-note").inner_text())
        self.check_kept(session, 10)

    def test_a_removed_phone_is_told_to_scan_again(self):
        phone = self.pair()
        phone.begin("now")
        # Phones of other tests may still be connected.
        known = max(self.studio.ask("api/phones")["phones"], key=lambda one: (one["paired"], one["connected"]))
        self.studio.ask(f"api/phones/{known['id']}", "DELETE")
        expect(phone.page.locator("#notice-title")).to_have_text("This phone is not paired")

    def test_the_owner_sees_a_phone_come_and_its_count_on_the_television(self):
        owner = browser(("--disable-dev-shm-usage",)).new_context()
        self.addCleanup(owner.close)
        owner.add_cookies([self.studio.cookie])
        room = self.blank(owner)
        room.goto(self.studio.address + "room.html")
        expect(room.locator("#code")).to_be_visible()
        self.until("document.getElementById('code').naturalWidth > 0", page=room)
        phone = self.pair()
        expect(room.locator("[data-connected]")).to_have_count(len(self.studio.ask("api/phones")["phones"]))
        phone.begin("now", name="Berta")
        expect(room.locator("#tiles h2", has_text="Berta")).to_be_visible()
        television = self.blank(owner)
        television.goto(self.studio.address + "now.html")
        expect(television.locator("#name")).to_have_text("Berta")
        phone.wait_for_count(2)
        expect(television.locator("#count")).to_have_text(str(phone.count))
        phone.stop()


class Requests(NetworkCase):
    """As on an iPhone, which refuses sockets to a certificate that nobody signed."""

    def make_context(self, **options):
        context = super().make_context(**options)
        context.add_init_script("""{
            const { OPEN } = WebSocket;
            window.WebSocket = class { static OPEN = OPEN; readyState = 3; constructor() { setTimeout(() => this.onclose?.({})); } close() {} send() {} };
        }""")
        return context

    def test_ten_squats_by_requests_and_a_lost_network(self):
        phone = self.pair()
        phone.begin()
        phone.wait_for_count(3)
        self.pull_for(phone, 5)
        phone.wait_for_count(9)
        phone.wait_for_film(8)
        self.assertEqual(phone.reading["way"], "requests")
        told("by requests", **rates(phone.reading))
        self.assertEqual(phone.stop(), 10)


class SeveralPhones(NetworkCase):
    def phones(self, number):
        """So many phones, each paired, that begin at the same time."""
        found = []
        for place in range(number):
            # Small screens: here one machine draws them all.
            context = self.make_context(viewport={"width": 320, "height": 568}, device_scale_factor=1)
            self.addCleanup(context.close)
            found.append(self.pair(context))
        for place, phone in enumerate(found):
            phone.choose(name=f"Phone {place + 1}")
            phone.page.locator("#start").tap()
        return found

    def check(self, phones, what):
        for phone in phones:
            phone.until("document.getElementById('phone').dataset.phase === 'set'")
        for phone in phones:
            phone.wait_for_count(9)
        phones[-1].wait_for_film(8)
        for phone in phones:
            told(what, **rates(phone.reading))
        entries = self.studio.ask("api/room")["sessions"]
        self.assertLessEqual({f"Phone {place + 1}" for place in range(len(phones))}, {one["name"] for one in entries})
        self.assertEqual([phone.stop() for phone in phones], [10] * len(phones))

    def test_two_phones_and_a_laptop_count_at_once(self):
        # The laptop is this machine's own browser.
        flags = ("--disable-dev-shm-usage", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                 f"--use-file-for-fake-video-capture={camera('ten')}")
        owner = browser(flags).new_context(permissions=["camera"], locale="en-GB")
        self.addCleanup(owner.close)
        owner.add_cookies([self.studio.cookie])
        owner.add_init_script("localStorage.kinema ??= JSON.stringify({ preview: false, instruments: true })")
        laptop = self.open("", owner)
        phones = self.phones(2)
        self.start(laptop)
        self.check(phones, "two phones and a laptop, a phone")
        told("two phones and a laptop, the laptop", **{name: self.reading(laptop)[name] for name in ("analysis", "median", "p95", "dropped")})
        self.until("Number(document.getElementById('count-number').textContent) >= 9", page=laptop)
        laptop.locator("#stop").click()
        expect(laptop.locator("#after")).to_be_visible()
        self.assertGreaterEqual(int(laptop.locator("#count-number").inner_text()), 9)

    def test_four_phones_count_and_a_fifth_is_told(self):
        phones = self.phones(4)
        for phone in phones:
            phone.until("document.getElementById('phone').dataset.phase === 'set'")
        fifth = self.pair(self.make_context())
        self.addCleanup(fifth.page.context.close)
        fifth.page.locator("#start").tap()
        expect(fifth.page.locator("#notice-title")).to_have_text("No room for another camera")
        expect(fifth.page.locator("#notice-text")).to_contain_text("4 cameras")
        self.check(phones, "four phones")
