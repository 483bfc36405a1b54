// Keeps the screen on while a person exercises in front of it.

let lock = null;
let wanted = false;

async function hold() {
    if (!wanted || document.hidden || !("wakeLock" in navigator)) return;
    // Refused on low battery, for example; then the screen sleeps as usual.
    lock = await navigator.wakeLock.request("screen").catch(() => null);
}

/** Whether the screen is to stay on; a browser gives the lock up whenever the tab is hidden. */
export function keepAwake(value) {
    wanted = value;
    if (value) return hold();
    lock?.release();
    return (lock = null);
}

addEventListener("visibilitychange", hold);
