"""One answer to what was measured: card, review, report, comparison, trend, list and export say the same of a set."""

import csv
import io
import re
import unittest

import clips
from browsing import expect
from reviewing import ReviewCase

# Recordings with what is done in them, and the joints that a coach would look at.
RECORDINGS = {
    "squat_smith1": ("Knee", "Hip"), "squat_barbell3": ("Knee", "Hip"), "deadlift2": ("Hip", "Knee"), "curl_side5": ("Elbow",),
    "front_raise2": ("Shoulder",), "press_side2": ("Elbow", "Shoulder"), "bench2": ("Elbow", "Shoulder"), "jacks_blue12": ("Shoulder",),
    "pf_correct75": ("Elbow",), "pf_correct112": ("Elbow",),
}


@unittest.skipUnless(clips.SHARED.is_dir(), "the shared data is absent")
class Measured(ReviewCase):
    first = ""
    shares_page = True

    def send(self, name):
        page = self.page
        page.goto(self.studio.address)
        self.ready()
        self.choose("count")
        page.locator("#source-kind").select_option("upload")
        page.locator("#upload-file").set_input_files(clips.video(f"data/repetitions/{name}.mp4"))
        page.locator("#start").click()
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        return self.studio.sessions()[0]

    def test_every_place_says_the_same_of_ten_recordings(self):
        page = self.page
        for name, joints in RECORDINGS.items():
            with self.subTest(name):
                session = self.send(name)
                measured = session["measured"]
                self.assertIn(measured["joint"].replace("left", "").replace("right", ""), joints)
                words = measured["joint"].replace("left", "Left ").replace("right", "Right ").replace("Knee", "knee")
                words = re.sub(r" (\w)", lambda found: " " + found[1].lower(), words)
                value = f"{measured['range']:.0f}°"
                told = {"card": page.locator("#after-facts div", has_text="range").inner_text()}
                self.review(session)
                self.tab("numbers")
                told["review"] = page.locator("#numbers div", has_text="range of motion").first.inner_text()
                told["list"] = page.locator("#repetition-list li").first.text_content()
                self.tab("report")
                told["report"] = page.locator("#sheet .sheet-figures div", has_text="range of motion").first.text_content()
                page.goto(self.studio.address + "history.html")
                page.locator("#filter-words").fill(name)
                page.locator("#trend-measure").select_option("angle")
                told["trend"] = page.locator("#trend-room").text_content()
                for place, text in told.items():
                    self.assertIn(words, text, place)
                    if place != "list":
                        self.assertIn(value, text, place)
                first = next(one for one in measured["repetitions"] if "range" in one)
                [row, *_] = [one for one in csv.DictReader(io.StringIO(self.exported(session))) if one["range_degrees"]]
                self.assertEqual((row["joint"], float(row["range_degrees"])), (first["joint"], first["range"]))
                listed = next(one for one in self.studio.ask("api/history")["sessions"] if one["id"] == session["id"])
                self.assertEqual((listed["outline"]["joint"], listed["outline"]["range"]), (measured["joint"], measured["range"]))
                limits = [one for one in measured["repetitions"] if "range" in one]
                self.assertTrue(all(one["range"] <= 180 and one.get("peak", 0) < 3000 for one in limits))

    def exported(self, session):
        return self.context.request.get(f"{self.studio.address}api/history/{session['id']}/export?format=csv").text()
