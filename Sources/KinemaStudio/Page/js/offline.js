// Has the browser keep the page's files, where it may: on this machine and over HTTPS.
if (window.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => null);
