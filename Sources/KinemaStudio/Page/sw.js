// Keeps the page's own files in this browser, so that it opens without the studio and says that it cannot be reached.
// Files come from the studio while it answers; what was recorded is never kept here.

const name = "kinema-page";

self.addEventListener("install", (event) => {
    event.waitUntil((async () => {
        const { files } = await (await fetch("files.json", { cache: "no-store" })).json();
        const cache = await caches.open(name);
        await cache.addAll(["./", ...files].map((file) => new Request(file, { cache: "no-store" })));
        await self.skipWaiting();
    })());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    const root = new URL("./", location.href).pathname;
    if (["api/", "live"].some((start) => pathname.startsWith(root + start))) return;
    event.respondWith(answer(request));
});

async function answer(request) {
    try {
        const fresh = await fetch(request);
        // Not an answer without the token, which is no file of the page.
        if (fresh.ok && fresh.type === "basic" && !new URL(request.url).search) {
            const cache = await caches.open(name);
            await cache.put(request, fresh.clone());
        }
        return fresh;
    } catch (error) {
        const kept = await caches.match(request, { ignoreSearch: true, cacheName: name });
        if (kept) return kept;
        throw error;
    }
}
