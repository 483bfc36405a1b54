"""A video is sent, analysed with progress, exported, kept, opened in the history and deleted."""

import clips
from browsing import BrowserCase, expect


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
