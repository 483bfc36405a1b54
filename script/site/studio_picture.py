"""Takes the README's picture of the studio, by the means of its browser tests: $KINEMA_PICTURE is the file to write."""
import os
import unittest

from browsing import BrowserCase

# A film that stands for a camera has its path for a name, which is nobody's business.
RENAME = "() => { const one = document.getElementById('source-kind'); one.options[one.selectedIndex].textContent = 'Camera'; }"


class StudioPicture(BrowserCase):
    clip = "jacks"

    def test_counting(self):
        self.choose("count")
        self.start()
        self.until("Number(document.getElementById('count-number').textContent) > 1")
        self.page.evaluate(RENAME)
        self.page.screenshot(path=os.environ["KINEMA_PICTURE"])
        self.stop()


if __name__ == "__main__":
    unittest.main()
