// Renews the states of a photo's posts while one of them is under way, less and less often.
"use strict";
(() => {
    const posts = () => document.querySelector("[data-posts]");
    let pause = 1500;

    /** This page as it is now, as a document whose scripts do not run; null when it cannot be had. */
    const load = () => new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("GET", location.pathname);
        request.responseType = "document";
        request.onloadend = () => resolve(request.status === 200 ? request.response : null);
        request.send();
    });

    const renew = async () => {
        const isBusy = document.hidden || posts().contains(document.activeElement);
        const fresh = isBusy ? null : (await load())?.querySelector("[data-posts]");
        if (fresh && !posts().contains(document.activeElement)) posts().replaceWith(document.importNode(fresh, true));
        wait();
    };

    const wait = () => {
        if (posts()?.dataset.open === undefined) return;
        pause = Math.min(pause * 1.25, 15000);
        setTimeout(renew, pause);
    };
    wait();
})();
