// Keeps the screen on while a person exercises in front of it.

let lock = null;
let wanted = false;

async function hold() {
    if (!wanted || document.hidden || !("wakeLock" in navigator)) return;
    try {
        lock = await navigator.wakeLock.request("screen");
    } catch {
        // Refused on low battery, for example; then the screen sleeps as usual.
    }
}

/** Whether the screen is to stay on; a browser gives the lock up whenever the tab is hidden. */
export function keepAwake(value) {
    wanted = value;
    if (value) {
        hold();
        return;
    }
    lock?.release();
    lock = null;
}

addEventListener("visibilitychange", hold);
