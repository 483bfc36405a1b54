"""Corrects counts in Label Studio: counts become predictions of repetitions, corrected repetitions become labels.

    label_studio.py config 30                        the labelling interface of a project with videos of 30 frames a second
    label_studio.py tasks 30 VIDEO… > tasks.json     counts the videos; import this file, with the videos at /data/NAME
    label_studio.py labels EXPORT.json > labels.csv  what was corrected, as `kinema evaluate count` reads it

Label Studio counts frames from 1; a repetition is a region of its timeline from its first to its last frame.
"""
import csv
import json
import os
import sys

CONFIG = """<View>
  <Video name="video" value="$video" frameRate="{rate}"/>
  <TimelineLabels name="repetitions" toName="video"><Label value="repetition"/></TimelineLabels>
</View>"""


def task(name, result, rate):
    """The task of a video, with the repetitions of a result of `kinema.count` or `kinema.coach`."""
    regions = [
        {"id": f"r{number}", "from_name": "repetitions", "to_name": "video", "type": "timelinelabels",
         "score": row.get("confidence", 1),
         "value": {"timelinelabels": ["repetition"],
                   "ranges": [{"start": round(row["start"] * rate) + 1, "end": round(row["end"] * rate) + 1}]}}
        for number, row in enumerate(result.rows, 1)]
    return {"data": {"video": f"/data/{name}"}, "predictions": [{"model_version": "kinema", "result": regions}]}


def labels(tasks):
    """Each exported video with the number of its repetitions; what nobody has corrected is left out."""
    for one in tasks:
        regions = [region for done in one["annotations"][-1:] for region in done["result"]]
        if one["annotations"]:
            yield os.path.basename(one["data"]["video"]), sum(region["type"] == "timelinelabels" for region in regions)


def main(action, *words):
    if action == "config":
        print(CONFIG.format(rate=float(words[0])))
    elif action == "tasks":
        import kinema
        json.dump([task(os.path.basename(video), kinema.count(video), float(words[0])) for video in words[1:]], sys.stdout)
    else:
        with open(words[0], encoding="utf-8") as file:
            csv.writer(sys.stdout).writerows([("file", "reps"), *labels(json.load(file))])


if __name__ == "__main__":
    main(*sys.argv[1:])
