// Renews the states of a photo's posts as the server tells that they have changed, until nothing is on its way.
"use strict";
(() => {
    const posts = () => document.querySelector("[data-posts]");
    if (posts()?.dataset.open === undefined) return;
    let isAsking = false;
    let isOld = false;

    /** This page as it is now, as a document whose scripts do not run; null when it cannot be had. */
    const load = () => new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("GET", location.pathname);
        request.responseType = "document";
        request.onloadend = () => resolve(request.status === 200 ? request.response : null);
        request.send();
    });

    // Whoever is about to press a button there is not disturbed.
    const renew = async () => {
        isOld = true;
        if (isAsking || posts().contains(document.activeElement)) return;
        isAsking = true;
        while (isOld) {
            isOld = false;
            const fresh = (await load())?.querySelector("[data-posts]");
            if (fresh && !posts().contains(document.activeElement)) posts().replaceWith(document.importNode(fresh, true));
        }
        isAsking = false;
    };
    document.addEventListener("focusout", () => { if (isOld) renew(); });

    // A page that nobody sees asks for nothing.
    let events = null;
    const follow = () => {
        events?.close();
        events = null;
        if (document.hidden) return;
        events = new EventSource(`${location.pathname}/events`);
        events.addEventListener("changed", renew);
        events.addEventListener("ended", () => {
            events.close();
            document.removeEventListener("visibilitychange", follow);
            renew();
        });
    };
    document.addEventListener("visibilitychange", follow);
    follow();
})();
