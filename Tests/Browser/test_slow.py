"""A machine that is too slow to count: it does less, says so, and counts a video of the set afterwards. Leaving in mid-set, and what is seen before Start."""

import re

import clips
from browsing import BrowserCase, expect
from scripted import ScriptedCase

# Frames leave the page so late that the studio sees about five a second.
SLOW = """{
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
        if (data instanceof ArrayBuffer) setTimeout(() => this.readyState === 1 && send.call(this, data), 400);
        else send.call(this, data);
    };
}"""


class TooSlow(BrowserCase):
    clip = "jacks"

    def test_the_set_is_recorded_and_counted_afterwards(self):
        context = self.make_context()
        context.add_init_script(SLOW)
        page = self.open(context=context)
        self.choose("count", page)
        self.start(page)
        offer = page.locator("#other")
        expect(offer).to_contain_text(re.compile("Only [1-7] frames a second: the count may miss repetitions."))
        self.shoot("state-slow", page)
        page.locator("#other-take").click()
        expect(page.locator("#hint")).to_have_text("Recording. Press Stop, and the video is counted.")
        self.shoot("state-recording", page)
        page.wait_for_timeout(1000 * (clips.truth("jacks")["filmed"] + clips.TAIL))
        page.locator("#stop").click()
        expect(page.locator("#after")).to_be_visible(timeout=120_000)
        # The film goes round: where it is cut a repetition may be in two.
        session = next(one for one in self.studio.sessions() if re.fullmatch(r"\d{4}-\d\d-\d\d-\d\d-\d\d\.(webm|mp4)", one["source"]))
        self.assertIn(session["count"], range(clips.truth("jacks")["count"] - 1, clips.truth("jacks")["count"] + 2))
        self.assertEqual(self.number_of(page), session["count"])
        # The setting keeps skeletons and no video.
        self.assertNotIn("video", session)
        self.assertTrue(session["hasPoses"])
        context.close()

    def number_of(self, page):
        return int(page.locator("#count-number").inner_text())


class Speed(BrowserCase):
    clip = None
    shares_page = True

    def watch(self, *rates):
        """What is done after each rate, two seconds apart."""
        return self.call("slow.js", """(() => { const watch = new it.SpeedWatch();
            return given.map((rate, at) => { watch.take(rate, 2000 * at); return [watch.isLight, watch.isTooSlow]; }); })()""", list(rates))

    def test_a_slow_machine_first_does_less_and_then_says_so(self):
        fine, light, slow = [False, False], [True, False], [True, True]
        self.assertEqual(self.watch(20, 5, 5, 5, 5, 5), [fine, fine, fine, light, light, slow])
        # What is fast again is not too slow, and goes on with less to do.
        self.assertEqual(self.watch(5, 5, 5, 5, 5, 9, 20, 5), [fine, fine, light, light, slow, slow, light, light])
        # A moment is none, and without a rate there is nothing to say.
        self.assertEqual(self.watch(5, 20, 5, 20, None, None, None), [fine] * 7)


class MidSet(ScriptedCase):
    def mode(self, name):
        self.page.locator(f"#modes label:has(input[value={name}])").click()

    def test_another_mode_or_source_asks_once_and_goes_on_where_the_set_is_wanted(self):
        dialog = self.page.locator("#confirm")
        self.begin("count")
        # Nothing to lose yet.
        self.mode("poses")
        expect(dialog).to_be_hidden()
        self.mode("count")
        self.show("count", 3)
        self.mode("coach")
        expect(dialog).to_contain_text("3 repetitions so far. They are kept in the history.")
        self.shoot("state-leaving")
        self.page.locator("#confirm-keep").click()
        expect(self.page.locator("#modes input[value=count]")).to_be_checked()
        self.page.locator("#source-kind").select_option("upload")
        expect(dialog).to_be_visible()
        self.page.locator("#confirm-keep").click()
        expect(self.page.locator("#source-kind")).to_have_value("stream")
        self.assertEqual(self.number("count"), 3)
        self.mode("coach")
        self.page.locator("#confirm-delete").click()
        expect(self.page.locator("#studio")).to_have_attribute("data-mode", "coach")
        expect(self.page.locator("#modes input[value=coach]")).to_be_checked()

    def test_nothing_is_promised_where_nothing_is_kept(self):
        self.begin("count")
        self.page.evaluate("async () => (await import('/js/settings.js')).change('keep', false)")
        self.show("count", 1)
        self.mode("draw")
        expect(self.page.locator("#confirm-text")).to_have_text("1 repetition so far. Your settings keep nothing of it.")


class Welcome(BrowserCase):
    clip = None

    def test_the_exercise_that_is_chosen_or_one_that_suits_the_mode_is_played(self):
        page, figure = self.page, self.page.locator("#welcome-figure")
        picture = "(() => { const { width, height } = document.getElementById('welcome-figure'); return [...document.getElementById('welcome-figure').getContext('2d').getImageData(0, 0, width, height).data].join().length; })()"
        expect(figure).to_be_visible()
        first = page.evaluate(picture)
        self.until(f"before => {picture} !== before", first)
        with page.expect_response("**/api/exercises/squat/figure"):
            self.choose("coach")
        with page.expect_response("**/api/exercises/lunge/figure"):
            page.locator("#exercise").select_option("lunge")
        expect(figure).to_be_visible()
        # Where there is none, the drawing stands.
        self.choose("draw")
        expect(figure).to_be_hidden()
        expect(page.locator("#welcome svg")).to_be_visible()
