"""Many short clips, each of which shows another movement, for the trials of `kinema batch` and of Ray."""
import os
import subprocess


def render(kinema, folder, count):
    """Renders clips with seeds from 1 on, of someone who does one repetition; those that are there stay."""
    movements = ("squat", "jumpingJack", "bicepsCurl")
    os.makedirs(folder, exist_ok=True)
    for index, movement in enumerate(movements):
        wanted = (count + len(movements) - 1 - index) // len(movements)
        place = os.path.join(folder, movement)
        made = sorted(name for name in os.listdir(place) if name.endswith(".mp4")) if os.path.isdir(place) else []
        if len(made) != wanted:
            subprocess.run(
                [kinema, "synth", "--scene", movement, "--repetitions", "1", "--clips", str(wanted),
                 "--size", "320x240", "--frame-rate", "15", "-o", place], check=True, stdout=subprocess.DEVNULL)
    return folder
