// Photos that wait on this device until the server has them: with their bytes, and a key made once, under which the server stores them
// once. Files go in parts, and go on where they broke off. Pages and the service worker share it. A post is {key, user, state, at,
// triedAt, fields, files, uploads, problem, shared}, with the identifiers of its uploads in `uploads`, one for each file; its state is
// `draft`, `waiting`, `failed` (refused, see `problem`) or `unknown` (it may have been posted, longer ago than the server keeps keys).
// It is listed for `user` alone, and sent as theirs alone. Without a user, as older versions kept some, it waits for a person who posts it.
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
    // Changes a post that is still there: one that somebody has removed meanwhile stays away. Gives the changed post; nothing where there
    // is none, or `change` gives none.
    const update = async (key, change) => {
        let changed;
        await within("posts", "readwrite", (posts) => {
            const request = posts.get(key);
            request.onsuccess = () => {
                changed = request.result && change(request.result);
                if (changed) posts.put(changed);
            };
            return request;
        });
        if (changed) tell("changed");
        return changed;
    };
    const remove = async (key, event = "changed") => {
        await within("posts", "readwrite", (posts) => posts.delete(key));
        tell(event);
    };
    // The name of whose page this is, else of who signed in last in this browser and has not signed out: what is written here is theirs.
    const user = async () => globalThis.document?.querySelector("[data-user]")?.dataset.user
        ?? await within("facts", "readonly", (facts) => facts.get("user")).catch(() => null) ?? null;
    const setUser = (name) => within("facts", "readwrite", (facts) => (name ? facts.put(name, "user") : facts.delete("user")));

    // Any site can send shared drafts: as long as no person has posted them, the newest few stay.
    const [mostShared, mostSharedBytes, longestShared] = [20, 2 ** 31, 7 * 24 * 3600 * 1000];
    // Keeps a shared draft, if there is one, and removes those that are too many, too large together, or too old.
    const keepShared = async (post, most = mostSharedBytes) => {
        let removed = 0;
        await within("posts", "readwrite", (posts) => {
            if (post) posts.put({ ...post, state: "draft", shared: true });
            const request = posts.getAll();
            request.onsuccess = () => {
                const drafts = request.result.filter(({ shared, state }) => shared && state === "draft").sort((a, b) => b.at - a.at);
                let bytes = 0;
                for (const [place, { key, at, files }] of drafts.entries()) {
                    for (const file of files) bytes += file.size;
                    if (place < mostShared && bytes <= most && Date.now() - at <= longestShared) continue;
                    posts.delete(key);
                    removed += 1;
                }
            };
            return request;
        });
        if (post || removed > 0) tell("changed");
    };

    // A network that hangs is one that broke.
    const longestRequest = 120_000;
    const ask = async (path, method, body, fields = {}) => {
        const headers = { Accept: "application/json", ...fields };
        const answer = await fetch(path, { method, body, headers, cache: "no-store", signal: AbortSignal.timeout(longestRequest) });
        return { status: answer.status, ok: answer.ok, json: await answer.json().catch(() => ({})) };
    };

    // Sends a file in parts from where it broke off; `report` gets the number of durable bytes, and ends it by `false`. A part takes
    // about a second or two. The last one is sent again until the server has heard that it is the last.
    const append = async (id, file, report) => {
        let answer = await ask(`/new/uploads/${id}`, "GET");
        let size = 256 << 10;
        let conflicts = 0;
        while (answer.ok || (answer.status === 409 && ++conflicts < 5)) {
            const { offset } = answer.json;
            if (!(offset <= file.size) || report(offset) === false) return answer;
            const begun = Date.now();
            const isLast = offset + size >= file.size;
            answer = await ask(`/new/uploads/${id}`, "PATCH", file.slice(offset, offset + size), {
                "Upload-Offset": String(offset), "Upload-Complete": isLast ? "?1" : "?0", "Content-Type": "application/partial-upload",
            });
            if (!answer.ok) continue;
            if (isLast) return { ...answer, isComplete: true };
            const seconds = (Date.now() - begun) / 1000;
            if (seconds < 1) size = Math.min(size * 2, 8 << 20);
            if (seconds > 4) size = Math.max(size / 2, 64 << 10);
        }
        return answer;
    };

    // Sends a file under the upload `id`, or begins one where there is none or it is gone: `begun` gets its identifier. The answer that
    // ended it has `isComplete` where the server has the whole file.
    const upload = async (file, id, session, begun, report) => {
        const answer = id ? await append(id, file, report) : null;
        // One that was not finished in time is gone.
        if (answer && answer.status !== 404 && answer.status !== 410) return answer;
        const begin = new URLSearchParams({ form_token: session.form_token, length: String(file.size) });
        const beginning = await ask("/new/uploads", "POST", begin);
        if (!beginning.ok) return beginning;
        await begun(beginning.json.upload);
        return append(beginning.json.upload, file, report);
    };

    // Changes a post that still waits.
    const change = async (key, members) => {
        const changed = await update(key, (post) => (post.state === "waiting" ? { ...post, ...members } : null));
        if (!changed) throw new Error("the post was taken back");
        return changed;
    };

    // Sends a post with all its files; the first answer that is no success ends it. `keep` changes the post where it is kept.
    const deliver = async (post, session, keep, report) => {
        const total = post.files.reduce((sum, file) => sum + file.size, 0);
        let before = 0;
        const uploads = [...post.uploads ?? []];
        for (const [place, file] of post.files.entries()) {
            const begun = (id) => {
                uploads[place] = id;
                return keep({ uploads: [...uploads] });
            };
            const answer = await upload(file, uploads[place], session, begun, (bytes) => { report(before + bytes, total); });
            if (!answer.ok) return answer;
            before += file.size;
        }
        await keep({ triedAt: post.triedAt ?? Date.now() });
        const form = new FormData();
        form.append("form_token", session.form_token);
        form.append("key", post.key);
        for (const id of uploads) form.append("upload", id);
        for (const [name, value] of post.fields) form.append(name, value);
        return ask("/new", "POST", form);
    };

    // Who is signed in, and the token of their forms; null without an answer.
    const session = () => ask("/new/session", "GET").catch(() => null);

    const sendOne = async (key, session, report) => {
        const post = await get(key);
        if (post?.state !== "waiting" || post.user !== session.user) return;
        if (post.triedAt && Date.now() - post.triedAt > longestTrial) {
            await change(key, { state: "unknown" });
            return;
        }
        const answer = await deliver(
            post, session, (members) => change(key, members), (bytes, total) => report(key, bytes, total)).catch(() => null);
        if (!answer || passing.has(answer.status) || answer.status >= 500) return;
        if (answer.ok) {
            await remove(key, "sent");
            return answer.json.next;
        }
        await change(key, { state: "failed", triedAt: null, problem: answer.json.problem ?? "" }).catch(() => {});
    };

    // Sends what waits, one after the other, by one page or worker at a time; `report` gets key, bytes sent, and bytes in all. Tells
    // whether somebody has to sign in, and the page that is shown after the last post that was sent.
    const send = (report = () => {}) => navigator.locks.request("outbox", async () => {
        const waiting = (await all()).filter((post) => post.state === "waiting" && post.user);
        if (waiting.length === 0) return { needsLogin: false };
        const answer = await session();
        if (!answer?.ok) return { needsLogin: answer?.status === 401 };
        let next;
        for (const post of waiting) next = await sendOne(post.key, answer.json, report) ?? next;
        return { needsLogin: false, next };
    });

    // Takes a post back to be edited, once nobody is sending it; nothing if it is sent, or another person's.
    const edit = async (key) => {
        const post = await get(key);
        if (post?.user && post.user !== await user()) return;
        if (post?.state !== "waiting") return post;
        return navigator.locks.request("outbox", () => update(key, (post) => ({ ...post, state: "draft" })));
    };

    const isUsable = globalThis.isSecureContext && "indexedDB" in globalThis && "locks" in navigator;
    return { all, get, edit, put, keepShared, mostSharedBytes, remove, send, session, upload, deliver, user, setUser, events, isUsable };
})();
