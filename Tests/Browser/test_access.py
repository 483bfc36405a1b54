"""Names, contrast, targets, keyboard, motion, and every width from a phone's to a desktop's."""

import access
from browsing import SCHEMES, SIZES, BrowserCase, expect

MODES = ("poses", "count", "coach", "teach", "draw", "toss", "classify")
PAGES = ("", "history.html", "review.html", "phone.html", "room.html", "now.html")


class Looks(BrowserCase):
    clip = None

    def views(self):
        """Every page, mode and dialog, one after another."""
        for mode in MODES:
            self.choose(mode)
            yield mode
        self.page.locator("#start").is_visible()
        self.choose("count")
        self.page.locator("#start").click()
        expect(self.page.locator("#notice")).to_be_visible()
        yield "notice"
        self.page.locator("#settings-open").click()
        yield "settings"
        self.page.keyboard.press("Escape")
        self.page.goto(self.studio.address + "history.html")
        expect(self.page.locator("h1")).not_to_be_empty()
        yield "history"
        for name in ("phone", "room"):
            self.page.goto(f"{self.studio.address}{name}.html")
            expect(self.page.locator("h1")).not_to_be_empty()
            yield name

    def test_contrast_is_aa_in_both_appearances(self):
        for name in self.views():
            for scheme in SCHEMES:
                self.page.emulate_media(color_scheme=scheme)
                # Colours fade from one appearance to the other; a fade may be cut off by the next.
                self.page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
                found = self.page.evaluate(access.CONTRAST)
                self.assertGreater(len(found), 3, name)
                for one in found:
                    with self.subTest(view=name, scheme=scheme, text=one["text"]):
                        self.assertGreaterEqual(round(one["ratio"], 2), one["needed"])

    def test_a_chosen_appearance_wins_over_the_systems(self):
        self.page.emulate_media(color_scheme="light")
        self.page.locator("#settings-open").click()
        self.shoot("settings")
        self.page.locator("#set-theme").select_option("dark")
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = self.page.evaluate(ground)
        self.reload()
        self.assertEqual(self.page.evaluate(ground), dark)
        self.page.emulate_media(color_scheme="dark")
        self.assertEqual(self.page.evaluate(ground), dark)

    def test_the_choices_of_the_settings_are_read_whole_on_a_phone(self):
        self.page.locator("#settings-open").click()
        for size in ((360, 740), (412, 915), (740, 360)):
            self.page.set_viewport_size(dict(zip(("width", "height"), size)))
            cut = self.page.evaluate("[...document.querySelectorAll('#settings select')].filter((one) => one.scrollWidth > one.clientWidth).map(({ id }) => id)")
            self.assertEqual(cut, [], size)
            expect(self.page.locator("#settings .go button")).to_be_in_viewport(ratio=1)
        self.page.keyboard.press("Escape")

    def test_targets_are_44_pixels(self):
        for name in self.views():
            for size, shape in SIZES.items():
                self.page.set_viewport_size(shape)
                for one in self.page.evaluate(access.TARGETS):
                    with self.subTest(view=name, size=size, target=one["name"]):
                        self.assertGreaterEqual(min(one["width"], one["height"]), 44)

    def test_everything_has_a_name(self):
        for name in self.views():
            found = access.names(self.page)
            self.assertGreater(len(found), 3, name)
            for role, said in found:
                with self.subTest(view=name, role=role):
                    self.assertTrue(said)

    def test_nothing_is_wider_than_the_screen(self):
        for name in self.views():
            for width in (320, 390, 768, 1024, 1440):
                self.page.set_viewport_size({"width": width, "height": 700})
                with self.subTest(view=name, width=width):
                    self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), width)

    def test_on_a_phone_start_is_in_reach_and_the_count_in_view(self):
        self.page.set_viewport_size(SIZES["phone"])
        for selector in ("#start", "#count-number"):
            box = self.page.locator(selector).bounding_box()
            self.assertGreaterEqual(box["y"], 0)
            self.assertLessEqual(box["y"] + box["height"], SIZES["phone"]["height"])
        # Big enough for three metres: a fifth of the width at least.
        self.assertGreater(self.page.locator("#count-number").bounding_box()["height"], SIZES["phone"]["width"] / 5)

    def test_nothing_comes_from_elsewhere(self):
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        for path in PAGES:
            self.page.goto(self.studio.address + path)
            self.page.wait_for_load_state("networkidle")
        self.assertGreater(len(asked), 10)
        self.assertEqual([url for url in asked if not url.startswith(self.studio.address)], [])

    def test_the_policy_forbids_what_is_inline(self):
        answer = self.context.request.get(self.studio.address)
        policy = answer.headers["content-security-policy"]
        self.assertNotIn("unsafe", policy)
        self.assertIn("script-src 'self'", policy)
        text = "".join(self.context.request.get(self.studio.address + page).text() for page in PAGES)
        for inline in (" style=", "<style", " onclick=", "javascript:"):
            self.assertNotIn(inline, text)
        self.assertNotRegex(text, r"<script>|<script [^>]*>[^<]")

    def test_live_regions_are_polite(self):
        for name in ("says", "counts"):
            expect(self.page.locator(f"#{name}")).to_have_attribute("aria-live", "polite")


class Still(BrowserCase):
    clip = None

    def test_reduced_motion_is_respected(self):
        moves = "() => [...document.querySelectorAll('*')].filter((node) => {\
            const style = getComputedStyle(node);\
            const longest = (text) => Math.max(...text.split(',').map(parseFloat));\
            return longest(style.transitionDuration) > 0.001 || longest(style.animationDuration) > 0.001; }).length"
        beat = "document.getElementById('count-number').classList.add('beat')"
        self.page.evaluate(beat)
        self.assertGreater(self.page.evaluate(moves), 0)
        self.page.emulate_media(reduced_motion="reduce")
        self.assertEqual(self.page.evaluate(moves), 0)


class KeyboardOnly(BrowserCase):
    clip = "jacks"
    is_live = False

    def press_until(self, reached, key="Tab", most=40):
        seen = []
        for _ in range(most):
            self.page.keyboard.press(key)
            focus = self.page.evaluate(access.FOCUS)
            seen.append(focus["name"])
            self.assertGreaterEqual(focus["width"], 2, f"no ring on {focus['name']}")
            self.assertNotEqual(focus["style"], "none", focus["name"])
            self.assertTrue(focus["isInView"], focus["name"])
            if focus["name"] == reached:
                return seen
        self.fail(f"{reached} is not reached by {key}: {seen}")

    def test_a_set_is_done_without_a_mouse(self):
        page = self.page
        self.choose("coach")
        # The mode is remembered, and the focus begins where the page does.
        self.reload()
        self.assertEqual(self.press_until("coach")[0], "Skip to the source and Start")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#studio")).to_have_attribute("data-mode", "count")
        self.press_until("settings-open")
        page.keyboard.press("Enter")
        expect(page.locator("#settings")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#settings-open")).to_be_focused()
        self.press_until("start")
        page.keyboard.press("Enter")
        self.wait_for_result(after=2)
        # The focus has not fallen out of the page when Start went away.
        expect(page.locator("#stop")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#after")).to_be_visible()
        expect(page.locator("#start")).to_be_focused()
