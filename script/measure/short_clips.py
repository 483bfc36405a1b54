"""Many short clips, each with different content, for the trials of `kinema batch` and of Ray."""
import concurrent.futures
import os
import subprocess

MOVEMENTS = ("squat", "jumpingJack", "bicepsCurl")


def render(kinema, folder, count):
    """Renders clips with seeds from 1 on and keeps one second of each; existing clips stay."""
    for index, movement in enumerate(MOVEMENTS):
        wanted = (count + len(MOVEMENTS) - 1 - index) // len(MOVEMENTS)
        place, whole = os.path.join(folder, movement), os.path.join(folder, f".{movement}")
        if os.path.isdir(place) and len(os.listdir(place)) == wanted:
            continue
        subprocess.run(
            [kinema, "synth", "--scene", movement, "--repetitions", "1", "--clips", str(wanted),
             "--size", "320x240", "--frame-rate", "6", "-o", whole], check=True, stdout=subprocess.DEVNULL)
        cut_all(whole, place)
    return folder


def cut_all(whole, place):
    """Cuts one second from the middle of each clip, where the movement is."""
    os.makedirs(place, exist_ok=True)

    def cut(name):
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", "1.2", "-i", os.path.join(whole, name), "-t", "1",
             "-c:v", "libx264", "-preset", "ultrafast", os.path.join(place, name)], check=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(cut, (name for name in sorted(os.listdir(whole)) if name.endswith(".mp4"))))
