// The service worker. `version` and `shell`, the paths of files that never change, stand before it. Pages are always asked of the server;
// offline a page says so. Nothing of a person is kept.
"use strict";
const offline = "/offline";

addEventListener("install", (event) => {
    event.waitUntil(caches.open(version).then((cache) => cache.addAll([...shell, offline])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
    event.waitUntil((async () => {
        for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
        await clients.claim();
    })());
});

addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (shell.includes(url.pathname)) {
        event.respondWith(caches.match(url.pathname).then((kept) => kept ?? fetch(request)));
    } else if (request.mode === "navigate") {
        event.respondWith(fetch(request).catch(() => caches.match(offline)));
    }
});
