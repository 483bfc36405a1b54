"""Lists the classes of the page's tests as JSON (name, number of tests, whether it shows live video, what browser it
needs), or runs some, those of one browser in one.

    python3 classes.py [MODULE.CLASS …]
"""

import json
import sys
import time
import unittest


class Timed(unittest.TextTestResult):
    """Tells each test's seconds."""

    def startTest(self, test):
        self.begun = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        print(f"seconds {time.monotonic() - self.begun:.1f} {test.id()}", file=sys.stderr)


def is_live(one):
    """Whether a class shows a camera's video, or another that plays in real time."""
    return getattr(one, "is_live", getattr(one, "clip", None) is not None)


def needs(one):
    """What browser a class needs, as a text; classes that need the same may have the same."""
    return " ".join(map(str, (getattr(one, "clip", None), *getattr(one, "flags", ()))))


def run(loader, names):
    """Runs the classes one after the other and tells the seconds of each."""
    well = True
    for name in names:
        begun = time.monotonic()
        done = unittest.TextTestRunner(verbosity=2, resultclass=Timed).run(loader.loadTestsFromName(name))
        well = well and done.wasSuccessful()
        print(f"class {name} took {time.monotonic() - begun:.1f}", file=sys.stderr)
    if "browsing" in sys.modules:
        sys.modules["browsing"].close_browsers()
    return 0 if well else 1


def cases(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from cases(item)
        else:
            yield item


def main(names):
    # Run in the folder of the tests, which for those of the Python module is not this one.
    sys.path.insert(0, "")
    loader = unittest.TestLoader()
    if names:
        return run(loader, names)
    counts = {}
    for case in cases(loader.discover(".", pattern="test_*.py")):
        counts[type(case)] = counts.get(type(case), 0) + 1
    if loader.errors:
        sys.exit("\n".join(loader.errors))
    json.dump([(f"{one.__module__}.{one.__qualname__}", count, is_live(one), needs(one))
               for one, count in counts.items()], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
