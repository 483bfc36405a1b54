// Before the first paint, so that a chosen appearance never flashes; a classic script for that reason.
(() => {
    try {
        const theme = JSON.parse(localStorage.getItem("kinema") ?? "{}").theme;
        if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
        // Storage may be forbidden; the system's appearance is used then.
    }
})();
