// Photos that wait on this device until the server has them: with their bytes, and a key made once, under which the server stores them
// once. Pages and the service worker share it. A post is {key, user, state, at, triedAt, fields, files, problem}; its state is `draft`,
// `waiting`, `failed` (refused, see `problem`) or `unknown` (it may have been posted, longer ago than the server keeps keys).
"use strict";
const outbox = (() => {
    // The server keeps keys for a day.
    const longestTrial = 20 * 3600 * 1000;
    // The request may be repeated later: not signed in, a session that has ended, too much at a time, under way.
    const passing = new Set([401, 403, 408, 409, 423, 425, 429]);
    // Tells of `changed` and `sent`, whichever page or worker did it.
    const events = new EventTarget();
    const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("outbox") : null;
    channel?.addEventListener("message", ({ data }) => events.dispatchEvent(new Event(data)));
    const tell = (name) => {
        events.dispatchEvent(new Event(name));
        channel?.postMessage(name);
    };

    const open = () => new Promise((resolve, reject) => {
        const request = indexedDB.open("pics", 1);
        request.onupgradeneeded = () => {
            request.result.createObjectStore("posts", { keyPath: "key" });
            request.result.createObjectStore("facts");
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });

    // Asks or changes a store. It is done when it is on the disk.
    const within = async (store, mode, work) => {
        const database = await open();
        try {
            return await new Promise((resolve, reject) => {
                const transaction = database.transaction(store, mode, { durability: "strict" });
                const request = work(transaction.objectStore(store));
                transaction.oncomplete = () => resolve(request.result);
                transaction.onabort = () => reject(transaction.error);
            });
        } finally {
            database.close();
        }
    };

    const all = async () => (await within("posts", "readonly", (posts) => posts.getAll())).sort((a, b) => a.at - b.at);
    const get = (key) => within("posts", "readonly", (posts) => posts.get(key));
    const put = async (post) => {
        await within("posts", "readwrite", (posts) => posts.put(post));
        tell("changed");
    };
    const remove = async (key, event = "changed") => {
        await within("posts", "readwrite", (posts) => posts.delete(key));
        tell(event);
    };
    // The name of who signed in last in this browser: what is posted offline is theirs.
    const user = () => within("facts", "readonly", (facts) => facts.get("user"));
    const setUser = (name) => within("facts", "readwrite", (facts) => (name ? facts.put(name, "user") : facts.delete("user")));

    const byFetch = (form) => fetch("/new", { method: "POST", body: form, headers: { Accept: "application/json" } });

    const sendOne = async (key, session, transport) => {
        const post = await get(key);
        if (post?.state !== "waiting" || (post.user && post.user !== session.user)) return;
        if (post.triedAt && Date.now() - post.triedAt > longestTrial) {
            await put({ ...post, state: "unknown" });
            return;
        }
        if (!post.triedAt) {
            post.triedAt = Date.now();
            await put(post);
        }
        const form = new FormData();
        form.append("form_token", session.form_token);
        form.append("key", post.key);
        for (const [name, value] of post.fields) form.append(name, value);
        for (const file of post.files) form.append("photo", file, file.name);
        const answer = await transport(form, post).catch(() => null);
        if (!answer || passing.has(answer.status) || answer.status >= 500) return;
        if (answer.ok) {
            await remove(key, "sent");
            return;
        }
        const { problem } = await answer.json().catch(() => ({}));
        await put({ ...post, state: "failed", triedAt: null, problem: problem ?? "" });
    };

    // Sends what waits, one after the other, by one page or worker at a time. False: somebody has to sign in.
    const send = (transport = byFetch) => navigator.locks.request("outbox", async () => {
        const waiting = (await all()).filter((post) => post.state === "waiting");
        if (waiting.length === 0) return true;
        const answer = await fetch("/new/session", { cache: "no-store" }).catch(() => null);
        if (!answer?.ok) return answer?.status !== 401;
        const session = await answer.json();
        for (const post of waiting) await sendOne(post.key, session, transport);
        return true;
    });

    // Takes a post back to be edited, once nobody is sending it; nothing if it is sent.
    const edit = (key) => navigator.locks.request("outbox", async () => {
        const post = await get(key);
        if (post) await put({ ...post, state: "draft" });
        return post;
    });

    const isUsable = globalThis.isSecureContext && "indexedDB" in globalThis && "locks" in navigator;
    return { all, get, edit, put, remove, send, user, setUser, events, isUsable };
})();
