// Makes Pics an app of the browser: its worker answers when offline. That needs HTTPS, or this very machine.
"use strict";
(() => {
    for (const hint of document.querySelectorAll("[data-insecure]")) hint.hidden = window.isSecureContext;
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/worker.js");

    const button = document.querySelector("[data-install]");
    if (!button) return;
    window.addEventListener("beforeinstallprompt", (event) => {
        event.preventDefault();
        button.hidden = false;
        button.onclick = async () => {
            const { outcome } = await event.prompt();
            if (outcome === "accepted") button.hidden = true;
        };
    });
})();
