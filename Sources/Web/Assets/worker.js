// The service worker. `version`, `shell`, the paths of files that never change, and `icon` stand before it, and the outbox. Pages are always
// asked of the server; offline a page says so, and takes photos. Nothing of a person is kept but the outbox.
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
    if (request.method === "POST" && url.origin === location.origin && url.pathname === "/share") {
        event.respondWith(keepShared(request));
        return;
    }
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (shell.includes(url.pathname)) {
        event.respondWith(caches.match(url.pathname).then((kept) => kept ?? fetch(request)));
    } else if (request.mode === "navigate") {
        event.respondWith(fetch(request).catch(() => caches.match(offline)));
    }
});

/** Whether the browser says that another site has sent it; a site can have it say nothing, as it does of another app. */
const isForeign = (request) => [request.headers.get("Origin"), request.referrer]
    .some((source) => source?.startsWith("http") && new URL(source).origin !== location.origin);

// Photos that another app shares become a draft on this device; they are sent by a person, on the page that opens.
const keepShared = async (request) => {
    try {
        if (isForeign(request)) throw new Error("another site shares");
        const form = await request.formData();
        const files = form.getAll("photo").filter((file) => file instanceof File && file.size > 0).slice(0, 20);
        if (files.length === 0) return Response.redirect("/new", 303);
        const words = ["title", "text", "url"].map((name) => form.get(name)).filter((text) => typeof text === "string" && text);
        const key = crypto.randomUUID();
        const fields = [["caption", words.join("\n").slice(0, 10_000)]];
        if (files.reduce((sum, file) => sum + file.size, 0) > outbox.mostSharedBytes) throw new Error("too large");
        await outbox.keepShared({ key, user: await outbox.user(), at: Date.now(), fields, files });
        return Response.redirect(`/new?draft=${key}`, 303);
    } catch {
        return Response.redirect("/new?share=again", 303);
    }
};

// Where the browser can, it wakes the worker when the network is back, until nothing waits.
addEventListener("sync", (event) => {
    if (event.tag !== "outbox") return;
    event.waitUntil(outbox.send().then(async () => {
        const user = await outbox.user();
        if ((await outbox.all()).some((post) => post.state === "waiting" && user && post.user === user)) throw new Error("photos wait");
    }));
});

// A message that has come while no page is open. Browsers want each to be shown, so one that cannot be read is shown, too.
addEventListener("push", (event) => {
    let notice = {};
    try {
        notice = event.data?.json().notification ?? {};
    } catch { /* Shown without its words. */ }
    const path = localPath(notice.navigate);
    event.waitUntil(registration.showNotification(notice.title || "Pics", {
        body: notice.body, lang: notice.lang, tag: notice.tag, icon: icon, data: { path },
    }));
});

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(openPage(localPath(event.notification.data?.path)));
});

/** The path of an address here, whatever host it names. */
const localPath = (address) => {
    try {
        const url = new URL(address, location.origin);
        return new URL(url.pathname + url.search + url.hash, location.origin).origin === location.origin
            ? url.pathname + url.search + url.hash : "/";
    } catch {
        return "/";
    }
};

/** Shows the page where it is open already, else in a window of its own: another page may hold what is not sent yet. */
const openPage = async (path) => {
    const address = new URL(path, location.origin).href;
    const pages = await clients.matchAll({ type: "window" });
    const page = pages.find((page) => page.url === address);
    return page ? page.focus() : clients.openWindow(address);
};
