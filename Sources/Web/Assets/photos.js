// Loads older photos before the end of the page comes into sight. Without it a link leads to them.
"use strict";
(() => {
    const pages = document.querySelector("[data-more]");
    const list = document.querySelector(".shots");
    if (!pages || !list || !("IntersectionObserver" in window)) return;
    let isLoading = false;

    /** The page at an address, as a document whose scripts do not run; null when it cannot be had. */
    const load = (address) => new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("GET", address);
        request.responseType = "document";
        request.onloadend = () => {
            // Whoever has signed out meanwhile, or in as somebody else, is not shown the other's photos.
            const user = (page) => page?.querySelector(".bar")?.dataset.user;
            const isSame = request.status === 200 && user(request.response) === user(document)
                && new URL(request.responseURL).pathname === new URL(address).pathname;
            resolve(isSame ? request.response : null);
        };
        request.send();
    });

    const more = async () => {
        const next = pages.querySelector("a[rel=next]");
        if (!next || isLoading) return;
        isLoading = true;
        list.setAttribute("aria-busy", "true");
        const page = await load(next.href);
        list.removeAttribute("aria-busy");
        isLoading = false;
        const photos = page?.querySelector(".shots");
        if (!photos) {
            // The link stays: one may try again.
            observer.disconnect();
            let text = pages.querySelector("[role=alert]");
            if (!text) {
                text = document.createElement("p");
                text.setAttribute("role", "alert");
                pages.prepend(text);
            }
            text.textContent = pages.dataset.failed;
            next.textContent = pages.dataset.retry;
            return;
        }
        for (const item of [...photos.children]) list.append(document.importNode(item, true));
        const following = page.querySelector("[data-more] a[rel=next]");
        pages.querySelector("[role=alert]")?.remove();
        if (following) next.replaceWith(document.importNode(following, true));
        else next.remove();
        observer.unobserve(pages);
        if (following) observer.observe(pages);
    };

    const observer = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more();
    }, { rootMargin: "1500px" });
    observer.observe(pages);
})();
