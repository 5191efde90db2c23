// Makes Pics an app of the browser: its worker answers when offline, and what waits on this device is shown and sent. That needs HTTPS,
// or this very machine.
"use strict";
(() => {
    for (const hint of document.querySelectorAll("[data-insecure]")) hint.hidden = window.isSecureContext;
    if (!("serviceWorker" in navigator)) return;
    const worker = "/worker.js";
    const policy = window.trustedTypes?.createPolicy("pics-worker", { createScriptURL: () => worker });
    const registration = navigator.serviceWorker.register(policy ? policy.createScriptURL(worker) : worker, { updateViaCache: "none" });
    // A new version works at once; a page that is open stays as it is until its reader loads it again. An app that is never closed asks
    // when it comes into view.
    const hasWorker = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
        const hint = document.querySelector("[data-update]");
        if (hint && hasWorker) hint.hidden = false;
    });
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden) registration.then((worker) => worker.update()).catch(() => {});
    });

    const button = document.querySelector("[data-install]");
    window.addEventListener("beforeinstallprompt", (event) => {
        if (!button) return;
        event.preventDefault();
        button.hidden = false;
        button.onclick = async () => {
            const { outcome } = await event.prompt();
            if (outcome === "accepted") button.hidden = true;
        };
    });

    if (!outbox.isUsable) return;
    const name = document.querySelector("[data-user]")?.dataset.user;
    if (name) outbox.setUser(name);
    // Who signs out is told nothing any more, and what is written next is not theirs. The server forgets the browser by itself; the form
    // waits a moment for the browser.
    const endings = ["/logout", "/settings/sessions/end", "/settings/account/delete"].map((path) => `form[action='${path}']`);
    for (const form of document.querySelectorAll(endings)) {
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const forgotten = window.Notification?.permission === "granted" && navigator.serviceWorker.getRegistration()
                .then((registration) => registration?.pushManager?.getSubscription())
                .then((subscription) => subscription?.unsubscribe());
            const moment = new Promise((resolve) => { setTimeout(resolve, 1000); });
            Promise.race([Promise.allSettled([outbox.setUser(null), forgotten]), moment]).then(() => form.submit());
        });
    }

    // What waits here, with what can be done about it: one's own, and what nobody owns. Another person's is not shown.
    const section = document.querySelector("[data-outbox]");
    const unowned = document.querySelector("[data-unowned]");
    const row = section?.querySelector("[data-kept]");
    // The addresses of the files that are shown.
    const addresses = [];
    const address = (file) => {
        addresses.push(URL.createObjectURL(file));
        return addresses.at(-1);
    };
    const nameOwner = (part, own) => {
        for (const each of part.querySelectorAll("[data-owner]")) each.textContent = own;
    };
    const item = (post, own) => {
        const item = row.content.firstElementChild.cloneNode(true);
        const part = (name) => item.querySelector(name);
        const caption = post.fields.find(([name]) => name === "caption")?.[1];
        part("[data-caption]").textContent = caption || post.files.map((file) => file.name).join(", ");
        const isDraft = post.state === "draft" || (!post.user && post.state === "waiting");
        const shown = isDraft ? (post.shared ? "shared" : "draft") : post.state;
        for (const state of item.querySelectorAll("[data-state]")) {
            state.hidden = state.dataset.state !== shown;
            if (post.state === "failed" && post.problem && !state.hidden) state.textContent = post.problem;
        }
        const picture = part("img");
        if (post.files[0]?.type.startsWith("image/")) {
            picture.hidden = false;
            picture.src = address(post.files[0]);
            picture.addEventListener("error", () => { picture.hidden = true; });
        }
        // A person makes it theirs by posting it.
        const isOffered = !post.user && own !== null;
        for (const link of ["[data-edit]", "[data-claim]"]) part(link).href = `/new?draft=${post.key}`;
        part("[data-edit]").hidden = isOffered || post.state === "unknown";
        part("[data-claim]").hidden = !isOffered;
        nameOwner(item, own);
        part("[data-again]").hidden = !post.user || post.state === "draft" || post.state === "failed";
        part("[data-again]").addEventListener("click", async () => {
            if (post.state === "unknown") {
                // As another post, once somebody has looked.
                await outbox.put({ ...post, key: crypto.randomUUID(), state: "waiting", triedAt: null, uploads: [] });
                await outbox.remove(post.key);
            }
            send();
        });
        const save = part("[data-save]");
        for (const file of post.files) {
            const link = save.cloneNode(true);
            [link.href, link.download, link.title] = [address(file), file.name, file.name];
            save.before(link, " ");
        }
        save.remove();
        part("[data-discard]").addEventListener("click", () => outbox.remove(post.key));
        return item;
    };
    const show = async () => {
        if (!section) return;
        const own = await outbox.user();
        // Offline a page says what becomes of what is posted there.
        for (const [part, isShown] of [["[data-known]", own], ["[data-nobody]", !own]]) {
            for (const each of document.querySelectorAll(part)) {
                each.hidden = !isShown;
                nameOwner(each, own);
            }
        }
        const edited = new URLSearchParams(location.search).get("draft");
        const posts = (await outbox.all()).filter((post) => post.key !== edited);
        for (const old of addresses.splice(0)) URL.revokeObjectURL(old);
        for (const [part, isListed] of [[section, ({ user }) => user && user === own], [unowned, ({ user }) => !user]]) {
            const items = posts.filter(isListed).map((post) => item(post, own));
            part.querySelector("ul").replaceChildren(...items);
            part.hidden = items.length === 0;
        }
    };

    // The photos are shown anew once all that could be sent is.
    let sent = 0;
    let sending = false;
    const renew = () => { if (location.pathname === "/") location.replace("/?done=posted"); else show(); };
    const send = async () => {
        const before = sent;
        sending = true;
        const { needsLogin } = await outbox.send();
        sending = false;
        if (sent > before) renew();
        const hint = section?.querySelector("[data-signin]");
        if (hint) hint.hidden = !needsLogin;
    };
    outbox.events.addEventListener("changed", show);
    outbox.events.addEventListener("sent", () => {
        sent += 1;
        if (sending) show(); else renew();
    });
    window.addEventListener("online", send);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
    setInterval(() => { if (!document.hidden) send(); }, 60_000);
    outbox.keepShared(null).catch(() => {});
    show();
    send();
})();
