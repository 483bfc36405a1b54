"""A video is sent, analysed with progress, exported, kept, opened in the history and deleted."""

import clips
from browsing import BrowserCase, expect
from scripted import ScriptedCase


class Uploads(BrowserCase):
    clip = None

    def test_from_the_video_to_the_history_and_away(self):
        film, truth = clips.video("four"), clips.truth("four")
        self.choose("count")
        self.page.locator("#source-kind").select_option("upload")
        self.page.locator("#start").click()
        expect(self.page.locator("#source-error")).to_contain_text("Choose a video")

        self.page.evaluate("""() => {
            window.progress = [];
            const bar = document.getElementById("progress");
            new MutationObserver(() => window.progress.push(bar.value)).observe(bar, { attributes: true });
        }""")
        self.page.locator("#upload-file").set_input_files(film)
        self.page.locator("#start").click()
        self.until("document.getElementById('notice').dataset.name === 'analysing'")
        self.shoot("state-analysing")
        expect(self.page.locator("#after")).to_be_visible(timeout=120_000)
        self.shoot("after-upload")
        self.assertEqual(self.number("count"), truth["count"])
        # The model is named where the instruments are shown.
        expect(self.page.locator("#after-facts")).to_be_visible()
        expect(self.page.locator("#after-facts")).not_to_contain_text("Analysed with")
        self.assertEqual(self.studio.sessions()[0]["model"], "blazepose")
        progress = self.page.evaluate("window.progress")
        self.assertGreater(len(set(progress)), 3)
        self.assertTrue(all(0 <= value <= 1 for value in progress))

        links = self.page.locator("#after-links a[download]")
        names = links.evaluate_all("all => all.map(link => link.getAttribute('href').split('/').pop())")
        for name in ("overlay.mp4", "poses.jsonl", "poses.csv", "poses.trc", "poses.mot", "poses.coco.json",
                     "poses.openpose.zip"):
            self.assertIn(name, names)
        self.check_links(links)
        self.check_history(truth)

    def check_links(self, links):
        for link in links.evaluate_all("all => all.map(link => link.href)"):
            answer = self.context.request.get(link)
            self.assertEqual(answer.status, 200, link)
            self.assertGreater(len(answer.body()), 100, link)

    def check_history(self, truth):
        page = self.page
        expect(page.locator("#after-loops canvas")).to_have_count(2)
        page.goto(self.studio.address + "history.html")
        # The skeleton at its turn stands for the set.
        expect(page.locator("a.session .still line").nth(10)).to_be_attached()
        page.goto(self.studio.address + f"review.html#{self.studio.sessions()[0]['id']}")
        expect(page.locator("#repetition-list li")).to_have_count(truth["count"])
        self.shoot("review-upload")
        page.locator("#tab-report").click()
        self.check_links(page.locator("#exports a"))

        page.locator("#delete").click()
        expect(page.locator("#confirm-keep")).to_be_focused()
        self.shoot("history-delete")
        page.locator("#confirm-keep").click()
        self.assertEqual(len(self.studio.sessions()), 1)
        page.locator("#delete").click()
        page.locator("#confirm-delete").click()
        expect(page.locator("#message")).to_have_text("Deleted.")
        self.assertEqual(self.studio.sessions(), [])
        page.reload()
        expect(page.locator("#message")).to_contain_text("Nothing yet")
        self.shoot("history-empty")


class KeptVideos(BrowserCase):
    clip = None

    def send(self):
        self.choose("count")
        self.page.locator("#source-kind").select_option("upload")
        self.page.locator("#upload-file").set_input_files(clips.video("four"))
        self.page.locator("#start").click()

    def test_a_video_waits_for_its_turn_and_is_listed_with_its_size_until_it_is_deleted(self):
        places = [3, 1]

        def answer(route):
            place = places.pop(0) if places else 0
            route.fulfill(json={"uploads": [], "minutes": 10, "position": place})

        self.page.route("**/api/uploads?ticket=*", lambda route: answer(route) if route.request.method == "GET" else route.continue_())
        self.send()
        expect(self.page.locator("#notice-title")).to_have_text("In the queue")
        expect(self.page.locator("#notice-text")).to_have_text("Number 3 in the queue. Your video starts by itself.")
        self.shoot("state-queued")
        expect(self.page.locator("#notice-text")).to_have_text("Number 1 in the queue. Your video starts by itself.")
        expect(self.page.locator("#after")).to_be_visible(timeout=120_000)
        self.assertEqual(self.number("count"), clips.truth("four")["count"])
        size = clips.video("four").stat().st_size
        summary = self.page.locator("#uploads-title")
        expect(summary).to_contain_text("In the studio: 1 video, ")
        # The video and what was made from it.
        self.assertGreater(float(summary.inner_text().split()[-2]), size / 1e6)
        summary.click()
        row = self.page.locator("#uploads-list li")
        expect(row).to_contain_text(clips.video("four").name)
        expect(row).to_contain_text("in use")
        expect(row.locator("button")).to_be_disabled()
        # Nobody works with it ten seconds later.
        self.until("""async () => { const it = await import("/js/uploads.js"); await it.showUploads();
            return !document.querySelector("#uploads-list button").disabled; }""")
        self.shoot("uploads-listed")
        row.locator("button").click()
        expect(self.page.locator("#uploads")).to_be_hidden()
        self.assertEqual(self.studio.ask("api/uploads")["uploads"], [])
        # What was counted of it stays.
        self.assertEqual(len(self.studio.sessions()), 1)

    def test_a_video_that_left_to_make_room_is_named(self):
        with self.page.expect_response("**/api/uploads*"):
            self.page.locator("#source-kind").select_option("upload")
        self.call("uploads.js", "it.showUploads(['old one.mp4'])")
        expect(self.page.locator("#uploads-told")).to_have_text("To make room, this left the studio: old one.mp4")


class WaitingVideos(ScriptedCase):
    def test_the_place_in_the_studios_queue_is_shown_until_the_analysis_begins(self):
        self.begin("count")
        self.page.evaluate("window.studio.tell({ type: 'state', state: 'queued', message: '', position: 2 })")
        expect(self.page.locator("#notice-text")).to_have_text("Number 2 in the queue. Your video starts by itself.")
        self.page.evaluate("window.studio.tell({ type: 'progress', fraction: 0.1, frames: 9, framesPerSecond: 30 })")
        expect(self.page.locator("#notice-title")).to_have_text("Analysing")


class UploadsWithAnyModel(BrowserCase):
    """The studio chooses the model for each film, and the review shows which one it was."""

    clip = None
    options = ("--model", "auto")

    def test_the_model_that_read_a_film_is_shown_after_it_and_on_its_review(self):
        self.page.evaluate("localStorage.setItem('kinema', JSON.stringify({ instruments: true }))")
        self.reload()
        self.choose("count")
        self.page.locator("#source-kind").select_option("upload")
        self.page.locator("#upload-file").set_input_files(clips.video("four"))
        self.page.locator("#start").click()
        expect(self.page.locator("#after")).to_be_visible(timeout=120_000)
        self.assertEqual(self.number("count"), clips.truth("four")["count"])
        [session] = self.studio.sessions()
        # One person is no crowd, which another model would read.
        self.assertEqual(session["model"], "blazepose")
        expect(self.page.locator("#after-facts div", has_text="Analysed with").locator("dd")).to_have_text(session["model"])
        self.page.goto(self.studio.address + f"review.html#{session['id']}")
        self.page.locator("#tab-report").click()
        expect(self.page.locator("#kept-studio")).to_contain_text(f"Analysed with {session['model']}.")
