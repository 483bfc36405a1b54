"""Takes the README's image of the studio with its browser tests; $KINEMA_PICTURE is the file to write."""
import os
import unittest

from browsing import BrowserCase

# A video that serves as the camera is named by its path, which should not be shown.
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
