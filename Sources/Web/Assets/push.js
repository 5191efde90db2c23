// Turns notifications of this browser on and off. It asks for permission on a tap alone, and says what this browser cannot do.
"use strict";
(() => {
    const section = document.querySelector("[data-push]");
    const [on, off] = ["[data-on]", "[data-off]"].map((name) => section.querySelector(name));
    const alert = section.querySelector("[data-problem]");

    const show = (state) => {
        for (const sentence of section.querySelectorAll("[data-state]")) sentence.hidden = sentence.dataset.state !== state;
        on.hidden = state !== "off";
        off.hidden = state !== "on";
    };
    const fail = (text) => {
        alert.textContent = text;
        alert.hidden = false;
    };

    if (!window.isSecureContext) return show("insecure");
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
        // iPads call themselves Macs; only theirs can be touched in several places.
        const isApple = /iPhone|iPad/.test(navigator.userAgent)
            || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
        return show(isApple && !navigator.standalone ? "home" : "unsupported");
    }

    const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const key = section.dataset.key;

    const post = async (form, fields) => {
        const answer = await fetch(form.action, {
            method: "POST", headers: { Accept: "application/json" }, cache: "no-store",
            body: new URLSearchParams({ form_token: form.elements.form_token.value, ...fields }),
        });
        if (answer.redirected || !answer.ok) {
            const problem = await answer.json().catch(() => ({}));
            throw new Error(problem.problem ?? section.dataset.failed);
        }
    };
    const digest = async (subscription) => {
        const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
        return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    };
    /** The browser's subscription; one for another key of the server cannot be sent to, and is given up. */
    const current = async (registration) => {
        const subscription = await registration.pushManager.getSubscription();
        const used = subscription?.options.applicationServerKey;
        if (!subscription || !used || text(used) === key) return subscription;
        await subscription.unsubscribe();
        return null;
    };
    const subscribe = async (registration) => {
        // One that was given up is replaced.
        if (section.dataset.known === "stopped") await (await current(registration))?.unsubscribe();
        const subscription = await current(registration)
            ?? await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
        await post(on, {
            endpoint: subscription.endpoint, p256dh: text(subscription.getKey("p256dh")), auth: text(subscription.getKey("auth")),
        });
    };
    /** Does what a tap has asked for, and shows the list anew. */
    const act = async (work) => {
        alert.hidden = true;
        try {
            await work(await navigator.serviceWorker.ready);
            location.replace(location.pathname);
        } catch (error) {
            if (Notification.permission === "denied") return show("denied");
            fail(error.name === "Error" ? error.message : section.dataset.failed);
        }
    };

    on.addEventListener("submit", (event) => {
        event.preventDefault();
        // Before anything is waited for: browsers take it from a tap alone.
        const asked = Notification.requestPermission();
        act(async (registration) => {
            const answer = await asked;
            if (answer === "denied") throw new Error(section.dataset.failed);
            if (answer === "granted") await subscribe(registration);
        });
    });
    off.addEventListener("submit", (event) => {
        event.preventDefault();
        act(async (registration) => {
            await post(off, {});
            await (await registration.pushManager.getSubscription())?.unsubscribe();
        });
    });

    // What the browser and the server know may differ: the browser may have dropped or renewed its subscription without a word.
    const compare = async () => {
        if (Notification.permission === "denied") {
            if (section.dataset.known) await post(off, {});
            return show("denied");
        }
        const registration = await navigator.serviceWorker.ready;
        const subscription = await current(registration);
        const known = section.dataset.known;
        if (known && known !== "stopped" && Notification.permission === "granted") {
            if (!subscription || await digest(subscription) !== known) await subscribe(registration);
            return show("on");
        }
        show("off");
    };
    compare().catch(() => {
        show("off");
        fail(section.dataset.failed);
    });
})();
