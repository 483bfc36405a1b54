"""Opens, kills, starves and disconnects sessions of a real studio, fills its disk, replaces and damages its history, and
kills it in mid-write. Prints a table of events with their runs and outcomes; fails if a claim does not hold.

These must hold: frames in = analysed + dropped; a client that waits for each frame loses none, whatever others do;
descriptors, threads and memory are released; every session reported as kept is in the history after every start.
Needs only the standard library.
"""
import argparse
import os
import sys
import tempfile
import time

import soak_cameras
from soak_client import Fault, Refused
from soak_history import History
from soak_sessions import Sessions


class Table:
    """The events: one line each, with the number of runs and the outcomes."""

    def __init__(self):
        self.rows, self.has_failed = {}, False

    def run(self, name, work):
        """Runs an event; its outcome is the return value of `work`, or the fault."""
        row = self.rows.setdefault(name, {"times": 0, "outcomes": {}, "faults": []})
        row["times"] += 1
        try:
            outcome = work() or "holds"
            row["outcomes"][outcome] = row["outcomes"].get(outcome, 0) + 1
        except (Fault, Refused, OSError) as fault:
            self.has_failed = True
            row["faults"].append(str(fault) or type(fault).__name__)
            print(f"soak: {name}: {row['faults'][-1]}", file=sys.stderr, flush=True)

    def print(self):
        width = max(map(len, self.rows))
        print(f"{'event':{width}}  times  outcome")
        for name, row in self.rows.items():
            outcomes = [
                text if count == row["times"] else f"{text} ({count})" for text, count in row["outcomes"].items()]
            faults = [f"FAILS: {row['faults'][0]} ({len(row['faults'])})"] if row["faults"] else []
            print(f"{name:{width}}  {row['times']:5}  {'; '.join(outcomes + faults)}")


def run(arguments):
    """Runs the studio's events; returns whether everything holds."""
    seconds = 60 * (arguments.minutes or (60 if arguments.hour else 4))
    started, table = time.monotonic(), Table()
    with tempfile.TemporaryDirectory(prefix="kinema-soak-") as folder:
        sessions = Sessions(os.path.abspath(arguments.kinema), folder, table)
        sessions.rounds(seconds * 0.6)
        History(sessions).all(started + seconds - time.monotonic())
    table.print()
    total = sum(row["times"] for row in table.rows.values())
    print(f"{total} events in {(time.monotonic() - started) / 60:.1f} min: "
          f"{'something does not hold' if table.has_failed else 'everything holds'}")
    return not table.has_failed


def main():
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--hour", action="store_true", help="an hour instead of four minutes")
    parser.add_argument("--minutes", type=float, help="approximate duration")
    parser.add_argument("--cameras", action="store_true", help="test cameras of kinema watch instead of the studio")
    parser.add_argument("--video-minutes", type=float, default=soak_cameras.MINUTES_OF_VIDEO, help="minutes of video per camera")
    parser.add_argument("--acceleration", type=float, default=soak_cameras.ACCELERATION, help="how much faster than real time the cameras send")
    arguments = parser.parse_args()
    sys.exit(0 if (soak_cameras.run if arguments.cameras else run)(arguments) else 1)


if __name__ == "__main__":
    main()
