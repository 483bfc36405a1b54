"""Games of toss from a rendered film: what the page says must be what the film shows, to the last throw."""

import clips
from browsing import SHOTS, BrowserCase, expect

# A page that takes little to draw, where a throw that is missed would never come again.
SMALL = {"width": 420, "height": 420}


class TossMode(BrowserCase):
    clip = None
    is_live = True
    options = ("--input", lambda: clips.video("toss"))

    def setUp(self):
        super().setUp()
        self.game = clips.game("toss")
        self.choose("toss")
        self.page.locator("#source-kind").select_option(f"input:{self.status['inputs'][0]}")

    def place(self, x, y):
        """Where a point of the picture (0...1, origin at the lower left) lies on the page."""
        box = self.page.locator("#overlay").bounding_box()
        return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]

    def box_of_the_board(self, margin):
        xs, ys = zip(*self.game["board"])
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin

    def drag(self, start, end):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for share in (0.3, 0.7, 1):
            self.page.mouse.move(*(a + (b - a) * share for a, b in zip(start, end)))
        self.page.mouse.up()

    def wait_for_the_board(self):
        self.until("!['ready', 'detecting board'].includes(document.getElementById('toss-phase').textContent)")

    def wait_for_throws(self, count):
        self.until("count => document.querySelectorAll('#toss-throws li').length >= count", count, seconds=120)

    def test_a_game_is_played_with_the_board_marked_by_hand(self):
        page, throws = self.page, self.game["throws"]
        self.start()
        self.wait_for_the_board()
        # The board's box is dragged over the picture; the film begins anew with it.
        page.locator("#toss-mark").click()
        expect(page.locator("#board-box")).to_be_visible()
        left, low, right, high = self.box_of_the_board(0.03)
        self.drag(self.place(left, high), self.place(right, low))
        expect(page.locator("#toss-find")).to_be_visible()
        dragged = [float(value) for value in page.locator("#board-box").get_attribute("data-box").split()]
        for value, wanted in zip(dragged, (left, low, right - left, high - low)):
            self.assertAlmostEqual(value, wanted, delta=0.01)
        expect(page.locator("#board-box")).to_be_hidden()

        # A busy machine leaves frames of a live source out: what the page says is held against what was recorded of it,
        # and against the film where every frame is read, below.
        self.until("Number(document.getElementById('overlay').dataset.time) < 2")
        # Points are shown for a moment, so they are written down as they come.
        page.evaluate("""() => {
            const id = (name) => document.getElementById(name);
            window.shown = [];
            new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes]).forEach((node) => {
                if (!node.classList?.contains("plus")) return;
                window.shown.push([node.textContent, id("gauge-speed").textContent, id("toss-summary").hidden]);
            })).observe(id("layer"), { childList: true });
        }""")
        self.until("window.shown.length > 0", seconds=120)
        page.screenshot(path=SHOTS / "toss-throw.png")
        points, speed, is_hidden = page.evaluate("window.shown[0]")
        self.assertTrue(is_hidden)

        # The film comes to its end by itself, and with it the game.
        expect(page.locator("#after")).to_be_visible(timeout=120_000)
        session = self.studio.sessions()[0]
        made = session["throws"]
        self.assertTrue(1 <= len(made) <= len(throws), made)
        self.assertEqual((session["mode"], page.locator("#toss-throws li").count()), ("toss", len(made)))
        self.assertEqual(points, f"+{made[0]['score']}")
        self.assertAlmostEqual(float(speed), made[0]["speed_mph"], delta=0.06)
        self.assertEqual(self.number("toss"), sum(one["score"] for one in made))

    def test_a_film_of_a_game_gives_what_the_film_shows(self):
        page, throws = self.page, self.game["throws"]
        page.locator("#source-kind").select_option("upload")
        page.locator("#upload-file").set_input_files(clips.video("toss"))
        page.locator("#start").click()
        expect(page.locator("#after")).to_be_visible(timeout=120_000)
        self.assertEqual(page.locator("#toss-throws li").count(), len(throws))
        self.assertEqual(self.number("toss"), self.game["total"])
        expect(page.locator("#gauge-facts")).to_contain_text(throws[-1]["type"], ignore_case=True)
        figures = page.locator("#toss-figures")
        for word in ("Average speed", "Top speed", "Release angle", "Distance"):
            expect(figures).to_contain_text(word)
        top = max(one["speed"] for one in throws) * 2.23694
        told = figures.locator("div", has_text="Top speed").last.locator("dd").inner_text()
        self.assertAlmostEqual(float(told.split()[0]), top, delta=1)
        self.assertEqual(figures.locator(".path-mark").count(), len(throws))
        self.shoot("toss-summary")
        session = self.studio.sessions()[0]
        self.assertEqual((session["mode"], len(session["throws"])), ("toss", len(throws)))
        self.assertAlmostEqual(session["game"]["top_speed_mph"], top, delta=1)

    def test_a_game_is_played_again_and_the_history_shows_it(self):
        page, before = self.page, len(self.studio.sessions())
        page.set_viewport_size(SMALL)
        self.start()
        self.wait_for_throws(1)
        self.stop()
        page.locator("#toss-again").click()
        self.wait_for_result(after=0.2)
        self.assertEqual(self.number("toss"), 0)
        self.assertEqual(page.locator("#toss-throws li").count(), 0)
        expect(page.locator("#toss-summary")).to_be_hidden()
        expect(page.locator("#gauge-speed")).to_have_text("–")
        self.wait_for_throws(1)
        self.stop()
        self.assertEqual(len(self.studio.sessions()), before + 2)
        session = self.studio.sessions()[0]
        page = self.open(f"review.html#{session['id']}")
        expect(page.locator("#extras .game-paths .path-mark")).to_have_count(len(session["throws"]))
        expect(page.locator("#extras .game-figures")).to_contain_text("Top speed")
        expect(page.locator("#extras")).to_contain_text("Distance, m")
        self.shoot("toss-history", page)

    def test_only_throws_from_left_to_right_count_when_that_is_chosen(self):
        goes_right = self.game["throws"][0]["bag"][-1][1] > self.game["throws"][0]["bag"][0][1]
        self.page.locator("#toss-direction").select_option("leftToRight")
        self.page.set_viewport_size(SMALL)
        self.start()
        expect(self.page.locator("#after")).to_be_visible(timeout=120_000)
        made = self.page.locator("#toss-throws li").count()
        # A busy machine leaves frames of a live source out, and may miss a throw.
        self.assertTrue(1 <= made <= len(self.game["throws"]) if goes_right else made == 0, made)

    def test_the_box_is_moved_by_keys_and_taken_by_enter(self):
        self.start()
        self.wait_for_the_board()
        self.page.locator("#toss-mark").click()
        box = self.page.locator("#board-box")
        before = [float(value) for value in box.get_attribute("data-box").split()]
        box.press("ArrowLeft")
        # Results that come meanwhile leave it where it is.
        self.wait_for_result(after=3)
        after = [float(value) for value in box.get_attribute("data-box").split()]
        self.assertAlmostEqual(after[0], before[0] - 0.01, delta=0.001)
        self.assertEqual(before[1:], after[1:])
        box.press("Enter")
        expect(self.page.locator("#toss-find")).to_be_visible()
        expect(box).to_be_hidden()
        self.page.locator("#toss-find").click()
        expect(self.page.locator("#toss-find")).to_be_hidden()
        # The film begins anew.
        self.until("Number(document.getElementById('overlay').dataset.time) < 2")
        self.stop()


class TossWithoutBoard(BrowserCase):
    clip = "jacks"
    is_live = False

    def test_the_player_is_asked_to_bring_the_board(self):
        self.choose("toss")
        self.start()
        hint = self.page.locator("#hint")
        expect(hint).to_have_text("Place the board in the box")
        expect(self.page.locator("#board-box")).to_be_visible()
        self.shoot("toss-place")
        self.stop()
