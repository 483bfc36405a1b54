"""Sessions to review: recorded by the studio from rendered films, and long ones made from those."""

import contextlib
import gzip
import hashlib
import json
import sqlite3
import uuid

import clips
from browsing import BrowserCase, expect


# Where the history keeps what is recorded, and the column that names the session.
RECORDED_TABLES = {"session": "id", "event": "session", "poses": "session"}


class ReviewCase(BrowserCase):
    """`recorded` names what is recorded once for all tests of a class: mode, clip, whether the poses are kept."""

    clip = None
    #: A review is opened with its session.
    first = None
    recorded = ()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sessions = [cls.record(*one) for one in cls.recorded]

    @classmethod
    def record(cls, mode, clip, keeps_poses):
        """A session that the studio recorded from a film, once for all classes: the same command gives the same."""
        about = json.dumps([mode, clips.video(clip).name, keeps_poses, clips.command()])
        mark = hashlib.sha256(about.encode()).hexdigest()[:16]
        kept = clips.FOLDER / f"session-{mark}.sqlite"
        with clips.one_at_a_time(f"session-{mark}.lock"):
            if kept.exists():
                with cls.history() as store:
                    store.execute("ATTACH ? AS kept", [str(kept)])
                    for table in RECORDED_TABLES:
                        store.execute(f"INSERT INTO main.{table} SELECT * FROM kept.{table}")
                    [(found,)] = store.execute("SELECT id FROM kept.session")
                return cls.studio.ask(f"api/history/{found}")
            session = cls.analyse(mode, clip, keeps_poses)
            unfinished = kept.with_suffix(".part")
            unfinished.unlink(missing_ok=True)
            with cls.history() as store:
                store.execute("ATTACH ? AS kept", [str(unfinished)])
                for table, key in RECORDED_TABLES.items():
                    rows = f"SELECT * FROM main.{table} WHERE {key} = ?"
                    store.execute(f"CREATE TABLE kept.{table} AS {rows}", [session["id"]])
            unfinished.rename(kept)
        return session

    @classmethod
    @contextlib.contextmanager
    def history(cls):
        """The studio's history, open; what is done there is kept at the end."""
        with contextlib.closing(sqlite3.connect(cls.studio.data / "kinema/history.sqlite", timeout=30)) as store:
            yield store
            store.commit()

    @classmethod
    def analyse(cls, mode, clip, keeps_poses):
        """Has the studio analyse a film, as a person would, and returns the session."""
        known = {one["id"] for one in cls.studio.sessions()}
        context = cls.browser.new_context(locale="en-GB")
        context.add_cookies([cls.studio.cookie])
        page = context.new_page()
        page.goto(cls.studio.address)
        page.evaluate("keep => localStorage.setItem('kinema', JSON.stringify({ keepPoses: keep, preview: false }))", keeps_poses)
        page.reload()
        expect(page.locator("#source-kind option")).not_to_have_count(0)
        page.locator(f"#modes input[value={mode}]").check(force=True)
        page.locator("#source-kind").select_option("upload")
        page.locator("#upload-file").set_input_files(clips.video(clip))
        page.locator("#start").click()
        expect(page.locator("#after")).to_be_visible(timeout=180_000)
        context.close()
        return next(one for one in cls.studio.sessions() if one["id"] not in known)

    def plant(self, session, repetitions, times=1, seconds=None, poses=True):
        """Puts a session into the history: what was recorded, as often as asked for, with other repetitions, or other poses."""
        new = str(uuid.uuid4()).upper()
        long = seconds or session["duration"]
        with self.history() as store:
            columns = [row[1] for row in store.execute("PRAGMA table_info(session)")]
            values = dict(zip(columns, store.execute("SELECT * FROM session WHERE id = ?", [session["id"]]).fetchone()))
            values |= {"id": new, "count": len(repetitions), "duration": long * times}
            marks = ", ".join("?" * len(columns))
            store.execute(f"INSERT INTO session VALUES ({marks})", list(values.values()))
            for at, one in enumerate(repetitions):
                store.execute("INSERT INTO event VALUES (?, 'repetition', ?, ?)", [new, at, json.dumps(one)])
            if poses:
                packed, = store.execute("SELECT jsonl_gzip FROM poses WHERE session = ?", [session["id"]]).fetchone()
                lines = poses if isinstance(poses, list) else [json.loads(line) for line in gzip.decompress(packed).splitlines()]
                again = [json.dumps(line | {"time": round(line["time"] + at * long, 6), "frame": at * len(lines) + index})
                         for at in range(times) for index, line in enumerate(lines)]
                store.execute("INSERT INTO poses VALUES (?, ?)", [new, gzip.compress("\n".join([*again, ""]).encode())])
        return self.studio.ask(f"api/history/{new}")

    def review(self, session, page=None):
        """Opens a session's review, and waits until its poses are read."""
        page = page or self.page
        place = self.studio.address + "review.html"
        is_there = page.url.partition("#")[0] == place
        page.goto(f"{place}#{session['id']}")
        if is_there:
            page.reload()
        self.until("id => document.getElementById('review').dataset.ready === id", session["id"], page=page)
        # It opens where the first repetition begins.
        page.evaluate("(() => { const scrub = document.getElementById('scrub'); scrub.value = 0; scrub.dispatchEvent(new Event('input')); })()")

    def tab(self, name):
        self.page.locator(f"#tab-{name}").click()

    def seek(self, time):
        """Moves the scrubber, as a hand would."""
        self.page.evaluate("time => { const scrub = document.getElementById('scrub'); scrub.value = time;"
                           "scrub.dispatchEvent(new Event('input')); }", time)

    @property
    def time(self):
        return float(self.page.locator("#film").get_attribute("data-time"))

    @property
    def frame(self):
        return int(self.page.locator("#film").get_attribute("data-frame"))

    def poses(self, session):
        answer = self.context.request.get(f"{self.studio.address}api/history/{session['id']}/export?format=poses.jsonl")
        return [json.loads(line) for line in answer.text().splitlines()]
